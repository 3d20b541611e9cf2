"""Faults of single items: listed and counted, never dropped in silence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Fault:
    """What is wrong with one item, or worth knowing about it.

    Attributes:
        item: key of the item.
        kind: short name of the kind, such as ``unreadable audio``; faults are counted by it.
        message: what is wrong, with file and row.
        severity: ``error`` (the item has no result) or ``warning`` (it has one, with a caution).
    """

    item: str
    kind: str
    message: str
    severity: Literal["error", "warning"] = "error"
