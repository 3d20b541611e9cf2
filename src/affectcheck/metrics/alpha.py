r"""Krippendorff's alpha: agreement of any number of raters, some of them absent, beyond chance.

$\alpha = 1 - D_o / D_e$, the disagreement observed within items over the one expected of ratings that are dealt out at
random. What a disagreement weighs is the level of measurement: nominal (any two classes are equally far apart),
ordinal (by ranks), interval (by differences) or ratio (by relative differences).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import InputError
from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS, ratio
from affectcheck.tallies.coincidences import Coincidences
from affectcheck.tallies.spread import Spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

UNDEFINED = "no item has two ratings, or all ratings are one value"


def alpha_nominal(tally: Coincidences, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Krippendorff's alpha of classes without an order.

    $$\alpha = 1 - (n - 1) \frac{\sum_{c \neq k} o_{ck}}{\sum_{c \neq k} n_c n_k}$$

    with the weighted pairs $o_{ck}$, their sums $n_c$ and the number n of ratings on items with at least two.

    Range: -1 to 1; higher is better; 0 is chance.

    Undefined when: no item has two ratings, or all ratings are one value (0/0: nothing could have disagreed).

    Tally: Coincidences (..., C, C).

    Signature: the level of measurement.

    Args:
        tally: (..., C, C) coincidences.
        convention: one of the three; the same in all.
        undefined: empty; it is no mean over parts.

    Returns:
        (...) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: Krippendorff, K. (2011), Computing Krippendorff's alpha-reliability; Hayes, A. F. and Krippendorff, K.
        (2007), Answering the call for a standard reliability measure for coding data.

    Example:
        Two raters, two items: they agree on the first and not on the second. n = 4, 2 of 4 pairs differ, and of values
        dealt out at random 2 · 3 · 1 = 6 of 4 · 3 would: 1 - 3 · 2/6 = 0.

        >>> from affectcheck.tallies import Coincidences
        >>> float(alpha_nominal(Coincidences.count([[2, 0], [1, 1]])))
        0.0
    """
    NO_PARTS.resolve(convention, undefined)
    return _alpha(tally, 1.0 - np.eye(tally.labels))


