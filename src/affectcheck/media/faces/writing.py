"""Crops as files, and the sheet on which many of them are looked at together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from affectcheck.atomic import clear_write_errors, write_bytes
from affectcheck.errors import InputError
from affectcheck.media.faces.alignment import align, crop_box, pixel_centres
from affectcheck.media.faces.layout import ALIGNED, BOXES
from affectcheck.media.faces.template import SIDE
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.media.faces.detector import Face

Value = TypeVar("Value")

_CAPTION: Final = 14  # pixels below a crop of a sheet
_ACROSS: Final = 10  # crops in a row of a sheet


@dataclass(frozen=True)
class Cutting:
    """What crops look like.

    Attributes:
        side: pixels on each side; the standard is 112.
        boxes: whether there also are crops by box, not turned, in a folder of their own.
        margin: around the box, as a share of its longer side.
        quality: of the JPEG files, from 1 to 100.
    """

    side: int = SIDE
    boxes: bool = False
    margin: float = 0.0
    quality: int = 95

    def require_possible(self) -> None:
        """Make sure that there are such crops.

        Raises:
            InputError: a number is out of range.
        """
        ranges = (("side", self.side, 16, 2048), ("margin", self.margin, -0.4, 5), ("quality", self.quality, 1, 100))
        for name, value, low, high in ranges:
            if not low <= value <= high:
                raise InputError(f"{name} is {value}", expected=f"from {low} to {high}")


def write_crops(pixels: np.ndarray, face: Face, output: Path, place: str, cutting: Cutting) -> dict[str, str]:
    """Write the crops of one face.

    Args:
        pixels: (height, width, 3) uint8 of the picture.
        face: where it is.
        output: folder of the run.
        place: path of the crop below ``cropped_aligned``.
        cutting: what it looks like.

    Returns:
        ``file`` and ``box_file`` of its row, relative to the output.
    """
    files = {"file": f"{ALIGNED}/{place}"}
    _write(output / files["file"], align(pixels, pixel_centres(face.landmarks), side=cutting.side), cutting.quality)
    if cutting.boxes:
        files["box_file"] = f"{BOXES}/{place}"
        boxed = crop_box(pixels, face.box, side=cutting.side, margin=cutting.margin)
        _write(output / files["box_file"], boxed, cutting.quality)
    return files


def _write(path: Path, crop: np.ndarray, quality: int) -> None:
    """Whole or not at all, but without waiting for the disk: a crop that is lost is made again."""
    partial = path.with_name(f".{path.name}.partial")
    with clear_write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(_jpeg(crop, quality))
        partial.replace(path)


def _jpeg(pixels: np.ndarray, quality: int) -> bytes:
    cv2 = opencv()
    _, data = cv2.imencode(".jpg", np.ascontiguousarray(pixels[..., ::-1]), [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data)


def write_sheet(rows: list[dict[str, Any]], output: Path, path: Path, *, most: int = 60) -> int:
    """Write crops evenly over a table to one picture, each with a caption below it.

    Args:
        rows: those of the table that have a crop.
        output: folder that their files are relative to.
        path: of the sheet, a JPEG.
        most: crops that it shows.

    Returns:
        How many it shows; where it would be none, nothing is written.
    """
    cv2 = opencv()
    tiles = [_tile(cv2, row, output) for row in evenly(rows, most)]
    if not tiles:
        return 0
    blank = np.full_like(tiles[0], 255)
    lines = [tiles[first : first + _ACROSS] for first in range(0, len(tiles), _ACROSS)]
    across = min(_ACROSS, len(tiles))
    sheet = np.vstack([np.hstack(line + [blank] * (across - len(line))) for line in lines])
    write_bytes(path, _jpeg(sheet, 92))
    return len(tiles)


def evenly(values: Sequence[Value], most: int) -> list[Value]:
    """At most so many of a row of values, the first and the last among them.

    Example:
        >>> evenly("abcde", 3)
        ['a', 'c', 'e']
    """
    places = np.linspace(0, len(values) - 1, min(most, len(values))).round().astype(int)
    return [values[place] for place in np.unique(places)]


def write_small(pixels: np.ndarray, path: Path, *, longest: int = 224) -> None:
    """Write a small copy of a picture as JPEG.

    Args:
        pixels: (height, width, 3) uint8.
        path: of the copy.
        longest: pixels of its longer side; smaller pictures are copied as they are.
    """
    height, width = pixels.shape[:2]
    scale = min(1.0, longest / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    write_bytes(path, _jpeg(opencv().resize(pixels, size, interpolation=opencv().INTER_AREA), 90))


def _tile(cv2: Any, row: dict[str, Any], output: Path) -> np.ndarray:
    """A crop of the standard size with a white edge and the end of its name."""
    crop = cv2.imread(str(output / row["file"]))[..., ::-1]
    crop = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    tile = np.full((SIDE + _CAPTION + 4, SIDE + 4, 3), 255, np.uint8)
    tile[2 : 2 + SIDE, 2 : 2 + SIDE] = crop
    name = "/".join(row["file"].removesuffix(".jpg").split("/")[1:])[-18:]
    ascii_name = name.encode("ascii", "replace").decode()  # the font has no other characters
    cv2.putText(
        tile, ascii_name, (3, SIDE + _CAPTION - 1), cv2.FONT_HERSHEY_SIMPLEX, 0.33, (40, 40, 40), 1, cv2.LINE_AA
    )
    return tile
