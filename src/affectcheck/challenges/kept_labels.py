"""Labels as a server keeps them: read once in whatever form they came, then one Parquet file that is cheap to score from.

The columns are small (a byte a unit or class), and what scores need to know of the whole (its digests, how many items are
labelled, which groups there are) stands in the file's metadata, so that ``load_kept`` reads no row.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, Literal

import polars as pl

from affectcheck.atomic import whole_file
from affectcheck.challenges.labels import read_labels
from affectcheck.challenges.wanted import Wanted
from affectcheck.digest import digest_bytes, digest_table
from affectcheck.errors import InputError, MissingPathError
from affectcheck.evaluation.data_digest import DataDigest
from affectcheck.evaluation.options import CROSS
from affectcheck.schemes import CategoryScheme

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable
    from affectcheck.challenges.track import Track

#: Key of the file's metadata.
HEADER: Final = "affectcheck-labels"
SUM: Final = "affectcheck-labels-digest"
FORMAT: Final = 2
#: Rows that are read at a time.
BLOCK: Final = 1 << 17
#: Label columns are kept under this and the name of the class, unit or dimension, so that no group has their name.
PREFIX: Final = "label:"
#: What polars raises of a damaged file; some damage makes it panic, which is no Exception of Python's.
_UNREADABLE: Final = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
#: Who is seen, and which recording it is: what is resampled as a whole.
SUBJECT, MEDIA = "subject", "media"


@dataclass(frozen=True, eq=False)
class KeptLabels:
    """Labels that were kept; the rows stay in the file.

    Attributes:
        path: the file.
        digest: of items, labels, subjects, recordings and groups, whatever their order and the form they came in: equal
            for equal labels.
        height: items.
        labelled: items with at least one label; the others are not scored.
        groups: names of the group columns.
        notes: what the reader of a score must know of the labels.
        parts: classes, units or dimensions.
        unit: what is resampled as a whole where it is known: ``subject``, if a labelled item has one, or ``media``.
        data: name and digest of the data, as signatures tell them.
        members: attribute (a group column, or several, sorted and joined by ``*``) to the digest of who is in which of its
            groups, as signatures tell it.
        sums: column to the digest of its values, by which a column that is read as a whole is known to be undamaged; keys
            have none, since those of a submission have to be the same.
    """

    path: Path
    digest: str
    height: int
    labelled: int
    groups: tuple[str, ...]
    notes: tuple[str, ...]
    parts: tuple[str, ...]
    unit: Literal["subject", "media"]
    data: str
    members: Mapping[str, str] = field(default_factory=dict)
    sums: Mapping[str, str] = field(default_factory=dict)

    @property
    def unlabelled(self) -> int:
        """Items without any label."""
        return self.height - self.labelled

    def rows(self, *columns: str, start: int = 0, number: int | None = None) -> pl.DataFrame:
        """Some columns of some rows, in the order of the items.

        Raises:
            InputError: the file is damaged.
        """
        try:
            found = pl.scan_parquet(self.path, glob=False).select(columns).slice(start, number).collect()
        except _UNREADABLE as error:
            raise _damaged(self.path, error) from error
        if start == 0 and number is None:
            for name in self.sums.keys() & set(columns):
                if _sum(found.get_column(name)) != self.sums[name]:
                    raise _damaged(self.path, f"column {name!r} is not as it was kept")
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """Columns of the file.

        Raises:
            InputError: the file is damaged.
        """
        try:
            return tuple(pl.read_parquet_schema(self.path))
        except _UNREADABLE as error:
            raise _damaged(self.path, error) from error


def keep_labels(source: Path, track: Track, destination: Path) -> KeptLabels:
    """Read labels of any form once, and keep them in one Parquet file.

    Items stay in the order of the table. Kept are keys, labels, ``subject``, ``media`` (the recording) and the groups; other
    columns are not.

    Args:
        source: whatever ``read_labels`` takes.
        track: what is annotated.
        destination: the file, which is whole or not there.

    Returns:
        What was kept.

    Raises:
        MissingPathError: there are no labels.
        InputError: they do not hold what the track asks for, or no item has a label.
        WriteError: the file cannot be written.
    """
    table = read_labels(source, track)
    frame = _compact(table)
    parts = track.parts
    columns = [name for name in frame.columns if name.startswith(PREFIX)]
    labelled = frame.filter(~pl.all_horizontal(pl.col(columns).is_null()))
    if not labelled.height:
        raise InputError(
            "no item has a label",
            where=str(source),
            expected="labels of at least one item",
            cause="the marker of what is not annotated in every row",
        )
    groups = tuple(name for name in table.groups if name in frame.columns)
    signed = DataDigest.of(table, table.target(), crossings(groups))
    header: dict[str, Any] = {
        "format": FORMAT,
        "kind": track.kind,
        "parts": parts,
        "first": _first(track),
        "digest": _digest(frame, track),
        "height": frame.height,
        "labelled": labelled.height,
        "groups": groups,
        "notes": table.notes,
        "unit": SUBJECT if _named(labelled, SUBJECT) else MEDIA,
        "data": signed.data,
        "members": dict(signed.members),
        "sums": {name: _sum(frame.get_column(name)) for name in frame.columns if name != "item"},
    }
    text = json.dumps(header)
    told = {HEADER: text, SUM: digest_bytes(text)}
    with whole_file(destination) as partial:
        frame.write_parquet(partial, compression="zstd", row_group_size=BLOCK, metadata=told)
    return load_kept(destination, track)


def load_kept(path: Path, track: Track) -> KeptLabels:
    """What is known of kept labels; no row is read.

    Args:
        path: a file of ``keep_labels``.
        track: the same as they were kept for, as far as its classes, units or dimensions go.

    Raises:
        MissingPathError: there is no such file.
        InputError: it is another file, a damaged one, of a newer version, or of another track.
    """
    if not path.is_file():
        raise MissingPathError.of("kept labels", path, expected="a file that was kept by keep_labels")
    header = _header(path)
    if header.get("format") != FORMAT:
        raise InputError(
            "no labels as this version keeps them",
            where=str(path),
            expected="a file that was kept by keep_labels",
            cause=f"another version wrote format {header['format']}" if header else "another Parquet file",
        )
    if (header["kind"], tuple(header["parts"]), header["first"]) != (track.kind, track.parts, _first(track)):
        raise InputError(
            f"labels of {header['kind']}: {', '.join(header['parts'])}",
            where=str(path),
            expected=f"{track.kind}: {', '.join(track.parts)}, as track {track.name!r} has them",
            cause="the labels of another track, or a track that was changed",
        )
    known = {name: header[name] for name in ("digest", "height", "labelled", "unit", "data", "members", "sums")}
    for name in ("groups", "notes", "parts"):
        known[name] = tuple(header[name])
    return KeptLabels(path, **known)


def _header(path: Path) -> dict[str, Any]:
    """What the file's metadata say; nothing of another Parquet file."""
    try:
        told = pl.read_parquet_metadata(path)
    except _UNREADABLE as error:
        raise _damaged(path, error) from error
    text = told.get(HEADER, "{}")
    try:
        found: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise _damaged(path, error) from error
    if found.get("format") == FORMAT and told.get(SUM) != digest_bytes(text):
        raise _damaged(path, "its metadata are not as they were kept")
    return found


