"""``affectcheck challenge pack``: what participants of a track are given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affectcheck.cli.choices import names
from affectcheck.cli.output import Json, columns, emit, progress, say
from affectcheck.cli.output_file import OverwriteFile, require_new

if TYPE_CHECKING:
    from affectcheck.challenges.pack import Packed

_LABELS = "labels: a folder of annotation files, one a video, or a CSV or Parquet table."

Output = Annotated[Path, typer.Argument(help="The .zip to write, or, without an ending, a new folder of links.")]
Track = Annotated[str, typer.Option("--track", "-t", help="Track by name (see `challenge list`), or a .toml file.")]
Train = Annotated[Path | None, typer.Option("--train", help=f"Training {_LABELS}")]
Validation = Annotated[Path | None, typer.Option("--validation", help=f"Validation {_LABELS}")]
Test = Annotated[
    Path, typer.Option("--test", help="What is to be predicted: a list of items, or labels, of which none gets out.")
]
Crops = Annotated[
    str, typer.Option("--crops", help="Folder of pictures called as the items; or the https address where they are.")
]
Features = Annotated[
    list[Path] | None, typer.Option("--features", help="Folder of feature files, taken as they are; may be repeated.")
]
Rules = Annotated[Path | None, typer.Option("--rules", help="Text of your own for the README, such as rules.md.")]
Licence = Annotated[str, typer.Option("--licence", help="Terms of use, a line for the README.")]
Columns = Annotated[
    str, typer.Option("--columns", help="Further columns of the labels to give out, by commas, such as subject.")
]
Shared = Annotated[
    bool, typer.Option("--allow-shared-subjects", help="Let a person be in two parts; else that is an error.")
]


def pack(
    output: Output,
    track: Track,
    test: Test,
    train: Train = None,
    validation: Validation = None,
    crops: Crops = "",
    features: Features = None,
    rules: Rules = None,
    licence: Licence = "",
    column: Columns = "",
    allow_shared_subjects: Shared = False,
    overwrite: OverwriteFile = False,
    json: Json = False,
) -> None:
    """Write the participants' pack: labels of training and validation, the test list without any, and how to take part."""
    from affectcheck.challenges import load_track  # noqa: PLC0415
    from affectcheck.challenges.pack import PackOptions, PackSources  # noqa: PLC0415
    from affectcheck.challenges.pack import pack as write  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415

    if output.suffix:
        require_new(output, overwrite=overwrite)
    if "://" in crops and not crops.startswith("https://"):
        raise InputError(f"--crops {crops}", expected="a folder, or an address that begins with https://")
    linked: Path | str | None = crops if crops.startswith("https://") else Path(crops) if crops else None
    sources = PackSources(test, train, validation, linked, tuple(features or ()), rules)
    with progress("packing") as shown:
        options = PackOptions(licence, names(column), allow_shared_subjects, shown)
        packed = write(output, load_track(track), sources, options)
    for note in packed.notes:
        say(f"note: {note}")
    if not licence:
        say("note: no --licence: the README tells participants to ask you for the terms")
    emit(_plain(packed, output), _text(packed, output), as_json=json)


def _plain(packed: Packed, output: Path) -> dict[str, object]:
    return {
        "output": str(output),
        "bytes": _size(output),
        "sha256": packed.digest,
        "files": packed.files,
        "items": packed.items,
        "notes": list(packed.notes),
    }


def _text(packed: Packed, output: Path) -> str:
    rows: list[tuple[str, object]] = [
        (part, f"{count} item{'' if count == 1 else 's'}") for part, count in packed.items.items()
    ]
    rows += [("files", packed.files), ("bytes", _size(output)), ("sha256", packed.digest)]
    return f"{columns(rows)}\n\n{output}"


def _size(output: Path) -> int:
    return sum(path.stat().st_size for path in (output.rglob("*") if output.is_dir() else [output]) if path.is_file())
