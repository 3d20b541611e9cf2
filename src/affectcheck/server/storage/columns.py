"""Kinds of columns that tables are made of, for both databases."""

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


def key() -> sa.Column[str]:
    """The name of a row; see ``identifiers``."""
    return sa.Column("id", sa.String(36), primary_key=True)


def refers(name: str, table: str, *, nullable: bool = False) -> sa.Column[str]:
    """The key of a row of another table."""
    return sa.Column(name, sa.String(36), sa.ForeignKey(f"{table}.id"), nullable=nullable, index=True)


def text(name: str, length: int | None = None, *, default: str | None = "", **kind: Any) -> sa.Column[str]:
    """A text that is never null."""
    return sa.Column(name, sa.String(length) if length else sa.Text(), nullable=False, default=default, **kind)


def at(name: str, *, nullable: bool = False, index: bool = False) -> sa.Column[datetime]:
    """A moment."""
    return sa.Column(name, Moment(), nullable=nullable, index=index)


def flag(name: str, *, default: bool = False) -> sa.Column[bool]:
    """A truth value."""
    return sa.Column(name, sa.Boolean(), nullable=False, default=default)