def wanted_of_kept(kept: KeptLabels, track: Track) -> Wanted:
    """All items of kept labels, whether they have a label or not: what a submission is checked against.

    Raises:
        InputError: the file is damaged.
    """
    return Wanted(kept.rows("item").to_series(), _first(track), str(kept.path), track.file.item)


def crossings(groups: Sequence[str]) -> tuple[str, ...]:
    """Every attribute that group columns make, alone and crossed.

    Example:
        >>> crossings(["sex", "age"])
        ('age', 'sex', 'age*sex')
    """
    names = sorted(groups)
    return tuple(CROSS.join(some) for size in range(1, len(names) + 1) for some in combinations(names, size))


def _first(track: Track) -> int | None:
    """Number of a video's first frame; None where items are no frames."""
    return track.labels.first_frame if track.file.unit == "frame" else None


def _compact(table: AnnotationTable) -> pl.DataFrame:
    """The columns that scores need, in the smallest types that hold their values."""
    target, frame = table.target(), table.frame
    labels = [_small(frame.get_column(name)).alias(f"{PREFIX}{name}") for name in target.columns]
    if isinstance(target.scheme, CategoryScheme):
        codes = frame.get_column(target.name).to_physical()
        labels = [
            codes.cast(pl.UInt8 if len(target.scheme.labels) <= 1 << 8 else pl.UInt16).alias(f"{PREFIX}{target.name}")
        ]
    named = (SUBJECT, MEDIA, *table.groups)
    others = [frame.get_column(name) for name in named if _named(frame, name)]
    return pl.DataFrame([frame.get_column("item"), *labels, *others])


def _named(frame: pl.DataFrame, column: str) -> bool:
    """Whether a table has the column, and a value in it."""
    return column in frame.columns and frame.get_column(column).null_count() < frame.height


def _small(column: pl.Series) -> pl.Series:
    """Real values in half the bytes where none of them loses a digit."""
    if not column.dtype.is_float():
        return column
    half = column.cast(pl.Float32)
    return half if (half.cast(pl.Float64) == column).all() else column


def _digest(frame: pl.DataFrame, track: Track) -> str:
    """Digest of the content in the order of the keys."""
    return digest_bytes(track.kind, "\n".join(track.parts), digest_table(frame))


def _sum(column: pl.Series) -> str:
    return digest_table(column.to_frame())


def _damaged(path: Path, error: BaseException | str) -> InputError:
    return InputError(
        f"labels that cannot be read: {error}", where=str(path), expected="a Parquet file", cause="a damaged file"
    )
