"""Scores of what was counted of a folder, by the very steps that score a table in memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.groups import group_column
from affectcheck.annotations.listing import plural, rows_in_whole
from affectcheck.annotations.plain import text_column
from affectcheck.annotations.table import AnnotationTable
from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError
from affectcheck.evaluation.coding import Combinations
from affectcheck.evaluation.data_digest import DIGEST_SHOWN, DataDigest
from affectcheck.evaluation.everything import all_scores, disparities_of
from affectcheck.evaluation.grouping import Attribute, Clusters, attribute, clusters
from affectcheck.evaluation.result import Evaluation
from affectcheck.evaluation.run import counts_of, tables_of
from affectcheck.evaluation.scoring import Scorer
from affectcheck.evaluation.shards import ahead
from affectcheck.evaluation.signing import Signer
from affectcheck.evaluation.streamed_counts import BLOCK, OWN, Counting, points_in
from affectcheck.evaluation.tables import group_table, scatter_places
from affectcheck.evaluation.tallied import Tallied
from affectcheck.evaluation.uncertain import Uncertainty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.evaluation.stream_plan import StreamPlan
    from affectcheck.evaluation.streamed_counts import Counted, Points
    from affectcheck.metrics import Metric

#: Items without clusters that are scored in memory, since each of them is resampled by itself.
ITEMS_IN_MEMORY: Final = 200_000
NO_ITEMS: Final = f"more than {ITEMS_IN_MEMORY:,} items without clusters, of which none is kept; a column of subjects or media gives one"


@dataclass(frozen=True, eq=False)
class StreamedScores:
    """What was counted, to be scored.

    Attributes:
        plan: what was read, and how.
        metrics: what is scored.
        counted: what was counted.
    """

    plan: StreamPlan
    metrics: tuple[Metric, ...]
    counted: Counted

    @property
    def options(self) -> EvaluationOptions:
        """What the evaluation is told."""
        return self.plan.options

    @property
    def scored(self) -> int:
        """Items scored."""
        return sum(self.counted.scored.values())

    def evaluation(self) -> Evaluation:
        """Every score.

        Raises:
            InputError: nothing is left to score, or a group has two spellings.
        """
        counted = self.counted
        if not self.scored:
            raise InputError(
                "no item is left to score",
                where=self.plan.place,
                expected="items with a known label and a prediction",
                cause="; ".join(self._notes),
            )
        kept = np.flatnonzero(counted.weights > 0)
        table, weights = self._table(kept), counted.weights[kept]
        attributes = tuple(
            attribute(table, table.frame, name, self.options.minimum_support, weights)
            for name in dict.fromkeys(self.options.by)
        )
        found = self._clusters(kept, table)
        book = self._book(kept, attributes, found)
        shape = replace(counted.shape, missing=self._rule, outside=counted.outside)
        signer = Signer.of(self._digest, shape, found, self.options, self.plan.columns.model)
        uncertainty = Uncertainty(book, self.options, disparities_of(self.metrics, self.options))
        scorer = Scorer(book, signer, uncertainty, self.options)
        shown, divided = self._points(attributes, kept)
        return Evaluation(
            tuple(all_scores(scorer, self.metrics, attributes)),
            shape.parts,
            {each.name: each.groups for each in attributes},
            counts_of(counted.items, self.scored, attributes, found, shape.outside),
            (*self._notes, *filter(None, [found.note, *(each.note for each in attributes)])),
            counted.faults,
            tables_of(book, divided, shown, self.options.seed)
            | ({"groups": group_table(attributes)} if attributes else {}),
        )

    def _table(self, kept: np.ndarray) -> AnnotationTable:
        """The cells that hold scored items, with the texts of their groups and clusters."""
        cells, where, keys = self.counted.cells[kept], self.plan.place, self.plan.keys
        with rows_in_whole(self.counted.first[kept].tolist()):
            columns = [group_column(cells.get_column(name), None, where) for name in keys.groups]
            if keys.column:
                columns += [text_column(cells.get_column(keys.unit), where), cells.get_column(OWN).alias("item")]
        target = self.plan.reader.labelled.target
        return AnnotationTable(pl.DataFrame(columns), {target.name: target}, keys.groups, self.plan.columns.name)

    def _clusters(self, kept: np.ndarray, table: AnnotationTable) -> Clusters:
        if self.plan.keys.column:
            return clusters(table.frame, self.options.clusters)
        told = clusters(pl.DataFrame({"item": ["any"]}), self.options.clusters)
        blocks = self.counted.cells.get_column(BLOCK)[kept].to_numpy().astype(np.int64)
        return _Blocks("item", blocks, self.scored, told.note, self.counted.weights[kept])

    def _book(self, kept: np.ndarray, attributes: tuple[Attribute, ...], found: Clusters) -> Tallied:
        lacking = {m.tally: Counting.lacking(m.tally, self.counted.shape) for m in self.metrics}
        return Tallied(
            self.counted.shape.parts,
            {kind: tally[kept] for kind, tally in self.counted.tallies.items()},
            {each.name: each for each in attributes},
            self.scored,
            found,
            lacking,
            NO_ITEMS,
        )

    @property
    def _rule(self) -> str:
        rule, missing = self.options.missing, self.counted.missing
        return f"{rule}, {missing} without a prediction" if missing else rule

    @property
    def _notes(self) -> tuple[str, ...]:
        missing = self.counted.missing
        done = "counted as wrong" if self.options.missing == "wrong" else "left out"
        without = (f"{plural(missing, 'item')} without a prediction: {done}",) if missing else ()
        annotated, scored = (notes.told for notes in self.counted.notes)
        return tuple(dict.fromkeys((*annotated, *self.plan.notes, *without, *scored)))

    @property
    def _digest(self) -> DataDigest:
        """Digests of all rows in any order: of truth and clusters, and of the groups of each attribute."""
        labels, keys, items = self.plan.reader.labelled.columns, self.plan.keys, str(self.counted.items)
        data, *members = (
            digest_bytes(f"{found:016x}", items, *sorted({*labels, keys.unit, *names}))[:DIGEST_SHOWN]
            for found, names in zip(self.counted.digests, keys.digested, strict=True)
        )
        return DataDigest(f"{self.plan.columns.name}@rows-{data}", dict(zip(keys.attributes, members, strict=True)))

    def _points(self, attributes: tuple[Attribute, ...], kept: np.ndarray) -> tuple[Aligned, tuple[Attribute, ...]]:
        """The items that a figure of dimensions shows, and their groups."""
        shape = self.counted.shape
        if shape.target.scheme.kind != "dimensions":
            return shape, attributes
        points = self.counted.points if self.scored == self.counted.items else self._found_again()
        truth, prediction, cell = (
            np.concatenate([getattr(each, name) for each in points]) for name in ("truth", "prediction", "cell")
        )
        place = np.full(self.counted.cells.height, -1)
        place[kept] = np.arange(kept.size)
        shown = replace(shape, frame=pl.DataFrame({"item": cell}), truth=truth, prediction=prediction)
        return shown, tuple(replace(each, codes=each.codes[place[cell]], weights=None) for each in attributes)

    def _found_again(self) -> tuple[Points, ...]:
        """The items that a figure shows, in a second pass: only now is it known which rows are scored."""
        wanted, plan, before = scatter_places(self.scored, self.options.seed), self.plan, 0
        cells = Combinations()
        cells.numbers(self.counted.cells)
        found: list[Points] = []
        for piece, rows in ahead(plan.pieces, plan.types):
            batch = plan.reader.batch(rows, piece)
            cell = cells.numbers(plan.keys.frame(rows, piece.before))[batch.rows]
            found += points_in(batch.aligned, cell, wanted, before)
            before += batch.aligned.height
        return tuple(found)


@dataclass(frozen=True, eq=False)
class _Blocks(Clusters):
    """Items as clusters of their own, dealt into blocks as they come.

    Attributes:
        weights: (n,) items of each cell.
    """

    weights: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))

    def among(self, attribute: Attribute, groups: Sequence[int]) -> str:
        """As it stands in the signature of a score over some groups alone: with the items that are there."""
        return f"{self.unit} {int(self.weights[np.isin(attribute.codes, groups)].sum())}"
