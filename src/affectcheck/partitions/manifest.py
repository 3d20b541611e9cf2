"""Partitions on disk: ``partition.csv`` and ``manifest.json`` in one folder, the same bytes for the same partition.

``partition.csv`` has the columns ``item`` and ``part``; where a part of an earlier partition was kept, a third one,
``kept``, says ``yes`` for its items. Items that are left out are not in it: the manifest counts them by reason.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.annotations.text import read_csv
from affectcheck.atomic import write_sealed
from affectcheck.digest import digest_bytes, digest_table
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.partitions.manifest_values import FORMAT, VERSION, checksum, decode, encode
from affectcheck.partitions.preparing import Prepared
from affectcheck.records.codec import parse_strict_json, strict_json

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.partitions.partition import Partition

ITEMS_FILE: Final = "partition.csv"
MANIFEST_FILE: Final = "manifest.json"


def partition_digest(partition: Partition) -> str:
    """Digest of which item is where, how it was asked for, and of which data; without versions and times."""
    return _digest(partition, asdict(partition.options), VERSION)


def _digest(partition: Partition, options: dict[str, Any], version: int) -> str:
    parts = [digest_table(partition.frame), strict_json(options), partition.data, partition.data_digest]
    if version > 1:
        parts += [partition.left_out_digest, "" if partition.kept is None else partition.kept.digest]
    return digest_bytes(*parts)


def save_manifest(partition: Partition, folder: Path) -> Path:
    """Write a partition to a folder: both files or none, and never one of another partition.

    Returns:
        Path of the manifest.

    Raises:
        WriteError: the disk is full or not writable; what the folder held is still there.
    """
    frame = partition.frame
    if partition.kept is not None:
        kept = pl.col("item").is_in(partition.kept.frame.get_column("item").implode())
        frame = frame.with_columns(pl.when(kept).then(pl.lit("yes")).otherwise(pl.lit("")).alias("kept"))
    path = folder / MANIFEST_FILE
    text = strict_json(encode(partition, partition_digest(partition)), indent=1) + "\n"
    write_sealed(path, text.encode(), {folder / ITEMS_FILE: frame.write_csv(quote_style="necessary").encode()})
    return path


def require_same(partition: Partition | Prepared, folder: Path, *, overwrite: bool = False) -> None:
    """Raise if a folder holds another partition, of which somebody may still have scores.

    Args:
        partition: what is to be written; one that is not made yet is judged by its data and options.
        folder: where to.
        overwrite: whether another partition may be replaced.

    Raises:
        InputError: it does, and ``overwrite`` is not set.
    """
    if overwrite or not (folder / MANIFEST_FILE).is_file():
        return
    held = load_manifest(folder)
    if isinstance(partition, Prepared):
        same = held.options == partition.options and held.data_digest == partition.data_digest
    else:
        same = partition_digest(held) == partition_digest(partition)
    if not same:
        raise InputError(
            f"{folder} holds another partition, {held.options.protocol} of {held.data!r} with seed {held.options.seed}",
            expected="another folder, or --overwrite to replace the partition",
        )


def load_manifest(folder: Path) -> Partition:
    """Read a partition from its folder; one that an earlier version wrote too.

    Raises:
        MissingPathError: a file is not there.
        InputError: files of another format, or a list of items that was changed afterwards.
    """
    _require_files(folder)
    path = folder / MANIFEST_FILE
    data = parse_strict_json(path.read_text(encoding="utf-8"), where=str(path))
    _require_format(data, path)
    frame = read_csv(folder / ITEMS_FILE)
    for column in ("item", "part"):
        if column not in frame.columns:
            raise UnknownNameError.of("column", column, frame.columns, where=str(folder / ITEMS_FILE))
    try:
        found = decode(data, frame.sort("item"))
        digest = _digest(found, data["options"], data["version"])
    except (KeyError, TypeError, AttributeError, pl.exceptions.PolarsError) as error:
        raise InputError(
            f"not a whole manifest of a partition: {type(error).__name__} {error}",
            where=str(path),
            expected="a file as `affectcheck partition make` writes it",
            cause=f"{MANIFEST_FILE} was changed after it was written",
        ) from error
    if digest != data.get("digest") or (data["version"] > 1 and checksum(data) != data.get("checksum")):
        raise InputError(
            "the partition is not the one of its manifest",
            where=str(folder),
            expected=f"digest {data.get('digest')}",
            cause=f"{ITEMS_FILE} or {MANIFEST_FILE} was changed after it was written",
        )
    return found


def _require_files(folder: Path) -> None:
    names = (ITEMS_FILE, MANIFEST_FILE)
    missing = [name for name in names if not (folder / name).is_file()]
    if not missing:
        return
    kind = "file of the partition" if len(missing) == 1 else "partition"
    path = folder / missing[0] if len(missing) == 1 else folder
    held = [name for name in names if name not in missing]
    raise MissingPathError.of(
        kind,
        path,
        expected=f"a folder with {ITEMS_FILE} and {MANIFEST_FILE}",
        cause=f"the folder holds {held[0]} only: a writing that was interrupted; make the partition again"
        if held
        else "",
    )


def _require_format(data: Any, path: Path) -> None:
    version = data.get("version") if isinstance(data, dict) and data.get("format") == FORMAT else None
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        newer = isinstance(version, int) and version > VERSION
        raise InputError(
            f"a manifest of version {version}" if newer else "not a manifest of a partition",
            where=str(path),
            expected=f"{FORMAT}, version {VERSION} or lower",
            cause="written by a newer affectcheck" if newer else "",
        )
