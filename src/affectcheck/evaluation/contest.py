"""The items of several models, tallied side by side: what is resampled and exchanged as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np
import polars as pl

from affectcheck.evaluation.alignment import Aligned
from affectcheck.evaluation.counting import lacks
from affectcheck.evaluation.grouping import EXCLUDED, Attribute, Clusters
from affectcheck.evaluation.items import column_of
from affectcheck.evaluation.options import CROSS
from affectcheck.evaluation.tallying import BLOCK, TallyBook
from affectcheck.evaluation.uncertain import ranked_too_long
from affectcheck.schemes import Target
from affectcheck.tallies import Confusion, Paired, Sample, Units
from affectcheck.uncertainty import Exchanging, exchange, resample_together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.evaluation.items import Layout, ScoredItems
    from affectcheck.evaluation.options import ClusterUnit
    from affectcheck.metrics import Metric
    from affectcheck.records import Place
    from affectcheck.tallies import Tally
    from affectcheck.uncertainty import Exchanged, Resampled, Resampling
    from affectcheck.uncertainty.bootstrap import Statistic

#: Items times draws that are ranked anew in a test, unless that is fewer draws than the least.
MOST_EXCHANGED: Final = 20_000_000
LEAST_EXCHANGED: Final = 1000
#: Tallies in which items of one truth and one decision are alike, so that they are drawn by their number.
_DECISIONS: Final[tuple[type[Tally], ...]] = (Confusion, Units)


@dataclass(frozen=True, eq=False)
class Drawn:
    """How the items of one kind of tally are drawn.

    Attributes:
        books: one a model, over the same units.
        attributes: the groups of the counted rows.
        unit: what a unit is, in words of a test.
        repeats: (S,) items that each unit stands for, where a unit is one item of its kind; None elsewhere.
        codes: (n,) unit of each item.
        dealt: whether single items were dealt into blocks, since they are many.
    """

    books: tuple[TallyBook, ...]
    attributes: dict[str, Attribute]
    unit: str
    repeats: np.ndarray | None
    codes: np.ndarray
    dealt: bool = False

    @property
    def units(self) -> int:
        """S, the number of units."""
        return self.books[0].n_blocks

    def tallies(self, kind: type[Tally], attribute: str = "") -> tuple[Tally, ...]:
        """One a model: (S,), or (S, G) by group."""
        found = self.attributes[attribute] if attribute else None
        return tuple(book.by_cluster(kind, found) for book in self.books)


class Division(NamedTuple):
    """Items that one tally holds.

    Attributes:
        kind: the class of tally.
        attribute: divides the items into groups; empty for none.
        group: one group of it, whose items alone are meant; empty for all of them.
    """

    kind: type[Tally]
    attribute: str = ""
    group: str = ""


@dataclass(eq=False)
class Contest:
    """Several models on the same items.

    Attributes:
        models: what each predicted, in one order of items.
        clusters: what is resampled as a whole.
        attributes: the groups that are asked for, by name.
    """

    models: tuple[Aligned, ...]
    clusters: Clusters
    attributes: dict[str, Attribute]
    _drawn: dict[bool, Drawn] = field(default_factory=dict)
    _named: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _pairs: dict[tuple[int, int], Contest] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Sequence[ScoredItems], attributes: Sequence[str]) -> Contest:
        """From tables of the same items in the same order."""
        frame, layout = items[0].frame, items[0].layout
        return cls(
            tuple(aligned_of(one) for one in items),
            _clusters(frame, layout.unit),
            {name: _attribute(frame, name, layout.minimum_support) for name in attributes},
        )

    def drawn(self, kind: type[Tally]) -> Drawn:
        """How items are drawn for a kind of tally: by cluster; else item by item."""
        alike = self.clusters.unit == "item" and kind in _DECISIONS
        if alike not in self._drawn:
            self._drawn[alike] = self._alike() if alike else self._by_cluster()
        return self._drawn[alike]

    def lacks(self, kind: type[Tally]) -> str:
        """What a model's predictions lack for a kind of tally; empty where none lacks anything."""
        return next(filter(None, (lacks(kind, one) for one in self.models)), "")

    def too_long(self, kind: type[Tally], resamples: int) -> str:
        """Why a kind of tally is not resampled so often; empty where it is."""
        first = self.models[0]
        return ranked_too_long(first.height * len(first.parts), resamples) if kind is Sample else ""

    def dealt(self, kind: type[Tally]) -> str:
        """Says that items were dealt into blocks, if they were."""
        drawn = self.drawn(kind)
        return f"items without clusters were dealt into {drawn.units} blocks, each drawn as one" if drawn.dealt else ""

    def index(self, metric: Metric, place: Place) -> tuple[int, ...]:
        """Where a place is among the values of a metric over groups and parts."""
        index: tuple[int, ...] = ()
        if place.group:
            index += (self.attributes[place.attribute].groups.index(place.group),)
        return (*index, self._parts(metric).index(place.part)) if place.part else index

    def _parts(self, metric: Metric) -> tuple[str, ...]:
        if metric.name not in self._named:
            tally = self.drawn(metric.tally).tallies(metric.tally)[0]
            self._named[metric.name] = metric.part_names(tally, self.models[0].parts)
        return self._named[metric.name]

    def whole(self, kind: type[Tally], attribute: str) -> tuple[Tally, ...]:
        """One tally a model, or one a group of it."""
        drawn = self.drawn(kind)
        tallies = drawn.tallies(kind, attribute)
        if drawn.repeats is None:
            return tuple(tally.pooled(0) for tally in tallies)
        return tuple(tally.weighted(drawn.repeats[None])[0] for tally in tallies)

    def resampled(self, kind: type[Tally], attribute: str, options: Resampling) -> tuple[Resampled[Any], ...]:
        """Resamples of each model under the same weights, over groups if an attribute is named."""
        how = self.drawn(kind)
        tallies = how.tallies(kind, attribute)
        found = resample_together(tallies, replace(options, unit=self.clusters.unit), repeats=how.repeats)
        if not how.dealt:
            return found
        known = self.attributes[attribute].counts if attribute else np.asarray(self.models[0].height)
        return tuple(replace(one, clusters=known, by_part=None) for one in found)

    def exchanged(
        self, pair: tuple[int, int], of: Division, statistics: Sequence[Statistic], how: Exchanging
    ) -> tuple[Exchanged, ...]:
        """Permutation tests of two models, one a statistic, over the items of a division."""
        two = self._pair(pair)
        drawn = two.drawn(of.kind)
        first, second = drawn.tallies(of.kind, of.attribute)
        differ = two.differ(of.kind)
        if of.kind is Sample:
            fewer = max(LEAST_EXCHANGED, MOST_EXCHANGED // two.models[0].height)
            how = replace(how, draws=min(how.draws, fewer))
        if of.group:
            found = self.attributes[of.attribute]
            group = found.groups.index(of.group)
            first, second, differ = first[:, group], second[:, group], differ & (found.codes == group)
        return exchange(
            Paired.of(first, second),
            statistics,
            replace(how, unit=drawn.unit),
            differs=np.bincount(drawn.codes, differ, minlength=drawn.units) > 0,
            repeats=drawn.repeats,
        )

    def _pair(self, pair: tuple[int, int]) -> Contest:
        """Two of the models alone: fewer of their items are other than each other than of those of all models."""
        if pair not in self._pairs:
            self._pairs[pair] = Contest((self.models[pair[0]], self.models[pair[1]]), self.clusters, self.attributes)
        return self._pairs[pair]

    @cached_property
    def _decided_apart(self) -> np.ndarray:
        """(n,) items that two models answer differently."""
        return _rows_differ(self.models[0].prediction, self.models[1].prediction)

    def differ(self, kind: type[Tally]) -> np.ndarray:
        """(n,) items that two models answer differently or, where a tally sees scores, score differently."""
        scores = [one.scores for one in self.models]
        if kind in _DECISIONS or scores[0] is None or scores[1] is None:
            return self._decided_apart
        return np.asarray(self._decided_apart | _rows_differ(scores[0], scores[1]))

    def _by_cluster(self) -> Drawn:
        dealt = self.clusters.unit == "item" and self.clusters.size > BLOCK
        books = tuple(TallyBook(one, self.clusters, most_blocks=BLOCK) for one in self.models)
        unit = "block" if dealt else self.clusters.unit
        return Drawn(books, self.attributes, unit, None, books[0].blocks, dealt)

    def _alike(self) -> Drawn:
        """Items that are alike in truth, every model's decision and every group stand as one, with their number."""
        keys = [self.models[0].truth, *(one.prediction for one in self.models)]
        keys += [found.codes for found in self.attributes.values()]
        table = np.ascontiguousarray(np.column_stack(keys).astype(np.int32))
        whole = table.view(np.dtype((np.void, table.dtype.itemsize * table.shape[1]))).ravel()
        _, rows, codes, repeats = np.unique(whole, return_index=True, return_inverse=True, return_counts=True)
        units = Clusters("item", np.arange(rows.size), rows.size)
        books = tuple(TallyBook(_taken(one, rows), units, most_blocks=rows.size) for one in self.models)
        groups = {name: replace(found, codes=found.codes[rows]) for name, found in self.attributes.items()}
        return Drawn(books, groups, "item", repeats.astype(np.int64), codes.ravel())


def aligned_of(items: ScoredItems) -> Aligned:
    """What was scored, as far as tallies need it."""
    frame, layout = items.frame, items.layout
    truth, prediction = (_values(frame, layout, names) for names in (layout.truth_columns, layout.prediction_columns))
    has_scores = set(layout.score_columns) <= set(frame.columns)
    return Aligned(
        Target(layout.target, layout.scheme),
        layout.parts,
        frame.select("item"),
        truth,
        prediction,
        scores=_numbers(frame, layout.score_columns) if has_scores else None,
        output=layout.output,
        no_scores=layout.no_scores,
    )


def _values(frame: pl.DataFrame, layout: Layout, names: Sequence[str]) -> np.ndarray:
    """Codes of labels, -1 where there is none; of units -1 where unknown; values of dimensions, NaN where unknown."""
    if layout.kind == "categories":
        return frame.get_column(names[0]).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
    if layout.kind == "units":
        columns = [frame.get_column(name).fill_null(-1).to_numpy() for name in names]
        return np.asfortranarray(np.column_stack(columns))
    return _numbers(frame, names)


def _numbers(frame: pl.DataFrame, names: Sequence[str]) -> np.ndarray:
    return np.column_stack([frame.get_column(name).fill_null(float("nan")).to_numpy() for name in names])


def _clusters(frame: pl.DataFrame, unit: ClusterUnit) -> Clusters:
    """Clusters by name; an item without one is its own."""
    names = frame.get_column("cluster").fill_null("\0" + frame.get_column("item"))
    codes = names.rank("dense").cast(pl.Int64).to_numpy() - 1
    return Clusters(unit, codes, int(codes.max()) + 1)


def _attribute(frame: pl.DataFrame, name: str, minimum_support: int) -> Attribute:
    """Groups by name; crossed ones of fewer items than the minimum support are in no disparity."""
    column = frame.get_column(column_of(name))
    groups = tuple(column.cast(pl.String).drop_nulls().unique().sort())
    order = {group: code for code, group in enumerate(groups)}
    codes = column.cast(pl.String).replace_strict(order, default=EXCLUDED, return_dtype=pl.Int64).to_numpy()
    counts = np.bincount(codes[codes != EXCLUDED], minlength=len(groups))
    limit = minimum_support if CROSS in name else 0
    small = {group: int(n) for group, n in zip(groups, counts, strict=True) if n < limit}
    return Attribute(name, groups, codes, {}, small, limit)


def _taken(aligned: Aligned, rows: np.ndarray) -> Aligned:
    return replace(aligned, frame=aligned.frame[rows], truth=aligned.truth[rows], prediction=aligned.prediction[rows])


def _rows_differ(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """(n,) rows in which two arrays hold other values, NaN equal to NaN."""
    other = (first != second) & ~((first != first) & (second != second))  # noqa: PLR0124  # NaN alone differs from itself
    return cast("np.ndarray", other if other.ndim == 1 else other.any(axis=1))
