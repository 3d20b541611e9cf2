"""Five points of a face as columns of a table: where its eyes, nose and corners of the mouth are in its picture.

Rules: a row with none of the ten numbers has no landmarks. With some of them only, with one that is no finite number,
or with all points outside of the picture it has none either, and a note says so. Single points outside are kept, as a
face at the edge has them there, with a note. Tables of text, as CSV files are, hold numbers as text.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The five points in their order; left and right are those of the picture, not of the person.
POINTS: Final = ("left_eye", "right_eye", "nose", "left_mouth", "right_mouth")

#: Columns of a table: ``landmark_left_eye_x``, ``landmark_left_eye_y`` …, in pixels of the upright picture.
COLUMNS: Final = tuple(f"landmark_{point}_{axis}" for point in POINTS for axis in "xy")


class Found(NamedTuple):
    """What a row says of landmarks.

    Attributes:
        landmarks: (5, 2) float64, x then y; None where there are none.
        notes: what was left out, or lies outside.
    """

    landmarks: np.ndarray | None
    notes: tuple[str, ...] = ()


def landmarks_of(row: Mapping[str, object], *, width: int, height: int) -> Found:
    """The landmarks that a row of an annotation table names.

    Args:
        row: column to value.
        width: pixels of the picture across.
        height: pixels of the picture down.
    """
    values = [row.get(column) for column in COLUMNS]
    numbers = [number for value in values if (number := _number(value)) is not None]
    if all(value is None for value in values):
        return Found(None)
    if len(numbers) < len(COLUMNS):
        strange = next((f", {value!r} is none" for value in values if value is not None and _number(value) is None), "")
        told = f"landmarks: only {len(numbers)} of the {len(COLUMNS)} numbers are known, left out{strange}"
        return Found(None, (told,))
    points = np.array(numbers).reshape(len(POINTS), 2)
    # Pixel centres lie on whole numbers, so that the picture reaches half a pixel beyond the first and last ones.
    outside = int((~((points >= -0.5) & (points <= (width - 0.5, height - 0.5))).all(axis=1)).sum())
    if outside == len(POINTS):
        told = f"all outside the picture of {width}×{height} pixels, left out; are they those of another size?"
        return Found(None, (f"landmarks: {told}",))
    notes = (f"landmarks: {outside} of {len(POINTS)} points outside the picture",) if outside else ()
    return Found(points, notes)


def _number(value: object) -> float | None:
    """A finite number, also one that is written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
