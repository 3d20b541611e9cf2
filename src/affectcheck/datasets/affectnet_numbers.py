"""The reduced release of AffectNet: three files of one number a picture, most of them numbers written as text."""

from __future__ import annotations

import os
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.datasets.affectnet_lists import Part
from affectcheck.datasets.corpus_files import refuse
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

#: Folder of a set to its name.
SETS: Final = {"train_set": "train", "val_set": "validation"}
_SUFFIXES: Final = {"_exp.npy": "code", "_val.npy": "valence", "_aro.npy": "arousal"}
_EVERY: Final = 1000  # pictures between two calls of progress
_MAGIC: Final = b"\x93NUMPY\x01\x00"
_FRONT: Final = len(_MAGIC) + 2  # two bytes of the header's length follow
_LARGEST: Final = 10


def read_sets(base: Path, progress: Callable[[int, int], None] | None = None) -> Part:
    """Every picture that has a label of its expression.

    Raises:
        MissingPathError: a set without a folder of annotations.
        InputError: files that hold no number, or one that the release does not have; all are listed.
    """
    names = {folder: _stems(base / folder / "annotations") for folder in SETS if (base / folder).is_dir()}
    total = sum(len(stems) for stems in names.values())
    if not total:
        raise InputError(
            "no annotations such as 0_exp.npy",
            where=str(base),
            expected="train_set/annotations and val_set/annotations",
        )
    frames: list[pl.DataFrame] = []
    faults: list[str] = []
    for folder, stems in names.items():
        done = sum(frame.height for frame in frames)
        step = None if progress is None else (lambda more, done=done: progress(done + more, total))
        frames.append(_set(base, folder, stems, faults, step))
    refuse(
        faults,
        what="annotations that cannot be used",
        where=str(base),
        expected=f"one number a file: expressions from 0 to {_LARGEST}, valence and arousal from -1 to 1 (or -2)",
        cause="files cut off in a download, or of another data set",
    )
    notes = [f"{folder} is not here: its items are not read" for folder in SETS if folder not in names]
    return Part(pl.concat(frames), tuple(notes))


def _stems(folder: Path) -> list[str]:
    if not folder.is_dir():
        raise MissingPathError.of("folder of annotations", folder)
    end = "_exp.npy"
    stems = [entry.name.removesuffix(end) for entry in os.scandir(folder) if entry.name.endswith(end)]
    return sorted((stem for stem in stems if not stem.startswith(".")), key=lambda stem: (len(stem), stem))


def _set(
    base: Path, folder: str, stems: list[str], faults: list[str], step: Callable[[int], None] | None
) -> pl.DataFrame:
    columns: dict[str, list[float | None]] = {name: [] for name in _SUFFIXES.values()}
    where = str(base / folder / "annotations") + os.sep
    for place, stem in enumerate(stems, 1):
        for suffix, name in _SUFFIXES.items():
            try:
                columns[name].append(_checked(_number(where + stem + suffix), name))
            except (ValueError, OSError) as error:
                columns[name].append(None)
                faults.append(f"{folder}/annotations/{stem}{suffix}: {error}")
        if step is not None and (place % _EVERY == 0 or place == len(stems)):
            step(place)
    pictures = _pictures(base / folder / "images")
    paths = [f"{folder}/images/{pictures.get(stem, f'{stem}.jpg')}" for stem in stems]
    return pl.DataFrame(
        {"item": paths, "path": paths, "partition": [SETS[folder]] * len(stems), **columns},
        schema_overrides={"code": pl.Float64, "valence": pl.Float64, "arousal": pl.Float64},
    ).with_columns(pl.col("code").cast(pl.Int64))


def _pictures(folder: Path) -> dict[str, str]:
    """Stem of every picture to its name: most are .jpg, some copies hold others; of several, the first by name."""
    if not folder.is_dir():
        return {}
    names = sorted((entry.name for entry in os.scandir(folder) if not entry.name.startswith(".")), reverse=True)
    return {name.rpartition(".")[0]: name for name in names}


def _checked(value: float, name: str) -> float:
    if name == "code":
        if value not in range(_LARGEST + 1):
            raise ValueError(f"{value:g} is no code from 0 to {_LARGEST}")
    elif not (-1 <= value <= 1 or value == -2):
        raise ValueError(f"{value:g} is not within -1 and 1, and not -2")
    return value


def _number(path: str) -> float:
    """The one number of a file, as ``numpy.load(path, allow_pickle=False)`` would read it, ten times as fast.

    Raises:
        ValueError: no array, one of objects (which are never unpickled), or not one number.
        OSError: no such file.
    """
    with open(path, "rb") as file:  # noqa: PTH123  # hundreds of thousands of times
        raw = file.read()
    end = _FRONT + int.from_bytes(raw[len(_MAGIC) : _FRONT], "little")
    if raw.startswith(_MAGIC):
        kind = _kind(raw[:end])
        if kind.kind == "U" and len(raw) == end + kind.itemsize:
            return float(str(np.frombuffer(raw, kind, 1, end)[0]))
    value = np.lib.format.read_array(BytesIO(raw), allow_pickle=False)
    if value.size != 1:
        raise ValueError(f"{value.size} numbers")
    return float(value.reshape(-1)[0])


@lru_cache(maxsize=256)
def _kind(header: bytes) -> np.dtype[np.generic]:
    """Type of the values that a header announces; there are only as many headers as lengths of text."""
    stream = BytesIO(header)
    np.lib.format.read_magic(stream)
    return np.dtype(np.lib.format.read_array_header_1_0(stream)[2])
