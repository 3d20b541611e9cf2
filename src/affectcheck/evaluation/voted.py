"""Votes of several raters for the items that are scored: as a truth of shares, and for the scores of humans."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.listing import plural
from affectcheck.annotations.rating_columns import RatingColumns
from affectcheck.annotations.ratings import Ratings
from affectcheck.annotations.reading_ratings import read_ratings
from affectcheck.errors import InputError
from affectcheck.evaluation.data_digest import DIGEST_SHOWN
from affectcheck.evaluation.rater_rows import NO_MAJORITY, majority
from affectcheck.evaluation.weighting import Rows
from affectcheck.predictions import read_frame
from affectcheck.schemes import CategoryScheme, fold

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.schemes import Target


@dataclass(frozen=True)
class Votes:
    """What several raters said of the items that are scored.

    Attributes:
        source: ``Ratings``, or a table of them: Polars, pandas, Arrow or a dict of columns.
        columns: what the columns of a table are called and mean. Labels and dimensions are those of the truth; columns
            that are called after its labels are taken as counts of votes if there is no column of labels.
        soft: whether the shares of the votes are the truth, instead of one label an item.
        where: the file, for messages.
    """

    source: object
    columns: RatingColumns = field(default_factory=RatingColumns)
    soft: bool = False
    where: str = ""

    def ratings(self, target: Target) -> Ratings:
        """The ratings, by the labels or dimensions of the truth.

        Raises:
            InputError: the table does not hold ratings of the target.
        """
        if isinstance(self.source, Ratings):
            return self.source
        columns = self.columns
        if columns.labels is None and (target.scheme.kind == "dimensions" or not columns.dimensions):
            columns = replace(columns, labels=target.scheme)
        frame = as_polars(self.source, where=self.where)
        if isinstance(target.scheme, CategoryScheme) and not columns.counts and not columns.raters:
            known = target.scheme.spellings()
            counted = {known[fold(name)]: name for name in frame.columns if fold(name) in known}
            if columns.label not in frame.columns and len(counted) > 1:
                columns = replace(columns, counts=counted)
        return read_ratings(frame, columns, where=self.where)

    def labelled(self, truth: AnnotationTable, options: EvaluationOptions) -> AnnotationTable:
        """The truth, in which an item without a label stands if its votes are the truth.

        The label is the first of those with most votes. It is never scored: it only lets the item in.
        """
        target = truth.target(options.target)
        if not self.soft or not isinstance(target.scheme, CategoryScheme):
            return truth
        given = self.ratings(target)
        if not given.is_categories:
            return truth
        voted = given.numbers > 0
        top = [given.parts[code] for code in given.votes[voted].argmax(axis=1)]
        filling = pl.DataFrame([given.items.filter(pl.Series(voted)), pl.Series("voted", top, dtype=pl.String)])
        joined = truth.frame.join(filling, on="item", how="left", maintain_order="left")
        known = joined.get_column("voted").replace_strict(
            {name: target.scheme.spellings().get(fold(name)) for name in set(top)}, default=None, return_dtype=pl.String
        )
        label = joined.get_column(target.name)
        filled = label.fill_null(known.cast(label.dtype))
        return replace(truth, frame=truth.frame.with_columns(filled.alias(target.name)))


@dataclass(frozen=True, eq=False)
class VotedItems:
    """The scored items with their votes.

    Attributes:
        aligned: what is scored; with a truth of shares, the items that have votes.
        ratings: their ratings, by rows of ``aligned`` and codes of its parts.
        soft: whether the shares of the votes are the truth.
        name: of the votes, as it stands in signatures.
        notes: what was left out.
    """

    aligned: Aligned
    ratings: Ratings
    soft: bool
    name: str
    notes: tuple[str, ...] = ()

    @property
    def truth(self) -> str:
        """What stands for the truth, as it stands in signatures; nothing where it is the table's label."""
        return f"shares of {self.name}" if self.soft else ""

    def rows(self) -> Rows:
        """The predictions against every vote."""
        item = self.ratings.item
        return Rows.of(item, self.ratings.values, self.aligned.prediction[item])


def read_votes(
    path: Path,
    columns: RatingColumns | None = None,
    *,
    soft: bool = False,
    delimiter: str = ",",
    encoding: str | None = None,
) -> Votes:
    """Votes from a CSV or Parquet file.

    Args:
        path: the file.
        columns: what its columns are called and mean.
        soft: whether the shares of the votes are the truth.
        delimiter: between the cells of a CSV file.
        encoding: of a CSV file; None for UTF-8.

    Raises:
        MissingPathError: there is no such file.
        InputError: the file is not readable.
    """
    columns = columns or RatingColumns()
    told = replace(columns, name=columns.name or path.name.partition(".")[0])
    frame = read_frame(path, kind="file of votes", delimiter=delimiter, encoding=encoding)
    return Votes(frame, told, soft, str(path))


