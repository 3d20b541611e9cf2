"""Distances between groups: equality of opportunity (EOP) and statistical parity (SP)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import Rules, mean_of, mean_of_present, ratio
from affectcheck.tallies import Confusion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: EOP is not in the public code of paper 1.
OPPORTUNITY = Rules({"paper": "common-rows", "tables": "uniform"}, ("common-rows", "uniform", "propagate"))
PARITY = Rules({"paper": "", "tables": "", "upstream": ""})


def eop(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Equality of opportunity: mean distance between the row-normalised confusion matrices of two groups.

    $$\mathrm{EOP} = \frac{2}{|G|(|G|-1)} \sum_{g < g'} \mathrm{MAD}(\hat C_g, \hat C_{g'}),\quad
    \mathrm{MAD} = \frac{1}{|R|\,C} \sum_{c \in R} \sum_{j} |\hat C_g[c,j] - \hat C_{g'}[c,j]|$$

    over **unordered** pairs of groups, with R the true classes that both groups have.

    Range: 0 (equal treatment) to 2/C in ``paper``, to 1 in ``tables``; lower is better. Biased upwards by sampling:
    read it beside its noise floor.

    Undefined when: fewer than two groups have items, or no pair has a true class in common. Rows that a group lacks
    are left out of its pairs (rule ``common-rows``) and counted.

    Tally: Confusion (..., G, C, C).

    Signature: convention, and the rule for rows without items.

    Args:
        tally: (..., G, C, C) counts.
        convention: ``paper`` divides each row's distance by C; ``tables`` by 2 (total variation), which is C/2 times
            as much. There is no ``upstream``.
        undefined: ``common-rows``, ``uniform`` (a lacking row is 1/C throughout) or ``propagate``; empty for the
            convention's own.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown, or the convention is ``upstream``.

    Source: paper 1, Eq. 3. The printed double sum counts each pair twice under a factor for single pairs, which is
        twice the mean its text announces; the mean is taken. ``tables`` is inferred from Tables IV and V, whose values
        exceed 2/C.

    Example:
        Rows (1, 0) and (1/2, 1/2) against (1, 0) and (0, 1): distances 0 and 1, mean over 4 cells.

        >>> from affectcheck.tallies import Confusion
        >>> tally = Confusion.of_counts([[[2, 0], [1, 1]], [[3, 0], [0, 4]]])
        >>> float(eop(tally)), float(eop(tally, convention="tables"))
        (0.25, 0.25)
    """
    rule = OPPORTUNITY.resolve(convention, undefined)
    classes = tally.labels
    rows = ratio(tally.counts, tally.truth_totals[..., None])
    present = tally.support > 0
    if rule == "uniform":
        rows = np.where(np.isnan(rows) & present[..., None, None], 1.0 / classes, rows)
    first, second = np.triu_indices(tally.shape[-1], k=1)
    gaps = np.abs(rows[..., first, :, :] - rows[..., second, :, :]).sum(axis=-1)
    pairs = mean_of(gaps, "propagate" if rule == "propagate" else "skip") / (classes if convention == "paper" else 2.0)
    return mean_of_present(pairs, present[..., first] & present[..., second], rule)


def sp(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Statistical parity: mean distance between the shares of predicted classes in two groups.

    $$\mathrm{SP} = \frac{2}{|G|(|G|-1)} \sum_{g < g'} \frac{1}{C} \sum_{c} |r_g(c) - r_{g'}(c)|,\quad
    r_g(c) = \frac{1}{n_g} \sum_i n_{ic}(g)$$

    over **unordered** pairs of groups. Truth plays no part: groups with other class frequencies differ by right.

    Range: 0 to 2/C in ``paper``, to 1 in the other conventions; lower is better. Biased upwards by sampling: read it
    beside its noise floor.

    Undefined when: fewer than two groups have items. Groups without items are left out and counted.

    Tally: Confusion (..., G, C, C).

    Signature: convention.

    Args:
        tally: (..., G, C, C) counts.
        convention: ``paper`` divides by the declared number of classes, ``tables`` and ``upstream`` by 2 (total
            variation), which is C/2 times as much.
        undefined: empty; shares are defined wherever there are items.

    Returns:
        (...) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 1, Eq. 4, read over unordered pairs as Eq. 3; its public code divides by 2.

    Example:
        Shares (1/2, 1/2) and (1, 0).

        >>> from affectcheck.tallies import Confusion
        >>> float(sp(Confusion.of_counts([[[1, 0], [0, 1]], [[1, 0], [1, 0]]])))
        0.5
    """
    PARITY.resolve(convention, undefined)
    shares = ratio(tally.prediction_totals, tally.support[..., None])
    present = tally.support > 0
    first, second = np.triu_indices(tally.shape[-1], k=1)
    gaps = np.abs(shares[..., first, :] - shares[..., second, :]).sum(axis=-1)
    pairs = gaps / (tally.labels if convention == "paper" else 2.0)
    return mean_of_present(pairs, present[..., first] & present[..., second], "skip")


def _empty_rows(tally: Confusion) -> NDArray[np.bool_]:
    """(..., G, C) true classes that a group with items lacks."""
    return np.asarray((tally.truth_totals == 0) & (tally.support > 0)[..., None])


def _empty_groups(tally: Confusion) -> NDArray[Any]:
    return np.asarray((tally.support == 0).sum(axis=-1))


def group_sentences(present: NDArray[np.bool_], names: Names) -> tuple[str, ...]:
    """One sentence for each group without items, and one where fewer than two groups are left.

    Args:
        present: (G,) whether a group has items.
        names: of the groups.
    """
    sentences = [f"group {names.group(int(g))!r} left out: no items" for g in np.flatnonzero(~present)]
    if present.sum() == 1:
        sentences.append(f"needs 2 groups: only {names.group(int(present.argmax()))!r} has items")
    return tuple(sentences)


def _row_sentences(tally: Confusion, names: Names) -> tuple[str, ...]:
    lacking = _empty_rows(tally)
    return group_sentences(tally.support > 0, names) + tuple(
        f"group {names.group(int(g))!r} (n = {int(tally.support[g])}) has no items of the class "
        + ", ".join(names.part(int(c)) for c in np.flatnonzero(lacking[g]))
        for g in np.flatnonzero(lacking.any(axis=-1))
    )


register(
    Metric(
        name="eop",
        title="equality of opportunity",
        kind="categories",
        level="disparity",
        tally=Confusion,
        compute=eop,
        low=0.0,
        high=1.0,
        higher_is_better=False,
        source="paper 1, Eq. 3",
        undefined="fewer than two groups with items, or no true class in common",
        rules=OPPORTUNITY,
        options=("pairs=unordered",),
        diagnosis=Diagnosis(lambda tally: _empty_rows(tally).sum(axis=(-2, -1)) + _empty_groups(tally), _row_sentences),
        limit_in=("tables",),  # in the formula's own scaling it cannot exceed 2/C, so that no limit would fail
    )
)
register(
    Metric(
        name="sp",
        title="statistical parity",
        kind="categories",
        level="disparity",
        tally=Confusion,
        compute=sp,
        low=0.0,
        high=1.0,
        higher_is_better=False,
        source="paper 1, Eq. 4",
        undefined="fewer than two groups with items",
        rules=PARITY,
        options=("pairs=unordered",),
        diagnosis=Diagnosis(_empty_groups, lambda tally, names: group_sentences(tally.support > 0, names)),
        limit_in=("tables", "upstream"),
    )
)
