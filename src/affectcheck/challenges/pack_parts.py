"""The three parts of a participants' pack: what is in each, and that nobody and nothing is in two of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.annotations.text import read_csv
from affectcheck.challenges.frame_keys import split_frames
from affectcheck.challenges.labels import TARGET, read_labels
from affectcheck.challenges.number_keys import numbers_of
from affectcheck.challenges.wanted import read_wanted
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.predictions import read_frame
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable
    from affectcheck.challenges.track import Track

_SHOWN: Final = 5


@dataclass(frozen=True, eq=False)
class Part:
    """What a part of the data holds.

    Attributes:
        name: train, validation or test.
        items: (n,) String, each once.
        table: items with their labels in the columns of a submission, an empty cell where there is none; of the test the
            keys alone.
        subjects: (n,) who is seen; None where nobody says.
        recordings: (n,) which file an item is of; None where nobody says.
        labelled: items with a label; None of the test.
        counts: labels of each class or unit, or means of dimensions; empty of the test.
    """

    name: str
    items: pl.Series
    table: pl.DataFrame
    subjects: pl.Series | None
    recordings: pl.Series | None
    labelled: int | None = None
    counts: tuple[tuple[str, str], ...] = ()


def labelled_part(path: Path, track: Track, name: str, *, columns: Sequence[str] = ()) -> Part:
    """A part that is given out with its labels.

    Args:
        path: labels as ``read_labels`` takes them.
        track: what is annotated.
        name: of the part.
        columns: further columns of the labels that are given out.

    Raises:
        MissingPathError: there are none.
        InputError: a file that does not hold what the track asks for.
        UnknownNameError: a further column that it does not have.
    """
    labels = read_labels(path, track)
    frame = labels.frame
    for column in columns:
        if column not in frame.columns or column in ("item", *labels.targets[TARGET].columns):
            known = [one for one in frame.columns if one not in ("item", *labels.targets[TARGET].columns)]
            raise UnknownNameError.of("column of the labels", column, known, where=str(path))
    told = submission_frame(labels, track).with_columns(frame.select(columns))
    known_rows = frame.select(pl.any_horizontal(pl.col(labels.targets[TARGET].columns).is_not_null())).to_series()
    subjects = frame.get_column("subject") if "subject" in frame.columns else None
    recordings = frame.get_column("media") if "media" in frame.columns else None
    return Part(name, labels.items, told, subjects, recordings, int(known_rows.sum()), _counts(labels, track))


def unlabelled_part(path: Path, track: Track) -> Part:
    """The part that is to be predicted: keys alone, whatever else its file holds.

    Args:
        path: a list of items, or labels, of which no label is read.
        track: whose items they are.

    Raises:
        MissingPathError: there is no such file.
        InputError: no column of keys, or an item twice.
    """
    if path.is_dir() or (path.suffix.lower() == ".txt" and track.file.by_video and not _has_keys(path, track)):
        items, subjects = read_labels(path, track).items, None
    else:
        items, subjects = read_wanted(path, track).items, _subjects(path)
    recordings = None
    if track.file.unit == "frame":
        videos = split_frames(items, first=track.labels.first_frame, where=str(path)).get_column("video")
        recordings = videos.str.replace("_(left|right)$", "")
    return Part("test", items, items.alias(track.file.item).to_frame(), subjects, recordings)


def _has_keys(path: Path, track: Track) -> bool:
    """Whether a text file is a list of items, not the annotation of one video."""
    if not path.is_file():
        raise MissingPathError.of("list of items", path, expected="a list of what is to be predicted, or labels")
    with path.open("rb") as file:
        head = file.readline(65_536).decode("utf-8-sig", "replace")
    return fold(track.file.item) in {fold(cell.strip().strip('"')) for cell in head.split(",")}


def _subjects(path: Path) -> pl.Series | None:
    """The column of subjects, where a list has one that fits its keys."""
    text = path.suffix.lower() in (".txt", ".lst")
    frame = read_csv(path) if text else read_frame(path, kind="list of items")
    return frame.get_column("subject").cast(pl.String) if "subject" in frame.columns else None


def submission_frame(labels: AnnotationTable, track: Track) -> pl.DataFrame:
    """Labels as a submission writes them: the key, then a column each; empty where an item is not annotated."""
    items, frame = labels.items.alias(track.file.item), labels.frame
    if track.kind != "categories":
        told = [frame.get_column(part).alias(name) for part, name in zip(track.parts, track.columns, strict=True)]
        return pl.DataFrame([items, *told])
    classes = frame.get_column(TARGET).cast(pl.String)
    if track.file.coding == "label":
        return pl.DataFrame([items, classes.alias(track.columns[0])])
    marks = [(classes == part).cast(pl.Int8).alias(name) for part, name in zip(track.parts, track.columns, strict=True)]
    return pl.DataFrame([items, *marks])


def _counts(labels: AnnotationTable, track: Track) -> tuple[tuple[str, str], ...]:
    """How often each class or unit is there, or what each dimension is on the mean."""
    frame = labels.frame
    if track.kind == "categories":
        classes = frame.get_column(TARGET).cast(pl.String)
        return tuple((part, f"{int((classes == part).sum())}") for part in track.parts)
    columns = [frame.get_column(part) for part in track.parts]
    if track.kind == "units":
        return tuple((one.name, f"{int(one.sum())} of {len(one) - one.null_count()}") for one in columns)
    return tuple((one.name, _mean(one)) for one in columns)


def _mean(values: pl.Series) -> str:
    known = values.drop_nulls().to_numpy()
    return f"mean {known.mean():.3f}" if len(known) else "none"


def require_apart(parts: Sequence[Part], track: Track, *, allow_shared_subjects: bool) -> tuple[str, ...]:
    """No item, recording or subject is in two parts.

    Args:
        parts: the parts.
        track: whose keys they are.
        allow_shared_subjects: whether subjects may be.

    Returns:
        Notes: what could not be looked at, and subjects that were let pass.

    Raises:
        InputError: something is, with its name.
    """
    notes: list[str] = []
    for one, other in combinations(parts, 2):
        _require_apart(one, other, track)
        shared = _shared(one.subjects, other.subjects)
        if shared and not allow_shared_subjects:
            raise InputError(
                f"{plural(len(shared), 'subject')} both in {one.name} and in {other.name}: {name_list(shared, shown=_SHOWN)}",
                expected="each person in one part, or --allow-shared-subjects",
                cause="a partition by item or recording, not by person; scores would be of people that models know",
            )
        if shared:
            notes.append(f"{plural(len(shared), 'subject')} both in {one.name} and in {other.name}, as was allowed")
    unknown = [part.name for part in parts if part.subjects is None]
    if unknown:
        notes.append(
            f"who is seen is not known in {', '.join(unknown)}: whether anybody is in two parts was not checked"
        )
    return tuple(notes)


def _require_apart(one: Part, other: Part, track: Track) -> None:
    keys = [numbers_of(part.items) if track.file.numbers else part.items for part in (one, other)]
    for noun, shared in (("item", _shared(*keys)), ("recording", _shared(one.recordings, other.recordings))):
        if shared:
            raise InputError(
                f"{plural(len(shared), noun)} both in {one.name} and in {other.name}: {name_list(shared, shown=_SHOWN)}",
                expected=f"each {noun} in one part",
                cause="one file given for two parts" if noun == "item" else "frames of one recording dealt out",
            )


def _shared(one: pl.Series | None, other: pl.Series | None) -> list[str]:
    if one is None or other is None:
        return []
    known = one.drop_nulls().unique()
    found: list[str] = known.filter(known.is_in(other.drop_nulls().unique().implode())).sort().to_list()
    return found
