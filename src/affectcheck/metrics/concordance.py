"""Concordance and correlation of real truth and prediction, for each dimension and averaged over dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import OVER_DIMENSIONS, Rules, mean_of, ratio
from affectcheck.tallies import Moments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: CCC differs between conventions: the public code of paper 1 adds a constant to the denominator of rho.
CONCORDANCE = Rules(OVER_DIMENSIONS.default, OVER_DIMENSIONS.allowed)
_UPSTREAM_EPSILON = 1e-8


def ccc(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Concordance correlation coefficient: mean over dimensions of the CCC of each.

    $$\mathrm{CCC} = \frac{2 s_{tp}}{s_t^2 + s_p^2 + (\bar t - \bar p)^2}$$

    with population moments (ddof 0), pooled over all items.

    Range: -1 to 1; higher is better; 1 only where prediction equals truth.

    Undefined when: in any dimension there are fewer than 2 items, or both sides are constant and equal (0/0). A
    constant side against anything else gives exactly 0.

    Tally: Moments (..., D).

    Signature: convention, the rule for undefined dimensions, ddof.

    Args:
        tally: (..., D) moments.
        convention: ``tables`` and ``upstream`` add 1e-8 inside rho and take single items, as the public code does (in
            float64; its float32 rounding is not imitated).
        undefined: ``propagate``, ``skip`` or ``zero``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 1, Eq. 7; paper 3, Eq. 1 and 2. Both texts call s a variance and square it; it is read as the
        standard deviation.

    Example:
        t = 0, 1, 2 and p = 0, 2, 4: s_tp = 4/3, variances 2/3 and 8/3, means 1 and 2, so (8/3) / (10/3 + 1).

        >>> from affectcheck.tallies import Moments
        >>> round(float(ccc(Moments.of([0.0, 1.0, 2.0], [0.0, 2.0, 4.0]))), 12) == round(8 / 13, 12)
        True
    """
    rule = CONCORDANCE.resolve(convention, undefined)
    return mean_of(ccc_parts(tally, convention=convention, undefined=undefined), rule)


