"""How much work a search may do: counted, so that its result depends on no clock, unless one was asked for."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

#: Products that the default effort buys; about three seconds of one core of 2020.
_PRODUCTS: Final = 800_000_000
_CALL: Final = 20_000  # products that could be had in the time that a look at nothing takes


@dataclass(eq=False)
class Clock:
    """A wall clock that ends a search, if one was asked for.

    Attributes:
        seconds: after which it ends; None for never.
        ended: whether it did: the result then depends on the machine.
    """

    seconds: float | None = None
    ended: bool = False
    started: float = field(default_factory=time.monotonic)

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        self.ended = self.ended or (self.seconds is not None and time.monotonic() - self.started >= self.seconds)
        return self.ended

    @property
    def left(self) -> float | None:
        """Seconds left, at least a hundredth; None without a clock."""
        return None if self.seconds is None else max(0.01, self.seconds - (time.monotonic() - self.started))


@dataclass(eq=False)
class Effort:
    """Work that a search may do, and has done.

    Attributes:
        factor: on the default.
        clock: ends the search too.
        done: products so far.
    """

    factor: float = 1.0
    clock: Clock = field(default_factory=Clock)
    done: int = 0

    def spend(self, products: int) -> None:
        """Count one look at so many products."""
        self.done += products + _CALL

    @property
    def spent(self) -> bool:
        """Whether all is done, or the time is over."""
        return self.done >= self.factor * _PRODUCTS or self.clock.late
