"""Checked predictions as one small file, so that an upload is read once: by its check, and never by the scorer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.atomic import whole_file
from affectcheck.challenges import Checked
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_HEADER: Final = "affectcheck-checked"
_FORMAT: Final = 1


def write_predictions(checked: Checked, path: Path) -> None:
    """Write predictions in the order of their list, a column a part; keys are those of the list, and not kept again.

    Raises:
        WriteError: it cannot be written.
    """
    values = checked.values
    flat = values[:, None] if values.ndim == 1 else values
    frame = pl.DataFrame({str(place): np.ascontiguousarray(flat[:, place]) for place in range(flat.shape[1])})
    header: dict[str, Any] = {
        "format": _FORMAT,
        "single": values.ndim == 1,
        "files": checked.files,
        "digest": checked.digest,
        "notes": checked.notes,
    }
    with whole_file(path, durable=False) as partial:
        frame.write_parquet(partial, compression="zstd", metadata={_HEADER: json.dumps(header)})


def read_predictions(path: Path, items: pl.Series) -> Checked:
    """Read them with the keys of the list that they were checked against.

    Args:
        path: the file.
        items: of the list.

    Raises:
        InputError: another file, or another list.
    """
    header = json.loads(pl.read_parquet_metadata(path).get(_HEADER, "{}"))
    if header.get("format") != _FORMAT:
        raise InputError("no predictions as this version keeps them", where=str(path))
    frame = pl.read_parquet(path, glob=False)
    if frame.height != len(items):
        raise InputError(
            f"predictions of {frame.height} items, a list of {len(items)}",
            where=str(path),
            expected="one list for both",
        )
    values = frame.to_series(0).to_numpy() if header["single"] else frame.to_numpy()
    return Checked(items, values, tuple(header["files"]), header["digest"], tuple(header["notes"]))
