"""Which labels or dimensions ratings are of, and the codes of their cells."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.labels import category_column
from affectcheck.annotations.listing import plural
from affectcheck.annotations.plain import blank_to_null
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, DimensionScheme, StatedMapping, UnitScheme, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.schemes import Scheme

#: Codes of cells that are no rating: an empty one, and a label that the mapping leaves out.
EMPTY: Final = -1
DROPPED: Final = -2
#: Each vote is held as a rating of its own, so that raters of one item can be set against each other.
MOST_RATINGS: Final = 50_000_000


@dataclass(frozen=True)
class RatedLabels:
    """The classes that are rated, and the user's mapping onto them.

    Attributes:
        scheme: the classes.
        mapping: label in the table to label of the scheme.
    """

    scheme: CategoryScheme
    mapping: StatedMapping

    @classmethod
    def of(
        cls,
        declared: Scheme | Sequence[str] | None,
        occurring: tuple[str, ...],
        mapping: StatedMapping,
        *,
        in_order: bool,
    ) -> RatedLabels:
        """The declared classes, or those that occur and are not left out.

        Args:
            declared: a scheme, its labels, or None for what occurs.
            occurring: the labels that occur.
            mapping: what the user says of them.
            in_order: whether the order in which they occur is one, as that of columns is; else they are sorted.

        Raises:
            InputError: a scheme of another kind is declared.
        """
        if isinstance(declared, DimensionScheme | UnitScheme):
            raise InputError(
                f"labels of the scheme {declared.name!r}",
                expected="a scheme of categories, or columns of dimensions",
                cause="ratings of dimensions are numbers, a column a dimension",
            )
        if isinstance(declared, CategoryScheme):
            return cls(declared, mapping)
        if declared is not None:
            return cls(CategoryScheme("declared", tuple(declared)), mapping)
        stated = {fold(old): new for old, new in mapping.table.items()}
        meant = [stated.get(fold(text), text) for text in occurring]
        distinct: dict[str, str] = {}
        for text in filter(None, meant):
            distinct.setdefault(fold(text), text)
        labels = list(distinct.values()) if in_order else sorted(distinct.values(), key=fold)
        return cls(CategoryScheme("observed", tuple(labels)), mapping)

    def uncounted(self, codes: np.ndarray) -> tuple[str, ...]:
        """Says of which classes there is no column of counts, if there are any."""
        stated = self.mapping.resolve(self.scheme)
        kept = [(code, label) for code, label in enumerate(self.scheme.labels) if stated.get(fold(label), label)]
        absent = [label for code, label in kept if code not in codes]
        return (f"no column of votes for {', '.join(absent)}: as if nobody had voted so",) if absent else ()

    def codes(self, text: pl.Series, where: str) -> np.ndarray:
        """Codes of labels; ``EMPTY`` where the cell is, ``DROPPED`` where the mapping leaves the label out.

        Raises:
            UnknownNameError: labels that neither the scheme nor the mapping knows; all are listed with their rows.
        """
        mapping, own = self.mapping.resolve(self.scheme), self.scheme.spellings()
        aliases = {old: new for old, new in mapping.items() if new is not None and old not in own}
        moved = {own[old]: new for old, new in mapping.items() if new is not None and old in own}
        dropped = tuple(old for old, new in mapping.items() if new is None)
        scheme = replace(self.scheme, aliases={**self.scheme.aliases, **aliases})
        column = category_column(text, scheme, dropped, where)
        if moved:
            column = column.cast(pl.String).replace(moved).cast(column.dtype)
        codes = column.to_physical().cast(pl.Int64).fill_null(EMPTY).to_numpy().copy()
        spelt = blank_to_null(text)
        gone = spelt.is_in([value for value in spelt.drop_nulls().unique() if fold(value) in dropped])
        codes[gone.fill_null(value=False).to_numpy()] = DROPPED
        return np.asarray(codes)


def require_countable(counts: np.ndarray, columns: Sequence[str], where: str) -> None:
    """Raise before each vote is held by itself, if they are too many for that.

    Raises:
        InputError: with the column that holds most.
    """
    if int(counts.sum()) > MOST_RATINGS:
        most = columns[int(counts.sum(axis=0).argmax())]
        raise InputError(
            f"{int(counts.sum())} votes, most of them in column {most!r}",
            where=where,
            expected=f"columns of vote counts, {MOST_RATINGS} votes in all at most",
            cause="a column of something else, such as keys or milliseconds",
        )


def rated_dimensions(
    declared: Scheme | Sequence[str] | None, names: tuple[str, ...], values: np.ndarray, where: str
) -> DimensionScheme:
    """The rated dimensions on their declared range, or on the one that occurs.

    Raises:
        UnknownNameError: the declared scheme has no such dimension.
        InputError: a rating lies outside the declared range.
    """
    if isinstance(declared, CategoryScheme | UnitScheme):
        raise InputError(f"dimensions of the scheme {declared.name!r}", where=where, expected="a scheme of dimensions")
    if isinstance(declared, DimensionScheme):
        for name in names:
            if name not in declared.dimensions:
                raise UnknownNameError.of(f"dimension of {declared.name}", name, declared.dimensions, where=where)
        outside = (values < declared.low) | (values > declared.high)
        if outside.any():
            row, place = np.argwhere(outside)[0]
            raise InputError(
                f"{plural(int(outside.sum()), 'rating')} outside [{declared.low:g}, {declared.high:g}], "
                f"such as {values[row, place]:g} of {names[place]}",
                where=where,
                expected=f"numbers in the range of {declared.name!r}",
                cause="another scale",
            )
        return replace(declared, dimensions=names)
    known = values[~np.isnan(values)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    return DimensionScheme("observed", names, low, high if high > low else low + 1.0)
