"""The process that draws: ``python -m affectcheck.datasets.drawn_faces_worker FOLDER DESIGN SHARE SHARES``.

Writes one line of JSON a picture to standard output. Pictures that are there already are read instead of drawn, so a
run that was killed goes on where it stopped.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.atomic import clear_write_errors
from affectcheck.datasets.drawn_faces_canvas import pillow
from affectcheck.datasets.drawn_faces_design import Design, PlannedPicture, plan
from affectcheck.datasets.drawn_faces_drawing import draw, place
from affectcheck.datasets.speech_processes import run_worker, say
from affectcheck.digest import digest_array, digest_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_END: Final = b"IEND\xaeB`\x82"  # the last chunk of every whole PNG
_DECIMALS: Final = 3  # of places in a picture, in pixels
_EFFORT: Final = 3  # of the compression, from 1 to 9; more takes longer than drawing does


@dataclass(frozen=True)
class DrawnPicture:
    """One finished picture.

    Attributes:
        item: its key.
        digest: of its pixels.
        file: what its file holds, by digest.
        landmarks: x and y of its five points, in order.
        box: left, top, right and bottom of the head.
    """

    item: str
    digest: str
    file: str
    landmarks: tuple[float, ...]
    box: tuple[float, ...]


def picture_path(folder: Path, item: str) -> Path:
    """Where a picture lies."""
    return folder / "pictures" / item.partition("-")[0] / f"{item}.png"


def read_picture(path: Path, size: int) -> np.ndarray | None:
    """The pixels of a finished file; None where there is none, or one that is not a whole picture of this size."""
    try:
        contents = path.read_bytes()
        if not contents.endswith(_END):
            return None
        with pillow().Image.open(BytesIO(contents)) as opened:
            pixels = np.asarray(opened)
    except (OSError, SyntaxError, ValueError, EOFError):  # what Pillow says of files that broke off
        return None
    return pixels if pixels.shape == (size, size, 3) and pixels.dtype == np.uint8 else None


def write_picture(path: Path, pixels: np.ndarray) -> None:
    """Write a picture whole or not at all.

    Thousands of small files are not each forced onto the disk, which would take longer than drawing them: what a
    crash of the machine leaves broken is found by its digest and drawn again.

    Raises:
        WriteError: the disk is full or not writable.
    """
    contents = BytesIO()
    pillow().Image.fromarray(pixels).save(contents, format="PNG", compress_level=_EFFORT)
    partial = path.with_name(f".{path.stem}.{os.getpid()}.partial{path.suffix}")
    try:
        with clear_write_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(contents.getvalue())
            partial.replace(path)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def draw_pictures(folder: Path, pictures: Sequence[PlannedPicture], size: int) -> Iterator[DrawnPicture]:
    """Make the pictures that are missing; yield each as soon as it is there."""
    for picture in pictures:
        path = picture_path(folder, picture.item)
        pixels = read_picture(path, size)
        if pixels is None:
            pixels = draw(picture.scene, size)
            write_picture(path, pixels)
        where = place(picture.scene, size)
        landmarks = tuple(round(float(value), _DECIMALS) for value in where.landmarks.ravel())
        box = tuple(round(value, _DECIMALS) for value in where.box)
        yield DrawnPicture(picture.item, digest_array(pixels), digest_file(path), landmarks, box)


def main(arguments: list[str]) -> int:
    """Draw this process's share of a design's pictures."""
    folder, text, share, shares = arguments
    design = Design(**json.loads(text))
    say(draw_pictures(Path(folder), plan(design)[int(share) :: int(shares)], design.size))
    return 0


if __name__ == "__main__":
    run_worker(main)
