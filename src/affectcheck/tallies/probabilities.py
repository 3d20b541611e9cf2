"""What must hold of probabilities, and of the presence that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: How far the probabilities of an item may sum from 1, for each class: as far as two printed digits leave them.
SUM_TOLERANCE: Final = 0.005
#: How far a probability may lie outside [0, 1], as rounding in float32 leaves it.
RANGE_TOLERANCE: Final = 1e-6


def require_presence(codes: NDArray[Any], start: int, unit: int) -> None:
    """Raise unless all are 1 (present), 0 (absent) or -1 (unknown).

    Raises:
        InputError: another code; the message names its row.
    """
    bad = (codes < -1) | (codes > 1)
    if bad.any():
        raise InputError(
            f"truth code {int(codes[bad.argmax()])} of unit {unit} stands for nothing",
            where=f"row {start + int(bad.argmax())}",
            expected="1 present, 0 absent, -1 unknown",
            cause="another marker of what is unknown, such as 999, which is to be stated where the table is read",
        )


def chances_of(chances: Floats, start: int, of: str = "") -> Floats:
    """The probabilities (k,) or (k, C), with what rounding has left outside [0, 1] moved to its ends.

    Args:
        chances: the probabilities.
        start: row of the first, for messages.
        of: what they are of, for messages.

    Raises:
        InputError: one lies outside [0, 1]; the message names its row.
    """
    bad = ~((chances >= -RANGE_TOLERANCE) & (chances <= 1.0 + RANGE_TOLERANCE))
    if bad.any():
        row = int(bad.reshape(bad.shape[0], -1).any(axis=1).argmax())
        raise InputError(
            f"a probability{of} is {float(chances[bad][0])!r}",
            where=f"row {start + row}",
            expected="a number from 0 to 1",
            cause="logits or other scores, of which a calibration error has no meaning",
        )
    return np.clip(chances, 0.0, 1.0)


def shares_of_classes(chances: Floats, answered: NDArray[np.bool_], start: int) -> Floats:
    """Probabilities (k, C) of classes that exclude each other; those of unanswered items become 0.

    Raises:
        InputError: one lies outside [0, 1], or those of an item do not sum to 1; the message names its row.
    """
    filled = chances_of(np.where(answered[:, None], chances, 0.0), start)
    sums = filled.sum(axis=1)
    borne = SUM_TOLERANCE * chances.shape[1] + RANGE_TOLERANCE
    bad = answered & (np.abs(sums - 1.0) > borne)
    if bad.any():
        row = int(bad.argmax())
        raise InputError(
            f"the probabilities of an item sum to {float(sums[row]):.6g}",
            where=f"row {start + row}",
            expected=f"1 within {borne:.3f}",
            cause="scores of single classes that do not exclude each other, or a class that is not among the columns",
        )
    return filled
