"""A submission: which files of an upload are its predictions, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.affwild2 import frames_of
from affectcheck.annotations.listing import name_list, plural
from affectcheck.challenges.archive import read_upload
from affectcheck.challenges.fault_codes import coded
from affectcheck.challenges.header import folded_name
from affectcheck.challenges.limits import Limits
from affectcheck.challenges.lines import Source, plain_lines
from affectcheck.challenges.member_names import shown
from affectcheck.challenges.sheet import Sheet, joined
from affectcheck.challenges.tables import PARQUET, read_sheet
from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError
from affectcheck.schemes import CategoryScheme, Target, fold

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.challenges.archive import Member
    from affectcheck.challenges.track import Track

_TABLES: Final = (".csv", ".txt", ".tsv", ".parquet")
_SHOWN: Final = 5


@dataclass(frozen=True, eq=False)
class Submission:
    """What was sent.

    Attributes:
        sheet: the predictions.
        files: names of the files that they are in.
        digest: of keys and values, whatever the format and the order of the files.
    """

    sheet: Sheet
    files: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Digest of what is predicted, whatever file it came in; equal for equal predictions in the same order."""
        values = np.ascontiguousarray(self.sheet.values)
        return digest_bytes("\n".join(self.sheet.keys.to_list()), str(values.dtype), values.tobytes())


def read_submission(path: Path, track: Track, *, limits: Limits | None = None, name: str = "") -> Submission:
    """Read predictions from a table, or a zip or tar with one table or with a text file a video.

    Args:
        path: the upload.
        track: what it is to hold.
        limits: what it may cost.
        name: what the file was called by whoever sent it.

    Raises:
        MissingPathError: there is no such file.
        InputError: no file of predictions or several, or a file that does not hold what the track asks for.
    """
    limits = limits or Limits()
    members = read_upload(path, limits=limits, name=name)
    tables = [member for member in members if PurePosixPath(member.name).suffix.lower() in _TABLES]
    if not tables:
        raise InputError(
            f"no table among {plural(len(members), 'file')}: {_listed(members)}",
            where=name or path.name,
            expected=f"a file {' or '.join(_TABLES)}",
            cause="a file without the ending of its kind" if len(members) == 1 else "",
            code="E_NO_TABLE",
        )
    if track.file.by_video and _are_videos(tables, track):
        return _by_video(tables, track, limits)
    chosen = _chosen(tables, track, name or path.name)
    sheet = read_sheet(chosen.content, track, where=chosen.name, limits=limits)
    return Submission(sheet, (chosen.name,))


def _chosen(tables: Sequence[Member], track: Track, where: str) -> Member:
    """The one table; of several the one that is called as the track says."""
    if track.file.names:
        named = [member for member in tables if PurePosixPath(member.name).name in track.file.names]
        if not named:
            raise InputError(
                f"no file of that name: {_listed(tables)}",
                where=where,
                expected=" or ".join(track.file.names),
                code="E_WRONG_NAME",
            )
        tables = named
    if len(tables) > 1:
        raise InputError(
            f"{len(tables)} files that may be the predictions: {_listed(tables)}",
            where=where,
            expected="one file of predictions",
            cause="several sets of predictions in one archive; send one at a time",
            code="E_SEVERAL_TABLES",
        )
    return tables[0]


def _listed(members: Sequence[Member]) -> str:
    more = f" and {len(members) - _SHOWN} more" if len(members) > _SHOWN else ""
    return ", ".join(shown(member.name) for member in members[:_SHOWN]) + more


def _are_videos(tables: Sequence[Member], track: Track) -> bool:
    """Whether tables are the files of videos: several of which none has keys, or one that names what is predicted."""
    headers = [_header(member) for member in tables]
    if any(names is None or folded_name(track.file.item) in names for names in headers):
        return False
    return len(tables) > 1 or not (headers[0] or set()).isdisjoint(map(folded_name, track.columns))


def _header(member: Member) -> set[str] | None:
    """What the columns of a text are called; None of a Parquet file, which is no file of a video."""
    if member.content.startswith(PARQUET):
        return None
    head = member.content[:4096].splitlines()[:1]
    cells = head[0].decode("utf-8-sig", "replace").replace(";", ",").replace("\t", ",").split(",") if head else []
    return {folded_name(cell) for cell in cells}


def _by_video(members: Sequence[Member], track: Track, limits: Limits) -> Submission:
    """A text file a video, as annotations are."""
    stems = [PurePosixPath(member.name).stem for member in members]
    twice = sorted({stem for stem in stems if stems.count(stem) > 1})
    if twice:
        raise InputError(
            f"two files of one video: {name_list(twice, shown=_SHOWN)}",
            where=members[0].name,
            expected="one file a video",
            code="E_REPEATED_VIDEO",
        )
    sheets = [_video(member, stem, track, limits) for member, stem in zip(members, stems, strict=True)]
    return Submission(joined(sheets, f"{plural(len(members), 'file')}"), tuple(member.name for member in members))


def _video(member: Member, video: str, track: Track, limits: Limits) -> Sheet:
    text = plain_lines(member.content, member.name, limits).decode()
    target = Target("label", track.declared)
    with coded("E_WRONG_COLUMNS"):  # a class that the header names and the scheme has not
        frame = frames_of(text, video, target, where=member.name)
        _require_no_more(text, target, member.name)
    empty = frame.select(pl.any_horizontal(pl.col(target.columns).is_null())).to_series().arg_true()
    if len(empty):
        raise InputError(
            f"{plural(len(empty), 'frame')} without a prediction",
            where=f"{member.name}:{empty[0] + 2}",
            expected="a prediction for every frame",
            cause=f"the marker {track.labels.marker:g} of annotations" if track.labels.marker is not None else "",
            code="E_EMPTY_CELL",
        )
    if isinstance(target.scheme, CategoryScheme):
        codes = {label: code for code, label in enumerate(target.scheme.labels)}
        values = frame["label"].replace_strict(codes, return_dtype=pl.Int16).to_numpy()
    else:
        kind = pl.Float64 if track.kind == "dimensions" else pl.Int8
        values = np.ascontiguousarray(frame.select(pl.col(target.columns).cast(kind)).to_numpy())
    first = track.labels.first_frame - 1
    keys = frame["item"] if not first else _numbered(frame, video, first)
    return Sheet(keys, values, Source(member.name))


def _require_no_more(text: str, target: Target, where: str) -> None:
    """A video's file has no other column, such as numbers of frames, which might not be those of its lines."""
    if isinstance(target.scheme, CategoryScheme):
        return  # whose header names classes, all of which are known
    names = [name.strip() for name in text.partition("\n")[0].split(",")]
    known = {fold(part) for part in target.columns}
    others = [shown(name) for name in names if fold(name) not in known]
    if len(names) > len(known):
        raise InputError(
            f"a header with unknown columns {', '.join(others[:_SHOWN])}" if others else "a header with a column twice",
            where=f"{where}:1",
            expected=",".join(target.columns),
            cause="numbers of frames, which are those of the lines" if others else "",
            code="E_WRONG_COLUMNS",
        )


def _numbered(frame: pl.DataFrame, video: str, first: int) -> pl.Series:
    """Keys of frames that are not counted from 1."""
    number = (pl.col("frame") + first).cast(pl.String).str.zfill(5)
    return frame.select(pl.format("{}/{}.jpg", pl.lit(video), number)).to_series()
