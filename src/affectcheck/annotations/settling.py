"""One label an item from several raters: by which rule, how each label came about, and what is left to decide.

| how | the label |
|---|---|
| ``unanimous`` | all raters say so, two or more of them |
| ``majority`` | more raters say so than anything else |
| ``single`` | the one rater of the item says so |
| ``adjudicated`` | somebody decided so after looking at what the raters said |
| ``model`` | nobody rated the item; a model says so |
| ``undecided: …`` | there is none, and why |
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np
import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.annotations.provenance import provenance_name
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.ratings import Ratings

GoldRule = Literal["majority", "unanimous"]
RULES: Final[tuple[GoldRule, ...]] = get_args(GoldRule)
UNKNOWN: Final = -1

UNANIMOUS, MAJORITY, SINGLE, ADJUDICATED, MODEL = "unanimous", "majority", "single", "adjudicated", "model"
UNDECIDED: Final = "undecided: "
TIE, LOW, NOT_UNANIMOUS, ONE_VOTE, NO_CLASS, NO_VOTES = (
    f"{UNDECIDED}{reason}"
    for reason in ("tie", "low agreement", "not unanimous", "one vote", "raters name no class", "no votes")
)
#: What somebody should look at; an item that raters call no class, or that nobody rated, is no disagreement.
DISPUTED: Final = (TIE, LOW, NOT_UNANIMOUS, ONE_VOTE)


@dataclass(frozen=True)
class Settling:
    """By which rule the votes of an item become its label.

    Attributes:
        rule: ``majority``: the label with most votes, none where the first place is shared; ``unanimous``: the label
            on which all raters of the item agree, two or more of them (paper 1, section II-A, has two).
        minimum_share: smallest share of the votes that a majority needs.
        abstentions: labels that count as votes but name no class, such as ``unknown`` or ``not a face``: where one of
            them wins, the item has no label.
    """

    rule: str = "majority"
    minimum_share: float = 0.0
    abstentions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """The rule is of the list, the share is one."""
        if self.rule not in RULES:
            raise UnknownNameError.of("rule of gold labels", self.rule, RULES)
        if not 0.0 <= self.minimum_share <= 1.0:
            raise InputError(f"a minimum share of {self.minimum_share}", expected="a fraction from 0 to 1")


@dataclass(frozen=True, eq=False)
class Settled:
    """One label an item, and how it came about.

    Attributes:
        ratings: what the raters said.
        settling: the rule.
        codes: (N,) class of each item of the ratings; ``UNKNOWN`` where there is none.
        how: (N,) see the head of this module.
        further: ``item`` and ``label`` of items that nobody rated and a model labels.
        told: what was decided, counted.
    """

    ratings: Ratings
    settling: Settling
    codes: np.ndarray
    how: np.ndarray
    further: pl.DataFrame
    told: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What is labelled."""
        return self.ratings.target.name

    @property
    def scheme(self) -> CategoryScheme:
        """The labels that an item can get: those rated without abstentions."""
        scheme = self.ratings.target.scheme
        assert isinstance(scheme, CategoryScheme)
        return without(scheme, self.settling.abstentions)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was decided, and one sentence a reason for items without a label."""
        reasons = {
            how.removeprefix(UNDECIDED): count for how, count in self.counts.items() if how.startswith(UNDECIDED)
        }
        return (*self.told, *(f"{plural(n, 'item')} without a label: {reason}" for reason, n in reasons.items()))

    @property
    def counts(self) -> Mapping[str, int]:
        """Items by how their label came about, most first."""
        kinds, numbers = np.unique(self.frame.get_column("how").to_numpy(), return_counts=True)
        ordered = sorted(zip(kinds.tolist(), numbers.tolist(), strict=True), key=lambda pair: (-pair[1], pair[0]))
        return dict(ordered)

    @property
    def frame(self) -> pl.DataFrame:
        """The gold table, items in the order of the ratings, then those that a model labels.

        Columns: ``item``; the label under its name; ``votes`` (their number); ``agreement`` (share of the most voted
        label); ``how`` it came about; and ``<name>_provenance``, by which a partition of manual labels alone leaves out
        those of a model.
        """
        total, most = self.ratings.numbers, _most(self.ratings.votes)
        agreement = np.divide(most, total, out=np.full(len(total), np.nan), where=total > 0)
        given = np.array([*self.ratings.parts, None], dtype=object)[self.codes]
        own = pl.DataFrame(
            [
                self.ratings.items,
                pl.Series(self.name, given.tolist(), dtype=pl.Enum(self.scheme.labels)),
                pl.Series("votes", total),
                pl.Series("agreement", agreement, nan_to_null=True),
                pl.Series("how", self.how.tolist(), dtype=pl.String),
            ]
        )
        label = pl.col("label").cast(pl.Enum(self.scheme.labels)).alias(self.name)
        nobody = (pl.lit(0, pl.Int64).alias("votes"), pl.lit(None, pl.Float64).alias("agreement"))
        whole = pl.concat([own, self.further.select("item", label, *nobody, pl.lit(MODEL).alias("how"))])
        made = pl.when(pl.col("how") == MODEL).then(pl.lit("automatic")).otherwise(pl.lit("manual"))
        known = pl.when(pl.col(self.name).is_not_null()).then(made)
        return whole.with_columns(known.alias(provenance_name(self.name)))

    @property
    def disputed(self) -> np.ndarray:
        """(N,) items that somebody should look at."""
        return np.isin(self.how, DISPUTED)


def without(scheme: CategoryScheme, abstentions: tuple[str, ...]) -> CategoryScheme:
    """A scheme without some of its labels.

    Raises:
        UnknownNameError: it does not have one of them.
        InputError: none is left.
    """
    gone = {scheme.resolve(name) for name in abstentions}
    kept = tuple(label for label in scheme.labels if label not in gone)
    if not kept:
        raise InputError("every label is said to name no class", expected="at least one label that does")
    return replace(
        scheme,
        labels=kept,
        aliases={alias: label for alias, label in scheme.aliases.items() if label in kept},
        codes={code: label for code, label in scheme.codes.items() if label in kept},
    )


def settle(ratings: Ratings, settling: Settling | None = None) -> Settled:
    """The label of each item by a rule.

    Args:
        ratings: of classes.
        settling: the rule; a majority where none is stated.

    Raises:
        InputError: ratings of dimensions, which have a mean instead.
        UnknownNameError: an abstention that is no label.

    Example:
        >>> from affectcheck.annotations import read_ratings
        >>> table = {"item": ["a", "a", "b", "b"], "rater": ["r1", "r2"] * 2, "label": ["sad", "sad", "sad", "joy"]}
        >>> settle(read_ratings(table), Settling("unanimous")).frame.select("item", "expression", "how").rows()
        [('a', 'sad', 'unanimous'), ('b', None, 'undecided: tie')]
    """
    settling = settling or Settling()
    if not ratings.is_categories:
        raise InputError(
            f"a {settling.rule} rule for values of {ratings.target.name!r}", expected="mean or ewe for dimensions"
        )
    votes, total = ratings.votes, ratings.numbers
    scheme = ratings.target.scheme
    assert isinstance(scheme, CategoryScheme)
    abstained = [scheme.labels.index(scheme.resolve(name)) for name in settling.abstentions]
    without(scheme, settling.abstentions)
    winner, how = votes.argmax(axis=1), _how(votes, total, settling)
    none = np.isin(winner, abstained) & ~np.isin(how, [*DISPUTED, NO_VOTES])
    how = np.where(none, NO_CLASS, how)
    decided = np.isin(how, [UNANIMOUS, MAJORITY, SINGLE])
    return Settled(ratings, settling, np.where(decided, winner, UNKNOWN), how, _NOBODY)


_NOBODY: Final = pl.DataFrame(schema={"item": pl.String, "label": pl.String})


def _most(votes: np.ndarray) -> np.ndarray:
    return np.asarray(votes.max(axis=1, initial=0))


def _how(votes: np.ndarray, total: np.ndarray, settling: Settling) -> np.ndarray:
    """(N,) how the most voted label wins, or why it does not."""
    most = _most(votes)
    tied = (votes == most[:, None]).sum(axis=1) > 1
    alike, alone = most == total, total == 1
    short = most < settling.minimum_share * total
    cases = [(total == 0, NO_VOTES)]
    if settling.rule == "unanimous":
        cases += [(alone, ONE_VOTE), (alike, UNANIMOUS), (tied, TIE)]
        last = NOT_UNANIMOUS
    else:
        cases += [(tied, TIE), (short, LOW), (alone, SINGLE), (alike, UNANIMOUS)]
        last = MAJORITY
    return np.select([case for case, _ in cases], [name for _, name in cases], last)
