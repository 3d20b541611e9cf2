"""Rows that stand for shares of items: one item may be scored against several votes, or answered by several raters."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
import polars as pl

from affectcheck.evaluation.counting import count
from affectcheck.evaluation.tallying import BLOCK, TallyBook
from affectcheck.tallies import Divergences, Sample, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.grouping import Attribute, Clusters
    from affectcheck.uncertainty import Grouped

Kind = TypeVar("Kind", bound=Tally)


@dataclass(frozen=True, eq=False)
class Rows:
    """Comparisons of a truth with an answer, any number of them an item.

    Attributes:
        place: (r,) row of the aligned items that each is of, in rising order.
        truth, prediction: (r,) codes, or (r, D) values, the truth NaN where either is unknown.
        weight: (r,) share of its item.
    """

    place: np.ndarray
    truth: np.ndarray
    prediction: np.ndarray
    weight: np.ndarray

    @classmethod
    def of(cls, place: np.ndarray, truth: np.ndarray, prediction: np.ndarray) -> Rows:
        """Rows that share their item equally; of dimensions, those that have a value, dimension by dimension.

        Args:
            place: (r,) row of the aligned items.
            truth: (r,) codes, or (r, D) values with NaN where unknown.
            prediction: the same.
        """
        order = np.argsort(place, kind="stable")
        place, truth, prediction = place[order], truth[order], prediction[order]
        if truth.ndim == 1:
            return cls(place, truth, prediction, shares(place))
        known = ~np.isnan(truth) & ~np.isnan(prediction)
        prediction = np.where(known, prediction, 0.0)
        if (known == known[:, :1]).all():
            kept = known[:, 0]
            return cls(place[kept], truth[kept], prediction[kept], shares(place[kept]))
        return cls._by_dimension(place, np.where(known, truth, np.nan), prediction)

    @classmethod
    def _by_dimension(cls, place: np.ndarray, truth: np.ndarray, prediction: np.ndarray) -> Rows:
        """Each dimension in rows of its own, since other numbers of answers have it."""
        found: list[tuple[np.ndarray, ...]] = []
        for d in range(truth.shape[1]):
            kept = ~np.isnan(truth[:, d])
            alone = np.full((int(kept.sum()), truth.shape[1]), np.nan)
            alone[:, d] = truth[kept, d]
            found.append((place[kept], alone, prediction[kept], shares(place[kept])))
        joined = [np.concatenate(arrays) for arrays in zip(*found, strict=True)]
        order = np.argsort(joined[0], kind="stable")
        return cls(*(array[order] for array in joined))

    @property
    def items(self) -> int:
        """Items that have a row."""
        return int(np.unique(self.place).size)

    def aligned(self, items: Aligned) -> Aligned:
        """The rows as what is scored: each with the scores, if any, of its item."""
        scores = None if items.scores is None else items.scores[self.place]
        frame = items.frame[pl.Series(self.place, dtype=pl.UInt32)] if self.place.size else items.frame.clear()
        return replace(items, frame=frame, truth=self.truth, prediction=self.prediction, scores=scores)


def shares(codes: np.ndarray) -> np.ndarray:
    """(r,) one over the number of rows of the same code."""
    numbers = np.bincount(codes) if codes.size else np.zeros(1, np.int64)
    return np.asarray(1.0 / numbers[codes])


@dataclass(eq=False)
class WeightedBook(TallyBook):
    """Tallies of rows by their weights; clusters and groups have a code for every row.

    Rows of one weight are counted together, in whole numbers, and weighted then: sums are exact but for the weights.

    Attributes:
        place: (r,) item of each row, in rising order.
        weight: (r,) share of its item.
    """

    place: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    weight: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def of(cls, items: Aligned, clusters: Clusters, rows: Rows) -> WeightedBook:
        """From rows of aligned items and the items' clusters."""
        codes = replace(clusters, codes=clusters.codes[rows.place])
        return cls(rows.aligned(items), codes, place=rows.place, weight=rows.weight)

    @property
    def height(self) -> int:
        """Items that have a row."""
        return int(np.unique(self.place).size)

    @property
    def whole(self) -> bool:
        """Rows are shares of items."""
        return False

    def lacks(self, kind: type[Tally]) -> str:
        """Ranks are those of whole items."""
        return "ranks of shares of items are not defined" if kind is Sample else super().lacks(kind)

    def items(self, kind: type[Kind], attribute: Attribute) -> Grouped[Kind]:
        """Tallies of one item each, by group."""
        _, codes = np.unique(self.place, return_inverse=True)
        return self._parts(kind, attribute, codes, self.height)

    def item_blocks(
        self, kind: type[Kind], attribute: Attribute | None = None
    ) -> Iterator[Kind] | Iterator[Grouped[Kind]]:
        """Tallies with one item each, block after block, so that memory stays flat."""
        found, codes = np.unique(self.place, return_inverse=True)
        for start in range(0, found.size, BLOCK):
            number = min(BLOCK, found.size - start)
            ends = np.searchsorted(codes, [start, start + number])
            rows = slice(int(ends[0]), int(ends[1]))
            units = codes[rows] - start
            if attribute is None:
                yield self._count(kind, None, units, number, rows)
            else:
                yield self._parts(kind, attribute, units, number, rows)

    def _of_rows(self, kind: type[Tally], rows: slice, where: dict[str, Any]) -> Tally:
        if kind is Divergences:
            return self._divergences(rows, where)
        weight, cells = self.weight[rows], where.get("cells")
        places = np.arange(self.weight.size)[rows]
        total: Tally | None = None
        for value in np.unique(weight):
            chosen = weight == value
            own = where if cells is None else {**where, "cells": np.asarray(cells)[chosen]}
            found = _scaled(count(kind, self.aligned, cast("slice", places[chosen]), own), float(value))
            total = found if total is None else total + found
        return count(kind, self.aligned, slice(0, 0), _none(where)) if total is None else total

    def _divergences(self, rows: slice, where: dict[str, Any]) -> Tally:
        """Item by item: the rows of an item are the shares of its truth."""
        assert self.aligned.scores is not None
        _, first, item = np.unique(self.place[rows], return_index=True, return_inverse=True)
        share = np.zeros((first.size, len(self.aligned.parts)))
        np.add.at(share, (item, self.aligned.truth[rows]), self.weight[rows])
        cells = {} if "cells" not in where else {"cells": np.asarray(where["cells"])[first]}
        return Divergences.count(share, self.aligned.scores[rows][first], missing="wrong", **{**where, **cells})


def _scaled(tally: Tally, weight: float) -> Tally:
    return tally if weight == 1.0 else tally.reshape(1, *tally.shape).weighted([[weight]])[0]


def _none(where: dict[str, Any]) -> dict[str, Any]:
    return where if "cells" not in where else {**where, "cells": np.zeros(0, np.int64)}
