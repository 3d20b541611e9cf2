"""Which units or dimensions of a scheme the columns of scored frames are about; no column is its own prediction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from affectcheck.annotations.listing import name_list
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, UnitScheme, parts

if TYPE_CHECKING:
    from collections.abc import Collection

    from affectcheck.evaluation.scored_columns import ScoredColumns
    from affectcheck.schemes import Scheme


def narrowed(scheme: Scheme, columns: ScoredColumns, shared: Collection[str]) -> tuple[Scheme, tuple[str, ...]]:
    """The scheme of the units or dimensions that are scored, and a note about those that are not.

    Where columns are named by part, a part without a name on either side is scored only if both frames have a column
    of its own name.

    Args:
        scheme: the declared scheme.
        columns: the columns of truth and prediction, or columns by part.
        shared: columns that both frames have; none where there is one frame.

    Raises:
        UnknownNameError: a column is named for what the scheme does not have.
    """
    named = [side for side in (columns.truth, columns.prediction) if isinstance(side, Mapping)]
    if isinstance(scheme, CategoryScheme) or not named:
        return scheme, ()
    known, noun = parts(scheme), "unit" if isinstance(scheme, UnitScheme) else "dimension"
    for name in (name for side in named for name in side):
        if name not in known:
            raise UnknownNameError.of(f"{noun} of the scheme {scheme.name!r}", name, known)
    about = {name for side in named for name in side} | set(shared)
    kept = tuple(name for name in known if name in about)
    gone = [name for name in known if name not in kept]
    notes = (f"no column is named for {name_list(gone)} of the scheme {scheme.name!r}: not scored",) if gone else ()
    if isinstance(scheme, UnitScheme):
        return replace(scheme, units=kept), notes
    return replace(scheme, dimensions=kept), notes


def require_two_columns(scheme: Scheme, columns: ScoredColumns, where: str) -> None:
    """Raise where, in a single frame, one column is taken for truth and prediction: every score would be perfect.

    Raises:
        InputError: it is.
    """
    if isinstance(scheme, CategoryScheme):
        same = [str(columns.truth)] if columns.truth == columns.prediction else []
        told = "another column for the truth or the prediction"
    else:
        first, second = (side if isinstance(side, Mapping) else {} for side in (columns.truth, columns.prediction))
        same = [
            column
            for name in parts(scheme)
            if (column := first.get(name, name)) == second.get(name, f"{columns.scores}{name}")
        ]
        one = f"{parts(scheme)[0]}=COLUMN"
        told = f"a column for each: truth {one} and prediction {one} for every part, or a prefix of the score columns"
    if same:
        raise InputError(
            f"{name_list(same)} would be truth and prediction at once",
            where=where,
            expected=told,
            cause="columns that are not named, or named twice; every score would be perfect",
        )
