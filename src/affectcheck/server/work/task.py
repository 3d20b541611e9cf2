"""A task for a child: what it is asked, and what is written of its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class Task:
    """A task.

    Attributes:
        asked: the request.
        write: writes a result; False where the lease was lost, and nothing is written.
        refuse: the same of a fault of what was sent; None where nobody but the portal can be at fault.
    """

    asked: Mapping[str, Any]
    write: Callable[[Mapping[str, Any]], bool]
    refuse: Callable[[Mapping[str, Any]], bool] | None = None
