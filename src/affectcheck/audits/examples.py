"""Sounds and pictures of items in files beside a report: as they are, and as a test changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.atomic import whole_file
from affectcheck.audits.clips import given_of
from affectcheck.digest import digest_bytes
from affectcheck.media.clip import Clip, Frames
from affectcheck.reports import AS_IS, AS_RECORDED, CHANGED, REFERENCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour import PlannedTest
    from affectcheck.media.clip import Media
    from affectcheck.models import Predictor

#: The longer side of a picture in pixels; larger ones are shown scaled down, so that a report does not weigh gigabytes.
SIDE: Final = 256
#: Frames of a video that are shown, evenly over its length, and the longer side of each.
FRAMES: Final = 5
FRAME_SIDE: Final = 128


def versions_of(item: str, test: PlannedTest, table: AnnotationTable, model: Predictor, folder: Path) -> dict[str, str]:
    """Write an item as it is and, where a test changes it, as changed: version to path, relative to the run's folder.

    They are what the model was given: of one that cuts out the face before anything is changed, what it cut out. Sound is mono, at the model's rate, 16 bits in FLAC, scaled down only where it
    would clip; pictures are PNG, scaled down only where they are larger than ``SIDE``.

    Args:
        item: its key.
        test: the test; of one that changes sound only sound is shown, and likewise pictures.
        table: the data set.
        model: the model.
        folder: of the run.
    """
    row = table.frame.row(by_predicate=pl.col("item") == item, named=True)
    shown = {name: medium for name, medium in given_of(row, table, model).items() if _is_meant(name, test)}
    return {
        version: path
        for medium in shown.values()
        for version, change, made in _versions(item, test, medium)
        if (path := _write(folder, digest_bytes(item, change)[:16], made))
    }


def _is_meant(medium: str, test: PlannedTest) -> bool:
    return test.perturbation is None or medium in test.perturbation.media


def _versions(item: str, test: PlannedTest, medium: Media) -> Iterator[tuple[str, str, Media]]:
    """Each version of a medium with its label and the key of what changed it."""
    yield AS_RECORDED if isinstance(medium, Clip) else AS_IS, "", medium
    for version, change in ((REFERENCE, test.reference), (CHANGED, test.perturbation)):
        made = change(medium, item) if change is not None else None
        if change is not None and made is not None:
            yield version, change.key, made


def _write(folder: Path, name: str, medium: Media) -> str:
    """Write a medium that is not there yet; its path, or none where nothing writes it."""
    kind, suffix = ("audio", "flac") if isinstance(medium, Clip) else ("pictures", "png")
    path = f"{kind}/{name}.{suffix}"
    if (folder / path).exists():
        return path
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    try:
        with whole_file(folder / path) as partial:
            _write_sound(partial, medium) if isinstance(medium, Clip) else _write_picture(partial, medium)
    except ImportError:  # of the package that writes it, which what decoded it may not have needed
        return ""
    return path


def _write_sound(path: Path, clip: Clip) -> None:
    import soundfile  # noqa: PLC0415  # an optional package, there where sound was decoded

    values = np.asarray(clip.samples, np.float32)
    peak = float(np.max(np.abs(values), initial=0.0))
    scaled = values / peak if peak > 1 else values
    soundfile.write(path, scaled, clip.rate_hz, format="FLAC", subtype="PCM_16")


def _write_picture(path: Path, medium: Any) -> None:
    """A picture, or some frames of a video beside one another."""
    import PIL.Image  # noqa: PLC0415  # an optional package, there where pictures were decoded

    pixels, side = medium.pixels, SIDE
    if isinstance(medium, Frames):
        places = np.unique(np.linspace(0, len(pixels) - 1, min(FRAMES, len(pixels))).round().astype(int))
        pixels, side = np.concatenate(list(pixels[places]), axis=1), FRAME_SIDE * len(places)
    picture = PIL.Image.fromarray(np.ascontiguousarray(pixels))
    picture.thumbnail((side, side), PIL.Image.Resampling.BOX)
    picture.save(path, format="PNG")
