"""Robustness tests: what changes under a perturbation. Only items whose sound or pictures really changed count."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.behaviour.intervals import with_intervals
from affectcheck.behaviour.measured import Measured, Question, class_tally, reasons_of, value_tally, values_of
from affectcheck.behaviour.medium import medium_of
from affectcheck.behaviour.units import known, staying, unit_tally
from affectcheck.records import Place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting
    from affectcheck.tallies import Tally


@dataclass(frozen=True, eq=False)
class Pair:
    """The same items as they are and perturbed.

    Attributes:
        clean: with the predictions on the media as they are.
        perturbed: with those on the perturbed ones.
    """

    clean: Material
    perturbed: Material

    @classmethod
    def of(cls, clean: Material, perturbed: Material) -> Pair:
        """The items that both have, in the order of the table."""
        both = set(clean.items) & set(perturbed.items)
        return cls(*(one.take(np.array([item in both for item in one.items], bool)) for one in (clean, perturbed)))

    def labelled(self) -> Pair:
        """The items whose class is tested."""
        return Pair(self.clean.labelled(), self.perturbed.labelled())

    def dimension(self, index: int) -> Pair:
        """One dimension."""
        return Pair(self.clean.dimension(index), self.perturbed.dimension(index))

    def known(self) -> Pair:
        """The items whose value is known."""
        return Pair(self.clean.known(), self.perturbed.known())

    def only(self, classes: tuple[str, ...]) -> Pair:
        """The items of some of the tested classes."""
        return Pair(self.clean.only(classes), self.perturbed.only(classes))


def measure_robustness(pair: Pair, setting: Setting) -> list[Measured]:
    """Values of every comparison of a perturbation test: perturbed minus clean, or the share unchanged.

    Args:
        pair: the items before and after; before is as recorded, or perturbed in another way that is the reference.
        setting: task, rules and options; one that is not judged has no intervals, and takes a tenth of the time.
    """
    return measure_pair(pair, setting, Place())


def measure_pair(pair: Pair, setting: Setting, place: Place) -> list[Measured]:
    """The comparisons of one pair, of every dimension by itself.

    Args:
        pair: the items before and after.
        setting: task, rules and options.
        place: where the values belong; the dimension is added.
    """
    if setting.task.kind != "dimensions":
        return _measure(pair, setting, place)
    found: list[Measured] = []
    for index, part in enumerate(pair.clean.parts):
        found += _measure(pair.dimension(index), setting, replace(place, part=part))
    return found


def unchanged(pair: Pair, comparison: Comparison) -> NDArray[np.bool_]:
    """(n,) whether each prediction stays: the same class, or a change below the tolerance (strictly).

    Of units (n, M): each of them may stay or change.
    """
    before, after = pair.clean.prediction, pair.perturbed.prediction
    if comparison.tolerance is None:
        return np.asarray(before == after)
    # As published, this is a float32 difference of two-decimal values: 35 of the 96 pairs that are exactly 0.05
    # apart on paper count as unchanged. In double precision, unrounded, the rule is what it says.
    return np.asarray(np.abs(after - before) < after.dtype.type(comparison.tolerance))


def _measure(pair: Pair, setting: Setting, place: Place) -> list[Measured]:
    """Questions about the predictions alone, then those about the truth, which take labelled items."""
    staying = [one for one in setting.task.comparison if one.metric == "unchanged"]
    scored = [one for one in setting.task.comparison if one.metric != "unchanged"]
    found: list[Measured] = []
    for comparison in staying:
        found += with_intervals([replace(_unchanged(pair, comparison, setting), places=(place,))], pair.clean, setting)
    labelled = _labelled(pair, setting)
    if not labelled.clean.size and setting.definition.data.labels == "where known":
        minimum = setting.rules.minimum_per_group
        return found + [
            Measured(one, place, None, "no labels of what the model predicts", 0, minimum) for one in scored
        ]
    if scored:
        tally = _stacked(labelled, setting)
        questions = [replace(_change(labelled, tally, one, setting), places=(place,)) for one in scored]
        found += with_intervals(questions, labelled.clean, setting)
    return found


def _labelled(pair: Pair, setting: Setting) -> Pair:
    """The items that scores take."""
    if setting.task.kind == "units":
        some = known(pair.clean)
        return Pair(pair.clean.take(some), pair.perturbed.take(some))
    return pair.known() if setting.task.kind == "dimensions" else _present(pair.labelled())


def _present(pair: Pair) -> Pair:
    """Classes without items are not tested: they would only lower both sides alike."""
    seen = np.unique(pair.clean.truth)
    return pair.only(tuple(part for code, part in enumerate(pair.clean.parts) if code in seen))


def _unchanged(pair: Pair, comparison: Comparison, setting: Setting) -> Question:
    """The share of items that stay: the accuracy of 'unchanged' over the items, all of which should be."""
    medium, material = medium_of(setting.definition), pair.clean
    tally = staying(unchanged(pair, comparison), material.clusters, (material.n_clusters,))
    return Question(
        comparison,
        tally,
        statistic=lambda one: values_of("accuracy", one, 1, setting.rules),
        places=(Place(),),
        supports=(material.size,),
        minimum=setting.rules.minimum_per_group,
        reasons=lambda: (f"no items whose {medium.name} {medium.were} changed",),
    )


def _change(pair: Pair, tally: Tally, comparison: Comparison, setting: Setting) -> Question:
    """A metric on the perturbed items minus the same on the clean ones."""
    material, metric = pair.clean, comparison.metric
    parts = len(material.parts)

    def change(one: Tally) -> NDArray[np.float64]:
        values = values_of(metric, one, parts, setting.rules)
        return np.asarray(values[..., 1, :] - values[..., 0, :])

    def reasons() -> tuple[str, ...]:
        pooled = tally.pooled(0)
        return reasons_of(metric, pooled[1], material.parts)

    return Question(comparison, tally, change, (Place(),), (material.size,), setting.rules.minimum_per_group, reasons)


def _stacked(pair: Pair, setting: Setting) -> Tally:
    """Tallies (clusters, 2): clean, then perturbed."""
    clean, perturbed = pair.clean, pair.perturbed
    cells: NDArray[Any] = np.concatenate([clean.clusters * 2, clean.clusters * 2 + 1])
    shape = (clean.n_clusters, 2)
    both = replace(
        clean,
        frame=clean.frame.vstack(perturbed.frame),
        truth=np.concatenate([clean.truth, perturbed.truth]),
        prediction=np.concatenate([clean.prediction, perturbed.prediction]),
    )
    if setting.task.kind == "categories":
        return class_tally(both, setting.rules, cells, shape)
    if setting.task.kind == "units":
        return unit_tally(both, cells, shape)
    return value_tally(both, cells, shape)
