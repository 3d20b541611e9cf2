"""Fairness of robustness: does a perturbation change predictions of one group more than those of all?

Compared is the change of each group minus the change of all groups together. The threshold is what groups show that
are dealt out at random over subjects, with this very model and this very perturbation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from affectcheck.behaviour.fairness_answers import against_all, answered_by_dealing
from affectcheck.behaviour.fairness_support import admit, not_applicable
from affectcheck.behaviour.groups import Grouped
from affectcheck.behaviour.measured import Measured, Question, by_part, class_tally, value_tally, values_of
from affectcheck.behaviour.robustness import Pair, unchanged
from affectcheck.behaviour.units import staying
from affectcheck.metrics.rules import ratio
from affectcheck.records import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from affectcheck.behaviour.column_bins import GroupedRows
    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting
    from affectcheck.tallies import Tally

    Floats = NDArray[np.float64]

_ROW = "_row of the pair"


def measure_group_changes(pair: Pair, groupings: Iterable[GroupedRows], setting: Setting) -> list[Measured]:
    """The change of every group minus that of all, for each attribute, and of values for each dimension.

    Args:
        pair: the items before and after.
        groupings: the items before with each column of groups that is compared.
        setting: test, task, rules and options.
    """
    found: list[Measured] = []
    for rows in groupings:
        for one in _by_dimension(pair, setting):
            found += _measure(one, rows, setting)
    return found


def _by_dimension(pair: Pair, setting: Setting) -> list[Pair]:
    if setting.task.kind != "dimensions":
        return [pair]
    return [pair.dimension(index) for index in range(len(pair.clean.parts))]


def _measure(pair: Pair, rows: GroupedRows, setting: Setting) -> list[Measured]:
    part = pair.clean.parts[0] if setting.task.kind == "dimensions" else ""
    frame = rows.frame.with_columns(pl.Series(_ROW, np.arange(pair.clean.size)))
    admitted = admit(Grouped.of(replace(pair.clean, frame=frame).noted(*rows.notes), rows.attribute), setting)
    if admitted.reason:
        return not_applicable(admitted.grouped, setting, admitted.reason, part) + admitted.untold(setting, part)
    grouped = admitted.grouped
    after = pair.perturbed.take(grouped.material.frame.get_column(_ROW).to_numpy().astype(np.int64))
    staying = [one for one in setting.task.comparison if one.metric == "unchanged"]
    scored = [one for one in setting.task.comparison if one.metric != "unchanged"]
    found: list[Measured] = []
    if staying:
        questions = [_stays(one, grouped, after, part) for one in staying]
        answers = answered_by_dealing(questions, grouped.material, setting)
        found += [replace(one, notes=(*one.notes, _told(one, questions[0], grouped))) for one in answers]
    if scored:
        found += _scored(scored, grouped, after, setting)
    return found + admitted.untold(setting, part)


def _stays(comparison: Comparison, grouped: Grouped, after: Material, part: str) -> Question:
    material, n_groups = grouped.material, len(grouped.names)
    stays = unchanged(Pair(material, after), comparison)
    tally = staying(stays, material.clusters * n_groups + grouped.codes, (material.n_clusters, n_groups))

    return _question(comparison, tally, lambda one: against_all(one, _share), grouped, part)


def _share(one: Any) -> Floats:
    """(..., 1) share of predictions that stay."""
    return ratio(one.counts[..., 1, 1:], one.counts.sum(axis=(-2, -1))[..., None])


def _told(one: Measured, question: Question, grouped: Grouped) -> str:
    """The shares that a difference is of."""
    pooled = question.tally.pooled(0)
    own = float(_share(pooled)[grouped.names.index(one.place.group), 0])
    return f"{own:.3f} of the predictions for {one.place.group} stay, {float(_share(pooled.pooled(-1))[0]):.3f} of all"


def _scored(comparisons: list[Comparison], whole: Grouped, after: Material, setting: Setting) -> list[Measured]:
    """Changes of scores, of labelled items, and of mean values, which take no labels."""
    if setting.task.kind == "dimensions":
        tally = _stacked(whole, after, setting)
        part = whole.material.parts[0]
        questions = [_question(one, tally, _change_of(one.metric, setting), whole, part) for one in comparisons]
        return answered_by_dealing(questions, whole.material, setting)
    labelled = whole.material.truth >= 0
    grouped = whole.take(labelled)
    least = setting.rules.minimum_per_class
    common = np.flatnonzero(grouped.counts(grouped.material.truth, len(whole.material.parts)).min(axis=0) >= least)
    if len(common) < 2:
        told = f"fewer than two classes have {least} labelled items in every group"
        return [Measured(one, Place(whole.attribute), None, told, grouped.material.size, least) for one in comparisons]
    tally = _stacked(grouped, after.take(labelled), setting)
    questions = [_question(one, tally, _recall_change(common), grouped, "") for one in comparisons]
    return answered_by_dealing(questions, grouped.material, setting)


def _stacked(grouped: Grouped, after: Material, setting: Setting) -> Tally:
    """(clusters, G, 2) tallies: before, then after."""
    before, n_groups = grouped.material, len(grouped.names)
    cells = (before.clusters * n_groups + grouped.codes) * 2
    both = replace(
        before,
        frame=pl.concat([before.frame, before.frame]),
        truth=np.concatenate([before.truth, before.truth]),
        prediction=np.concatenate([before.prediction, after.prediction]),
    )
    shape = (before.n_clusters, n_groups, 2)
    places = np.concatenate([cells, cells + 1])
    if setting.task.kind == "categories":
        return class_tally(both, setting.rules, places, shape)
    return value_tally(both, places, shape)


def _change_of(metric: str, setting: Setting) -> Any:
    return _against_all_changes(lambda one: values_of(metric, one, 1, setting.rules))


def _recall_change(common: NDArray[np.int64]) -> Any:
    """Of the mean recall over the classes that every group has."""
    return _against_all_changes(lambda one: by_part("recall", one)[..., common].mean(axis=-1, keepdims=True))


def _against_all_changes(value: Any) -> Any:
    """(..., G) changes of each group minus that of all."""

    def change(one: Any) -> Floats:
        values = value(one)
        return np.asarray(values[..., 1, :] - values[..., 0, :])

    def difference(one: Any) -> Floats:
        return np.asarray((change(one) - change(one.pooled(-2))[..., None, :])[..., 0])

    return difference


def _question(comparison: Comparison, tally: Tally, statistic: Any, grouped: Grouped, part: str) -> Question:
    places = tuple(Place(grouped.attribute, group, part) for group in grouped.names)
    supports = tuple(grouped.sizes.tolist())
    return Question(
        comparison, tally, statistic, places, supports, 1, lambda: ("undefined in one of the groups",) * len(places)
    )
