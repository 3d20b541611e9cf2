"""Tables of the portal, one place for both databases; every change of them is a migration.

Keys are ``identifiers.new_id`` (texts that sort by time and cannot be guessed). Moments are whole microseconds since 1970
in UTC, so that both databases compare them alike. Scores live in ``evaluation`` alone: a board is read from them, and is
never a mark on a submission.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class Moment(sa.types.TypeDecorator[datetime]):
    """A moment with a time zone, kept as microseconds."""

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """To the database."""
        return None if value is None else (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """From the database, in UTC."""
        return None if value is None else _EPOCH + int(value) * _MICROSECOND


metadata: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _key() -> sa.Column[str]:
    return sa.Column("id", sa.String(36), primary_key=True)


def _refers(name: str, table: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(36), sa.ForeignKey(f"{table}.id"), nullable=nullable, index=True)


def _text(name: str, length: int | None = None, *, default: str | None = "", **kind: Any) -> sa.Column[str]:
    return sa.Column(name, sa.String(length) if length else sa.Text(), nullable=False, default=default, **kind)


def _at(name: str, *, nullable: bool = False, index: bool = False) -> sa.Column[datetime]:
    return sa.Column(name, Moment(), nullable=nullable, index=index)


def _flag(name: str, *, default: bool = False) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False, default=default)


#: A person with an account. ``role``: organiser or member.
account = sa.Table(
    "account",
    metadata,
    _key(),
    _text("email", 254, unique=True),  # folded to lower case
    _text("name", 80),
    _text("password"),  # argon2id hash
    sa.Column(
        "role", sa.String(16), sa.CheckConstraint("role IN ('organiser', 'member')", name="role"), nullable=False
    ),
    _flag("active", default=True),
    _at("created"),
)

#: What is open together, such as the five tracks of one competition; a person is in one team of an event.
event = sa.Table(
    "event",
    metadata,
    _key(),
    _text("slug", 64, unique=True),
    _text("title", 200),
    _text("description"),
    sa.Column("team_size", sa.Integer(), nullable=False, default=10),  # most members of a team
    _flag("published"),  # seen by everyone; else by organisers
    _at("created"),
)

#: ``name_key``: the confusable key of the name. ``join_hash``: of the code by which others join. ``frozen``: no member
#: may be added since a submission was scored.
team = sa.Table(
    "team",
    metadata,
    _key(),
    _refers("event", "event"),
    _text("name", 80),
    _text("name_key", 160),
    _text("affiliation", 200),
    _text("join_hash", 64),
    _flag("frozen"),
    _at("created"),
    sa.UniqueConstraint("event", "name_key"),
)

membership = sa.Table(
    "membership",
    metadata,
    _key(),
    _refers("event", "event"),
    _refers("team", "team"),
    _refers("account", "account"),
    _flag("captain"),
    _at("created"),
    sa.UniqueConstraint("event", "account"),
)

#: A track of an event. ``track``: values of a ``challenges.Track``. ``settings``: of ``contests.TrackSettings``.
#: ``items``: digest of the blob with the list of what is to be predicted. ``label_set``: the labels that the board shows
#: scores of. ``standing``: intervals of places, and of which submissions. ``version``: grows with every change that a board may show, so that a kept page can be told from an old one.
contest = sa.Table(
    "contest",
    metadata,
    _key(),
    _refers("event", "event"),
    _text("slug", 64, unique=True),
    sa.Column("track", sa.JSON(), nullable=False),
    sa.Column("settings", sa.JSON(), nullable=False),
    _text("items", 64),
    _text("pack", 64),
    sa.Column("label_set", sa.String(36), nullable=True),
    _text("scorer", 32),
    sa.Column("standing", sa.JSON(), nullable=False, default=dict),
    sa.Column("version", sa.Integer(), nullable=False, default=1),
    _flag("published"),
    _at("created"),
    _at("archived", nullable=True),
)

#: Labels of a track; the values lie in the vault, which the web never opens. ``state``: received, ready or refused.
label_set = sa.Table(
    "label_set",
    metadata,
    _key(),
    _refers("contest", "contest"),
    sa.Column("number", sa.Integer(), nullable=False),  # 1, 2, … of its track
    _text("state", 16),
    _text("digest", 64),
    _text("note"),
    _text("fault"),
    sa.Column("facts", sa.JSON(), nullable=False, default=dict),  # counts and groups, no value
    _refers("author", "account", nullable=True),
    _at("created"),
    sa.UniqueConstraint("contest", "number"),
)

#: An upload of a team. ``state``: of ``challenges.STATES``. ``slot``: 1 to the limit while it holds one. ``digest`` and
#: ``size``: of the file as sent. ``fault``: code, what, where, expected, cause. ``facts``: rows, files, notes, digest of
#: the predictions, flags. ``before``: the state before it was disqualified.
submission = sa.Table(
    "submission",
    metadata,
    _key(),
    _refers("contest", "contest"),
    _refers("team", "team"),
    _refers("author", "account"),
    _text("phase", 64),
    sa.Column("state", sa.String(16), nullable=False, index=True),
    sa.Column("slot", sa.Integer(), nullable=True),
    _text("file_name", 255),
    _text("digest", 64),
    sa.Column("size", sa.BigInteger(), nullable=False),
    sa.Column("declaration", sa.JSON(), nullable=False),
    sa.Column("fault", sa.JSON(), nullable=True),
    sa.Column("facts", sa.JSON(), nullable=False, default=dict),
    _flag("chosen"),
    _text("reason"),  # of a disqualification, a withdrawal or a failure
    _text("before", 16),
    _at("began"),
    _at("received"),
    _at("finished", nullable=True),
    sa.UniqueConstraint("team", "contest", "slot"),
    sa.Index("ix_submission_contest_team", "contest", "team"),
)

#: Work to be done: ``kind`` is labels (prepare a label set), check, score or standing; ``subject`` the id it is about.
#: A worker that claims it holds it until ``lease``; ``attempt`` counts claims.
job = sa.Table(
    "job",
    metadata,
    _key(),
    _text("kind", 16),
    _text("subject", 36, index=True),
    _text("campaign", 36),
    sa.Column("state", sa.String(16), nullable=False, index=True),  # waiting, running, done, failed, cancelled
    sa.Column("attempt", sa.Integer(), nullable=False, default=0),
    _text("worker", 80),
    _at("lease", nullable=True),
    sa.Column("done", sa.Integer(), nullable=False, default=0),  # progress: done of total
    sa.Column("total", sa.Integer(), nullable=False, default=0),
    _text("fault"),
    _at("created", index=True),
    _at("finished", nullable=True),
    sa.UniqueConstraint("kind", "subject", "campaign"),
)

#: The score of a submission under one scorer and one set of labels; ``score`` is null where it is undefined.
evaluation = sa.Table(
    "evaluation",
    metadata,
    _key(),
    _refers("submission", "submission"),
    _refers("label_set", "label_set"),
    _text("scorer", 32),
    sa.Column("score", sa.Double(), nullable=True),
    sa.Column("result", sa.JSON(), nullable=False),  # a ``challenges.BoardScore``
    _text("shares", 64),  # blob in the vault: tallies by cluster, for intervals of places
    _at("created"),
    sa.UniqueConstraint("submission", "scorer", "label_set"),
)

#: Scoring anew of all submissions of a track, then one switch of the board.
campaign = sa.Table(
    "campaign",
    metadata,
    _key(),
    _refers("contest", "contest"),
    _refers("label_set", "label_set"),
    _text("scorer", 32),
    sa.Column("before", sa.JSON(), nullable=False),  # scorer and label set that the board had
    _text("state", 16),  # running, ready, switched, cancelled
    _text("reason"),
    _refers("author", "account"),
    _at("created"),
    _at("finished", nullable=True),
)

#: Reference scores and entries of the organiser's that no team holds.
baseline = sa.Table(
    "baseline",
    metadata,
    _key(),
    _refers("contest", "contest"),
    _text("name", 120),
    _text("split", 64),
    sa.Column("score", sa.Double(), nullable=False),
    sa.Column("parts", sa.JSON(), nullable=False, default=dict),
    _text("source", 400),
    _at("created"),
)

#: Logins of browsers; the key is the hash of what the cookie holds.
session = sa.Table(
    "session",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    _refers("account", "account"),
    _at("created"),
    _at("expires", index=True),
)

#: Tokens of programs. ``scope``: read, submit or organise.
token = sa.Table(
    "token",
    metadata,
    _key(),
    _refers("account", "account"),
    _text("hash", 64, unique=True),
    _text("name", 80),
    _text("scope", 16),
    _at("created"),
    _at("used", nullable=True),
    _at("expires", nullable=True),
    _at("revoked", nullable=True),
)

#: What may be used once: first-run, invitation or password codes, by hash.
voucher = sa.Table(
    "voucher",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    _text("kind", 16),
    _text("subject", 254),
    _at("created"),
    _at("expires"),
    _at("used", nullable=True),
)

#: Attempts that are limited, such as logins, by key.
attempt = sa.Table(
    "attempt",
    metadata,
    _key(),
    _text("key", 160, index=True),
    _at("at", index=True),
)

#: Mail that waits or was sent.
letter = sa.Table(
    "letter",
    metadata,
    _key(),
    _text("recipient", 254),
    _text("subject", 200),
    _text("body"),
    _at("created"),
    _at("sent", nullable=True),
    sa.Column("attempt", sa.Integer(), nullable=False, default=0),
    _text("fault"),
)

#: Who did what; each row carries the hash of the one before, so that no row can be changed or left out unnoticed.
audit = sa.Table(
    "audit",
    metadata,
    sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
    _at("at"),
    _text("actor", 36),  # account, "system" or "visitor"
    _text("action", 64, index=True),
    _text("subject", 36, index=True),
    sa.Column("detail", sa.JSON(), nullable=False),
    _text("before_hash", 64),
    _text("hash", 64, unique=True),
)
