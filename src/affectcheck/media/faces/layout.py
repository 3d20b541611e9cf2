"""Where crops lie, as in Aff-Wild2: ``cropped_aligned/VIDEO/00001.jpg``, of two people ``VIDEO_left``, ``VIDEO_right``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Folder of aligned crops.
ALIGNED: Final = "cropped_aligned"
#: Folder of crops by box.
BOXES: Final = "cropped"


def sides(across: Sequence[float]) -> tuple[str, ...]:
    """What is put behind the name of a video or picture for each of its people.

    Nothing for one, ``_left`` and ``_right`` for two, and a number for more, which Aff-Wild2 has no name for.

    Args:
        across: how far right each is, in the order of their numbers.

    Example:
        >>> sides([300.0, 20.0])
        ('_right', '_left')
    """
    if len(across) < 2:
        return ("",) * len(across)
    if len(across) == 2:
        return ("_left", "_right") if across[0] <= across[1] else ("_right", "_left")
    return tuple(f"_{number}" for number in range(1, len(across) + 1))


def where_people_are(centres: Sequence[dict[int, float]]) -> list[float]:
    """How far right each person of a video is, on the whole.

    For two, by the frames in which both are seen, if there are any: people who walk through a picture one after the
    other say nothing about who was on whose left.

    Args:
        centres: of each person, frame to x of the face.
    """
    shared = set(centres[0]).intersection(*centres[1:]) if len(centres) == 2 else set()
    return [float(np.median([x for frame, x in person.items() if not shared or frame in shared])) for person in centres]


def frame_file(stem: str, side: str, number: int) -> str:
    """Path of the crop of a frame below ``cropped_aligned``.

    Example:
        >>> frame_file("train/video61", "_left", 12)
        'train/video61_left/00012.jpg'
    """
    return f"{stem}{side}/{number:05d}.jpg"


def picture_file(stem: str, side: str) -> str:
    """Path of the crop of a single picture below ``cropped_aligned``."""
    return f"{stem}{side}.jpg"
