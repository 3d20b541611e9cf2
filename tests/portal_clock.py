"""A clock that a test sets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class SetClock:
    """Stands still at ``now`` until a test moves it."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def set(self, now: datetime) -> None:
        self.now = now

    def forward(self, **time: float) -> datetime:
        """``clock.forward(hours=3)``; the moment reached."""
        self.now += timedelta(**time)
        return self.now
