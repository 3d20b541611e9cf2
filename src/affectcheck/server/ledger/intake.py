"""An upload: onto the disk as it comes, then its row, slot, job and receipt in one transaction, and only then an answer."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, NotRequired, TypedDict, Unpack

import sqlalchemy as sa

from affectcheck.challenges import RUNNING, AlreadyThere, Refused, Upload, admitted, open_phase
from affectcheck.challenges.declaration import parse_declaration
from affectcheck.server.accounts.actors import require
from affectcheck.server.accounts.teams import team_of
from affectcheck.server.contests.files import kept_name
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.faults import ConflictError, ForbiddenError, NoRoomError, RefusedError, TooManyError
from affectcheck.server.identifiers import new_id
from affectcheck.server.ledger.rows import lock_team, submission_row, taken_slots
from affectcheck.server.storage import audit, jobs
from affectcheck.server.storage.tables import submission
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from affectcheck.challenges import Admission
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.accounts.teams import Team
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal
    from affectcheck.server.storage.blobs import Incoming

_DAY: Final = timedelta(hours=24)
_NAME: Final = 255


@dataclass(frozen=True)
class Receipt:
    """What a team has in hand: that these bytes have arrived, and when.

    Attributes:
        id: of the submission.
        digest: SHA-256 of the bytes.
        size: bytes.
        received: when the last of them came.
        state: of the submission.
        slot: that it holds; None where it holds none.
        signature: of the portal, over id, digest, size and time.
        already: whether these bytes had been sent before, which costs nothing.
    """

    id: str
    digest: str
    size: int
    received: datetime
    state: str
    slot: int | None
    signature: str
    already: bool = False


class Sending(TypedDict):
    """What is sent: the file's name, its bytes, the declaration, and when the first byte came.

    ``digest`` is the SHA-256 that the sender knows of it: other bytes are refused, and those that have arrived before are
    told at once, even where nothing more is taken.
    """

    file_name: str
    blocks: Iterable[bytes]
    declaration: Mapping[str, Any]
    began: datetime
    digest: NotRequired[str]


def receive(portal: Portal, actor: Actor, slug: str, **sent: Unpack[Sending]) -> Receipt:
    """Take an upload: when this returns, the bytes are on the disk and the submission will be checked, whatever happens.

    Args:
        portal: which.
        actor: member of a team of the event.
        slug: of the track.
        **sent: see ``Sending``; the declaration is checked before the first byte is read.

    Raises:
        RefusedError: it is not taken; code, sentence, and when it may be tried again.
        DeclarationError: its declaration is not.
    """
    require(actor, "submit")
    before = _before(portal, actor, slug, sent)
    if isinstance(before, Receipt):
        return before
    with portal.uploads.open_writer(most=portal.settings.limits.upload, spare=portal.settings.free_bytes) as incoming:
        arrived = _Arrived(sent, before, incoming, _stored(portal, sent, incoming))
        with portal.database.write() as connection:
            return _taken(portal, connection, (actor, slug), arrived)


@dataclass(frozen=True)
class _Arrived:
    """Bytes that are on the disk and have no name yet, what was declared of them, and when the last one came."""

    sent: Sending
    declared: Mapping[str, Any]
    incoming: Incoming
    received: datetime


def _taken(portal: Portal, connection: sa.Connection, who: tuple[Actor, str], arrived: _Arrived) -> Receipt:
    """The row and the receipt of what has arrived; what is refused, or was there before, is not kept."""
    (actor, slug), sent, incoming = who, arrived.sent, arrived.incoming
    contest, team = _locked(connection, actor, slug)
    same = _same(connection, contest, team, incoming.digest, sent["began"])
    if same is not None and _settled(same, contest):
        return receipt_of(portal, same, already=True)
    times = (sent["began"], arrived.received)
    answer = _admitted(portal, contest, _upload(connection, contest, team, times, same))
    if isinstance(answer, AlreadyThere):
        return receipt_of(portal, submission_row(connection, answer.key), already=True)
    if isinstance(answer, Refused):
        raise _refusal(answer)
    kept = incoming.keep()
    row = {
        "id": new_id(arrived.received),
        "contest": contest.id,
        "team": team.id,
        "author": actor.id,
        "phase": answer.phase.name,
        "state": answer.state,
        "slot": answer.slot,
        "file_name": kept_name(sent["file_name"], most=_NAME),
        "digest": kept.digest,
        "size": kept.size,
        "declaration": arrived.declared,
        "facts": {},
        "began": sent["began"],
        "received": arrived.received,
    }
    _insert(connection, row, portal.now())
    return receipt_of(portal, row)


def receipt_of(portal: Portal, row: Mapping[Any, Any], *, already: bool = False) -> Receipt:
    """The receipt of a submission."""
    values = {name: row[name] for name in ("id", "digest", "size", "received", "state", "slot")}
    return Receipt(**values, signature=_signature(portal, row), already=already)


def is_genuine(portal: Portal, row: Mapping[Any, Any], signature: str) -> bool:
    """Whether a signature is the portal's, of this submission as it is kept."""
    return hmac.compare_digest(_signature(portal, row).encode(), signature.encode())


def _insert(connection: sa.Connection, row: Mapping[Any, Any], now: datetime) -> None:
    connection.execute(submission.insert().values(**row))
    if row["state"] == "received":
        jobs.add(connection, "check", row["id"], now=row["received"])
    told = {name: row[name] for name in ("contest", "team", "state", "slot", "digest", "size")}
    audit.record(connection, row["author"], "submission.receive", row["id"], told, now)


