"""The first tables, as they were then: what stands in ``tables`` may have changed since.

Revision ID: 0001
Revises:
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from alembic import op

if TYPE_CHECKING:
    from sqlalchemy.types import TypeEngine

revision: Final = "0001"
down_revision: Final = None

_tables: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _column(kind: TypeEngine[Any], name: str, *, refers: str = "", one_of: str = "", **rules: Any) -> sa.Column[Any]:
    key = rules.pop("key", False)
    rules["nullable"] = rules.pop("null", False)
    more: list[Any] = [sa.ForeignKey(f"{refers}.id")] if refers else []
    if one_of:
        more.append(sa.CheckConstraint(f"{name} IN ({one_of})", name=name))
    return sa.Column(name, kind, *more, primary_key=key, autoincrement=False, **rules)


def _text(name: str, length: int | None = None, **rules: Any) -> sa.Column[Any]:
    return _column(sa.String(length) if length else sa.Text(), name, **rules)


_moment = partial(_column, sa.BigInteger())
_big = partial(_column, sa.BigInteger())
_integer = partial(_column, sa.Integer())
_real = partial(_column, sa.Double())
_flag = partial(_column, sa.Boolean())
_json = partial(_column, sa.JSON())

sa.Table(
    "account",
    _tables,
    _text("id", 36, key=True),
    _text("email", 254, unique=True),
    _text("name", 80),
    _text("password"),
    _text("role", 16, one_of="'organiser', 'member'"),
    _flag("active"),
    _moment("created"),
)

sa.Table(
    "attempt",
    _tables,
    _text("id", 36, key=True),
    _text("key", 160, index=True),
    _moment("at", index=True),
)

sa.Table(
    "audit",
    _tables,
    _integer("number", key=True),
    _moment("at"),
    _text("actor", 36),
    _text("action", 64, index=True),
    _text("subject", 36, index=True),
    _json("detail"),
    _text("before_hash", 64),
    _text("hash", 64, unique=True),
)

sa.Table(
    "event",
    _tables,
    _text("id", 36, key=True),
    _text("slug", 64, unique=True),
    _text("title", 200),
    _text("description"),
    _integer("team_size"),
    _flag("published"),
    _moment("created"),
)

sa.Table(
    "job",
    _tables,
    _text("id", 36, key=True),
    _text("kind", 16),
    _text("subject", 36, index=True),
    _text("campaign", 36),
    _text("state", 16, index=True),
    _integer("attempt"),
    _text("worker", 80),
    _moment("lease", null=True),
    _integer("done"),
    _integer("total"),
    _text("fault"),
    _moment("created", index=True),
    _moment("finished", null=True),
    sa.UniqueConstraint("kind", "subject", "campaign"),
)

sa.Table(
    "letter",
    _tables,
    _text("id", 36, key=True),
    _text("recipient", 254),
    _text("subject", 200),
    _text("body"),
    _moment("created"),
    _moment("sent", null=True),
    _integer("attempt"),
    _text("fault"),
)

sa.Table(
    "voucher",
    _tables,
    _text("hash", 64, key=True),
    _text("kind", 16),
    _text("subject", 254),
    _moment("created"),
    _moment("expires"),
    _moment("used", null=True),
)

sa.Table(
    "contest",
    _tables,
    _text("id", 36, key=True),
    _text("event", 36, refers="event", index=True),
    _text("slug", 64, unique=True),
    _json("track"),
    _json("settings"),
    _text("items", 64),
    _text("pack", 64),
    _text("label_set", 36, null=True),
    _text("scorer", 32),
    _json("standing"),
    _integer("version"),
    _flag("published"),
    _moment("created"),
    _moment("archived", null=True),
)

sa.Table(
    "session",
    _tables,
    _text("hash", 64, key=True),
    _text("account", 36, refers="account", index=True),
    _moment("created"),
    _moment("expires", index=True),
)

sa.Table(
    "team",
    _tables,
    _text("id", 36, key=True),
    _text("event", 36, refers="event", index=True),
    _text("name", 80),
    _text("name_key", 160),
    _text("affiliation", 200),
    _text("join_hash", 64),
    _flag("frozen"),
    _moment("created"),
    sa.UniqueConstraint("event", "name_key"),
)

sa.Table(
    "token",
    _tables,
    _text("id", 36, key=True),
    _text("account", 36, refers="account", index=True),
    _text("hash", 64, unique=True),
    _text("name", 80),
    _text("scope", 16),
    _moment("created"),
    _moment("used", null=True),
    _moment("expires", null=True),
    _moment("revoked", null=True),
)

sa.Table(
    "baseline",
    _tables,
    _text("id", 36, key=True),
    _text("contest", 36, refers="contest", index=True),
    _text("name", 120),
    _text("split", 64),
    _real("score"),
    _json("parts"),
    _text("source", 400),
    _moment("created"),
)

sa.Table(
    "label_set",
    _tables,
    _text("id", 36, key=True),
    _text("contest", 36, refers="contest", index=True),
    _integer("number"),
    _text("state", 16),
    _text("digest", 64),
    _text("note"),
    _text("fault"),
    _json("facts"),
    _text("author", 36, refers="account", null=True, index=True),
    _moment("created"),
    sa.UniqueConstraint("contest", "number"),
)

sa.Table(
    "membership",
    _tables,
    _text("id", 36, key=True),
    _text("event", 36, refers="event", index=True),
    _text("team", 36, refers="team", index=True),
    _text("account", 36, refers="account", index=True),
    _flag("captain"),
    _moment("created"),
    sa.UniqueConstraint("event", "account"),
)

sa.Table(
    "submission",
    _tables,
    _text("id", 36, key=True),
    _text("contest", 36, refers="contest", index=True),
    _text("team", 36, refers="team", index=True),
    _text("author", 36, refers="account", index=True),
    _text("phase", 64),
    _text("state", 16, index=True),
    _integer("slot", null=True),
    _text("file_name", 255),
    _text("digest", 64),
    _big("size"),
    _json("declaration"),
    _json("fault", null=True),
    _json("facts"),
    _flag("chosen"),
    _text("reason"),
    _text("before", 16),
    _moment("began"),
    _moment("received"),
    _moment("finished", null=True),
    sa.UniqueConstraint("team", "contest", "slot"),
    sa.Index("ix_submission_contest_team", "contest", "team"),
)

sa.Table(
    "campaign",
    _tables,
    _text("id", 36, key=True),
    _text("contest", 36, refers="contest", index=True),
    _text("label_set", 36, refers="label_set", index=True),
    _text("scorer", 32),
    _json("before"),
    _text("state", 16),
    _text("reason"),
    _text("author", 36, refers="account", index=True),
    _moment("created"),
    _moment("finished", null=True),
)

sa.Table(
    "evaluation",
    _tables,
    _text("id", 36, key=True),
    _text("submission", 36, refers="submission", index=True),
    _text("label_set", 36, refers="label_set", index=True),
    _text("scorer", 32),
    _real("score", null=True),
    _json("result"),
    _text("shares", 64),
    _moment("created"),
    sa.UniqueConstraint("submission", "scorer", "label_set"),
)


def upgrade() -> None:
    """Make them."""
    _tables.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    """There is nothing before."""
    _tables.drop_all(op.get_bind())
