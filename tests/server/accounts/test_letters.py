from __future__ import annotations

import smtplib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from affectcheck.server.accounts import letters
from affectcheck.server.accounts.letters import deliver, post
from affectcheck.server.portal import Portal
from affectcheck.server.storage.tables import letter

if TYPE_CHECKING:
    from email.message import EmailMessage

    from portal_clock import SetClock


def write(portal: Portal, subject: str = "Hello", body: str = "A text.\n") -> None:
    with portal.database.write() as connection:
        post(connection, "ada@example.org", subject, body, portal.now())


def with_smtp(portal: Portal, url: str) -> Portal:
    return Portal(replace(portal.settings, smtp=url), portal.database, portal.uploads, portal.vault, portal.clock)


class Mailbox:
    """Stands in for a server; keeps what it was sent."""

    sent: list[EmailMessage]
    calls: list[Any]
    encrypts = True
    fails: Exception | None = None

    def __init__(self, host: str, port: int, **_: object) -> None:
        type(self).calls.append((host, port))
        if self.fails:
            raise self.fails

    def __enter__(self) -> Mailbox:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def ehlo(self) -> None:
        pass

    def has_extn(self, _name: str) -> bool:
        return self.encrypts

    def starttls(self, **_: object) -> None:
        type(self).calls.append("starttls")

    def login(self, user: str, password: str) -> None:
        type(self).calls.append((user, password))

    def send_message(self, message: EmailMessage) -> None:
        type(self).sent.append(message)


@pytest.fixture
def mailbox(monkeypatch: pytest.MonkeyPatch) -> type[Mailbox]:
    kind = type("OneMailbox", (Mailbox,), {"sent": [], "calls": []})
    monkeypatch.setattr(letters.smtplib, "SMTP", kind)
    monkeypatch.setattr(letters.smtplib, "SMTP_SSL", kind)
    return kind


def test_without_a_server_letters_are_told_to_the_log_once(portal: Portal) -> None:
    write(portal, "Hello\r\nBcc: eve@example.org")
    told: list[str] = []
    assert deliver(portal, told.append) == 1
    assert deliver(portal, told.append) == 0
    assert told == ["letter to ada@example.org: Hello Bcc: eve@example.org\nA text.\n"]


def test_letters_go_by_smtp(portal: Portal, mailbox: type[Mailbox]) -> None:
    write(portal, "Grüße", "Grüße\n")
    assert deliver(with_smtp(portal, "smtp://me:p%40ss@mail.example.org"), print) == 1
    assert mailbox.calls == [("mail.example.org", 587), "starttls", ("me", "p@ss")]
    assert (mailbox.sent[0]["To"], mailbox.sent[0]["Subject"]) == ("ada@example.org", "Grüße")
    assert mailbox.sent[0].get_content() == "Grüße\n"


def test_letters_go_by_smtps(portal: Portal, mailbox: type[Mailbox]) -> None:
    write(portal)
    assert deliver(with_smtp(portal, "smtps://mail.example.org:4650"), print) == 1
    assert mailbox.calls == [("mail.example.org", 4650)]


def test_no_password_goes_in_the_clear(portal: Portal, mailbox: type[Mailbox]) -> None:
    mailbox.encrypts = False
    write(portal)
    told: list[str] = []
    assert deliver(with_smtp(portal, "smtp://me:hidden@mail.example.org"), told.append) == 0
    assert "does not encrypt" in told[0]
    assert "hidden" not in told[0]
    assert mailbox.sent == []


def test_a_letter_that_fails_is_tried_again_later_five_times(
    portal: Portal, clock: SetClock, mailbox: type[Mailbox]
) -> None:
    mailbox.fails = smtplib.SMTPServerDisconnected("gone")
    write(portal)
    told: list[str] = []
    served = with_smtp(portal, "smtp://mail.example.org")
    assert deliver(served, told.append) == 0
    assert deliver(served, told.append) == 0
    assert len(told) == 1
    for _ in range(10):
        clock.forward(hours=2)
        deliver(served, told.append)
    assert len(told) == letters.MOST_ATTEMPTS
    with portal.database.read() as connection:
        row = connection.execute(sa.select(letter)).one()
    assert (row.sent, row.attempt, row.fault) == (None, 5, "SMTPServerDisconnected: gone")


def test_a_letter_that_another_process_has_taken_is_left(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    write(portal)
    monkeypatch.setattr(letters, "_take", lambda *_: False)
    assert deliver(portal, print) == 0


def test_what_is_no_mail_server_is_told(portal: Portal) -> None:
    write(portal)
    told: list[str] = []
    assert deliver(with_smtp(portal, "http://mail.example.org"), told.append) == 0
    assert "not the URL of a mail server" in told[0]
