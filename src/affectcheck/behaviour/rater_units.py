"""Raters of action units: what each says of every unit, present or absent, as ratings and in the coding of a material."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.ratings import Ratings
from affectcheck.annotations.reading_ratings import read_ratings
from affectcheck.behaviour.material import Material
from affectcheck.behaviour.units import UNKNOWN_UNIT, annotated
from affectcheck.errors import InputError
from affectcheck.schemes import DimensionScheme, UnitScheme, fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation import Votes
    from affectcheck.schemes import Target


def unit_ratings(votes: Votes, target: Target) -> Ratings:
    """The ratings of units: one row a rating with a column a unit, of 1 for present and 0 for absent.

    Args:
        votes: a table, in which columns that are called after the target's units are taken where none are named; or
            ratings of values from 0 to 1.
        target: the units.

    Raises:
        InputError: no column of a unit, a cell that is neither 0 nor 1, or another scheme.
    """
    scheme = target.scheme
    if not isinstance(scheme, UnitScheme):
        raise TypeError(target)
    found = votes.source if isinstance(votes.source, Ratings) else _read(votes, scheme)
    values = found.values
    if found.is_categories or not np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
        raise InputError(
            f"ratings of {target.name!r} that are neither 0 nor 1",
            where=votes.where,
            expected="1 where the rater sees the unit, 0 where not, an empty cell where he does not say",
            cause="intensities, which a threshold turns into presence",
        )
    return found


def _read(votes: Votes, scheme: UnitScheme) -> Ratings:
    frame, columns = as_polars(votes.source, where=votes.where), votes.columns
    if not columns.dimensions:
        spelt = {fold(name): name for name in frame.columns}
        named = {unit: spelt[fold(unit)] for unit in scheme.units if fold(unit) in spelt}
        if not named:
            raise InputError(
                "no column of a unit",
                where=votes.where,
                expected=f"one row a rating, and a column for each unit, such as {scheme.units[0]}",
                cause=f"the table has {', '.join(frame.columns)}",
            )
        columns = replace(columns, dimensions=named)
    return read_ratings(frame, replace(columns, labels=_as_values(scheme)), where=votes.where)


def _as_values(scheme: UnitScheme) -> DimensionScheme:
    return DimensionScheme(scheme.name, scheme.units, 0.0, 1.0)


def of_units(given: Ratings, table: AnnotationTable, parts: tuple[str, ...]) -> tuple[Any, ...]:
    """Material, and of every rating its item, units, what the others say, and its rater.

    The others say what most of them do; nobody knows of a unit that as many see as do not. A rating that leaves one of
    the units out is none.

    Args:
        given: ratings of the table's items.
        table: the items.
        parts: the tested units.
    """
    columns = [[fold(one) for one in given.parts].index(fold(part)) for part in parts]
    whole = ~np.isnan(given.values[:, columns]).any(axis=1)
    told = f"{int((~whole).sum())} ratings that leave a unit out are not counted" if not whole.all() else ""
    kept = given.select(np.flatnonzero(whole))
    answer = kept.values[:, columns].astype(np.int8)
    truth = annotated(table.frame, parts)
    material = Material(table.frame, truth, truth, parts, notes=given.notes).noted(told)
    others = _others(kept, answer)
    rows = np.lexsort((*others.T, *answer.T, kept.item))
    return material, kept.item[rows], answer[rows], others[rows], kept.rater[rows]


def _others(given: Ratings, answer: NDArray[np.int8]) -> NDArray[np.int8]:
    """(r, M) what most of the other raters of an item say; unknown where they are divided, or there is none."""
    present = np.zeros((given.height, answer.shape[1]), np.int64)
    np.add.at(present, given.item, answer)
    votes = present[given.item] - answer
    numbers = (np.bincount(given.item, minlength=given.height)[given.item] - 1)[:, None]
    return np.where(2 * votes == numbers, UNKNOWN_UNIT, 2 * votes > numbers).astype(np.int8)
