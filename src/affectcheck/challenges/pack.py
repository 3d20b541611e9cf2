"""The participants' pack of a track: a zip, the same bytes for the same input, or a folder, in which no test label is.

Of the test nothing but keys is ever held, whatever its file says: labels that are there are not read, or dropped before
anything is made of them.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from affectcheck.annotations.encoding import decode
from affectcheck.annotations.text import read_bytes
from affectcheck.annotations.toml_text import toml_text
from affectcheck.challenges.pack_files import Files, crops_of, features_of, require_safe
from affectcheck.challenges.pack_parts import Part, labelled_part, require_apart, unlabelled_part
from affectcheck.challenges.pack_readme import readme_text
from affectcheck.challenges.pack_writing import SUMS, write_folder, write_zip
from affectcheck.challenges.track import plain
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from affectcheck.challenges.track import Track


@dataclass(frozen=True)
class PackSources:
    """What a pack is made from.

    Attributes:
        test: a list of items, or labels, of which none gets out.
        train, validation: labels, as ``read_labels`` takes them; None where a track gives none, as that of compound
            expressions.
        crops: folder of pictures called as the items, or the address where they are.
        features: folders of feature files.
        rules: text of the organiser's own.
    """

    test: Path
    train: Path | None = None
    validation: Path | None = None
    crops: Path | str | None = None
    features: tuple[Path, ...] = ()
    rules: Path | None = None


@dataclass(frozen=True)
class PackOptions:
    """How a pack is made.

    Attributes:
        licence: terms, a line.
        columns: further columns of the labels that are given out, such as ``subject``; none by default.
        allow_shared_subjects: whether a person may be in two parts.
        progress: called with files done and files in all.
    """

    licence: str = ""
    columns: tuple[str, ...] = ()
    allow_shared_subjects: bool = False
    progress: Callable[[int, int], None] | None = None


@dataclass(frozen=True)
class Packed:
    """What was written.

    Attributes:
        items: part to the number of its items.
        files: how many files the pack holds.
        digest: SHA-256 of the zip; of a folder, of its list of checksums.
        notes: what was done or could not be checked.
    """

    items: dict[str, int]
    files: int
    digest: str
    notes: tuple[str, ...]


def pack(output: Path, track: Track, sources: PackSources, options: PackOptions | None = None) -> Packed:
    """Write the participants' pack.

    Args:
        output: the zip, which is whole or not there, and replaced if it is; or, without an ending, a new folder, whose
            crops and features are hard links where the file system has them.
        track: what is predicted.
        sources: labels, list, pictures and features.
        options: terms, further columns, and what is let pass.

    Raises:
        MissingPathError: a file or folder is not there.
        InputError: a file that does not hold what the track asks for; an item, recording or person in two parts; crops
            of nothing; a table of labels among features.
        WriteError: the disk is full or not writable.
    """
    options = options or PackOptions()
    if output.suffix.lower() not in (".zip", ""):
        raise InputError(f"cannot write a pack to {output}", expected="a file that ends in .zip, or a new folder")
    parts = _parts(track, sources, options)
    notes = require_apart(parts, track, allow_shared_subjects=options.allow_shared_subjects)
    crops, features = _crops(sources, parts, track), features_of(sources.features, track)
    notes = (*notes, *crops.notes, *features.notes)
    told = {
        "licence": options.licence,
        "rules": "" if sources.rules is None else _text(sources.rules),
        "crops": sources.crops if isinstance(sources.crops, str) else "`crops/`" if crops.sources else "",
        "features": "`features/`" if features.sources else "",
    }
    made = dict(_made(track, parts)) | {"README.md": readme_text(track, parts, told, notes).encode()}
    copied = crops.sources | features.sources
    require_safe([f"{track.name}/{name}" for name in sorted({*made, *copied, SUMS})], str(output))
    if output.suffix.lower() == ".zip":
        digest = write_zip(output, track.name, made, copied, options.progress)
    else:
        digest = write_folder(output, made, copied, options.progress)
    return Packed({part.name: len(part.items) for part in parts}, len(made) + len(copied) + 1, digest, notes)


def _parts(track: Track, sources: PackSources, options: PackOptions) -> tuple[Part, ...]:
    labelled = {"train": sources.train, "validation": sources.validation}
    told = [
        labelled_part(path, track, name, columns=options.columns) for name, path in labelled.items() if path is not None
    ]
    return (*told, unlabelled_part(sources.test, track))


def _crops(sources: PackSources, parts: tuple[Part, ...], track: Track) -> Files:
    if sources.crops is None or isinstance(sources.crops, str):
        return Files({})
    return crops_of(sources.crops, pl.concat([part.items for part in parts]), track)


def _text(path: Path) -> str:
    if not path.is_file():
        raise MissingPathError.of("rules", path, expected="a text file")
    return decode(read_bytes(path), str(path))


def _made(track: Track, parts: tuple[Part, ...]) -> Iterator[tuple[str, bytes]]:
    """Files that are written here, without the README."""
    for part in parts:
        yield f"{part.name}.csv", part.table.write_csv().encode()
        stored = io.BytesIO()
        part.table.write_parquet(stored)
        yield f"{part.name}.parquet", stored.getvalue()
    empty = parts[-1].table.with_columns(pl.lit(None, pl.String).alias(name) for name in track.columns)
    yield "template.csv", empty.write_csv().encode()
    yield f"{track.name}.toml", toml_text(_without_nothing(plain(track))).encode()


def _without_nothing(values: Any) -> Any:
    """Plain values without those that are None, which TOML does not have."""
    if isinstance(values, dict):
        return {key: _without_nothing(value) for key, value in values.items() if value is not None}
    return [_without_nothing(value) for value in values] if isinstance(values, list) else values
