"""The lists of MELD: who says what when, and where the recordings lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import read_csv
from affectcheck.datasets.corpus_files import refuse
from affectcheck.datasets.headerless import LINE, misfits
from affectcheck.datasets.leaving_out import Kept
from affectcheck.datasets.pictures import in_any_case
from affectcheck.errors import UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

#: Partition to its list.
LISTS: Final = {part: f"{part}_sent_emo.csv" for part in ("train", "dev", "test")}
#: Partition to the folder of its recordings.
FOLDERS: Final = {"train": "train_splits", "dev": "dev_splits_complete", "test": "output_repeated_splits_test"}
#: Where lists and folders lie in copies, relative to the base; the archives unpack into folders of their own.
PLACES: Final = ("", "data/MELD/", "train/", "dev/", "test/")
#: Sex of the characters who speak most; of the others the set says nothing.
SEX: Final = {
    **dict.fromkeys(("Monica", "Phoebe", "Rachel"), "female"),
    **dict.fromkeys(("Chandler", "Joey", "Ross"), "male"),
}
_NEEDED: Final = ("Speaker", "Emotion", "Sentiment", "Dialogue_ID", "Utterance_ID", "Season", "Episode", "StartTime", "EndTime")  # fmt: skip
_NUMBERS: Final = ("Dialogue_ID", "Utterance_ID", "Season", "Episode")
#: A few times have lost a leading zero of their milliseconds (00:06:47,28), which is read as what is written.
_TIME: Final = r"^\s*([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})[,.]([0-9]{1,3})\s*$"
#: Sound that can be decoded comes first.
_SUFFIXES: Final = (".wav", ".flac", ".mp4")


def utterances(base: Path) -> pl.DataFrame:
    """The utterances of every list that is here.

    Returns:
        ``item``, ``subject``, ``partition``, ``expression``, ``sentiment``, ``dialogue``, ``season``, ``episode``,
        ``length_s`` (by the times of the list, negative where they run backwards) and ``file``.

    Raises:
        UnknownNameError: a list lacks a column.
        InputError: times and numbers that do not fit; all of a list are told.
    """
    frames = []
    for part, name in LISTS.items():
        path = next((base / place / name for place in PLACES if (base / place / name).is_file()), None)
        if path is not None:
            frames.append(_list(path, part))
    return pl.concat(frames)


def _list(path: Path, part: str) -> pl.DataFrame:
    table = read_csv(path, controls=True)  # what is said has Windows' apostrophes as C1 controls in it
    missing = [column for column in _NEEDED if column not in table.columns]
    if missing:
        raise UnknownNameError(
            f"the list lacks {', '.join(missing)}",
            where=str(path),
            expected=f"a header with {', '.join(_NEEDED)}",
            cause="a list of another release of the set",
        )
    times = {name: _milliseconds(table.get_column(name)) for name in ("StartTime", "EndTime")}
    numbers = {name: table.get_column(name).str.strip_chars().cast(pl.Int64, strict=False) for name in _NUMBERS}
    file = pl.select(pl.format("dia{}_utt{}", numbers["Dialogue_ID"], numbers["Utterance_ID"]).alias("file"))
    shown = table.select("Utterance_ID", *(name for name in _NEEDED if name != "Utterance_ID"))
    shown = shown.with_row_index(LINE, 2)
    refuse(
        misfits(shown, {name: found.is_not_null() for name, found in (times | numbers).items()}),
        what="rows with times or numbers that do not fit",
        where=str(path),
        expected="whole numbers, and times such as 00:14:38,127",
        cause="a list that a spreadsheet has saved again",
    )
    return table.select(
        (pl.lit(f"{part}/") + file.get_column("file")).alias("item"),
        pl.col("Speaker").str.strip_chars().alias("subject"),
        pl.lit(part).alias("partition"),
        pl.col("Emotion").alias("expression"),
        pl.col("Sentiment").str.strip_chars().str.to_lowercase().alias("sentiment"),
        numbers["Dialogue_ID"].alias("dialogue"),
        numbers["Season"].alias("season"),
        numbers["Episode"].alias("episode"),
        ((times["EndTime"] - times["StartTime"]) / 1000).alias("length_s"),
        file.get_column("file"),
    )


def _milliseconds(times: pl.Series) -> pl.Series:
    """Whole milliseconds, so that 0.76 s is 0.76 s; null where there is no time."""
    pieces = pl.col(times.name).str.extract_groups(_TIME).struct
    hours, minutes, seconds, rest = (pieces.field(str(place)).cast(pl.Int64) for place in range(1, 5))
    return times.to_frame().select(((hours * 60 + minutes) * 60 + seconds) * 1000 + rest).to_series()


def put_recordings(frame: pl.DataFrame, base: Path) -> Kept:
    """The frame with the column ``media``; a recording in several forms is taken as sound rather than as video."""
    media = pl.Series("media", [None] * frame.height, dtype=pl.String)
    folder = pl.col("partition").replace_strict(FOLDERS)
    for place in PLACES:
        for suffix in _SUFFIXES:
            paths = frame.select((pl.lit(place) + folder + "/" + pl.col("file") + suffix).alias("media")).to_series()
            media = media.zip_with(media.is_not_null(), in_any_case(paths, base))
    absent, videos = media.null_count(), int(media.str.to_lowercase().str.ends_with(".mp4").sum())
    found = [
        (absent, f"{absent} of {frame.height} recordings are not here: labels without media"),
        (videos, f"{videos} recordings are videos, whose sound is not decoded: ffmpeg -i FILE.mp4 -vn FILE.wav first"),
    ]
    return Kept(frame.drop("file").with_columns(media), tuple(note for holds, note in found if holds))
