"""Speaker ranking: does a model rank speakers as the truth does, above all at both ends?

Equal means share the last places of a quantile, so that no order of rows decides who is in it. As published, the order
of rows decides, and the rank correlation counts whatever its sign.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.behaviour.measured import by_part
from affectcheck.behaviour.medium import counted_as
from affectcheck.behaviour.speakers import answers, ask, counted, speaker_means, untested
from affectcheck.metrics import METRICS
from affectcheck.metrics.quantile_rankings import Quantile
from affectcheck.metrics.weighted_rankings import end_confusion, end_precision
from affectcheck.tallies import Sample

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Question, Setting
    from affectcheck.behaviour.speakers import SpeakerMeans
    from affectcheck.metrics.quantile_rankings import Rounding

    Floats = NDArray[np.float64]

_ROUNDING: Final[dict[str, Rounding]] = {"half even": "half to even", "half up": "half up", "floor": "floor"}


def measure_speaker_ranking(material: Material, setting: Setting) -> list[Measured]:
    """Rank correlation, precision of both ends and confusions between them, of each class or dimension."""
    found: list[Measured] = []
    for means in speaker_means(material, setting):
        found += untested(means, setting) if means.reason else _ranked(means, setting)
    return found


def quantile_of(setting: Setting) -> Quantile:
    """How many speakers are at an end."""
    spec = counted(setting)
    return Quantile(spec.quantile, _ROUNDING[spec.quantile_rounding])


def _ranked(means: SpeakerMeans, setting: Setting) -> list[Measured]:
    quantile = quantile_of(setting)
    exact = _sample(means, means.truth, means.prediction)
    placed, level = exact, np.ptp(means.truth, axis=0) == 0.0
    if setting.rules.ties == "row order":
        placed = _sample(means, *(_in_row_order(one, means.first) for one in (means.truth, means.prediction)))
        level = np.zeros_like(level)
    statistics: dict[str, tuple[Sample, Callable[[Any], Floats]]] = {
        "spearman": (exact, partial(by_part, "spearman")),
        "precision_top": (placed, _where_ranked(level, partial(end_precision, end="top", quantile=quantile))),
        "precision_bottom": (placed, _where_ranked(level, partial(end_precision, end="bottom", quantile=quantile))),
        "top_bottom_confusions": (placed, _where_ranked(level, partial(end_confusion, quantile=quantile))),
    }
    found: list[Measured] = []
    counted_ones = counted_as(setting.definition)
    nobody = f"a quantile of {quantile.share:g} of {means.size} {counted_ones} holds nobody"
    equal = f"the truth is constant: all {means.size} {counted_ones} have the same mean, so that none stands at an end"
    reasons = tuple(equal if one else nobody for one in level)
    for comparison in setting.task.comparison:
        question = ask(means, comparison, *statistics[comparison.metric])
        found += answers(means, [_explained(question, means, reasons)], setting)
    return found


def _where_ranked(level: NDArray[np.bool_], statistic: Callable[[Any], Floats]) -> Callable[[Any], Floats]:
    """The statistic of the parts whose true means differ: equal ones share every place, which chance alone would fill.

    Args:
        level: (P,) whether all true means of a part are equal.
        statistic: of a tally, (…, P).
    """
    return lambda tally: np.where(level, np.nan, statistic(tally))


def _explained(question: Question, means: SpeakerMeans, reasons: tuple[str, ...]) -> Question:
    """With the reasons why values may be undefined."""
    if question.comparison.metric == "spearman":
        pooled = question.tally.pooled(0)
        return replace(question, reasons=lambda: METRICS.get("spearman").part_reasons(pooled, means.parts))
    return replace(question, reasons=lambda: reasons)


def _sample(means: SpeakerMeans, truth: Floats, prediction: Floats) -> Sample:
    return Sample.of(truth, prediction, cells=means.cells, n_cells=means.size)


def _in_row_order(values: Floats, first: NDArray[np.int64]) -> Floats:
    """(S, P) places in a ranking in which speakers of equal mean stand as their first items do in the table.

    As published, means are held in single precision.
    """
    places = np.empty(values.shape)
    for column in range(values.shape[1]):
        order = np.lexsort((first, values[:, column].astype(np.float32)))
        places[order, column] = np.arange(len(values))
    return places
