"""A pilot: what the scored items of a run tell of how a larger study will turn out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.items import ITEMS_FILE, ScoredItems, column_of
from affectcheck.metrics import METRICS
from affectcheck.schemes import TASKS
from affectcheck.tallies import Confusion, Moments
from affectcheck.uncertainty import (
    Answers,
    Population,
    Spread,
    Values,
    influences,
    number_of,
    require_plannable,
    spread_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.evaluation.items import Layout

#: Correlation of two models above which hardly anything tells them apart.
_MOST_ALIKE = 0.99


@dataclass(frozen=True)
class PilotColumns:
    """Which part of a run is taken as the pilot.

    Attributes:
        metric: that is planned for; empty for the headline of the task.
        by: attribute whose groups may differ in their means; empty for none.
        part: the dimension, where there are several.
    """

    metric: str = ""
    by: str = ""
    part: str = ""


@dataclass(frozen=True, eq=False)
class Pilot:
    """What a run tells of a study.

    Attributes:
        metric: that is planned for.
        population: subjects as those of the run.
        spread: how they differ.
        items: of a typical subject.
        unit: what a subject is: ``subject`` or ``media``.
        notes: sentences for the reader.
        rows: item, hit (or error beside what the truth tells) of each item.
    """

    metric: str
    population: Population
    spread: Spread
    items: int
    unit: str
    notes: tuple[str, ...]
    rows: pl.DataFrame


def read_pilot(path: Path, columns: PilotColumns | None = None) -> Pilot:
    """A pilot from a run folder, or from its table of items.

    Raises:
        MissingPathError: the run kept no items.
        InputError: its items are of another kind, belong to no subjects, or to too few.
        UnknownNameError: an attribute or dimension that the run does not have.
    """
    scored = ScoredItems.read(path / ITEMS_FILE if path.is_dir() else path)
    layout, told = scored.layout, columns or PilotColumns()
    where = str(path)
    if layout.kind == "units":
        raise InputError("a pilot of action units", where=where, expected="a run of categories or dimensions")
    if layout.unit == "item":
        raise InputError(
            "the items of the pilot belong to no subjects",
            where=where,
            expected="a run whose table names subjects, or media files, of several items each",
        )
    metric = told.metric or TASKS[layout.kind].headline
    if (kind := require_plannable(metric).kind) != layout.kind:
        raise InputError(f"{metric!r} of a pilot of {layout.kind}", where=where, expected=f"a pilot of {kind}")
    names = _names(layout, told, where)
    frame = _known(scored.frame, names)
    codes = frame.get_column("cluster").fill_null("item " + frame.get_column("item")).rank("dense").to_numpy() - 1
    group = frame.get_column(names.group).to_physical().to_numpy() if names.group else None
    made = _classes(frame, layout, metric) if layout.kind == "categories" else _dimension(frame, names, metric)
    spread = spread_of(made.influences, codes, group)
    return Pilot(
        metric=metric,
        population=made.population.with_between(spread.between),
        spread=spread,
        items=max(1, round(spread.items)),
        unit=layout.unit,
        notes=_notes(spread, scored.frame.height - frame.height, layout.unit),
        rows=frame.select("item").with_columns(pl.Series("result", made.results)),
    )


def agreement_of(first: Pilot, second: Pilot) -> float:
    """How much two models agree: the correlation of their hits, or of their errors, on the items that both have.

    Returns:
        From 0, which negative ones count as, to just below 1.

    Raises:
        InputError: there are fewer than 3 such items, or on these one of the two is always right or always wrong.
    """
    both = first.rows.join(second.rows, on="item", how="inner", suffix="_of_second")
    results = both.select("result", "result_of_second").to_numpy().T
    if both.height < 3 or not (results.std(axis=1) > 0.0).all():
        raise InputError(
            f"two pilots with {both.height} items in common do not tell how much the models agree",
            expected="two runs of the same items, on which neither model is always right or always wrong",
        )
    return float(np.clip(np.corrcoef(results)[0, 1], 0.0, _MOST_ALIKE))


class _Names(NamedTuple):
    """Columns of a table of items."""

    truth: str
    prediction: str
    group: str


class _Made(NamedTuple):
    """A population, and the influence and result of each item."""

    population: Population
    influences: np.ndarray
    results: np.ndarray


def _names(layout: Layout, told: PilotColumns, where: str) -> _Names:
    if told.by and told.by not in layout.attributes:
        raise UnknownNameError.of("attribute of the pilot", told.by, layout.attributes, where=where)
    group = column_of(told.by) if told.by else ""
    if layout.kind == "categories":
        if told.part:
            raise InputError(
                f"part {told.part!r} of a pilot of categories",
                where=where,
                expected="none: classes are planned together",
            )
        return _Names("truth", "prediction", group)
    part = told.part or (layout.parts[0] if len(layout.parts) == 1 else "")
    if not part:
        raise InputError(
            "the pilot has several dimensions", where=where, expected=f"one of them: {', '.join(layout.parts)}"
        )
    if part not in layout.parts:
        raise UnknownNameError.of("dimension of the pilot", part, layout.parts, where=where)
    return _Names(f"truth_{part}", f"prediction_{part}", group)


def _known(frame: pl.DataFrame, names: _Names) -> pl.DataFrame:
    """Items whose truth, prediction and group are known."""
    return frame.drop_nulls([name for name in names if name])


def _classes(frame: pl.DataFrame, layout: Layout, metric: str) -> _Made:
    truth, answer = (frame.get_column(name).to_physical().to_numpy() for name in ("truth", "prediction"))
    size = len(layout.parts)
    whole = Confusion.count(truth, answer, labels=size)
    kinds = Confusion.of_counts(np.eye(size * size, dtype=np.int64).reshape(-1, size, size))
    statistic = METRICS.get(metric).compute
    by_kind = influences(whole, kinds, statistic)
    hits = (truth == answer).astype(np.float64)
    return _Made(Answers.of_counts(statistic, whole.counts), by_kind[truth.astype(np.intp) * size + answer], hits)


def _dimension(frame: pl.DataFrame, names: _Names, metric: str) -> _Made:
    truth, value = (frame.get_column(name).to_numpy() for name in names[:2])
    spreads: Any = truth.std(), value.std()
    if min(spreads) == 0.0:
        raise InputError("truth or predictions of the pilot are constant", expected="values that vary")
    correlation = float(np.corrcoef(truth, value)[0, 1])
    statistic = METRICS.get(metric).compute
    offset = float((value.mean() - truth.mean()) / spreads[0])
    ratio = float(spreads[1] / spreads[0])
    population = Values(statistic, 0.0, correlation, ratio, offset, metric == "ccc")
    items = Moments.of(truth, value, cells=np.arange(truth.size), n_cells=truth.size)
    own = influences(Moments.of(truth, value), items, statistic)
    beside = value - value.mean() - correlation * ratio * (truth - truth.mean())
    return _Made(population, own, beside)


def _notes(spread: Spread, left_out: int, unit: str) -> tuple[str, ...]:
    told = (
        f"tell how they differ only roughly: the deviation between them may well be {spread.between_high:.3g} "
        f"instead of {spread.between:.3g} (upper bound at a confidence of 80 %)"
        if spread.between_high > spread.between
        else "differ by less than their items alone would make them: the deviation between them is taken to be "
        f"{spread.between:.3g}, and --between plans for more"
    )
    found: Sequence[str] = (
        f"the pilot's {number_of(spread.subjects, unit)} {told}",
        f"{number_of(left_out, 'item')} of the pilot left out, whose truth, prediction or group is unknown"
        if left_out
        else "",
    )
    return tuple(filter(None, found))
