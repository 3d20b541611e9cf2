"""The table of faces: one row a frame and person, and a row with a reason wherever there is no crop.

``state`` says what a row is:

- ``cropped``: a face that was found and cropped.
- ``no face``: a picture or frame in which none was found.
- ``not seen``: a person of the video who was not found in this frame.
- ``brief``: a face of somebody seen in fewer frames than asked for: listed, not cropped.
- ``smaller``: a face beside the largest one, where only that was asked for: listed, not cropped.
- ``lost``: a frame that cannot be decoded, or of which a sequence has no picture.
- ``unreadable``: a file that cannot be decoded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.media.faces.alignment import to_template
from affectcheck.media.landmarks import COLUMNS as LANDMARKS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.errors import MediaError
    from affectcheck.media.faces.sighting import Sighting

CROPPED: Final = "cropped"
NO_FACE: Final = "no face"
NOT_SEEN: Final = "not seen"
BRIEF: Final = "brief"
SMALLER: Final = "smaller"
LOST: Final = "lost"
UNREADABLE: Final = "unreadable"
STATES: Final = (CROPPED, NO_FACE, NOT_SEEN, BRIEF, SMALLER, LOST, UNREADABLE)

_BOX: Final = ("box_x1", "box_y1", "box_x2", "box_y2")
#: Columns that describe a face; null where there is none.
MEASURED: Final = (*_BOX, *LANDMARKS, "score", "blur", "yaw_deg", "pitch_deg", "roll_deg", "residual")

#: Column to type. Boxes count from the outer edge of the first pixel, landmarks from its centre, both in pixels of the
#: upright picture or frame; ``residual`` is in pixels of a crop of 112.
SCHEMA: Final[dict[str, pl.DataType]] = {
    "media": pl.String(),
    "frame": pl.Int64(),
    "time_us": pl.Int64(),
    "person": pl.String(),
    "state": pl.String(),
    "reason": pl.String(),
    **dict.fromkeys(MEASURED, pl.Float64()),
    "file": pl.String(),
    "box_file": pl.String(),
}


def measured(one: Sighting) -> dict[str, float]:
    """What a row says of a face."""
    turned = one.pose
    values = (
        *one.face.box,
        *one.landmarks.ravel().tolist(),
        one.face.score,
        one.blur,
        turned.yaw_deg,
        turned.pitch_deg,
        turned.roll_deg,
        one.residual,
    )
    return dict(zip(MEASURED, values, strict=True))


def unreadable_row(media: str, error: MediaError) -> dict[str, Any]:
    """The row of a file that cannot be decoded."""
    reason = f"{error.what} ({error.cause})" if error.cause else error.what
    return {"media": media, "state": UNREADABLE, "reason": reason}


def best_crops(faces: pl.DataFrame, *, side: int) -> pl.DataFrame:
    """The crop of each single picture, of several faces the largest, with landmarks as they lie in the crop.

    Args:
        faces: the table.
        side: of the crops in pixels.

    Returns:
        ``media`` (the picture that was cropped), ``file``, and the landmarks' columns.
    """
    largest = _largest(faces)
    points = largest.select(LANDMARKS).to_numpy().reshape(-1, 5, 2)
    moved = [to_template(one, side=side).moved(one).ravel() for one in points]
    columns = pl.DataFrame(
        np.array(moved).reshape(-1, len(LANDMARKS)), schema=dict.fromkeys(LANDMARKS, pl.Float64()), orient="row"
    )
    return largest.select("media", "file").hstack(columns)


def first_crops(faces: pl.DataFrame) -> dict[str, str]:
    """Each single picture to the crop of its largest face."""
    return dict(_largest(faces).select("media", "file").iter_rows())


def without_face(faces: pl.DataFrame) -> list[str]:
    """Pictures without a face, and videos that have frames without one."""
    return faces.filter(faces["state"] == NO_FACE).get_column("media").unique(maintain_order=True).to_list()


def _largest(faces: pl.DataFrame) -> pl.DataFrame:
    """The row of each single picture with its largest face."""
    area = (pl.col("box_x2") - pl.col("box_x1")) * (pl.col("box_y2") - pl.col("box_y1"))
    cropped = faces.filter((pl.col("state") == CROPPED) & pl.col("frame").is_null())
    return cropped.sort(area, descending=True, maintain_order=True).unique("media", keep="first", maintain_order=True)


def table_of(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """Rows as a table, in the order of media as given, frames, and people."""
    return pl.DataFrame(list(rows), schema=SCHEMA)
