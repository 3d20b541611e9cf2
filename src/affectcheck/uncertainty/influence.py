"""What single items contribute to a score, and how that varies between and within subjects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import InputError
from affectcheck.uncertainty.quantiles import chi_square_quantile
from affectcheck.uncertainty.stacking import items_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from affectcheck.tallies import Tally
    from affectcheck.uncertainty.bootstrap import Statistic

    Floats = NDArray[np.float64]

#: One-sided confidence of the upper bound of a deviation that was estimated from few subjects.
CERTAINTY = 0.8


def influences(whole: Tally, items: Tally, statistic: Statistic) -> Floats:
    """What one more item of each kind does to a score, times the number of items.

    Their mean over the items is 0 (nearly, with few items), and their variance over the number of independent items is
    that of the score. For accuracy they are the hits minus the accuracy.

    Args:
        whole: the tally of all items, no leading axes.
        items: (n,) tallies of one item each.
        statistic: one value of a tally, over its leading axes.

    Returns:
        (n,) influences.

    Example:
        >>> from affectcheck.metrics import METRICS
        >>> from affectcheck.tallies import Confusion
        >>> whole, items = Confusion.of_counts([[3, 1], [0, 4]]), Confusion.count([0, 0], [0, 1], labels=2, cells=[0, 1])
        >>> influences(whole, items, METRICS.get("accuracy").compute).round(3).tolist()
        [0.125, -0.875]
    """
    change = np.asarray(statistic(whole + items), np.float64) - np.asarray(statistic(whole), np.float64)
    return np.asarray((float(items_of(whole)) + 1.0) * change)


@dataclass(frozen=True)
class Spread:
    """How a score varies from subject to subject, and from item to item of one subject.

    Attributes:
        between: deviation of the subjects' expected scores.
        within: deviation of a single item's contribution, within a subject.
        between_high: upper bound of ``between`` at a confidence of 80 %, since few subjects tell it roughly.
        subjects: how many there were.
        items: their mean number of items.
    """

    between: float
    within: float
    between_high: float
    subjects: int
    items: float

    @property
    def icc(self) -> float:
        """Intra-class correlation: the share of an item's variance that its subject makes."""
        total = self.between**2 + self.within**2
        return self.between**2 / total if total > 0.0 else 0.0


def spread_of(values: ArrayLike, subjects: ArrayLike, groups: ArrayLike | None = None) -> Spread:
    """Deviations between and within subjects, by analysis of variance (Searle, Casella and McCulloch 1992, 3.6).

    Args:
        values: (n,) influences of the items.
        subjects: (n,) code of each item's subject, from 0.
        groups: (n,) code of each item's group, from 0, where groups may differ in their means.

    Returns:
        The deviations; ``between`` is 0 where subjects differ by no more than items do.

    Raises:
        InputError: there are fewer than 3 subjects beyond one a group, or no subject has two items.

    Example:
        >>> found = spread_of([0, 0, 1, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2, 3, 3])
        >>> round(found.between, 3), round(found.within, 3)
        (0.204, 0.5)
    """
    y, subject = np.asarray(values, np.float64), np.asarray(subjects)
    group = np.zeros(y.size, np.intp) if groups is None else np.asarray(groups)
    _, cell = np.unique(np.stack([group, subject]), axis=1, return_inverse=True)
    sizes = np.bincount(cell)
    means = np.bincount(cell, y) / sizes
    of_group = np.zeros(sizes.size, np.intp)
    of_group[cell] = np.unique(group, return_inverse=True)[1]
    number = np.bincount(of_group, sizes)
    degrees = sizes.size - number.size
    if degrees < 2 or y.size == sizes.size:
        raise InputError(
            f"{sizes.size} subjects of {y.size} items in {number.size} groups do not tell how subjects differ",
            expected="3 subjects or more in a group, some with more than one item",
        )
    centres = np.bincount(of_group, sizes * means) / number
    among = float((sizes * (means - centres[of_group]) ** 2).sum()) / degrees
    within = float(((y - means[cell]) ** 2).sum()) / (y.size - sizes.size)
    typical = float(y.size - (np.bincount(of_group, sizes.astype(np.float64) ** 2) / number).sum()) / degrees
    high = among * degrees / float(chi_square_quantile(1.0 - CERTAINTY, degrees))
    between, between_high = (float(np.sqrt(max(square - within, 0.0) / typical)) for square in (among, high))
    return Spread(between, float(np.sqrt(within)), between_high, sizes.size, y.size / sizes.size)
