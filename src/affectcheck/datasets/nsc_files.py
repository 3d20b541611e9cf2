"""The folders of NSC: recordings by part, microphone, speaker and session; scripts; and the list of speakers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import read_csv
from affectcheck.annotations.encoding import decode
from affectcheck.annotations.text import read_bytes
from affectcheck.datasets.corpus_files import entries, names_below, refuse, require_text
from affectcheck.datasets.declared import categories
from affectcheck.datasets.leaving_out import Kept
from affectcheck.errors import InputError, MissingPathError
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.datasets.card import Card

#: Number of a channel to what recorded it; the phone is called 2 in the folders and 3 in the documentation.
MICROPHONES: Final = {0: "headset", 1: "boundary", 2: "mobile", 3: "mobile"}
_CHANNEL: Final = re.compile(r"CHANNEL ?(\d)", re.IGNORECASE)
_SPEAKER: Final = r"(?i)SPEAKER(\d+)"
_SESSION: Final = r"(?i)SESSION(\d+)"
#: Channel, speaker, session and number of an utterance: one utterance differs in the first digit between microphones.
_CODE: Final = r"^\d(\d{4}(\d)\d{3})$"
_PROMPT: Final = re.compile(r"(\d{6,})\t(.*\S)\s*")
#: Folded names that the column of the speaker has in lists of the corpus.
_WHO: Final = ("speaker", "speaker id", "speakerid", "scd")
_PARTS: Final = ("PART1", "PART2")
_SEX: Final = ("sex", "gender")


def read_recordings(base: Path, channels: Sequence[str], card: Card) -> Kept:
    """Recordings of the channels wanted.

    Returns:
        ``item``, ``media``, ``subject``, ``channel``, ``microphone``, ``session``, ``utterance`` and ``text``; notes
        count texts that are not known and archives that are not unpacked.

    Raises:
        InputError: no recording; the cause says whether archives are still packed.
    """
    every = list(_channels(base))
    scripts = {folder: _scripts(folder / "SCRIPT") for _, folder, _ in every}
    shared: dict[str, dict[str, str]] = {}
    for part, folder, _ in every:
        shared[part] = scripts[folder] | shared.get(part, {})
    wanted = [found for found in every if MICROPHONES[found[2]] in channels]
    packed = sum(len(entries(folder / "WAVE", ".zip")) for _, folder, _ in wanted)
    frames = [
        _recordings(folder, base, part, number).with_columns(_told(shared[part] | scripts[folder]))
        for part, folder, number in wanted
        if (folder / "WAVE").is_dir()
    ]
    frame = pl.concat(frames) if frames else pl.DataFrame()
    if not frame.height:
        raise InputError(
            f"no recordings by {', '.join(channels)}",
            where=str(base),
            expected=card.layout,
            cause=f"{packed} archives such as SPEAKER0001.zip that are not unpacked" if packed else "other channels",
        )
    unknown = frame.get_column("text").null_count()
    absent = sorted(set(channels) - set(frame.get_column("channel")))
    found = [
        (absent, f"no recordings by {', '.join(absent)} are here"),
        (packed, f"{packed} archives (.zip) are not looked into"),
        (unknown, f"the text of {unknown} recordings is not known"),
    ]
    return Kept(frame, tuple(note for holds, note in found if holds))


def _channels(base: Path) -> Iterator[tuple[str, Path, int]]:
    for part in _PARTS:
        data = base / part / "DATA"
        for folder in sorted(data.iterdir()) if data.is_dir() else ():
            match = _CHANNEL.fullmatch(folder.name)
            if match and int(match[1]) in MICROPHONES:
                yield part, folder, int(match[1])


def _recordings(folder: Path, base: Path, part: str, number: int) -> pl.DataFrame:
    """One row a recording of a channel; as whole columns, since there are millions."""
    front = (folder / "WAVE").relative_to(base).as_posix() + "/"
    names = [front + name for name in names_below(folder / "WAVE") if name.lower().endswith(".wav")]
    require_text(names, base)
    media = pl.col("media")
    stem, speaker = media.str.extract(r"([^/]*)\.[^./]*$"), media.str.extract(_SPEAKER)
    code = stem.str.extract_groups(_CODE).struct
    frame = pl.DataFrame({"media": pl.Series(names, dtype=pl.String)}).with_columns(
        speaker=speaker, stem=stem, code=code.field("1"), own=code.field("2")
    )
    refuse(
        frame.filter(pl.col("speaker").is_null()).get_column("media").to_list(),
        what="recordings that are in no folder SPEAKER…",
        where=str(base),
        expected="WAVE/SPEAKER0001/SESSION0/000010001.WAV",
        cause="archives unpacked into one folder",
    )
    return frame.select(
        pl.format(f"{part}/CHANNEL{number}/SPEAKER{{}}/{{}}", "speaker", "stem").alias("item"),
        media,
        pl.format(f"{part}/{{}}", "speaker").alias("subject"),
        pl.lit(MICROPHONES[number]).alias("channel"),
        pl.lit(number, pl.Int64).alias("microphone"),
        pl.coalesce(media.str.extract(_SESSION), "own").alias("session"),
        pl.coalesce("code", "stem").alias("utterance"),
    )


def _told(texts: dict[str, str]) -> pl.Expr:
    return pl.col("utterance").replace_strict(texts, default=None, return_dtype=pl.String).alias("text")


def _utterance(stem: str) -> str:
    """The name of an utterance, which is the same for all microphones."""
    code = re.fullmatch(_CODE, stem)
    return code[1] if code else stem


def _scripts(folder: Path) -> dict[str, str]:
    """Number of an utterance to what was prompted; the line below each, how it was spoken, begins with a tab."""
    found: dict[str, str] = {}
    for path in entries(folder, ".txt"):
        for line in decode(read_bytes(path), str(path)).splitlines():
            match = _PROMPT.fullmatch(line)
            if match:
                found[_utterance(match[1])] = match[2]
    return found


def read_speakers(base: Path, stated: str) -> pl.DataFrame | None:
    """``subject`` and ``sex`` of the lists of speakers; None where there is none.

    Args:
        base: folder of the parts.
        stated: path of one list for all parts; empty for ``DOC/*.csv`` of each part.

    Raises:
        MissingPathError: the stated list is not there.
        InputError: it lacks the columns, or gives a speaker two sexes or another; all are listed.
    """
    if stated and not Path(stated).expanduser().is_file():
        raise MissingPathError.of("list of speakers", stated)
    every = [(part, path) for part in _PARTS for path in entries(base / part / "DOC", ".csv")]
    lists = [(part, Path(stated).expanduser()) for part in _PARTS] if stated else every
    found = [_people(path, part) for part, path in lists]
    frames = [frame for frame in found if frame is not None]
    if not frames and stated:
        raise InputError(
            f"no speaker or no sex: {', '.join(read_csv(lists[0][1]).columns)}",
            where=str(lists[0][1]),
            expected=f"a column {' or '.join((*_WHO, *map(_code_of, _PARTS)))}, and one {' or '.join(_SEX)}",
        )
    if not frames:
        return None
    people = pl.concat(frames).drop_nulls("subject").unique(maintain_order=True)
    several = people.filter(people.get_column("subject").is_duplicated()).get_column("subject")
    refuse(
        several.unique(maintain_order=True).to_list(),
        what="speakers of several sexes",
        where=", ".join(dict.fromkeys(str(path) for _, path in lists)),
    )
    return people


def _code_of(part: str) -> str:
    """The folded name that the column of the speaker has in the corpus's own list of one part."""
    return f"scd/{part.lower()}"


def _people(path: Path, part: str) -> pl.DataFrame | None:
    """``subject`` and ``sex`` of a list; None for another spreadsheet, or the list of another part."""
    table = read_csv(path)
    names = {fold(name): name for name in table.columns}
    who = next((names[name] for name in (_code_of(part), *_WHO) if name in names), None)
    sex = next((names[name] for name in _SEX if name in names), None)
    if who is None or sex is None:
        return None
    known = categories("sex-2").spellings()
    refuse(
        [
            f"{row[who]}: {row[sex]!r}"
            for row in table.iter_rows(named=True)
            if row[sex] and fold(row[sex]) not in known
        ],
        what="speakers of a sex that is neither female nor male",
        where=str(path),
        expected="female or male (F or M), or an empty cell where it is not known",
    )
    # 1, 1.0 of a spreadsheet, 0001, 000001 and SPEAKER0001 are one speaker.
    digits = pl.col(who).str.strip_chars().str.extract(r"(\d+)(?:\.0+)?$").str.strip_chars_start("0").str.zfill(4)
    return table.select((pl.lit(f"{part}/") + digits).alias("subject"), pl.col(sex).str.strip_chars().alias("sex"))
