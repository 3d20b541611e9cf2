"""Deviations of real predictions from the truth, for each dimension and averaged over dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics.concordance import few
from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import OVER_DIMENSIONS, mean_of, ratio
from affectcheck.tallies import Moments

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def mae(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Mean absolute error: mean over dimensions of the mean of abs(p - t).

    $$\mathrm{MAE} = \frac{1}{n} \sum_i |p_i - t_i|$$

    Range: 0 up to the width of the declared range; lower is better. In the unit of the scheme.

    Undefined when: there are no items in any one dimension.

    Tally: Moments (..., D).

    Signature: the rule for undefined dimensions.

    Args:
        tally: (..., D) moments.
        convention: one of the three; the same in all.
        undefined: ``propagate``, ``skip`` or ``zero``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 2, Table I.

    Example:
        >>> from affectcheck.tallies import Moments
        >>> float(mae(Moments.of([0.0, 1.0], [0.5, 0.0])))
        0.75
    """
    return mean_of(mae_parts(tally), OVER_DIMENSIONS.resolve(convention, undefined))


def mae_parts(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    """MAE of each dimension, (..., D); see ``mae``."""
    OVER_DIMENSIONS.resolve(convention, undefined)
    return ratio(tally.sum_abs, tally.n)


def mde(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Mean directional error: mean over dimensions of the mean of p - t.

    $$\mathrm{MDE} = \frac{1}{n} \sum_i (p_i - t_i)$$

    Range: minus to plus the width of the declared range; positive means that predictions are too high, 0 is best.
    In the unit of the scheme.

    Undefined when: there are no items in any one dimension.

    Tally: Moments (..., D).

    Signature: the rule for undefined dimensions.

    Args:
        tally: (..., D) moments.
        convention: one of the three; the same in all.
        undefined: ``propagate``, ``skip`` or ``zero``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 2, Table I.

    Example:
        >>> from affectcheck.tallies import Moments
        >>> float(mde(Moments.of([0.0, 1.0], [0.5, 0.0])))
        -0.25
    """
    return mean_of(mde_parts(tally), OVER_DIMENSIONS.resolve(convention, undefined))


def mde_parts(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    """MDE of each dimension, (..., D); see ``mde``."""
    OVER_DIMENSIONS.resolve(convention, undefined)
    return np.where(tally.n > 0.0, tally.mean_difference, np.nan)


def mse(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Mean squared error: mean over dimensions of the mean of (p - t)².

    $$\mathrm{MSE} = \frac{1}{n} \sum_i (p_i - t_i)^2$$

    Range: 0 up to the squared width of the declared range; lower is better.

    Undefined when: there are no items in any one dimension.

    Tally: Moments (..., D).

    Signature: the rule for undefined dimensions.

    Args:
        tally: (..., D) moments.
        convention: one of the three; the same in all.
        undefined: ``propagate``, ``skip`` or ``zero``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: common; no paper of ours scores by it.

    Example:
        >>> from affectcheck.tallies import Moments
        >>> float(mse(Moments.of([0.0, 1.0], [0.5, 0.0])))
        0.625
    """
    return mean_of(mse_parts(tally), OVER_DIMENSIONS.resolve(convention, undefined))


def mse_parts(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    """MSE of each dimension, (..., D); see ``mse``."""
    OVER_DIMENSIONS.resolve(convention, undefined)
    return ratio(tally.squares_difference + tally.n * tally.mean_difference**2, tally.n)


def rmse(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Root mean squared error: mean over dimensions of the root of the mean of (p - t)².

    $$\mathrm{RMSE} = \sqrt{\frac{1}{n} \sum_i (p_i - t_i)^2}$$

    Range: 0 up to the width of the declared range; lower is better. In the unit of the scheme.

    Undefined when: there are no items in any one dimension.

    Tally: Moments (..., D).

    Signature: the rule for undefined dimensions.

    Args:
        tally: (..., D) moments.
        convention: one of the three; the same in all.
        undefined: ``propagate``, ``skip`` or ``zero``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: common; no paper of ours scores by it.

    Example:
        >>> from affectcheck.tallies import Moments
        >>> float(rmse(Moments.of([0.0, 1.0], [0.5, 0.5])))
        0.5
    """
    return mean_of(rmse_parts(tally), OVER_DIMENSIONS.resolve(convention, undefined))


def rmse_parts(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    """RMSE of each dimension, (..., D); see ``rmse``."""
    return np.sqrt(mse_parts(tally, convention=convention, undefined=undefined))


@dataclass(frozen=True)
class _Entry:
    name: str
    title: str
    compute: Callable[..., Floats]
    parts: Callable[..., Floats]
    low: float
    higher_is_better: bool | None
    source: str


def _reasons(tally: Moments, names: Names) -> tuple[str, ...]:
    return tuple("" if tally.n[d] > 0.0 else f"{names.part(d)}: {few(tally, d)}" for d in range(tally.dimensions))


for _entry in (
    _Entry("mae", "mean absolute error", mae, mae_parts, 0.0, False, "paper 2, Table I"),
    _Entry("mde", "mean directional error", mde, mde_parts, -np.inf, None, "paper 2, Table I"),
    _Entry("mse", "mean squared error", mse, mse_parts, 0.0, False, "common"),
    _Entry("rmse", "root mean squared error", rmse, rmse_parts, 0.0, False, "common"),
):
    register(
        Metric(
            name=_entry.name,
            title=_entry.title,
            kind="dimensions",
            level="overall",
            tally=Moments,
            compute=_entry.compute,
            parts=_entry.parts,
            low=_entry.low,
            high=np.inf,
            higher_is_better=_entry.higher_is_better,
            source=_entry.source,
            undefined="no items in a dimension",
            rules=OVER_DIMENSIONS,
            diagnosis=Diagnosis.by_part(_reasons, lambda tally: tally.n == 0.0),
        )
    )
