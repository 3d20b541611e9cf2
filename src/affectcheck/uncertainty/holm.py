"""Holm's correction of several p-values that are read together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def holm(p_values: ArrayLike, axis: int = -1) -> NDArray[np.float64]:
    r"""Adjusted p-values by which the probability of any false finding in a family stays below a level (Holm 1979).

    With $p_{(1)} \le \dots \le p_{(m)}$, the k-th is $\max_{j \le k} \min(1, (m - j + 1)\, p_{(j)})$: valid whatever the
    tests' dependence, and never smaller for a larger p-value.

    Args:
        p_values: families along one axis; NaN where there is no test, which is none of the family's m.
        axis: the axis of the families.

    Returns:
        Adjusted p-values of the same shape, NaN where there was no test.

    Example:
        >>> holm([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
        [0.03, 0.06, 0.06, 0.02]
    """
    values = np.moveaxis(np.asarray(p_values, np.float64), axis, -1)
    order = np.argsort(values, axis=-1, kind="stable")  # NaN come last
    ordered = np.take_along_axis(values, order, axis=-1)
    tests = (~np.isnan(values)).sum(axis=-1, keepdims=True)
    factors = tests - np.arange(values.shape[-1])
    raised = np.where(np.isnan(ordered), np.nan, np.minimum(ordered * np.maximum(factors, 1), 1.0))
    adjusted = np.empty_like(values)
    np.put_along_axis(adjusted, order, np.maximum.accumulate(raised, axis=-1), axis=-1)
    return np.moveaxis(adjusted, -1, axis)