def with_soft_metrics(options: EvaluationOptions, aligned: Aligned, voted: VotedItems | None) -> EvaluationOptions:
    """Against shares, probabilities are compared with them too, unless metrics are named."""
    soft = voted is not None and voted.soft and aligned.scores is not None and aligned.output == "probability"
    return (
        replace(options, metrics=("default", "cross_entropy", "soft_jsd")) if soft and not options.metrics else options
    )


def vote_on(votes: Votes, aligned: Aligned, options: EvaluationOptions, truth: AnnotationTable) -> VotedItems:
    """The votes for the aligned items.

    Args:
        votes: what raters said.
        aligned: what is scored.
        options: its label mapping holds for votes too.
        truth: the annotations, by which is known which items have no label of their own.

    Raises:
        InputError: votes for action units, a truth of shares for dimensions, or no item has votes.
    """
    target = aligned.target
    if target.scheme.kind == "units":
        raise InputError("votes for action units", expected="votes for categories or ratings of dimensions")
    if votes.soft and target.scheme.kind != "categories":
        raise InputError(
            f"shares of votes for {target.name!r}, which is of {target.scheme.kind}",
            expected="a soft truth for categories only",
            cause="ratings of dimensions have a mean, not shares",
        )
    given = votes.ratings(target)
    recoded, notes = _recoded(given, aligned, options)
    recoded = recoded.of_items(aligned.frame.get_column("item"))
    if not recoded.item.size:
        raise InputError(
            "no scored item has votes",
            where=votes.where,
            expected=f"keys such as {', '.join(map(repr, aligned.frame.get_column('item').head(3)))}",
            cause=f"keys of another table, such as {', '.join(map(repr, given.items.head(3)))}",
        )
    without = int((recoded.numbers == 0).sum())
    told = f"{plural(without, 'scored item')} without votes" + (": left out" if votes.soft else "")
    if votes.soft:
        aligned = _without_labels(aligned, truth)
    said = (*given.notes, *notes, *((told,) if without else ()), *_agreeing(recoded, aligned))
    if votes.soft and without:
        kept = recoded.numbers > 0
        aligned = aligned.keep(kept, "without votes: left out")
        recoded = recoded.of_items(aligned.frame.get_column("item"))
        said = tuple(note for note in said if note != told)
    name = f"{given.name or 'votes'}@{given.digest[:DIGEST_SHOWN]}"
    return VotedItems(aligned, recoded, votes.soft, name, said)


def _without_labels(aligned: Aligned, truth: AnnotationTable) -> Aligned:
    """The truth of items that only their votes let in is unknown again."""
    bare = truth.frame.filter(pl.col(aligned.target.name).is_null()).get_column("item")
    without = aligned.frame.get_column("item").is_in(bare.implode()).to_numpy()
    return replace(aligned, truth=np.where(without, NO_MAJORITY, aligned.truth)) if without.any() else aligned


def _recoded(given: Ratings, aligned: Aligned, options: EvaluationOptions) -> tuple[Ratings, tuple[str, ...]]:
    """By the scored parts: votes for a class that the mapping leaves out are left out, counted."""
    if given.is_categories != aligned.is_categories:
        raise InputError(
            f"votes of {given.target.scheme.kind} for a target of {aligned.target.scheme.kind}",
            expected="votes of the target's kind",
        )
    if not aligned.is_categories:
        missing = [part for part in aligned.parts if part not in given.parts]
        if missing:
            raise InputError(f"no ratings of {', '.join(missing)}", expected=f"ratings of {', '.join(aligned.parts)}")
        order = [given.parts.index(part) for part in aligned.parts]
        return replace(given, values=given.values[:, order], target=aligned.target), ()
    scheme = aligned.target.scheme
    assert isinstance(scheme, CategoryScheme)
    spellings: dict[str, str | None] = {**scheme.spellings(), **options.stated.resolve(scheme)}
    places = {label: code for code, label in enumerate(aligned.parts)}
    codes = np.array([places.get(spellings.get(fold(label)) or "", -1) for label in given.parts], np.int64)
    values = codes[given.values]
    gone = int((values < 0).sum())
    told = (f"{plural(gone, 'vote')} for classes that are not scored: left out",) if gone else ()
    scored = replace(aligned.target, scheme=CategoryScheme(scheme.name, aligned.parts))
    chosen = replace(given, values=values, target=scored).select(values >= 0)
    return chosen, told


def _agreeing(ratings: Ratings, aligned: Aligned) -> tuple[str, ...]:
    """How far the truth is the majority of these votes: a low share tells of other votes than the truth was made of."""
    if not aligned.is_categories:
        return ()
    winner = majority(ratings.votes)
    known = (winner != NO_MAJORITY) & (aligned.truth != NO_MAJORITY)
    if not known.any():
        return ()
    same = float((winner[known] == aligned.truth[known]).mean())
    return (f"the truth is the majority of the votes for {100.0 * same:.1f} % of the items that have one",)
