"""Sign agreement: whether the prediction lies on the truth's side of neutral."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics.concordance import few
from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import OVER_DIMENSIONS, mean_of, ratio
from affectcheck.tallies import Signs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def sign_agreement(tally: Signs, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Sign agreement (SAGR): share of items whose prediction has the sign of the truth, averaged over dimensions.

    $$\mathrm{SAGR} = \frac{1}{n} \sum_{i=1}^{n} \delta\bigl(\mathrm{sign}(t_i - z), \mathrm{sign}(p_i - z)\bigr)$$

    with z the neutral value, the middle of the declared range. What is exactly neutral has a sign of its own, 0, which
    agrees with itself alone.

    Range: 0 to 1; higher is better; blind to how far a value is from neutral. A model that always answers with the
    sign that is more frequent has the share of it.

    Undefined when: there are no items in any one dimension.

    Tally: Signs (..., D, 3, 3).

    Signature: the rule for undefined dimensions, the neutral value.

    Args:
        tally: (..., D, 3, 3) counts.
        convention: one of the three; the same in all.
        undefined: ``propagate``, ``skip`` or ``zero``.

    Returns:
        (...) shares.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: Nicolaou, M. A. et al. (2011), Continuous prediction of spontaneous affect from multiple cues and
        modalities in valence-arousal space. What a value of exactly 0 counts as is said here.

    Example:
        Signs -, 0, + against -, +, +.

        >>> from affectcheck.tallies import Signs
        >>> round(float(sign_agreement(Signs.of([-0.5, 0.0, 0.5], [-0.1, 0.1, 0.2]))), 4)
        0.6667
    """
    return mean_of(sign_agreement_parts(tally), OVER_DIMENSIONS.resolve(convention, undefined))


def sign_agreement_parts(tally: Signs, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Sign agreement of each dimension, (..., D); see ``sign_agreement``."""
    OVER_DIMENSIONS.resolve(convention, undefined)
    return ratio(np.trace(tally.counts, axis1=-2, axis2=-1), tally.support)


def _reasons(tally: Signs, names: Names) -> tuple[str, ...]:
    return tuple(f"{names.part(d)}: {few(tally, d)}" if n == 0 else "" for d, n in enumerate(tally.support))


register(
    Metric(
        name="sign_agreement",
        title="sign agreement",
        kind="dimensions",
        level="overall",
        tally=Signs,
        compute=sign_agreement,
        parts=sign_agreement_parts,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="Nicolaou et al. (2011)",
        undefined="no items in a dimension",
        rules=OVER_DIMENSIONS,
        options=("neutral=0",),
        diagnosis=Diagnosis.by_part(_reasons, lambda tally: tally.support == 0),
    )
)
