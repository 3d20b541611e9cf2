"""What ``affectcheck faces crop`` does: crops, table, contact sheet, page, and the rates of annotated pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any, get_args

from affectcheck.atomic import clear_write_errors, whole_file
from affectcheck.cache import cache_folder
from affectcheck.cli.faces_folder import ANNOTATED, RATES, SHEET, TABLES, claim, nobodys
from affectcheck.cli.faces_page import write_page
from affectcheck.cli.faces_source import Asked, Looked, look_at
from affectcheck.cli.faces_text import few, summary_text
from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError
from affectcheck.media.faces.crops import CropOptions, Cropped, crop
from affectcheck.media.faces.sources import Kind
from affectcheck.media.faces.table import CROPPED, STATES, UNREADABLE, best_crops, without_face
from affectcheck.media.faces.writing import write_sheet
from affectcheck.media.image import is_image
from affectcheck.media.landmarks import COLUMNS as LANDMARKS
from affectcheck.predictions.journal import Journal
from affectcheck.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from affectcheck.annotations import AnnotationTable
    from affectcheck.evaluation.detection_rates import DetectionRates


@dataclass(frozen=True)
class Made:
    """What is printed."""

    summary: dict[str, Any]
    text: str


def run(asked: Asked, options: CropOptions) -> Made:
    """Crop, write the table and the page, and say what was found.

    Raises:
        InputError: no such source, none that can be decoded, options that do not fit, or a folder that holds another
            run.
    """
    looked = look_at(asked, options)
    header = _header(asked, options, looked)
    claim(asked.output, header, overwrite=asked.overwrite)
    cropped = crop(looked.found.sources, asked.output, stores=_stores(asked), options=options)
    shown = _write(asked.output, cropped)
    _require_decoded(cropped.table, asked)
    rates = None if looked.table is None else _rates(looked.table, cropped.table, looked.by)
    annotated = None
    if looked.table is not None and rates is not None:
        with whole_file(asked.output / RATES) as partial:
            rates.frame.write_csv(partial)
        annotated = _annotated(looked.table, cropped, asked.output, options)
    summary = _summary(asked, options, looked, cropped) | {
        "on_contact_sheet": shown,
        "annotated": annotated,
        "rates": None if rates is None else rates.frame.to_dicts(),
        "rates_notes": [] if rates is None else list(rates.notes),
    }
    page = write_page(asked.output, looked, cropped.table, rates, header | summary)
    summary["page"] = None if page is None else str(page)
    return Made(summary, summary_text(summary))


def _header(asked: Asked, options: CropOptions, looked: Looked) -> dict[str, Any]:
    from affectcheck.media.faces import face_detector  # noqa: PLC0415  # loads OpenCV

    return {
        "source": asked.source,
        "sources": digest_bytes(*(f"{source.kind} {source.name}" for source in looked.found.sources)),
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


def _stores(asked: Asked) -> Any:
    folder = (asked.cache or cache_folder()) / "faces"

    def store(name: str) -> Journal:
        path = folder / f"{name}.journal"
        if asked.fresh:
            with clear_write_errors(path):
                path.unlink(missing_ok=True)
        return Journal(path)

    return store


def _write(output: Path, cropped: Cropped) -> int:
    """The table in both forms and the contact sheet; returns how many crops that shows."""
    for name in TABLES:
        with whole_file(output / name) as partial:
            if name.endswith(".csv"):
                cropped.table.write_csv(partial)
            else:
                cropped.table.write_parquet(partial)
    files = cropped.table.filter(cropped.table["state"] == CROPPED).select("file").to_dicts()
    return write_sheet(files, output, output / SHEET)


def _require_decoded(faces: pl.DataFrame, asked: Asked) -> None:
    """At least one source could be decoded.

    Raises:
        InputError: none could.
    """
    failed = faces.filter(faces["state"] == UNREADABLE)
    if failed.height == faces.height:
        told = [f"{media}: {reason}" for media, reason in failed.select("media", "reason").iter_rows()]
        raise InputError(
            f"nothing can be decoded: {few(told)}",
            where=asked.source,
            expected="pictures or videos that can be; faces.csv lists these with their reasons",
        )


def _rates(table: AnnotationTable, faces: pl.DataFrame, by: tuple[str, ...]) -> DetectionRates | None:
    """How often a face is found, of a data set of pictures."""
    from affectcheck.evaluation.detection_rates import detection_rates  # noqa: PLC0415  # data sets alone have rates

    if not all(is_image(media) for media in faces.get_column("media")):
        return None
    decoded = set(faces.filter(faces["state"] != UNREADABLE).get_column("media"))
    seen = set(faces.filter(faces["state"] == CROPPED).get_column("media"))
    known = zip(table.frame.get_column("item"), table.frame.get_column("media"), strict=True)
    return detection_rates(table, {item: media in seen if media in decoded else None for item, media in known}, by=by)


def _annotated(table: AnnotationTable, cropped: Cropped, output: Path, options: CropOptions) -> str:
    """The data set with its crops in place of its pictures, as a table that every verb reads."""
    from affectcheck.annotations import write_table  # noqa: PLC0415  # data sets alone have annotations

    own = table.frame.drop(LANDMARKS, strict=False)
    picture = next(name for name in (f"picture{'_' * more}" for more in count()) if name not in own.columns)
    crops = best_crops(cropped.table, side=options.cutting.side).rename({"media": picture, "file": "media"})
    frame = own.rename({"media": picture}).join(crops, on=picture, how="left", maintain_order="left")
    write_table(replace(table, frame=frame, root=output), output / ANNOTATED)
    return str(output / ANNOTATED)


def _summary(asked: Asked, options: CropOptions, looked: Looked, cropped: Cropped) -> dict[str, Any]:
    table = cropped.table
    states = {state: int((table["state"] == state).sum()) for state in STATES}
    failed = table.filter(table["state"] == UNREADABLE).select("media", "reason").to_dicts()
    people = table.filter(table["state"] == CROPPED).select("media", "person").n_unique()
    mean = table.get_column("residual").drop_nulls().mean()
    return {
        "output": str(asked.output),
        "detector": options.detector,
        "sources": {kind: sum(one.kind == kind for one in looked.found.sources) for kind in get_args(Kind)},
        "rows": table.height,
        "states": states,
        "people": people,
        "mean_residual": mean,
        "without_face": without_face(table),
        "unreadable": failed,
        "notes": list(cropped.notes),
        "nobodys": nobodys(asked.output, [*table.get_column("file"), *table.get_column("box_file")]),
        "ignored": list(looked.found.ignored),
    }
