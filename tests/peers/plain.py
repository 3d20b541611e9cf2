"""What plain definitions have in common: means over parts of which some are undefined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

NAN = float("nan")


def share(hits: Any) -> float:
    """Mean of truth values; NaN of none."""
    array = np.asarray(hits, float)
    return float(array.mean()) if array.size else NAN


def over(values: Sequence[float], rule: str) -> float:
    """Mean of parts, of which NaN ones are undefined."""
    defined = [value for value in values if not np.isnan(value)]
    if rule == "skip":
        return sum(defined) / len(defined) if defined else NAN
    if rule == "zero":
        return sum(defined) / len(values)
    assert rule == "propagate"
    return sum(defined) / len(values) if len(defined) == len(values) else NAN


def over_groups(values: Sequence[float], rule: str) -> float:
    """Mean of the groups or pairs that are there."""
    return over(values, "propagate" if rule == "propagate" else "skip") if values else NAN
