"""Which dimensions of a scheme the columns of scored frames are about, and that no column is its own prediction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from affectcheck.annotations.listing import name_list
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, DimensionScheme, parts

if TYPE_CHECKING:
    from collections.abc import Collection

    from affectcheck.schemes import Scheme


def narrowed(
    scheme: Scheme,
    truth: str | Mapping[str, str],
    prediction: str | Mapping[str, str],
    shared: Collection[str],
) -> tuple[Scheme, tuple[str, ...]]:
    """The scheme of the dimensions that are scored, and a note about those that are not.

    Where columns are named by dimension, a dimension without a name on either side is scored only if both frames
    have a column of its own name.

    Args:
        scheme: the declared scheme.
        truth: column of the truth, or columns by dimension.
        prediction: the same of the predictions.
        shared: columns that both frames have; none where there is one frame.

    Raises:
        UnknownNameError: a column is named for what the scheme does not have.
    """
    named = [side for side in (truth, prediction) if isinstance(side, Mapping)]
    if not isinstance(scheme, DimensionScheme) or not named:
        return scheme, ()
    for name in (name for side in named for name in side):
        if name not in scheme.dimensions:
            raise UnknownNameError.of(f"dimension of the scheme {scheme.name!r}", name, scheme.dimensions)
    about = {name for side in named for name in side} | set(shared)
    kept = tuple(name for name in scheme.dimensions if name in about)
    gone = [name for name in scheme.dimensions if name not in kept]
    notes = (f"no column is named for {name_list(gone)} of the scheme {scheme.name!r}: not scored",) if gone else ()
    return replace(scheme, dimensions=kept), notes


def require_two_columns(
    scheme: Scheme, truth: str | Mapping[str, str], prediction: str | Mapping[str, str], where: str
) -> None:
    """Raise where, in a single frame, one column is taken for truth and prediction: every score would be perfect.

    Raises:
        InputError: it is.
    """
    if isinstance(scheme, CategoryScheme):
        same = [str(truth)] if truth == prediction else []
        told = "another column for the truth or the prediction"
    else:
        sides = [side if isinstance(side, Mapping) else {} for side in (truth, prediction)]
        taken = {name: [side.get(name, name) for side in sides] for name in parts(scheme)}
        same = [first for first, second in taken.values() if first == second]
        told = f"a column for each, such as truth {parts(scheme)[0]}=COLUMN and prediction {parts(scheme)[0]}=COLUMN"
    if same:
        raise InputError(
            f"{name_list(same)} would be truth and prediction at once",
            where=where,
            expected=told,
            cause="columns that are not named, or named twice; every score would be perfect",
        )