def _signature(portal: Portal, row: Mapping[Any, Any]) -> str:
    text = "\n".join(("receipt", row["id"], row["digest"], str(row["size"]), row["received"].isoformat()))
    return hmac.new(portal.settings.secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def _before(portal: Portal, actor: Actor, slug: str, sent: Sending) -> dict[str, Any] | Receipt:
    """Before the first byte: the declaration of an upload that may begin, or the receipt of one that is there."""
    with portal.database.read() as connection:
        contest, team = _whose(connection, actor, slug)
        same = _same(connection, contest, team, sent.get("digest", ""), sent["began"])
        upload = _upload(connection, contest, team, (sent["began"], sent["began"]), same)
    if same is not None and _settled(same, contest):
        return receipt_of(portal, same, already=True)
    answer = _admitted(portal, contest, upload)
    if isinstance(answer, AlreadyThere) and same is not None:
        return receipt_of(portal, same, already=True)
    if isinstance(answer, Refused):
        raise _refusal(answer)
    declared = parse_declaration(sent["declaration"], contest.track).plain()
    if portal.uploads.free() < portal.settings.free_bytes:
        raise NoRoomError(
            "the portal's disk is nearly full: no upload is taken",
            code="E_NO_ROOM",
            expected="free space, for which the organisers must see",
        )
    return declared


def _stored(portal: Portal, sent: Sending, incoming: Incoming) -> datetime:
    """The moment of the last byte, once all are on the disk."""
    for block in sent["blocks"]:
        incoming.write(block)
    received = portal.now()
    if not incoming.size:
        raise RefusedError("an empty file", code="E_EMPTY", expected="a file of predictions")
    stated = sent.get("digest", "").lower()
    if stated and stated != incoming.digest:
        raise RefusedError(
            "other bytes came than were sent",
            code="E_DIGEST",
            expected=f"the SHA-256 {stated[:64]}",
            cause="a connection that broke; send it once more",
        )
    incoming.settle()
    return received


def _whose(connection: sa.Connection, actor: Actor, slug: str) -> tuple[Contest, Team]:
    contest = contest_of(connection, slug, actor)
    team = team_of(connection, contest.event_id, actor.id)
    if team is None:
        raise ForbiddenError(
            "no team of this event", code="E_NO_TEAM", expected="a member of a team", cause="create one, or join one"
        )
    if contest.archived is not None or not contest.items:
        what = "it is archived" if contest.archived else "what is to be predicted is not yet stated"
        raise ConflictError(f"nothing is taken: {what}", code="E_ARCHIVED" if contest.archived else "E_NO_ITEMS")
    return contest, team


def _locked(connection: sa.Connection, actor: Actor, slug: str) -> tuple[Contest, Team]:
    """Track and team as they are once the team is locked; it may have been merged into another one meanwhile."""
    contest, team = _whose(connection, actor, slug)
    while True:
        lock_team(connection, team.id)
        contest, found = _whose(connection, actor, slug)
        if found.id == team.id:
            return contest, found
        team = found


def _same(
    connection: sa.Connection, contest: Contest, team: Team, digest: str, began: datetime
) -> sa.RowMapping | None:
    """The newest submission of equal bytes by the team in the phase; of a time between phases in any."""
    mine = (submission.c.contest == contest.id) & (submission.c.team == team.id) & (submission.c.digest == digest)
    phase = open_phase(contest.track, began)
    if phase is not None:
        mine &= submission.c.phase == phase.name
    found = sa.select(submission).where(mine).order_by(submission.c.received.desc(), submission.c.id.desc()).limit(1)
    return connection.execute(found).mappings().first()


def _settled(same: sa.RowMapping, contest: Contest) -> bool:
    """Whether equal bytes were refused by the same check against the same list: it would say the same again."""
    facts = same["facts"]
    return bool(same["state"] == "invalid" and facts.get("items") == contest.items and facts.get("by") == __version__)


def _upload(
    connection: sa.Connection,
    contest: Contest,
    team: Team,
    times: tuple[datetime, datetime],
    same: sa.RowMapping | None,
) -> Upload:
    began, received = times
    mine = (submission.c.contest == contest.id) & (submission.c.team == team.id)
    recent = sa.select(submission.c.received).where(mine, submission.c.received > received - _DAY)
    running = sa.select(sa.func.count()).where(mine, submission.c.state.in_(RUNNING), submission.c.slot.is_not(None))
    told = {} if same is None else {"same": same["id"], "same_state": same["state"]}
    return Upload(
        began=began,
        received=received,
        slots=taken_slots(connection, team.id, contest.id),
        running=connection.execute(running).scalar_one(),
        earlier=tuple(connection.execute(recent).scalars()),
        **told,
    )


def _admitted(portal: Portal, contest: Contest, upload: Upload) -> Admission:
    return admitted(
        contest.track, upload, uploads_a_day=contest.settings.uploads_a_day or portal.settings.uploads_a_day
    )


def _refusal(answer: Refused) -> RefusedError:
    kind = TooManyError if answer.code == "E_TOO_MANY_UPLOADS" else ConflictError
    return kind(answer.sentence, code=answer.code, again=answer.again)
