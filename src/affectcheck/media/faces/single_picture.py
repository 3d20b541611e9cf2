"""One picture: its faces, their crops, and the rows that say so; the work of a process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from affectcheck.errors import MediaError
from affectcheck.media.faces.layout import picture_file, sides
from affectcheck.media.faces.sighting import from_record, sightings, to_record
from affectcheck.media.faces.table import CROPPED, NO_FACE, SMALLER, measured, unreadable_row
from affectcheck.media.faces.writing import write_crops
from affectcheck.media.image import decode_image

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from affectcheck.media.faces.detector import FaceDetector
    from affectcheck.media.faces.sighting import Sighting
    from affectcheck.media.faces.sources import Source
    from affectcheck.media.faces.writing import Cutting


class PictureTask(NamedTuple):
    """What is to be done with a picture.

    Attributes:
        source: the picture.
        digest: of its file; empty where that cannot be read.
        record: its faces, where a journal knows them.
        output: folder of the run.
        cutting: what crops look like.
        largest: whether only the largest face is cropped.
    """

    source: Source
    digest: str
    record: list[dict[str, Any]] | None
    output: Path
    cutting: Cutting
    largest: bool


class PictureDone(NamedTuple):
    """What was done.

    Attributes:
        record: its faces, for a journal; None where it cannot be decoded.
        rows: of the table.
        notes: cautions met while decoding.
    """

    record: list[dict[str, Any]] | None
    rows: list[dict[str, Any]]
    notes: tuple[str, ...]


def look_at_picture(detector: FaceDetector, task: PictureTask) -> PictureDone:
    """Find the faces of a picture, unless they are known, and write their crops.

    Raises:
        WriteError: the disk is full or not writable.
    """
    try:
        image = decode_image(task.source.path)
    except MediaError as error:
        return PictureDone(None, [unreadable_row(task.source.name, error)], ())
    seen = from_record(task.record) if task.record is not None else sightings(image.pixels, detector)
    rows = list(_rows(image.pixels, seen, task))
    if not rows:
        reason = f"{detector.name} finds no face in the picture"
        rows = [{"media": task.source.name, "state": NO_FACE, "reason": reason}]
    return PictureDone(to_record(seen), rows, image.notes)


def _rows(pixels: np.ndarray, seen: list[Sighting], task: PictureTask) -> list[dict[str, Any]]:
    """Rows of those who are cropped, whose crops are written, from left to right; then of those who are not."""
    ordered = sorted(seen, key=_across)
    chosen = [max(ordered, key=_area)] if task.largest and ordered else ordered
    beside = [one for one in ordered if all(one is not other for other in chosen)]
    rows: list[dict[str, Any]] = []
    for one, side in zip(chosen, sides([_across(one) for one in chosen]), strict=True):
        files = write_crops(pixels, one.face, task.output, picture_file(task.source.stem, side), task.cutting)
        told = {"media": task.source.name, "state": CROPPED, "person": side.removeprefix("_")}
        rows.append(told | measured(one) | files)
    for one in beside:
        reason = "the largest face of the picture was asked for"
        rows.append({"media": task.source.name, "state": SMALLER, "reason": reason} | measured(one))
    return rows


def _across(one: Sighting) -> float:
    return float(one.landmarks[:, 0].mean())


def _area(one: Sighting) -> float:
    return one.face.box.width * one.face.box.height
