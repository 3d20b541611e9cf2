"""``affectcheck faces``: find, align and crop the faces of pictures and videos, and the detectors that do it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from affectcheck.cli.choices import By, Cache, Fresh, Overwrite, Workers
from affectcheck.cli.output import Json, columns, emit, progress


def register(app: typer.Typer) -> None:
    """Add the noun."""
    noun = typer.Typer(help="Find, align and crop faces of pictures and videos.", no_args_is_help=True)
    app.add_typer(noun, name="faces")
    noun.command("crop")(crop)
    noun.command("fetch")(fetch)
    noun.command("detectors")(detectors)


def crop(
    source: Annotated[
        str,
        typer.Argument(
            help="A picture, a video, a folder of them, or a data set: NAME:ROOT (see `datasets list`).",
            metavar="SOURCE",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the crops and their table.")],
    detector: Annotated[
        str, typer.Option("--detector", help="NAME or NAME:WEIGHTS?OPTION=VALUE (see `faces detectors`).")
    ] = "mtcnn",
    every: Annotated[int, typer.Option("--every", min=1, help="Of videos, the first of every so many frames.")] = 1,
    fps: Annotated[float | None, typer.Option("--fps", help="Of videos, so many frames a second.")] = None,
    sequences: Annotated[
        bool, typer.Option("--sequences", help="The numbered pictures of each folder are the frames of a video.")
    ] = False,
    largest: Annotated[bool, typer.Option("--largest", help="Of pictures, the largest face only.")] = False,
    shortest: Annotated[int, typer.Option("--shortest", min=1, help="Frames that somebody must be seen in.")] = 3,
    size: Annotated[int, typer.Option("--size", help="Pixels on each side of a crop.")] = 112,
    boxes: Annotated[bool, typer.Option("--boxes", help="Also crop by box, without turning.")] = False,
    margin: Annotated[float, typer.Option("--margin", help="Around the box, as a share of its longer side.")] = 0.0,
    by: By = None,
    workers: Workers = 0,
    cache: Cache = None,
    fresh: Fresh = False,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Crop every face; killed and started again, it goes on where it was.

    Writes cropped_aligned/VIDEO/00001.jpg as Aff-Wild2 has them, of two people VIDEO_left and VIDEO_right; faces.csv
    and faces.parquet with a row for every frame and person; report.html and contact.jpg to be looked at. Of a data
    set of pictures it tells how often a face is found in each group, with intervals, and writes annotated.csv, the
    same data set with its crops in place of its pictures.
    """
    from affectcheck.cli.faces_crop import run  # noqa: PLC0415  # keeps `--help` fast
    from affectcheck.cli.faces_source import Asked  # noqa: PLC0415
    from affectcheck.media.faces.crops import CropOptions  # noqa: PLC0415
    from affectcheck.media.faces.seen_frames import Choice  # noqa: PLC0415
    from affectcheck.media.faces.writing import Cutting  # noqa: PLC0415

    with progress("faces") as update:
        options = CropOptions(
            detector=detector,
            choice=Choice(every, fps),
            cutting=Cutting(size, boxes, margin),
            largest=largest,
            shortest=shortest,
            workers=workers,
            progress=update,
        )
        asked = Asked(source, output, by=by, sequences=sequences, cache=cache, fresh=fresh, overwrite=overwrite)
        made = run(asked, options)
    emit(made.summary, made.text, as_json=json)


def fetch(
    name: Annotated[str, typer.Argument(help="Detector whose weights are fetched (see `faces detectors`).")],
    json: Json = False,
) -> None:
    """Download the published weights of a detector; nothing but what was pinned by checksum is kept."""
    from affectcheck.media.faces.fetch import PUBLISHED  # noqa: PLC0415
    from affectcheck.media.faces.fetch import fetch as fetch_weights  # noqa: PLC0415

    with progress(f"weights of {name}") as update:
        path = fetch_weights(name, progress=update)
    one = PUBLISHED[name]
    told = {"detector": name, "path": str(path), "sha256": one.sha256, "licence": one.licence, "source": one.source}
    emit(told, f"{path}\n{one.licence}; {one.source}", as_json=json)


def detectors(json: Json = False) -> None:
    """List the face detectors: which work at once, and which need weights first."""
    from affectcheck.media.faces import FACE_DETECTORS  # noqa: PLC0415

    found = [_described(name, factory) for name, factory in FACE_DETECTORS.items()]
    rows = [(one["name"], one["state"], one["options"], one["description"]) for one in found]
    lines = [columns(rows, head=("detector", "here", "options", "what it is"))]
    lacking = [one["name"] for one in found if one["state"] == "no weights"]
    if lacking:
        lines.append(f"weights are brought by `affectcheck faces fetch {lacking[0]}` and so on, or stated as NAME:FILE")
    lines += [f"{one['name']}: {one['why'].splitlines()[0]}" for one in found if one["state"].startswith("not ")]
    emit(found, "\n".join(lines), as_json=json)


def _described(name: str, factory: Any) -> dict[str, Any]:
    """What a detector is, and whether it can be used as things are."""
    import inspect  # noqa: PLC0415

    from affectcheck.errors import AffectcheckError, ExtraMissingError, MissingPathError  # noqa: PLC0415
    from affectcheck.media.faces import face_detector  # noqa: PLC0415

    options = {
        option: parameter.default
        for option, parameter in inspect.signature(factory).parameters.items()
        if option != "source"
    }
    try:
        face_detector(name)
        state, why = "ready", ""
    except ExtraMissingError as error:
        state, why = "not installed", str(error)
    except MissingPathError as error:
        state, why = "no weights", str(error)
    except AffectcheckError as error:
        state, why = "not usable", str(error)
    first = (inspect.getdoc(factory) or "").partition("\n\n")[0].replace("\n", " ").replace("``", "")
    shown = "&".join(f"{option}={default}" for option, default in options.items())
    return {"name": name, "state": state, "why": why, "options": shown, "description": first}
