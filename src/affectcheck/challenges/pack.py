"""The participants' pack of a track: one zip, the same bytes for the same input, in which no test label is.

Of the test nothing but keys is ever held, whatever its file says: labels that are there are not read, or dropped before
anything is made of them.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.annotations.encoding import decode
from affectcheck.annotations.text import read_bytes
from affectcheck.annotations.toml_text import toml_text
from affectcheck.atomic import whole_file
from affectcheck.challenges.pack_files import Files, crops_of, features_of, require_safe
from affectcheck.challenges.pack_parts import Part, labelled_part, require_apart, unlabelled_part
from affectcheck.challenges.pack_readme import readme_text
from affectcheck.challenges.track import plain
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from affectcheck.challenges.track import Track

_CHUNK: Final = 1 << 20
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip knows
_STALE: Final = re.compile(r"\.(\d+)\.partial\.zip$")


@dataclass(frozen=True)
class PackSources:
    """What a pack is made from.

    Attributes:
        train, validation: labels, as ``read_labels`` takes them.
        test: a list of items, or labels, of which none gets out.
        crops: folder of pictures called as the items, or the address where they are.
        features: folders of feature files.
        rules: text of the organiser's own.
    """

    train: Path
    validation: Path
    test: Path
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
        digest: SHA-256 of the zip.
        notes: what was done or could not be checked.
    """

    items: dict[str, int]
    files: int
    digest: str
    notes: tuple[str, ...]


def pack(output: Path, track: Track, sources: PackSources, options: PackOptions | None = None) -> Packed:
    """Write the participants' pack.

    Args:
        output: the zip, which is whole or not there, and replaced if it is.
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
    if output.suffix.lower() != ".zip":
        raise InputError(f"cannot write a pack to {output}", expected="a file that ends in .zip")
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
    require_safe([f"{track.name}/{name}" for name in sorted({*made, *copied, "SHA256SUMS"})], str(output))
    _sweep(output)
    with whole_file(output) as partial:
        _write(partial, track.name, made, copied, options.progress)
        digest = _sha256(partial)
    return Packed({part.name: len(part.items) for part in parts}, len(made) + len(copied) + 1, digest, notes)


def _parts(track: Track, sources: PackSources, options: PackOptions) -> tuple[Part, Part, Part]:
    train, validation = (
        labelled_part(path, track, name, columns=options.columns)
        for name, path in (("train", sources.train), ("validation", sources.validation))
    )
    return train, validation, unlabelled_part(sources.test, track)


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


def _write(
    path: Path,
    folder: str,
    made: Mapping[str, bytes],
    copied: Mapping[str, Path],
    progress: Callable[[int, int], None] | None,
) -> None:
    sums: list[str] = []
    names = sorted({*made, *copied})
    with zipfile.ZipFile(path, "w") as archive:
        for done, name in enumerate(names, 1):
            if name in made:
                _put(archive, f"{folder}/{name}", made[name])
                digest = hashlib.sha256(made[name]).hexdigest()
            else:
                digest = _copy(archive, f"{folder}/{name}", copied[name])
            sums.append(f"{digest}  {name}\n")
            if progress is not None:
                progress(done, len(names))
        _put(archive, f"{folder}/SHA256SUMS", "".join(sums).encode())


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    kind = zipfile.ZIP_STORED if name.endswith(".parquet") else zipfile.ZIP_DEFLATED
    archive.writestr(_entry(name), content, compress_type=kind)


def _copy(archive: zipfile.ZipFile, name: str, source: Path) -> str:
    """Copy a file as it is; pictures and arrays do not pack. Its digest."""
    entry, digest = _entry(name), hashlib.sha256()
    entry.file_size = source.stat().st_size
    with source.open("rb") as file, archive.open(entry, "w") as member:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            member.write(chunk)
    return digest.hexdigest()


def _entry(name: str) -> zipfile.ZipInfo:
    """A member without anything of the machine or the moment it was made."""
    entry = zipfile.ZipInfo(name, _MOMENT)
    entry.create_system, entry.external_attr = 3, 0o644 << 16
    return entry


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sweep(output: Path) -> None:
    """Delete what a process that was killed left of this pack; one that runs keeps its own."""
    for path in output.parent.glob(f".{output.stem}.*.partial.zip"):
        found = _STALE.search(path.name)
        if found and Path("/proc/self").exists() and not Path("/proc", found[1]).exists():
            with suppress(OSError):
                path.unlink()
