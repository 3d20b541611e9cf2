"""From the votes of several raters to one label an item.

The label with most votes wins. Where two or more share the first place there is no majority: the label is unknown and
the item counted, never given to whichever class stands first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.listing import name_list, plural, rows_of, suggestion
from affectcheck.annotations.plain import item_column, whole_number_column
from affectcheck.annotations.rating_columns import RatingColumns
from affectcheck.annotations.reading_ratings import read_ratings
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.schemes import CategoryScheme


@dataclass(frozen=True)
class Gold:
    """Labels made from votes.

    Attributes:
        frame: ``item``, the label under the given name (null where there is no majority), ``votes`` (their number)
            and ``agreement`` (share of the votes that the most voted label has; null without votes). Of dimensions,
            a column each and ``ratings`` (their number).
        ties: items whose first place is shared.
        unvoted: items without a vote.
        short: items whose first place has too small a share.
        weightless: items whose raters all have the weight 0.
    """

    frame: pl.DataFrame
    ties: int = 0
    unvoted: int = 0
    short: int = 0
    weightless: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence a reason for items without a label."""
        reasons = (
            (self.ties, "with a tie of votes"),
            (self.unvoted, "without votes"),
            (self.short, "of low agreement"),
            (self.weightless, "whose raters all have the weight 0"),
        )
        return tuple(f"{plural(count, 'item')} {words}: no label" for count, words in reasons if count)


def gold_by_majority(
    votes: object,
    scheme: CategoryScheme,
    *,
    columns: Mapping[str, str] | None = None,
    name: str = "expression",
    minimum_share: float = 0.0,
) -> Gold:
    """The label with most votes.

    Args:
        votes: a table with ``item`` and one column of counts a label.
        scheme: the labels; those without a column have no votes.
        columns: label to column, where the columns are not called after the labels.
        name: name of the label column made.
        minimum_share: smallest share of the votes that the winner needs, such as 0.5.

    Raises:
        UnknownNameError: a label that the scheme does not have, or a column that the table does not have.
        InputError: a count that is no whole number from 0, or an item that is repeated.

    Example:
        >>> from affectcheck.schemes import CategoryScheme
        >>> votes = {"item": ["a", "b"], "sad": [2, 1], "joy": [1, 1]}
        >>> gold = gold_by_majority(votes, CategoryScheme("two", ("sad", "joy")))
        >>> gold.frame["expression"].to_list(), gold.ties
        (['sad', None], 1)
    """
    table = as_polars(votes)
    named = (
        dict(columns) if columns is not None else {label: label for label in scheme.labels if label in table.columns}
    )
    _check_columns(table, named, scheme)
    items = item_column(table.get_column("item"), "")
    counts = np.column_stack([_counts(table.get_column(column)) for column in named.values()])
    labels = np.array([scheme.resolve(label) for label in named], dtype=object)
    total, most = counts.sum(axis=1), counts.max(axis=1)
    share = np.divide(most, total, out=np.zeros(len(total)), where=total > 0)
    unvoted = total == 0
    tied = ((counts == most[:, None]).sum(axis=1) > 1) & ~unvoted
    short = (share < minimum_share) & ~unvoted & ~tied
    gold = pl.Series(name, labels[counts.argmax(axis=1)].tolist(), dtype=pl.Enum(scheme.labels))
    frame = pl.DataFrame(
        [
            items,
            gold.set(pl.Series(tied | unvoted | short), None),
            pl.Series("votes", total),
            pl.Series("agreement", share).set(pl.Series(unvoted), None),
        ]
    )
    return Gold(frame, int(tied.sum()), int(unvoted.sum()), int(short.sum()))


def _check_columns(table: pl.DataFrame, named: Mapping[str, str], scheme: CategoryScheme) -> None:
    missing = [column for column in ("item", *named.values()) if column not in table.columns]
    if missing or not named:
        raise UnknownNameError(
            f"the table of votes lacks {name_list(missing) or 'a column for every label'}"
            f"{suggestion(missing[0], table.columns) if missing else ''}",
            expected=f"item and one column of counts for each of {', '.join(scheme.labels)}",
            cause=f"the table has {name_list(table.columns)}",
        )
    resolved = [scheme.resolve(label) for label in named]
    if len(set(resolved)) < len(resolved) or len(set(named.values())) < len(named):
        raise InputError(f"columns = {dict(named)}", expected="each label and each column once")


def _counts(column: pl.Series) -> np.ndarray:
    counts = whole_number_column(column, "")
    wrong = rows_of(counts.is_null() | (counts < 0))
    if wrong:
        raise InputError(
            f"column {column.name!r} has {counts[wrong[0] - 1]} in row {wrong[0]}",
            expected="a number of votes, 0 where there is none",
        )
    return counts.to_numpy()


def count_votes(answers: object, scheme: CategoryScheme) -> pl.DataFrame:
    """Votes a label, from one row an answer.

    Args:
        answers: a table with ``item``, ``rater`` and ``label``; labels are read as in an annotation table.
        scheme: the labels.

    Returns:
        ``item`` and one column of counts a label, items in order of first appearance. Empty labels are no vote.

    Raises:
        InputError: a rater answers twice for an item.
        UnknownNameError: a label that the scheme does not have, or a column is missing.

    Example:
        >>> from affectcheck.schemes import CategoryScheme
        >>> answers = {"item": ["a", "a"], "rater": ["r1", "r2"], "label": ["Sad", "joy"]}
        >>> count_votes(answers, CategoryScheme("two", ("sad", "joy"))).rows()
        [('a', 1, 1)]
    """
    table = as_polars(answers)
    for name in ("item", "rater", "label"):
        if name not in table.columns:
            raise UnknownNameError.of("column of answers", name, table.columns)
    ratings = read_ratings(table, RatingColumns(labels=scheme))
    counts = zip(scheme.labels, ratings.votes.T, strict=True)
    return pl.DataFrame([ratings.items, *(pl.Series(label, votes, dtype=pl.Int64) for label, votes in counts)])
