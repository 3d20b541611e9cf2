"""TIMIT: 630 speakers of eight American dialect regions read ten sentences each; no affect labels."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Card
from affectcheck.datasets.corpus_files import files_below, refuse
from affectcheck.datasets.declared import categories
from affectcheck.datasets.layouts import locate, not_found
from affectcheck.datasets.parts import PART_OPTION, take_part
from affectcheck.datasets.registry import dataset

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

DIALECTS: Final = {
    1: "new england",
    2: "northern",
    3: "north midland",
    4: "south midland",
    5: "southern",
    6: "new york city",
    7: "western",
    8: "army brat",
}
_SEX: Final = {"F": "female", "M": "male"}
_KINDS: Final = {"SA": "dialect", "SI": "diverse", "SX": "compact"}
_PARTS: Final = ("TRAIN", "TEST", "train", "test")
_SPEAKER: Final = re.compile(r"([FM])[A-Z]{3}\d")
_SENTENCE: Final = re.compile(r"(SA|SI|SX)(\d+)")
#: Some copies hold each recording again as a RIFF file, SA1.WAV.wav beside SA1.WAV.
_SUFFIXES: Final = (".wav", ".wav.wav")
_INFO: Final = re.compile(r"(\w{3}\d)\s+([FM])\s+\d\s+\w+\s+(\d\d)/(\d\d)/(\d\d)\s+(\d\d)/(\d\d)/(\d\d)\s.*")
_LISTS: Final = ("DOC/SPKRINFO.TXT", "doc/spkrinfo.txt", "SPKRINFO.TXT", "../SPKRINFO.TXT", "../DOC/SPKRINFO.TXT")
_TEXT: Final = re.compile(r"\s*\d+\s+\d+\s+(.*\S)\s*")

CARD: Final = Card(
    name="timit",
    title="TIMIT Acoustic-Phonetic Continuous Speech Corpus",
    licence="LDC user agreement",
    citation=(
        "Garofolo JS, Lamel LF, Fisher WM, Fiscus JG, Pallett DS, Dahlgren NL, Zue V (1993). TIMIT acoustic-phonetic "
        "continuous speech corpus. LDC93S1"
    ),
    url="https://catalog.ldc.upenn.edu/LDC93S1",
    access="bought",
    provenance="no affect labels; sex by the first letter of the speaker's code, dialect region by the folder",
    description=(
        "630 speakers (438 male, 192 female) of eight dialect regions of American English read ten sentences each in a "
        "quiet booth."
    ),
    can_show=(
        "whether a model's predictions change with simulated rooms, and whether they differ between dialect regions "
        "or sexes where nothing is expressed"
    ),
    cannot_show="whether predictions are right: no affect labels; anything about spontaneous speech or other languages",
    layout="a folder with TRAIN and TEST, each with DR1 … DR8 and files such as DR1/FCJF0/SA1.WAV, as LDC distributes it",
    groups=("sex", "dialect"),
    speakers=630,
    items=6_300,
    options=(PART_OPTION,),
    notes=(
        "files are in NIST SPHERE format under the suffix .WAV, which is decoded as it is",
        "the two SA sentences are the same for all speakers",
        "age is the group age where DOC/SPKRINFO.TXT is here, from the dates of birth and recording",
    ),
)


@dataclass(frozen=True)
class _Recording:
    """One recording by its path."""

    path: Path
    part: str
    dialect: int
    speaker: str
    sentence: str

    @property
    def key(self) -> str:
        return f"{self.part}/DR{self.dialect}/{self.speaker}/{self.sentence}"


@dataset(CARD)
def read(root: Path, *, part: str = "") -> AnnotationTable:
    """Read the set.

    Args:
        root: folder of TRAIN and TEST, or one above it.
        part: ``train`` or ``test``; empty for both.

    Returns:
        One item a recording, such as ``train/DR1/FCJF0/SA1``, without targets, with ``sex``, ``dialect``, ``kind`` of
        the sentence and its ``text``, where the .TXT file is here.

    Raises:
        InputError: folders or files that are not of the set's form; all are listed.
    """
    base = locate(root, _PARTS, CARD).base
    found: dict[str, _Recording] = {}
    faults: list[str] = []
    seconds = 0
    for recording in _recordings(base, faults):
        seconds += recording.key in found
        found.setdefault(recording.key, recording)
    refuse(
        faults,
        what="folders or files that do not fit",
        where=str(base),
        expected="such as TRAIN/DR1/FCJF0/SA1.WAV: dialect region, sex and code of the speaker, sentence",
    )
    if not found:
        raise not_found(base, ("TRAIN/DR1/FCJF0/SA1.WAV",), CARD)
    table = _table(base, list(found.values()))
    told = [
        (seconds, f"{seconds} files hold recordings again (such as .WAV.wav beside .WAV) and were not read"),
        (table.height != CARD.items, f"{table.height} of the {CARD.items} items of the set are here"),
    ]
    return take_part(replace(table, notes=tuple(note for holds, note in told if holds)), part)


def _recordings(base: Path, faults: list[str]) -> Iterator[_Recording]:
    """Recordings in the order of their paths; what does not fit is added to the faults."""
    for part in (path for path in sorted(base.iterdir()) if path.name in _PARTS and path.is_dir()):
        for path in files_below(part):
            stem, _, suffix = path.name.partition(".")
            if f".{suffix}".lower() not in _SUFFIXES or not stem:
                continue
            if len(path.relative_to(part).parts) != 3:  # dialect region, speaker, recording
                faults.append(path.relative_to(base).as_posix())
                continue
            region, speaker, sentence = path.parts[-3].upper(), path.parent.name.upper(), stem.upper()
            if (
                not re.fullmatch(r"DR[1-8]", region)
                or not _SPEAKER.fullmatch(speaker)
                or not _SENTENCE.fullmatch(sentence)
            ):
                faults.append(path.relative_to(base).as_posix())
                continue
            yield _Recording(path, part.name.lower(), int(region[2]), speaker, sentence)


def _table(base: Path, recordings: list[_Recording]) -> AnnotationTable:
    columns: dict[str, list[str] | list[str | None] | list[int | None]] = {
        "item": [one.key for one in recordings],
        "media": [one.path.relative_to(base).as_posix() for one in recordings],
        "subject": [one.speaker for one in recordings],
        "partition": [one.part for one in recordings],
        "sex": [_SEX[one.speaker[0]] for one in recordings],
        "dialect": [DIALECTS[one.dialect] for one in recordings],
        "kind": [_KINDS[one.sentence[:2]] for one in recordings],
        "text": [_text(one) for one in recordings],
    }
    groups = {"sex": categories("sex-2"), "dialect": None}
    years = _ages(base)
    if years:
        ages = [years.get(one.speaker) for one in recordings]
        columns |= {"age_years": ages, "age": [_decade(age) for age in ages]}
        groups["age"] = categories("age-9")
    return make_table(columns, targets={}, groups=groups, name=CARD.name, root=base, where=str(base))


def _ages(base: Path) -> dict[str, int]:
    """Speaker to age in whole years on the day of recording; empty where the list of speakers is not here."""
    path = next((base / name for name in _LISTS if (base / name).is_file()), None)
    found: dict[str, int] = {}
    for line in path.read_text(encoding="latin-1").splitlines() if path else ():
        match = _INFO.fullmatch(line.strip())
        if match:  # comments, and speakers of unknown birth, do not
            month, day, year, born_month, born_day, born_year = map(int, match.groups()[2:])
            found[match[2] + match[1].upper()] = year - born_year - ((month, day) < (born_month, born_day))
    return found


def _decade(years: int | None) -> str | None:
    return None if years is None else f"{years // 10 * 10}-{years // 10 * 10 + 9}" if years < 70 else "70+"


def _text(recording: _Recording) -> str | None:
    """What is read, after the two sample numbers; None where it is not here."""
    stem = recording.path.name.partition(".")[0]
    for suffix in (".TXT", ".txt"):
        path = recording.path.with_name(stem + suffix)
        if path.is_file():
            found = _TEXT.fullmatch(path.read_text(encoding="latin-1"))
            return found[1] if found else None
    return None
