"""What resampling asks of tallies: how many items they hold, and several of them in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from affectcheck.tallies import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

AnyTally = TypeVar("AnyTally", bound=Tally)


def items_of(tally: Tally) -> NDArray[Any]:
    """Items over the leading axes, whatever the number of dimensions of the support."""
    support = np.asarray(tally.support)
    return support.max(axis=-1) if support.ndim > len(tally.shape) else support


def items_by_part(tally: Tally) -> NDArray[Any]:
    """(..., parts) items over the leading axes and, where the tally tells them apart, its units or dimensions."""
    support = np.asarray(tally.support)
    return support if support.ndim > len(tally.shape) else support[..., None]


def stack(parts: list[AnyTally]) -> AnyTally:
    """Tallies one after the other along their first leading axis."""
    first, *others = parts
    return first if not others else first.joined(others)
