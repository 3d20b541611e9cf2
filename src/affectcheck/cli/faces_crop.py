"""What ``affectcheck faces crop`` does: sources, crops, table, contact sheet, and the rates of annotated pictures."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from affectcheck.atomic import whole_file, write_text
from affectcheck.cache import cache_folder
from affectcheck.cli.choices import names_or_none
from affectcheck.cli.faces_text import summary_text
from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.media import media_path
from affectcheck.media.faces.crops import CropOptions, Cropped, crop
from affectcheck.media.faces.layout import ALIGNED, BOXES
from affectcheck.media.faces.sources import Found, Source, find_sources, named
from affectcheck.media.faces.table import CROPPED, STATES, UNREADABLE, best_crops
from affectcheck.media.faces.writing import write_sheet
from affectcheck.media.image import is_image
from affectcheck.media.landmarks import COLUMNS as LANDMARKS
from affectcheck.media.video_access import is_video
from affectcheck.predictions.journal import Journal
from affectcheck.version import __version__

if TYPE_CHECKING:
    import polars as pl

    from affectcheck.annotations import AnnotationTable
    from affectcheck.evaluation.detection_rates import DetectionRates

#: Says which run a folder holds, from its beginning on.
HEADER: Final = "faces.json"
_TABLES: Final = ("faces.parquet", "faces.csv")
_SHEET: Final = "contact.jpg"
_RATES: Final = "detection_rates.csv"
_ANNOTATED: Final = "annotated.csv"


@dataclass(frozen=True)
class Asked:
    """What the command line says beside how faces are cropped.

    Attributes:
        source: a path, or a data set.
        output: folder.
        by: group columns of the rates; None for all, ``none`` for none.
        sequences: whether folders of pictures are videos.
        cache: folder of the journals.
        fresh: whether what they hold is made anew.
        overwrite: whether another run in the output folder is replaced.
    """

    source: str
    output: Path
    by: str | None = None
    sequences: bool = False
    cache: Path | None = None
    fresh: bool = False
    overwrite: bool = False


@dataclass(frozen=True)
class Made:
    """What is printed."""

    summary: dict[str, Any]
    text: str


def run(asked: Asked, options: CropOptions) -> Made:
    """Crop, write the table, and say what was found.

    Raises:
        InputError: no such source, options that do not fit, or a folder that holds another run.
    """
    table, found = _sources(asked)
    by = _attributes(asked.by, table)
    header = _header(asked, options, found)
    _claim(asked, header)
    cropped = crop(found.sources, asked.output, stores=_stores(asked), options=options)
    shown = _write(asked.output, cropped)
    rates = _rates(table, cropped.table, by) if table is not None else None
    if rates is not None:
        with whole_file(asked.output / _RATES) as partial:
            rates.frame.write_csv(partial)
    annotated = None if rates is None or table is None else _annotated(table, cropped, asked.output, options)
    summary = _summary(asked, options, found, cropped) | {
        "on_contact_sheet": shown,
        "annotated": annotated,
        "rates": None if rates is None else rates.frame.to_dicts(),
        "rates_notes": [] if rates is None else list(rates.notes),
    }
    return Made(summary, summary_text(summary))


def _sources(asked: Asked) -> tuple[AnnotationTable | None, Found]:
    """The media of a data set with its table, or what a path holds."""
    from affectcheck.datasets import DATASETS, load_dataset  # noqa: PLC0415  # pictures alone need no data set

    name, colon, _ = asked.source.partition(":")
    if Path(asked.source).exists() or not (colon or name in DATASETS):
        root = Path(asked.source)
        return None, find_sources(root, sequences=asked.sequences, without=asked.output)
    if name not in DATASETS:
        raise UnknownNameError.of("data set", name, DATASETS.names(), where=asked.source)
    table = load_dataset(asked.source)
    return table, Found(named(_of_table(table)))


def _of_table(table: AnnotationTable) -> list[Source]:
    """Every picture and video that a table names, once."""
    media = table.frame.get_column("media").drop_nulls().unique(maintain_order=True).to_list()
    paths = {one: media_path(one, table.root) for one in media}
    seen = [one for one in media if is_image(one) or is_video(one)]
    if not seen:
        raise InputError(
            f"data set {table.name!r} has no pictures or videos here",
            expected="media such as .jpg or .mp4",
            cause="a data set of sound, or a copy of its labels alone",
        )
    return [Source(one, paths[one], "picture" if is_image(one) else "video") for one in seen]


def _attributes(by: str | None, table: AnnotationTable | None) -> tuple[str, ...]:
    if table is None:
        if by not in (None, "none"):
            raise InputError("groups of pictures that are not annotated", expected="a data set, NAME:ROOT, for --by")
        return ()
    if by is None:
        crossed = ("*".join(table.groups),) if len(table.groups) > 1 else ()
        return (*table.groups, *crossed)
    return names_or_none(by)


def _header(asked: Asked, options: CropOptions, found: Found) -> dict[str, Any]:
    from affectcheck.media.faces import face_detector  # noqa: PLC0415  # loads OpenCV

    return {
        "source": asked.source,
        "sources": digest_bytes(*(f"{source.kind} {source.name}" for source in found.sources)),
        "detector": options.detector,
        "detector_digest": face_detector(options.detector).digest,
        "every": options.choice.every,
        "fps": options.choice.fps,
        "sequences": asked.sequences,
        "largest": options.largest,
        "shortest": options.shortest,
        "size": options.cutting.side,
        "boxes": options.cutting.boxes,
        "margin": options.cutting.margin,
        "version": __version__,
    }


def _claim(asked: Asked, header: dict[str, Any]) -> None:
    """Make sure that the folder is new, or holds this very run.

    Raises:
        InputError: it holds another run, or other files.
    """
    path = asked.output / HEADER
    if path.is_file() and not asked.overwrite:
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            held = {}
        differ = [name for name in header if held.get(name) != header[name]]
        if not differ:
            return
        raise InputError(
            f"{asked.output} holds crops that were made otherwise: other {', '.join(differ)}",
            expected="another folder, or --overwrite",
        )
    ours = (HEADER, *_TABLES, _SHEET, _RATES, _ANNOTATED)
    there = [name for name in (ALIGNED, BOXES, *ours) if (asked.output / name).exists()]
    if there and not asked.overwrite:
        raise InputError(f"{asked.output} holds {', '.join(there)} already", expected="another folder, or --overwrite")
    for name in there:
        if name in (ALIGNED, BOXES):
            shutil.rmtree(asked.output / name)
        else:
            (asked.output / name).unlink()
    write_text(path, json.dumps(header, indent=2) + "\n")


def _stores(asked: Asked) -> Any:
    folder = (asked.cache or cache_folder()) / "faces"

    def store(name: str) -> Journal:
        path = folder / f"{name}.journal"
        if asked.fresh:
            path.unlink(missing_ok=True)
        return Journal(path)

    return store


def _write(output: Path, cropped: Cropped) -> int:
    """The table in both forms and the contact sheet; returns how many crops that shows."""
    for name in _TABLES:
        with whole_file(output / name) as partial:
            if name.endswith(".csv"):
                cropped.table.write_csv(partial)
            else:
                cropped.table.write_parquet(partial)
    files = cropped.table.filter(cropped.table["state"] == CROPPED).select("file").to_dicts()
    return write_sheet(files, output, output / _SHEET)


def _rates(table: AnnotationTable, faces: pl.DataFrame, by: tuple[str, ...]) -> DetectionRates | None:
    """How often a face is found, of a data set of pictures."""
    from affectcheck.evaluation.detection_rates import detection_rates  # noqa: PLC0415  # data sets alone have rates

    pictures = table.frame.filter(table.frame["media"].is_not_null())
    if not all(is_image(one) for one in pictures.get_column("media")):
        return None
    unread = set(faces.filter(faces["state"] == UNREADABLE).get_column("media"))
    seen = set(faces.filter(faces["state"] == CROPPED).get_column("media"))
    known = zip(table.frame.get_column("item"), table.frame.get_column("media"), strict=True)
    found = {item: None if media is None or media in unread else media in seen for item, media in known}
    return detection_rates(table, found, by=by)


def _annotated(table: AnnotationTable, cropped: Cropped, output: Path, options: CropOptions) -> str:
    """The data set with its crops in place of its pictures, as a table that every verb reads."""
    from affectcheck.annotations import write_table  # noqa: PLC0415  # data sets alone have annotations

    crops = best_crops(cropped.table, side=options.cutting.side)
    own = table.frame.drop(LANDMARKS, strict=False).rename({"media": "picture"})
    frame = own.join(crops, left_on="picture", right_on="media", how="left", maintain_order="left")
    frame = frame.rename({"file": "media"})
    write_table(replace(table, frame=frame, root=output), output / _ANNOTATED)
    return str(output / _ANNOTATED)


def _summary(asked: Asked, options: CropOptions, found: Found, cropped: Cropped) -> dict[str, Any]:
    table = cropped.table
    states = {state: int((table["state"] == state).sum()) for state in STATES}
    failed = table.filter(table["state"] == UNREADABLE).select("media", "reason").to_dicts()
    people = table.filter(table["state"] == CROPPED).select("media", "person").n_unique()
    mean = table.get_column("residual").drop_nulls().mean()
    return {
        "output": str(asked.output),
        "detector": options.detector,
        "sources": {kind: sum(s.kind == kind for s in found.sources) for kind in ("picture", "video", "sequence")},
        "rows": table.height,
        "states": states,
        "people": people,
        "mean_residual": mean,
        "without_face": table.filter(table["state"] == "no face")
        .get_column("media")
        .unique(maintain_order=True)
        .to_list(),
        "unreadable": failed,
        "notes": list(cropped.notes),
        "ignored": list(found.ignored),
    }
