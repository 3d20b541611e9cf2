"""Calibration error: how far a model's confidence is from how often it is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import CONVENTIONS, NO_PARTS, Rules, mean_of, ratio
from affectcheck.tallies import Reliability

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: A mean over units of what is no share of right answers: 0 in place of an undefined one would be a claim.
OVER_SCORED_UNITS: Final = Rules(dict.fromkeys(CONVENTIONS, "skip"), ("skip", "propagate"), distinct=False)


def calibration(tally: Reliability, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Expected calibration error of the decided class, in bins of equal width.

    $$\mathrm{ECE} = \sum_{b=1}^{B} \frac{n_b}{n} \left| \mathrm{acc}_b - \mathrm{conf}_b \right|$$

    with n_b the items whose probability of the decided class lies in bin b, acc_b the share of them that is right and
    conf_b their mean probability. Bins are closed on the right.

    Range: 0 to 1; lower is better. Biased upwards by sampling, the more so the more bins there are for the items. A
    model can be calibrated and useless: one that always answers with the shares of the classes has 0.

    Undefined when: there are no items with probabilities. An item without a prediction has no confidence: it is left
    out, and their number stands beside the score.

    Tally: Reliability (..., 1, bins).

    Signature: the number of bins.

    Args:
        tally: (..., 1, bins) sums.
        convention: one of the three; the same in all.
        undefined: empty; it is no mean over parts.

    Returns:
        (...) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: Guo, C. et al. (2017), On calibration of modern neural networks, Eq. 3, with its 15 bins.

    Example:
        Confidences .9 and .9, of which one is right, and .6, which is right: (2/3)·|1/2 - .9| + (1/3)·|1 - .6|.

        >>> from affectcheck.tallies import Reliability
        >>> tally = Reliability.count([0, 0, 1], [[0.9, 0.1], [0.1, 0.9], [0.4, 0.6]])
        >>> round(float(calibration(tally)), 4)
        0.4
    """
    NO_PARTS.resolve(convention, undefined)
    return _errors(tally)[..., 0]


def unit_calibration(tally: Reliability, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Expected calibration error of the probability of presence: mean over action units of that of each.

    $$\mathrm{ECE}_m = \sum_{b=1}^{B} \frac{n_b}{n} \left| \mathrm{share}_b - \mathrm{conf}_b \right|$$

    with n_b the items whose probability of unit m lies in bin b, share_b the share of them in which it is present and
    conf_b their mean probability. Bins are closed on the right.

    Range: 0 to 1; lower is better. Biased upwards by sampling. A rare unit is calibrated by a model that gives its
    share to every item: read it beside unit_ap.

    Undefined when: no unit of any item is known. A declared unit that is unknown in every item is left out (rule
    ``skip``), and the number of such units stands beside the score.

    Tally: Reliability (..., M, bins).

    Signature: the rule for undefined units, the number of bins.

    Args:
        tally: (..., M, bins) sums.
        convention: one of the three; the same in all.
        undefined: ``skip`` or ``propagate``; empty for ``skip``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: Naeini, M. P. et al. (2015), Obtaining well calibrated probabilities using Bayesian binning, for two
        classes; 15 bins as Guo, C. et al. (2017).

    Example:
        Two items at .25, in one of which the unit is present; one at .75 where it is: (2/3)·|.5 - .25| + (1/3)·.25.

        >>> from affectcheck.tallies import Reliability
        >>> float(unit_calibration(Reliability.of_units([1, 0, 1], [0.25, 0.25, 0.75])))
        0.25
    """
    return mean_of(_errors(tally), OVER_SCORED_UNITS.resolve(convention, undefined))


def unit_calibration_parts(tally: Reliability, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Expected calibration error of each unit, (..., M); see ``unit_calibration``."""
    OVER_SCORED_UNITS.resolve(convention, undefined)
    return _errors(tally)


def _errors(tally: Reliability) -> Floats:
    """(..., M) errors: n_b |acc_b - conf_b| is the distance of hits and summed confidence."""
    distance = np.abs(tally.hits - tally.confidence).sum(axis=-1)
    # Rounding may leave a sum of 1s above their number.
    return np.minimum(ratio(distance, tally.support), 1.0)


def _left_out(tally: Reliability) -> NDArray[Any]:
    return np.asarray(tally.left_out.sum(axis=-1))


def _sentences(tally: Reliability, _names: Names) -> tuple[str, ...]:
    number = int(_left_out(tally))
    return (f"{number} items without a prediction have no confidence and are left out",) if number else ()


def _reasons(tally: Reliability, names: Names) -> tuple[str, ...]:
    return tuple(f"{names.part(m)}: unknown in every item" if n == 0 else "" for m, n in enumerate(tally.support))


register(
    Metric(
        name="calibration",
        title="expected calibration error",
        kind="categories",
        level="overall",
        tally=Reliability,
        compute=calibration,
        low=0.0,
        high=1.0,
        higher_is_better=False,
        source="Guo et al. (2017), Eq. 3",
        undefined="there are no items with probabilities",
        options=("bins=15",),
        diagnosis=Diagnosis(_left_out, _sentences),
    )
)
register(
    Metric(
        name="unit_calibration",
        title="mean calibration error of action units",
        kind="units",
        level="overall",
        tally=Reliability,
        compute=unit_calibration,
        parts=unit_calibration_parts,
        low=0.0,
        high=1.0,
        higher_is_better=False,
        source="Naeini et al. (2015); 15 bins as Guo et al. (2017)",
        undefined="no unit of any item is known",
        rules=OVER_SCORED_UNITS,
        options=("bins=15",),
        diagnosis=Diagnosis.by_part(_reasons, lambda tally: np.isnan(_errors(tally))),
    )
)
