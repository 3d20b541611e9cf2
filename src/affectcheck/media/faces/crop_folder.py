"""A folder of crops beside the annotations of its video: which frames both have, by number, never by place.

A frame that is annotated and has no crop is nothing unusual: no face was found there. A crop beyond the last annotated
frame is: counts of frames differ by one between decoders, so that one such crop is left out with a note; more of them
are crops of another cut or rate of the video, whose numbers mean other moments, and an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from affectcheck.errors import InputError, MissingPathError
from affectcheck.media.image import is_image

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

#: Crops beyond the last annotated frame that are left out; more are an error.
TOLERATED: Final = 1
_FEW: Final = 5


class Matched(NamedTuple):
    """Frames of annotations and crops.

    Attributes:
        both: numbers that have both.
        without_crop: annotated frames of which there is no crop.
        without_annotation: crops of frames that are not annotated.
        notes: what was left out; empty where everything fits.
    """

    both: tuple[int, ...]
    without_crop: tuple[int, ...]
    without_annotation: tuple[int, ...]
    notes: tuple[str, ...]


def crop_numbers(folder: Path) -> tuple[int, ...]:
    """Numbers of the frames that a folder such as ``cropped_aligned/video61_left`` has crops of.

    Raises:
        MissingPathError: there is no such folder.
        InputError: pictures that are not called after a number, or two of one number.
    """
    if not folder.is_dir():
        raise MissingPathError.of("folder of crops", folder, expected="a folder with 00001.jpg, 00002.jpg …")
    files = sorted(path for path in folder.iterdir() if is_image(path) and not path.name.startswith("."))
    wrong = [path.name for path in files if not (path.stem.isascii() and path.stem.isdigit() and int(path.stem))]
    numbers = sorted(int(path.stem) for path in files) if not wrong else []
    if wrong or len(set(numbers)) < len(numbers):
        told = ", ".join(wrong[:_FEW]) or "two pictures of one number"
        raise InputError(f"no crops by number of frame: {told}", where=str(folder), expected="00001.jpg, 00002.jpg …")
    return tuple(numbers)


def match_crops(annotated: Iterable[int], folder: Path) -> Matched:
    """Bring annotated frames and crops together.

    Args:
        annotated: numbers of the annotated frames, from 1.
        folder: that of the crops of this video and person.

    Raises:
        MissingPathError: there is no such folder.
        InputError: nothing is annotated, or more than one crop lies beyond the last annotated frame.
    """
    rows, crops = set(annotated), set(crop_numbers(folder))
    if not rows:
        raise InputError("no frame is annotated", where=str(folder), expected="numbers of frames, from 1")
    beyond = sorted(number for number in crops if number > max(rows))
    if len(beyond) > TOLERATED:
        raise InputError(
            f"{len(beyond)} crops lie beyond the last annotated frame {max(rows)}: {beyond[0]} to {beyond[-1]}",
            where=str(folder),
            expected=f"at most {TOLERATED}, as decoders differ by",
            cause="annotations of another cut or rate of the video, or of another video",
        )
    left_out, lacking = sorted(crops - rows), sorted(rows - crops)
    notes = [
        f"{len(numbers)} {what}: {', '.join(map(str, numbers[:_FEW]))}{' …' if len(numbers) > _FEW else ''}"
        for numbers, what in ((lacking, "annotated frames without a crop"), (left_out, "crops without an annotation"))
        if numbers
    ]
    return Matched(tuple(sorted(rows & crops)), tuple(lacking), tuple(left_out), tuple(notes))
