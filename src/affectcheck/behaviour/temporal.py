"""Temporal behaviour: do predictions change within a recording as much as the truth does?

Of each recording with enough segments, in the order of time, the mean absolute change from one segment to the next, or
the share of segments whose class differs from that of the one before. The published code has this test without limits,
data or results.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.behaviour.histograms import distance, edges_of, histogram_tally, outside_note
from affectcheck.behaviour.intervals import with_intervals
from affectcheck.behaviour.measured import Measured, Question, values_of
from affectcheck.behaviour.medium import medium_of
from affectcheck.behaviour.recording_names import RECORDING, recording_column, recording_of
from affectcheck.metrics.quantile_rankings import Quantile
from affectcheck.metrics.weighted_rankings import end_mean
from affectcheck.records import Place
from affectcheck.tallies import Moments, Sample

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting
    from affectcheck.behaviour.medium import Medium
    from affectcheck.metrics.quantile_rankings import End
    from affectcheck.tallies import Tally

    Floats = NDArray[np.float64]

#: The quarter of recordings that change most or least, as the published code cuts it.
QUARTER: Final = Quantile(0.25, "floor")


@dataclass(frozen=True, eq=False)
class Changes:
    """How much each recording changes.

    Attributes:
        truth, prediction: (F,) mean change of each recording.
        clusters: (F,) cluster of each recording.
        material: their segments.
        part: the dimension; empty for classes.
    """

    truth: Floats
    prediction: Floats
    clusters: NDArray[np.int64]
    material: Material
    part: str = ""


def measure_temporal(material: Material, setting: Setting) -> list[Measured]:
    """How changes within recordings are distributed, how far off they are, and whether they come where they should."""
    reason = _lacking(material, medium_of(setting.definition))
    if reason:
        return [Measured(comparison, reason=reason) for comparison in setting.task.comparison]
    ordered = _in_time(material)
    if setting.task.kind == "categories":
        return _measure(changes(ordered.labelled(), setting), setting)
    found: list[Measured] = []
    for index, part in enumerate(ordered.parts):
        one = changes(ordered.dimension(index).known(), setting)
        found += _measure(replace(one, part=part), setting)
    return found


def changes(material: Material, setting: Setting) -> Changes:
    """The mean change of every recording with enough segments; the others are counted in the notes.

    Args:
        material: segments in the order of recording and time.
        setting: how many segments a recording takes.
    """
    least = setting.definition.data.minimum_segments
    recording = _recordings(material)
    segments = np.bincount(recording)
    enough = segments >= max(2, least)
    left_out, medium = int(np.sum(~enough)), medium_of(setting.definition)
    note = f"{left_out} {medium.recordings} with fewer than {max(2, least)} {medium.segments} are left out"
    kept = material.take(enough[recording]).noted(note if left_out else "")
    codes = _recordings(kept)
    number = int(codes.max(initial=-1)) + 1
    same = codes[1:] == codes[:-1]
    steps = np.bincount(codes[1:][same], minlength=number)
    sides = [
        np.bincount(codes[1:][same], _steps(values)[same], number) / steps for values in (kept.truth, kept.prediction)
    ]
    _, first = np.unique(codes, return_index=True)
    _, clusters = np.unique(kept.clusters[first], return_inverse=True)
    return Changes(sides[0], sides[1], clusters.astype(np.int64), kept)


def reactivity(tally: Any, *, end: End, largest: float) -> Floats:
    """Change of the predictions where the truth changes most, or steadiness where it changes least, as published.

    The mean of (p / m + 1) / (t / m + 1) over the quarter of recordings with the largest true change t, at most 1,
    stretched from 0.5 … 1 to 0 … 1; m is the largest change expected. At the lower end, the inverse ratio. Recordings
    of equal true change share the last places.

    Args:
        tally: Sample of true and predicted changes.
        end: ``top`` for reactivity, ``bottom`` for stability.
        largest: m.
    """

    def ratios(truth: NDArray[Any], prediction: NDArray[Any]) -> Floats:
        true, predicted = truth / largest + 1.0, prediction / largest + 1.0
        return np.asarray(predicted / true if end == "top" else true / predicted, np.float64)

    return (np.minimum(end_mean(tally, end, ratios, QUARTER), 1.0) - 0.5) * 2.0


def _measure(found: Changes, setting: Setting) -> list[Measured]:
    size, minimum = len(found.truth), max(1, setting.rules.minimum_per_group)
    medium = medium_of(setting.definition)
    if size < minimum:
        reason = f"{size} {medium.recordings} with enough {medium.segments}, the test takes at least {minimum}"
        short = Measured(setting.task.comparison[0], Place(part=found.part), None, reason, size, minimum)
        short = replace(short, notes=found.material.notes)
        return [replace(short, comparison=comparison) for comparison in setting.task.comparison]
    edges = edges_of(setting.task.histogram_edges, setting.rules)
    cells, number = found.clusters, int(found.clusters.max()) + 1
    histogram = histogram_tally(found.truth, found.prediction, edges, setting.rules, found.clusters)
    moments = Moments.of(found.truth, found.prediction, cells=cells, n_cells=number)
    sample = Sample.of(found.truth, found.prediction, cells=cells, n_cells=number)
    largest = float(edges[-1])
    statistics: dict[str, tuple[Tally, Callable[[Any], Floats]]] = {
        "jsd": (histogram, distance),
        "mae": (moments, partial(values_of, "mae", parts=1, rules=setting.rules)),
        "mde": (moments, partial(values_of, "mde", parts=1, rules=setting.rules)),
        "reactivity": (sample, partial(reactivity, end="top", largest=largest)),
        "stability": (sample, partial(reactivity, end="bottom", largest=largest)),
    }
    outside = outside_note(found.truth, found.prediction, edges, setting.rules)
    measured: list[Measured] = []
    for comparison in setting.task.comparison:
        noted = found.material.noted(
            f"over {len(found.truth)} {medium.recordings}", *(outside if comparison.metric == "jsd" else ())
        )
        question = _question(comparison, *statistics[comparison.metric], found, setting)
        measured += with_intervals([question], noted, setting)
    return measured


def _question(
    comparison: Comparison, tally: Tally, statistic: Callable[[Any], Floats], found: Changes, setting: Setting
) -> Question:
    number = len(found.truth)
    lacking = f"a quarter of {number} {medium_of(setting.definition).recordings} holds none"
    minimum = setting.rules.minimum_per_group
    return Question(comparison, tally, statistic, (Place(part=found.part),), (number,), minimum, lambda: (lacking,))


def _lacking(material: Material, medium: Medium) -> str:
    """Why segments cannot be put in the order of time."""
    columns = material.frame.columns
    whole, part = medium.recordings.removesuffix("s"), medium.segments.removesuffix("s")
    if not recording_column(material.frame):
        names = " or ".join(map(repr, RECORDING))
        return f"the table does not say which {whole} a {part} belongs to: it has no column {names}"
    if "start_us" not in columns and "frame" not in columns:
        return f"the table does not say when a {part} starts: it has no column 'start_us' or 'frame'"
    return ""


def _in_time(material: Material) -> Material:
    """Segments by recording, then by time; those of unknown recording or time are left out and counted."""
    times = [name for name in ("start_us", "frame") if name in material.frame.columns]
    recording = recording_of(material.frame)
    known = recording.is_not_null() & pl.any_horizontal(pl.col(name).is_not_null() for name in times)
    named = material.frame.with_columns(known.alias("_known"), recording.alias("_recording"))
    rows = named.with_row_index("_row").filter(pl.col("_known")).sort("_recording", *times, "item")
    left_out = material.size - rows.height
    note = f"{left_out} segments of unknown recording or time are left out"
    return material.take(rows.get_column("_row").to_numpy().astype(np.int64)).noted(note if left_out else "")


def _recordings(material: Material) -> NDArray[np.int64]:
    """(n,) code of the recording of each segment."""
    named = material.frame.select(recording_of(material.frame).alias("recording")).get_column("recording")
    _, codes = np.unique(named.to_numpy(), return_inverse=True)
    return codes.astype(np.int64)


def _steps(values: NDArray[Any]) -> Floats:
    """(n - 1,) change from each segment to the next: a distance of values, or 1 where the class differs."""
    if np.issubdtype(values.dtype, np.integer):
        return np.asarray(values[1:] != values[:-1], np.float64)
    return np.asarray(np.abs(np.diff(np.asarray(values, np.float64))))
