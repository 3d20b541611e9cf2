"""Ratings: what each of several raters said of each item.

A rating is one row, whoever made it; raters may have no names (crowd votes that were only counted), may skip items, and
may differ from item to item. Items keep the order of their first appearance.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.digest import digest_array, digest_bytes
from affectcheck.errors import InputError
from affectcheck.schemes import CategoryScheme, parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from affectcheck.schemes import Target


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of N items by any number of raters. Made by ``read_ratings``, which validates.

    Attributes:
        target: what is rated.
        items: (N,) keys.
        item: (r,) place of the item that each rating is of.
        rater: (r,) place of its rater; -1 where raters have no names.
        values: (r,) codes for categories; (r, D) float64 for dimensions, NaN where a rater left one out.
        raters: names of the raters; empty where they have none.
        subjects: (N,) who is heard or seen in each item, null where unknown; None where the table does not say.
        name: name of the data.
        notes: what was left out, counted.
    """

    target: Target
    items: pl.Series
    item: np.ndarray
    rater: np.ndarray
    values: np.ndarray
    raters: tuple[str, ...] = ()
    subjects: pl.Series | None = None
    name: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def height(self) -> int:
        """N, the number of items."""
        return len(self.items)

    @property
    def is_categories(self) -> bool:
        """Whether classes are rated; else dimensions."""
        return isinstance(self.target.scheme, CategoryScheme)

    @property
    def parts(self) -> tuple[str, ...]:
        """The classes or dimensions."""
        return parts(self.target.scheme)

    @property
    def named(self) -> bool:
        """Whether it is known who made each rating."""
        return bool(self.raters)

    @cached_property
    def votes(self) -> np.ndarray:
        """(N, C) number of ratings of each item for each class."""
        if not self.is_categories:
            raise InputError(f"votes for values of {self.target.name!r}", expected="ratings of categories")
        labels = len(self.parts)
        return np.bincount(self.item * labels + self.values, minlength=self.height * labels).reshape(-1, labels)

    @cached_property
    def numbers(self) -> np.ndarray:
        """(N,) ratings of each item."""
        return np.bincount(self.item, minlength=self.height)

    @cached_property
    def digest(self) -> str:
        """Digest of every rating, independent of the order of rows, items and raters."""
        places = _places(self.items.to_list())[self.item]
        raters = _places(self.raters)[self.rater] if self.raters else self.rater
        order = np.lexsort((*np.atleast_2d(self.values.T), raters, places))
        arrays = [digest_array(array[order]) for array in (places, raters, self.values)]
        return digest_bytes(*sorted(self.items.to_list()), "|", *sorted(self.raters), "|", *self.parts, *arrays)

    def select(self, rows: np.ndarray) -> Ratings:
        """Only some of the ratings; items keep their places."""
        return replace(self, item=self.item[rows], rater=self.rater[rows], values=self.values[rows])

    def of_items(self, keys: pl.Series) -> Ratings:
        """The ratings of some items, in the order of the keys; an item that was not rated has none."""
        places = {key: place for place, key in enumerate(keys.to_list())}
        new = np.array([places.get(key, -1) for key in self.items.to_list()], np.int64)
        kept = new[self.item] >= 0 if len(new) else np.zeros(0, bool)
        chosen = self.select(kept)
        return replace(chosen, items=keys.alias("item"), item=new[chosen.item], subjects=None)

    def dimension(self, index: int) -> Ratings:
        """The ratings of one dimension that were given."""
        values = self.values[:, index]
        known = ~np.isnan(values)
        return replace(self.select(known), values=values[known])


def _places(names: Sequence[str]) -> np.ndarray:
    """Place of each name among all of them, sorted."""
    ranks = {name: place for place, name in enumerate(sorted(names))}
    return np.array([ranks[name] for name in names], np.int64)
