"""Several things that the same raters say of the same items, such as gender, race and age group: ratings of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.rating_columns import RatingColumns
from affectcheck.annotations.reading_ratings import read_ratings
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.ratings import Ratings

#: Attribute to its column, where a row is a rating, or to its columns, one a rater, where a row is an item.
Attributes: TypeAlias = "Mapping[str, str | tuple[str, ...]] | Sequence[str]"


def read_attributes(
    table: object,
    attributes: Attributes,
    columns: RatingColumns | None = None,
    *,
    schemes: Mapping[str, Any] | None = None,
    where: str = "",
) -> dict[str, Ratings]:
    """The ratings of several attributes in one table.

    Args:
        table: Polars, pandas, Arrow or a dict of columns.
        attributes: names of attributes whose columns are called after them; or name to column, where a row is a rating;
            or name to several columns, one a rater, where a row is an item.
        columns: what the other columns are called: item, rater, subject.
        schemes: attribute to its scheme or labels; what occurs is taken for the others.
        where: the file, for messages.

    Returns:
        Attribute to its ratings. A rater of the form of one row an item is called by what the name of the column says
        beside that of the attribute: ``gender_r1`` and ``race_r1`` are both of ``r1``.

    Raises:
        UnknownNameError: a scheme for an attribute that is not among them, or an unknown column or label.
        InputError: an attribute is named twice, or the table holds no ratings of it.

    Example:
        >>> table = {"item": ["a"], "gender_r1": ["female"], "gender_r2": ["male"], "age_r1": ["20-29"], "age_r2": ["20-29"]}
        >>> found = read_attributes(table, {"gender": ("gender_r1", "gender_r2"), "age": ("age_r1", "age_r2")})
        >>> {name: ratings.raters for name, ratings in found.items()}
        {'gender': ('r1', 'r2'), 'age': ('r1', 'r2')}
    """
    named = dict(attributes) if isinstance(attributes, Mapping) else {name: name for name in attributes}
    if not named or (not isinstance(attributes, Mapping) and len(named) < len(attributes)):
        raise InputError(f"attributes {', '.join(attributes) or 'none'}", expected="each attribute once")
    for name in schemes or {}:
        if name not in named:
            raise UnknownNameError.of("attribute that is rated", name, named)
    frame, found = as_polars(table, where=where), {}
    for name, source in named.items():
        given = replace(columns or RatingColumns(), target=name, labels=(schemes or {}).get(name))
        told = f"{where}: {name}" if where else name
        if isinstance(source, str):
            found[name] = read_ratings(frame, replace(given, label=source), where=told)
        else:
            ratings = read_ratings(frame, replace(given, raters=tuple(source)), where=told)
            found[name] = replace(ratings, raters=_raters(name, source))
    return found


def _raters(attribute: str, columns: Sequence[str]) -> tuple[str, ...]:
    """What columns say beside the attribute; their whole names where that tells them not apart."""
    rest = tuple(re.sub(re.escape(attribute), "", name, count=1, flags=re.IGNORECASE).strip("_-. ") for name in columns)
    return rest if all(rest) and len(set(rest)) == len(rest) else tuple(columns)