def ccc_parts(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    """CCC of each dimension, (..., D); see ``ccc``."""
    CONCORDANCE.resolve(convention, undefined)
    n, distance = np.maximum(tally.n, 1.0), tally.mean_difference
    below = tally.squares_truth + tally.squares_prediction + tally.n * distance * distance
    if convention == "paper":
        above, known = 2.0 * tally.products, tally.n >= 2.0
    else:
        roots = np.sqrt(tally.squares_truth) * np.sqrt(tally.squares_prediction)
        above, known = 2.0 * tally.products / (roots + _UPSTREAM_EPSILON) * roots, tally.n >= 1.0
    known = known & ~both_constant_and_equal(tally) & (below > 0.0)
    value = np.where(known, ratio(above / n, below / n), np.nan)
    return np.asarray(np.clip(value, -1.0, 1.0))


def pcc(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Pearson correlation coefficient: mean over dimensions of the PCC of each.

    $$\mathrm{PCC} = \frac{s_{tp}}{s_t s_p}$$

    Range: -1 to 1; higher is better; blind to scale and offset.

    Undefined when: in any dimension there are fewer than 2 items, or either side is constant. Constancy is found by
    maximum = minimum of the samples, never by a rounded variance.

    Tally: Moments (..., D).

    Signature: the rule for undefined dimensions, ddof.

    Args:
        tally: (..., D) moments.
        convention: one of the three; the same in all.
        undefined: ``propagate``, ``skip`` or ``zero``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 3, Eq. 7, the mean over six dimensions.

    Example:
        >>> from affectcheck.tallies import Moments
        >>> float(pcc(Moments.of([0.0, 1.0, 2.0], [0.0, 2.0, 4.0])))
        1.0
        >>> float(pcc(Moments.of([0.0, 1.0, 2.0], [0.3, 0.3, 0.3])))
        nan
    """
    return mean_of(pcc_parts(tally), OVER_DIMENSIONS.resolve(convention, undefined))


def pcc_parts(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    """PCC of each dimension, (..., D); see ``pcc``."""
    OVER_DIMENSIONS.resolve(convention, undefined)
    known = (tally.n >= 2.0) & ~constant_truth(tally) & ~constant_prediction(tally)
    known &= (tally.squares_truth > 0.0) & (tally.squares_prediction > 0.0)
    one = np.ones_like(tally.n)
    slope = np.divide(tally.products, tally.squares_truth, out=one.copy(), where=known)
    scale = np.divide(tally.squares_truth, tally.squares_prediction, out=one, where=known)
    # As slope times the ratio of deviations, so that equal sides give exactly 1 and nothing overflows.
    return np.clip(np.where(known, slope * np.sqrt(scale), np.nan), -1.0, 1.0)


def constant_truth(tally: Moments) -> NDArray[np.bool_]:
    """(..., D) whether all truths are one value (true where there are none)."""
    return np.asarray(tally.max_truth <= tally.min_truth)


def constant_prediction(tally: Moments) -> NDArray[np.bool_]:
    """(..., D) whether all predictions are one value (true where there are none)."""
    return np.asarray(tally.max_prediction <= tally.min_prediction)


def both_constant_and_equal(tally: Moments) -> NDArray[np.bool_]:
    """(..., D) whether truth and prediction are one and the same value throughout."""
    equal = tally.min_truth == tally.min_prediction
    return np.asarray(constant_truth(tally) & constant_prediction(tally) & equal)


def _ccc_reasons(tally: Moments, names: Names) -> tuple[str, ...]:
    undefined = np.isnan(ccc_parts(tally))
    return tuple(
        "" if not undefined[d] else f"{names.part(d)}: {few(tally, d) or 'truth and prediction are constant and equal'}"
        for d in range(tally.dimensions)
    )


def _pcc_reasons(tally: Moments, names: Names) -> tuple[str, ...]:
    sides = zip(constant_truth(tally), constant_prediction(tally), np.isnan(pcc_parts(tally)), strict=True)
    words = {(True, True): "truth and prediction are constant", (True, False): "the truth is constant"}
    return tuple(
        f"{names.part(d)}: {few(tally, d) or words.get((bool(t), bool(p)), 'the prediction is constant')}"
        if bad
        else ""
        for d, (t, p, bad) in enumerate(sides)
    )


def few(tally: Any, dimension: int) -> str:
    """A reason for fewer than two items in a dimension, else empty."""
    n = int(tally.support[dimension])
    return "no items" if n == 0 else "only 1 item" if n == 1 else ""


register(
    Metric(
        name="ccc",
        title="concordance correlation coefficient",
        kind="dimensions",
        level="overall",
        tally=Moments,
        compute=ccc,
        parts=ccc_parts,
        low=-1.0,
        high=1.0,
        higher_is_better=True,
        source="paper 1, Eq. 7; paper 3, Eq. 1 and 2",
        undefined="fewer than 2 items, or truth and prediction constant and equal, in a dimension",
        rules=CONCORDANCE,
        options=("ddof=0",),
        diagnosis=Diagnosis.by_part(_ccc_reasons, lambda tally: np.isnan(ccc_parts(tally))),
    )
)
register(
    Metric(
        name="pcc",
        title="Pearson correlation coefficient",
        kind="dimensions",
        level="overall",
        tally=Moments,
        compute=pcc,
        parts=pcc_parts,
        low=-1.0,
        high=1.0,
        higher_is_better=True,
        source="paper 3, Eq. 7",
        undefined="fewer than 2 items, or a constant side, in a dimension",
        rules=OVER_DIMENSIONS,
        options=("ddof=0",),
        diagnosis=Diagnosis.by_part(_pcc_reasons, lambda tally: np.isnan(pcc_parts(tally))),
    )
)
