"""Who did what, in a chain: each row carries the hash of the one before, so that none is changed or left out unnoticed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from affectcheck.server.storage.engine import lock_by_name, when_written
from affectcheck.server.storage.tables import audit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

_SHOWN: Final = 20


@dataclass(frozen=True)
class ChainHead:
    """The last row of the chain; whoever notes it down can tell later that no row was cut off its end.

    Attributes:
        number: of the last row; 0 while there is none.
        hash: of the last row; empty while there is none.
    """

    number: int
    hash: str


def record(  # noqa: PLR0913, PLR0917  # a row of six values
    connection: sa.Connection, actor_id: str, action: str, subject: str, detail: Mapping[str, Any], now: datetime
) -> None:
    """Record what is done in this transaction.

    The row is written when the transaction of ``Database.write`` ends, after all else: the chain has one end, which
    transactions take in turn, and whoever took it first and another row after could lock out one that came the other way.

    Args:
        connection: of the transaction that does it.
        actor_id: account, ``system`` or ``visitor``.
        action: such as ``submission.receive``.
        subject: id of what it is done to.
        detail: values of JSON; no secret, no label.
        now: the moment.
    """
    kept = json.loads(_canonical(dict(detail)))
    row = {"at": now, "actor": actor_id, "action": action, "subject": subject, "detail": kept}
    when_written(connection, lambda ending: _append(ending, row))


def head(connection: sa.Connection) -> ChainHead:
    """The last row of the chain."""
    last = connection.execute(sa.select(audit.c.number, audit.c.hash).order_by(audit.c.number.desc()).limit(1)).first()
    return ChainHead(0, "") if last is None else ChainHead(last.number, last.hash)


def verify(connection: sa.Connection, known: ChainHead | None = None) -> list[str]:
    """What is wrong with the chain: rows changed, left out or added by other hands.

    Args:
        connection: any.
        known: an end that the chain once had, such as a backup's; it must still be there.
    """
    faults, number, before = [], 0, ""
    seen = known is None or known.number == 0
    rows = connection.execution_options(yield_per=1000).execute(sa.select(audit).order_by(audit.c.number))
    for row in rows.mappings():
        number += 1
        if row["number"] != number:
            faults.append(f"rows {number} to {row['number'] - 1} of the audit log are missing")
            number = row["number"]
        elif row["before_hash"] != before:
            faults.append(f"row {number} of the audit log does not follow from the row before")
        if _hash(row["before_hash"], dict(row)) != row["hash"]:
            faults.append(f"row {number} of the audit log was changed")
        if known is not None and number == known.number:
            seen = row["hash"] == known.hash
        before = row["hash"]
    if known is not None and not seen:
        faults.append(f"the audit log does not hold row {known.number} as it was noted down")
    return faults[:_SHOWN]


def _append(connection: sa.Connection, row: Mapping[str, Any]) -> None:
    lock_by_name(connection, "audit")
    last = head(connection)
    values = {**row, "number": last.number + 1, "before_hash": last.hash}
    connection.execute(audit.insert().values(**values, hash=_hash(last.hash, values)))


def _hash(before: str, row: Mapping[str, Any]) -> str:
    names = ("number", "at", "actor", "action", "subject", "detail")
    shown = {name: row[name].isoformat() if name == "at" else row[name] for name in names}
    return hashlib.sha256(before.encode() + _canonical(shown).encode()).hexdigest()


def _canonical(value: Any) -> str:
    """One text for one value; NaN has none."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