def alpha_nominal_parts(tally: Coincidences, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Nominal alpha of each class against all others together, (..., C); see ``alpha_nominal``."""
    NO_PARTS.resolve(convention, undefined)
    totals = np.asarray(tally.totals, np.float64)
    n = totals.sum(axis=-1, keepdims=True)
    own = np.diagonal(tally.pairs, axis1=-2, axis2=-1)
    return np.asarray(1.0 - (n - 1.0) * ratio(totals - own, totals * (n - totals)))


def alpha_ordinal(tally: Coincidences, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Krippendorff's alpha of ordered values, of which only the order counts.

    $$\alpha = 1 - (n - 1) \frac{\sum_{c,k} o_{ck} \delta_{ck}^2}{\sum_{c,k} n_c n_k \delta_{ck}^2}, \quad
    \delta_{ck} = \sum_{g=c}^{k} n_g - \tfrac12 (n_c + n_k)$$

    the distance of two values being that of their mean ranks among all ratings.

    Range: -1 to 1; higher is better; 0 is chance.

    Undefined when: no item has two ratings, or all ratings are one value (0/0: nothing could have disagreed).

    Tally: Coincidences (..., C, C), its values rising.

    Signature: the level of measurement.

    Args:
        tally: (..., C, C) coincidences.
        convention: one of the three; the same in all.
        undefined: empty; it is no mean over parts.

    Returns:
        (...) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: Krippendorff, K. (2011), Computing Krippendorff's alpha-reliability.

    Example:
        Ratings 0, 0 and 0, 2: n = 4, mean ranks 2 and 4, so that both kinds of pair weigh 4 and it is as nominal.

        >>> from affectcheck.tallies import Coincidences
        >>> float(alpha_ordinal(Coincidences.count([[2, 0, 0], [1, 0, 1]])))
        0.0
    """
    NO_PARTS.resolve(convention, undefined)
    totals = np.asarray(tally.totals, np.float64)
    ranks = totals.cumsum(axis=-1) - totals / 2.0
    return _alpha(tally, (ranks[..., :, None] - ranks[..., None, :]) ** 2)


def alpha_interval(tally: Coincidences | Spread, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Krippendorff's alpha of numbers whose differences count.

    $$\alpha = 1 - (n - 1) \frac{\sum_{c,k} o_{ck} (x_c - x_k)^2}{\sum_{c,k} n_c n_k (x_c - x_k)^2}$$

    which is one minus the share of the variance of all ratings that lies within items.

    Range: -1 to 1; higher is better; 0 is chance.

    Undefined when: no item has two ratings, or all ratings are one value (0/0: nothing could have disagreed).

    Tally: Coincidences (..., C, C) with the values, or Spread (...) where there are many.

    Signature: the level of measurement.

    Args:
        tally: (..., C, C) coincidences, or (...) spread.
        convention: one of the three; the same in all.
        undefined: empty; it is no mean over parts.

    Returns:
        (...) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: Krippendorff, K. (2011), Computing Krippendorff's alpha-reliability.

    Example:
        Ratings 0, 2 and 4, 4: squares 2 · 2 within items, 11 in all, 1 - 3/4 · 4/11 = 8/11.

        >>> from affectcheck.tallies import Coincidences, Spread
        >>> round(float(alpha_interval(Spread.of([0, 0, 1, 1], [0.0, 2.0, 4.0, 4.0]))), 12) == round(8 / 11, 12)
        True
        >>> tally = Coincidences.count([[1, 1, 0], [0, 0, 2]], values=[0, 2, 4])
        >>> round(float(alpha_interval(tally)), 12) == round(8 / 11, 12)
        True
    """
    NO_PARTS.resolve(convention, undefined)
    if isinstance(tally, Spread):
        return np.asarray(1.0 - ratio((tally.n - 1.0) * tally.within, tally.n * tally.squares))
    return _alpha(tally, (tally.values[:, None] - tally.values[None, :]) ** 2)


def alpha_ratio(tally: Coincidences, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Krippendorff's alpha of numbers from zero whose ratios count.

    $$\alpha = 1 - (n - 1) \frac{\sum_{c,k} o_{ck} \delta_{ck}^2}{\sum_{c,k} n_c n_k \delta_{ck}^2}, \quad
    \delta_{ck} = \frac{x_c - x_k}{x_c + x_k}$$

    Range: -1 to 1; higher is better; 0 is chance.

    Undefined when: no item has two ratings, or all ratings are one value (0/0: nothing could have disagreed).

    Tally: Coincidences (..., C, C) with the values.

    Signature: the level of measurement.

    Args:
        tally: (..., C, C) coincidences of values of 0 or more.
        convention: one of the three; the same in all.
        undefined: empty; it is no mean over parts.

    Returns:
        (...) values.

    Raises:
        InputError: a value is negative, the convention is unknown, or a rule is asked for.

    Source: Krippendorff, K. (2011), Computing Krippendorff's alpha-reliability.

    Example:
        Ratings 1, 1 and 1, 3: every pair of different values weighs (2/4)², so it is as nominal.

        >>> from affectcheck.tallies import Coincidences
        >>> float(alpha_ratio(Coincidences.count([[2, 0], [1, 1]], values=[1, 3])))
        0.0
    """
    NO_PARTS.resolve(convention, undefined)
    if (tally.values < 0.0).any():
        raise InputError(
            f"alpha of ratios with the value {tally.values[0]:g}",
            expected="values of 0 or more",
            cause="a scale with an arbitrary zero, such as valence from -1 to 1: its level is interval",
        )
    apart = np.abs(tally.values[:, None] - tally.values[None, :])
    return _alpha(tally, np.nan_to_num(ratio(apart, tally.values[:, None] + tally.values[None, :])) ** 2)


def _alpha(tally: Coincidences, distances: Floats) -> Floats:
    """One minus observed over expected disagreement; distances (..., C, C) are squared."""
    totals = np.asarray(tally.totals, np.float64)
    n = totals.sum(axis=-1)
    observed = (tally.pairs * distances).sum(axis=(-2, -1))
    expected = np.einsum("...c,...ck,...k->...", totals, np.broadcast_to(distances, tally.pairs.shape), totals)
    # Whether ratings vary is a statement about counts, never about a rounded sum.
    expected = np.where((totals > 0).sum(axis=-1) > 1, expected, 0.0)
    return np.asarray(1.0 - (n - 1.0) * ratio(observed, expected))


def why_undefined(tally: Coincidences | Spread, names: Names) -> str:
    """Why the agreement of one tally is 0/0, for one that is."""
    if tally.pairable == 0:
        return "no item has two ratings"
    if isinstance(tally, Spread):
        return f"all ratings are {float(tally.low):g}"
    return f"all ratings are {names.part(int(np.argmax(tally.totals)))}"


def diagnosis_of(compute: Callable[..., Floats], parts: Callable[..., Floats] | None = None) -> Diagnosis:
    """The one sentence on an agreement that is undefined, and those of its classes."""

    def sentences(tally: Coincidences | Spread, names: Names) -> tuple[str, ...]:
        return (why_undefined(tally, names),) if tally.support > 0 and np.isnan(compute(tally)) else ()

    def of_part(tally: Coincidences, names: Names) -> tuple[str, ...]:
        assert parts is not None
        return tuple(
            "" if not bad else _why_part(tally, names, c) for c, bad in enumerate(np.isnan(parts(tally)).tolist())
        )

    return Diagnosis(lambda tally: np.isnan(compute(tally)).astype(np.int64), sentences, of_part if parts else None)


def _why_part(tally: Coincidences, names: Names, c: int) -> str:
    if tally.pairable == 0:
        return "no item has two ratings"
    return f"no rating is {names.part(c)}" if tally.totals[c] == 0 else f"all ratings are {names.part(c)}"


@dataclass(frozen=True)
class _Level:
    name: str
    compute: Callable[..., Floats]
    title: str


for _level in (
    _Level("nominal", alpha_nominal, "Krippendorff's alpha"),
    _Level("ordinal", alpha_ordinal, "Krippendorff's alpha, ordinal"),
    _Level("interval", alpha_interval, "Krippendorff's alpha, interval"),
    _Level("ratio", alpha_ratio, "Krippendorff's alpha, ratio"),
):
    _parts = alpha_nominal_parts if _level.name == "nominal" else None
    register(
        Metric(
            name=f"alpha_{_level.name}",
            title=_level.title,
            kind="raters",
            level="overall",
            tally=Coincidences,
            compute=_level.compute,
            parts=_parts,
            low=-1.0,
            high=1.0,
            higher_is_better=True,
            source="Krippendorff (2011)",
            undefined=UNDEFINED,
            options=(f"level={_level.name}",),
            diagnosis=diagnosis_of(_level.compute, _parts),
        )
    )
