"""Merge many tallies into few: those of one code become one, whatever kind of tally they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.tally import require_codes, whole_numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from affectcheck.tallies.tally import Tally

#: Zeros that may be added for each tally, where all are added at once; else they are added in pairs.
_WASTE = 4

AnyTally = TypeVar("AnyTally", bound="Tally")


def merged(tally: AnyTally, codes: ArrayLike, number: int) -> AnyTally:
    """One tally a code.

    The sums of real tallies depend on their values, codes and order, and on nothing else.

    Args:
        tally: (R, ...) tallies.
        codes: (R,) code of each along the first axis, 0 … number - 1; a negative one leaves it out.
        number: of codes.

    Returns:
        (number, ...) tallies; that of a code which does not occur is zero.

    Raises:
        InputError: there is not one code a tally, or one is not below ``number``.

    Example:
        >>> from affectcheck.tallies import Confusion
        >>> cells = Confusion.count([0, 1, 1], [0, 1, 0], labels=2, cells=[0, 1, 2])
        >>> merged(cells, [0, 1, 0], 2).support.tolist(), merged(cells, [-1, 1, 1], 3).support.tolist()
        ([2, 1], [0, 2, 0])
    """
    given = whole_numbers(codes, "codes")
    if given.ndim != 1 or given.shape != tally.shape[:1]:
        raise InputError(f"codes of shape {given.shape} for tallies {tally.shape}", expected="one code a tally")
    require_codes(given[given >= 0], number, "merged", "groups or clusters that were not all declared")
    order = np.argsort(given, kind="stable")
    order = order[given[order] >= 0]
    left, tally = given[order], tally[order]
    if left.size and all(getattr(tally, name).dtype.kind in "iu" for name in tally.TRAILING):
        return _summed(tally, left, number)
    starts = np.flatnonzero(np.concatenate([[True], left[1:] != left[:-1]])) if left.size else np.empty(0, np.intp)
    sizes = np.diff(np.append(starts, left.size))
    if starts.size * sizes.max(initial=0) <= _WASTE * left.size:
        tally, left = _side_by_side(tally, starts, sizes), left[starts]
    while (paired := _second_of_pairs(left)).size:
        kept = np.delete(np.arange(left.size), paired)
        both = np.searchsorted(kept, paired - 1)
        alone = np.delete(np.arange(kept.size), both)
        added = (tally[paired - 1] + tally[paired]).joined([tally[kept[alone]]])
        tally, left = added[np.argsort(np.concatenate([both, alone]))], left[kept]
    places = np.full(number, left.size)
    places[left] = np.arange(left.size)
    return tally.joined([_zero(tally)])[places]


def _side_by_side(tally: AnyTally, starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> AnyTally:
    """Sums of runs of tallies that are about equally long: all at once, the shorter ones filled up by zeros."""
    if not starts.size:
        return tally
    rows = starts[:, None] + np.arange(sizes.max())
    rows[np.arange(sizes.max()) >= sizes[:, None]] = tally.shape[0]
    return tally.joined([_zero(tally)])[rows].pooled(1)


def _summed(tally: AnyTally, codes: NDArray[Any], number: int) -> AnyTally:
    """The same for tallies of whole numbers, whose fields are sums, by sorted codes."""
    starts = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
    fields: dict[str, Any] = {}
    for name in tally.TRAILING:
        array = getattr(tally, name)
        fields[name] = np.zeros((number, *array.shape[1:]), array.dtype)
        fields[name][codes[starts]] = np.add.reduceat(array, starts, axis=0)
    return replace(tally, **fields)


def padded(tally: AnyTally, number: int) -> AnyTally:
    """The tallies, followed by so many without items that there are ``number`` along the first axis.

    Example:
        >>> from affectcheck.tallies import Confusion
        >>> padded(Confusion.count([0], [0], labels=2, cells=[0]), 3).support.tolist()
        [1, 0, 0]
    """
    more = number - tally.shape[0]
    return tally.joined([_zero(tally)[np.zeros(more, np.intp)]]) if more > 0 else tally


def _second_of_pairs(codes: NDArray[Any]) -> NDArray[np.intp]:
    """Places of every second of equal neighbours in sorted codes."""
    if codes.size < 2:
        return np.empty(0, np.intp)
    starts = np.concatenate([[True], codes[1:] != codes[:-1]])
    since = np.arange(codes.size) - np.flatnonzero(starts)[np.cumsum(starts) - 1]
    return np.flatnonzero(since % 2)


def _zero(tally: AnyTally) -> AnyTally:
    """One tally without items, of the same trailing shape and types."""
    some = tally if tally.shape[0] else _any(tally)
    zero = some[:1].weighted(np.zeros((1, 1)))
    types: dict[str, Any] = {
        name: getattr(zero, name).astype(getattr(tally, name).dtype, copy=False) for name in tally.TRAILING
    }
    return replace(zero, **types)


def _any(tally: AnyTally) -> AnyTally:
    """One tally with the trailing shape of a tally that has none at all."""
    ones: dict[str, Any] = {
        name: np.zeros((1, *getattr(tally, name).shape[1:]), getattr(tally, name).dtype) for name in tally.TRAILING
    }
    return replace(tally, **ones)
