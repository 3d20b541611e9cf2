"""What an organiser should look at: predictions that never change, and predictions that another submission has too.

A flag is no verdict. Submissions are compared by *sketches*, the predictions of some thousand items that are the same for
all submissions of a track, so that no upload is read again.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple
from zipfile import BadZipFile

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.digest import digest_array
from affectcheck.errors import InputError
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from affectcheck.challenges.checking import Checked
    from affectcheck.challenges.track import Track

#: Items whose predictions a sketch holds, of larger submissions.
SKETCHED: Final = 4096
#: Share of rows that agree above which submissions of categories or units are nearly the same.
SAME_ROWS: Final = 0.999
#: Correlation in every dimension above which submissions of dimensions are.
SAME_VALUES: Final = 0.9999
#: What bytes that are no npz file, or another, raise where they are read.
UNREADABLE: Final = (ValueError, TypeError, KeyError, OSError, EOFError, BadZipFile, zlib.error)


@dataclass(frozen=True)
class Flag:
    """Something to look at.

    Attributes:
        kind: ``constant`` predictions, predictions ``equal`` to another submission's, or ``near`` to them.
        text: what was found, in a sentence.
        other: the other submission; empty for constant ones.
        likeness: with it, 0 to 1; 1 for equal and constant ones.
    """

    kind: Literal["constant", "equal", "near"]
    text: str
    other: str = ""
    likeness: float = 1.0


def sketch(checked: Checked) -> bytes:
    """What a submission is compared by: a digest of all its predictions, and those of up to 4096 items.

    Which items depends on their number alone. Submissions must have been checked against one list, whose order theirs is.

    Returns:
        An npz file, some 10 to 200 kB.
    """
    values = checked.values
    items = len(values)
    chosen = values
    if items > SKETCHED:
        chosen = values[np.sort(rng(0, "sketch of a submission").choice(items, SKETCHED, replace=False))]
    stored = BytesIO()
    np.savez_compressed(
        stored,
        values=chosen,
        items=np.int64(items),
        digest=np.frombuffer(bytes.fromhex(digest_array(values)), np.uint8),
    )
    return stored.getvalue()


class _Sketch(NamedTuple):
    values: NDArray[Any]
    items: int
    digest: bytes

    @classmethod
    def of(cls, stored: bytes) -> _Sketch:
        try:
            with np.load(BytesIO(stored), allow_pickle=False) as found:
                values = found["values"]
                return cls(values.reshape(len(values), -1), int(found["items"]), found["digest"].tobytes())
        except UNREADABLE as error:
            raise InputError(f"not a sketch of a submission: {error}", expected="what flags.sketch gives") from error


def likeness(sketch_a: bytes, sketch_b: bytes, track: Track) -> float:
    """How alike two submissions are.

    Args:
        sketch_a: of a submission.
        sketch_b: of another, which was checked against the same list of items.
        track: what they predict.

    Returns:
        0 to 1. Of categories and units, the share of sketched items for which all predictions agree; of dimensions, the
        lowest Pearson correlation of a dimension, 0 where it is negative or undefined; 1 for equal predictions.

    Raises:
        InputError: one is no sketch, or they are of other numbers of items or parts.
    """
    return _likeness(_Sketch.of(sketch_a), _Sketch.of(sketch_b), track)


def _likeness(first: _Sketch, second: _Sketch, track: Track) -> float:
    if (first.items, first.values.shape) != (second.items, second.values.shape):
        raise InputError(
            f"sketches of {first.items} and of {second.items} items",
            expected="submissions that were checked against one list",
            cause="a list that was changed between them",
        )
    if first.digest == second.digest:
        return 1.0
    if track.kind != "dimensions":
        return float((first.values == second.values).all(axis=1).mean())
    return min(_correlation(a, b) for a, b in zip(first.values.T, second.values.T, strict=True))


def _correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Pearson's, 0 where it is negative; of constant values 1 where they are equal, else 0."""
    if np.array_equal(first, second):
        return 1.0
    one, two = first - first.mean(), second - second.mean()
    size = float(np.sqrt((one * one).sum() * (two * two).sum()))
    return min(max(float((one * two).sum()) / size, 0.0), 1.0) if size > 0.0 else 0.0


def constant_flags(checked: Checked, track: Track) -> tuple[Flag, ...]:
    """Predictions that are the same for every item: one class for all, or one value of a unit or dimension."""
    if len(checked.values) < 2:  # one item says nothing
        return ()
    if track.kind == "categories":
        code = int(checked.values[0])
        told = f"every item is predicted as {track.parts[code]!r}"
        return (Flag("constant", told),) if (checked.values == code).all() else ()
    same = (checked.values == checked.values[0]).all(axis=0)
    if not same.any():
        return ()
    named = ", ".join(part for part, one in zip(track.parts, same.tolist(), strict=True) if one)
    return (Flag("constant", f"{plural(int(same.sum()), track.kind[:-1])} with one value for all items: {named}"),)


def duplicate_flags(own: bytes, others: Mapping[str, bytes], track: Track) -> tuple[Flag, ...]:
    """Other submissions that predict the same, or nearly.

    Args:
        own: sketch of the submission.
        others: name to sketch of each other one, checked against the same list.
        track: what they predict.

    Returns:
        A flag for each, in the order of the others.

    Raises:
        InputError: see ``likeness``.
    """
    first, limit = _Sketch.of(own), SAME_VALUES if track.kind == "dimensions" else SAME_ROWS
    found = []
    for name, stored in others.items():
        second = _Sketch.of(stored)
        alike = _likeness(first, second, track)
        if first.digest == second.digest:
            found.append(Flag("equal", f"the same predictions as {name}", name))
        elif alike > limit:
            how = "correlation of each dimension" if track.kind == "dimensions" else "share of items that agree"
            found.append(Flag("near", f"nearly the predictions of {name}: {how} {alike:.5f}", name, alike))
    return tuple(found)


def flags_of(checked: Checked, track: Track, others: Mapping[str, bytes] | None = None) -> tuple[Flag, ...]:
    """All flags of a submission.

    Args:
        checked: the submission.
        track: what it predicts.
        others: name to sketch of each submission that it is compared with.

    Raises:
        InputError: see ``likeness``.
    """
    constant = constant_flags(checked, track)
    return (*constant, *duplicate_flags(sketch(checked), others, track)) if others else constant
