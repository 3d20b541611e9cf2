"""The time, from one place, so that a test can stand at the end of a phase."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def __call__(self) -> datetime:
        """Now, in UTC."""
        ...


def system_clock() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)
