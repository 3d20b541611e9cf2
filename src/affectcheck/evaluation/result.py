"""What an evaluation found: every score flat, with views by attribute, group and part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from affectcheck.errors import UnknownNameError
from affectcheck.evaluation.items import Layout, ScoredItems
from affectcheck.records import Place, Score

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from affectcheck.records import Fault, Scored


@dataclass(frozen=True)
class ScoreView:
    """Scores of one metric each, by name.

    Attributes:
        scores: metric to score.
        of: what they are scores of, for messages.
    """

    scores: Mapping[str, Any]
    of: str

    def __getitem__(self, metric: str) -> Any:  # a score, or scores by group: see the callers
        """The score of a metric.

        Raises:
            UnknownNameError: it was not scored here.
        """
        if metric not in self.scores:
            raise UnknownNameError.of(f"score of {self.of}", metric, self.scores)
        return self.scores[metric]

    def __iter__(self) -> Iterator[str]:
        """Names of the metrics."""
        return iter(self.scores)

    def __len__(self) -> int:
        """Number of metrics."""
        return len(self.scores)

    def __contains__(self, metric: object) -> bool:
        """Whether a metric was scored here."""
        return metric in self.scores


@dataclass(frozen=True)
class Evaluation:
    """The scores of one model on one table.

    Attributes:
        scores: every score and every undefined one.
        labels: the classes or dimensions that were scored.
        attributes: the group attributes, each with its groups.
        counts: items scored, left out, excluded by attribute.
        notes: sentences about what was left out.
        faults: items without a result, or with a caution.
        tables: plain values for figures; see ``records.RunRecord``.
        items: the scored items, one row each, see ``items.items_frame``; empty where only tallies were kept.
        layout: what the columns of ``items`` are.
        before: where steps were done, the scores over the whole set and by part of what the model itself returned.
        ceiling: where several raters' votes are known, the scores of humans in the model's place; see ``ceiling``.
    """

    scores: tuple[Scored, ...]
    labels: tuple[str, ...] = ()
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    counts: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    tables: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    items: pl.DataFrame = field(default_factory=pl.DataFrame, repr=False, compare=False)
    layout: Layout = field(default_factory=Layout)
    before: tuple[Scored, ...] = ()
    ceiling: tuple[Scored, ...] = ()

    def __getitem__(self, metric: str) -> Scored:
        """The score of a metric over the whole set.

        Raises:
            UnknownNameError: it was not scored.
        """
        found: Scored = self._view(Place(), "the whole set")[metric]
        return found

    def __iter__(self) -> Iterator[Scored]:
        """Every score."""
        return iter(self.scores)

    def by(self, attribute: str) -> ScoreView:
        """Disparities over the groups of an attribute, by metric; differences of two groups stand there too."""
        self._require(attribute)
        found: dict[str, Scored] = {}
        for score in self.scores:
            place = score.place
            whole = not place.group or place.group not in self.attributes[attribute]
            if place.attribute == attribute and not place.part and whole:
                found.setdefault(score.metric, score)  # the asked convention comes before those beside it
        return ScoreView(found, f"attribute {attribute!r}")

    def groups(self, attribute: str) -> ScoreView:
        """By metric, the score of every group of an attribute: ``result.groups("sex")["uar"]["female"]``."""
        names = self._require(attribute)
        table: dict[str, dict[str, Scored]] = {}
        for score in self.scores:
            place = score.place
            if place.attribute == attribute and place.group in names and not place.part:
                table.setdefault(score.metric, {})[place.group] = score
        return ScoreView(table, f"groups of {attribute!r}")

    def parts(self, metric: str, *, attribute: str = "", group: str = "") -> dict[str, Scored]:
        """A metric of every class or dimension, over the whole set or in one group.

        Raises:
            UnknownNameError: the metric has no parts here.
        """
        found = {
            s.place.part: s
            for s in self.scores
            if s.metric == metric and s.place.part and (s.place.attribute, s.place.group) == (attribute, group)
        }
        if not found:
            known = {s.metric for s in self.scores if s.place.part}
            raise UnknownNameError.of("metric of parts", metric, known)
        return found

    @property
    def scored_items(self) -> ScoredItems:
        """The scored items with their layout, ready to be written."""
        return ScoredItems(self.items, self.layout)

    def to_frame(self) -> pl.DataFrame:
        """One row a score, with interval, noise floor, reason and signature; null where there is none."""
        return scores_frame(self.scores)

    def _view(self, place: Place, of: str) -> ScoreView:
        return ScoreView({s.metric: s for s in self.scores if s.place == place}, of)

    def _require(self, attribute: str) -> tuple[str, ...]:
        if attribute not in self.attributes:
            raise UnknownNameError.of("scored attribute", attribute, self.attributes)
        return self.attributes[attribute]


_SCHEMA = {
    "metric": pl.String,
    "attribute": pl.String,
    "group": pl.String,
    "part": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "floor_mean": pl.Float64,
    "floor_quantile": pl.Float64,
    "support": pl.Int64,
    "undefined_parts": pl.Int64,
    "reason": pl.String,
    "notes": pl.String,
    "signature": pl.String,
}


def scores_frame(scores: Iterable[Scored]) -> pl.DataFrame:
    """Scores as a frame, one row each, empty texts as null."""
    return pl.DataFrame([_row(score) for score in scores], schema=_SCHEMA, orient="row")


def _row(score: Scored) -> tuple[object, ...]:
    place = score.place
    where = [text or None for text in (place.attribute, place.group, place.part)]
    notes = "; ".join(score.notes) or None
    if not isinstance(score, Score):
        blank = [None] * 5
        return (score.metric, *where, *blank, score.support, None, score.reason, notes, str(score.signature))
    interval = (score.interval.low, score.interval.high) if score.interval else (None, None)
    floor = (score.floor.mean, score.floor.quantile) if score.floor else (None, None)
    return (
        score.metric,
        *where,
        score.value,
        *interval,
        *floor,
        score.support,
        score.undefined_parts,
        None,
        notes,
        str(score.signature),
    )
