"""What readers are told of a metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Better = Literal["higher", "lower", "nearer to 0", ""]


@dataclass(frozen=True)
class Entry:
    """A metric for readers.

    Attributes:
        title: short name in tables.
        text: what it says, in a sentence or two.
        better: which way is better.
    """

    title: str
    text: str
    better: Better = "higher"
