"""Mail: written with what it is about in one transaction, sent later by SMTP, or told to the log where there is none."""

from __future__ import annotations

import re
import smtplib
import ssl
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

import sqlalchemy as sa

from affectcheck.errors import InputError
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage.tables import letter

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from affectcheck.server.portal import Portal

MOST_ATTEMPTS: Final = 5
_FIRST_PAUSE: Final = timedelta(minutes=5)
_WAIT_S: Final = 20.0
#: How long letters are kept after they were written.
KEPT: Final = timedelta(days=30)
_CODE: Final = re.compile(r"([?&]code=)[A-Za-z0-9_-]+")


def post(connection: sa.Connection, recipient: str, subject: str, body: str, now: datetime) -> None:
    """Write a letter; it is sent once the transaction is kept."""
    line = " ".join(subject.split())[:200]
    row = {"id": new_id(now), "recipient": recipient, "subject": line, "body": body, "created": now}
    connection.execute(sa.insert(letter).values(row))


def deliver(portal: Portal, log: Callable[[str], None]) -> int:
    """Send what waits.

    A letter that fails is tried again after 5, 10, 20 and 40 minutes. It is taken before it is sent, so that two processes
    do not send it twice; one that dies in between leaves it to the next attempt.

    Args:
        portal: whose letters.
        log: takes letters where no SMTP server is set, and faults.

    Returns:
        How many were sent.
    """
    now, sent = portal.now(), 0
    with portal.database.read() as connection:
        waiting = sa.select(letter).where(letter.c.sent.is_(None), letter.c.attempt < MOST_ATTEMPTS)
        rows = connection.execute(waiting.order_by(letter.c.created, letter.c.id).limit(100)).mappings().all()
    for row in rows:
        if _due(row["created"], row["attempt"]) <= now and _take(portal, row):
            sent += _send(portal, row, log)
    return sent


def forget(portal: Portal) -> int:
    """Remove letters that were sent a month ago, and those that nobody could be sent; how many."""
    old = letter.c.created < portal.now() - KEPT
    with portal.database.write() as connection:
        return connection.execute(sa.delete(letter).where(old)).rowcount


def _due(created: datetime, attempts: int) -> datetime:
    return created + _FIRST_PAUSE * ((1 << attempts) - 1)


def _take(portal: Portal, row: sa.RowMapping) -> bool:
    mine = sa.update(letter).where(letter.c.id == row["id"], letter.c.attempt == row["attempt"])
    with portal.database.write() as connection:
        return connection.execute(mine.values(attempt=row["attempt"] + 1)).rowcount == 1


def _send(portal: Portal, row: sa.RowMapping, log: Callable[[str], None]) -> bool:
    try:
        if portal.settings.smtp:
            _by_smtp(portal.settings.smtp, _message(portal, row))
        else:
            log(f"letter to {row['recipient']}: {row['subject']}\n{row['body']}")
        # A code that was sent is kept as a hash alone, as those are that nobody sends: backups hold letters too.
        kept = _CODE.sub(r"\1…", row["body"])
        changes: dict[str, Any] = {"sent": portal.now(), "fault": "", "body": kept}
    except (OSError, smtplib.SMTPException, ValueError) as error:
        # The text of a fault may hold what a server has answered, never the password.
        changes = {"fault": f"{type(error).__name__}: {error}"[:500]}
        log(f"letter to {row['recipient']} not sent: {changes['fault']}")
    with portal.database.write() as connection:
        connection.execute(sa.update(letter).where(letter.c.id == row["id"]).values(changes))
    return "sent" in changes


def _message(portal: Portal, row: sa.RowMapping) -> EmailMessage:
    message = EmailMessage()
    message["From"] = portal.settings.sender
    message["To"] = row["recipient"]
    message["Subject"] = row["subject"]
    message["Date"] = format_datetime(row["created"])
    message["Message-ID"] = make_msgid(row["id"], domain=urlsplit(portal.settings.address).hostname or "localhost")
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(row["body"])
    return message


def _by_smtp(url: str, message: EmailMessage) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise InputError("not the URL of a mail server", expected="smtp://user:password@host:port or smtps://…")
    secure = ssl.create_default_context()
    if parts.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(parts.hostname, parts.port or 465, timeout=_WAIT_S, context=secure)
    else:
        server = smtplib.SMTP(parts.hostname, parts.port or 587, timeout=_WAIT_S)
    with server:
        server.ehlo()
        if parts.scheme == "smtp" and server.has_extn("starttls"):
            server.starttls(context=secure)
            server.ehlo()
        elif parts.scheme == "smtp" and parts.username and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
            raise InputError("the mail server does not encrypt, and would see the password go by", expected="smtps://…")
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
        server.send_message(message)
