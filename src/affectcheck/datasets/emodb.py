"""EmoDB, the Berlin database of emotional speech: acted expressions of 10 speakers; the file name is the annotation."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Card
from affectcheck.datasets.corpus_files import (
    CodeError,
    Metadata,
    contradictions,
    nothing_found,
    parse_all,
    read_metadata,
    refuse,
    require_folder,
    sound_files,
    spellings_of,
)
from affectcheck.datasets.declared import categories
from affectcheck.datasets.parts import PART_OPTION, take_part
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.relabel import MAPPING_OPTION, SCHEME_OPTION, relabel
from affectcheck.errors import InputError
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

#: Initials of the German words in the file names: Wut, Langeweile, Ekel, Angst, Freude, Trauer, neutral.
EMOTIONS: Final = {
    "W": "anger",
    "L": "boredom",
    "E": "disgust",
    "A": "fear",
    "F": "happiness",
    "T": "sadness",
    "N": "neutral",
}
EMODB_7: Final = categories("emodb-7")


@dataclass(frozen=True)
class Speaker:
    """What the database's own list says of a speaker."""

    sex: str
    age_years: int

    @property
    def decade(self) -> str:
        """Age group, as in the scheme ``age-9``."""
        low = self.age_years // 10 * 10
        return f"{low}-{low + 9}"


#: From the list of speakers that the database's makers publish with it.
SPEAKERS: Final = {
    "03": Speaker("male", 31),
    "08": Speaker("female", 34),
    "09": Speaker("female", 21),
    "10": Speaker("male", 32),
    "11": Speaker("male", 26),
    "12": Speaker("male", 30),
    "13": Speaker("female", 32),
    "14": Speaker("female", 35),
    "15": Speaker("male", 25),
    "16": Speaker("female", 31),
}
#: audEERING's partition by speakers; the others train.
TEST: Final = ("12", "14", "15", "16")
SENTENCES: Final = ("a01", "a02", "a04", "a05", "a07", "b01", "b02", "b03", "b09", "b10")

#: The folders that copies keep the recordings in; the root itself comes last.
_FOLDERS: Final = ("wav", "flac", ".")
_FORM: Final = "SSTTTEV.wav or .flac, such as 03a01Fa.wav: speaker 03, sentence a01, Freude (happiness), version a"
_NAME: Final = re.compile(r"(\d\d)([ab]\d\d)([A-Z])([a-z])")
#: Shares of the 20 listeners of the perception test, which metadata.csv gives in percent.
_SHARES: Final = {"recognition_pct": "recognition_share", "naturalness_pct": "naturalness_share"}

CARD: Final = Card(
    name="emodb",
    title="Berlin Database of Emotional Speech (EmoDB)",
    licence="CC0-1.0, as audEERING's publication of the set states it",
    citation=(
        "Burkhardt F, Paeschke A, Rolfes M, Sendlmeier W, Weiss B (2005). A database of German emotional speech. "
        "Interspeech 2005"
    ),
    url="http://emodb.bilderbar.info",
    access="open",
    provenance="manual: what the actor was asked to express (acted), of clips that listeners recognised; sex and age by the list of speakers",
    description=(
        "Ten actors (5 female, 5 male) speak ten German sentences with seven intended expressions. Of 816 recordings "
        "the 535 were kept that at least 80 % of 20 listeners recognised."
    ),
    can_show=(
        "how well a model tells clear, acted expressions of unknown German speakers apart; with ten speakers, only "
        "large differences between the female and the male ones"
    ),
    cannot_show=(
        "anything about spontaneous or ambiguous expressions (listeners disagreed on none of these), surprise, other "
        "languages, or age beyond speakers of 21 to 35 years"
    ),
    layout=(
        "a folder that holds wav/ with files such as 03a01Fa.wav (as its makers distribute it), or flac/ with a "
        "metadata.csv beside it"
    ),
    targets=(Target("expression", EMODB_7),),
    groups=("sex", "age"),
    speakers=len(SPEAKERS),
    items=535,
    options=(PART_OPTION, SCHEME_OPTION, MAPPING_OPTION),
    notes=(
        "classes are not balanced: anger 127, boredom 81, neutral 79, happiness 71, fear 69, sadness 62, disgust 46",
        "a public list of labels for these files mislabels E, A and F; labels are taken from the file names",
        "copies that were cut at 2 s are in circulation, in which most clips have lost speech",
        "the partition is audEERING's: speakers 12, 14, 15 and 16 (2 female, 2 male) test, as in paper 2, the others "
        "train; or that of a metadata.csv",
    ),
)


@dataclass(frozen=True)
class Code:
    """What a file name says."""

    speaker: str
    sentence: str
    emotion: str
    version: str


def parse_name(stem: str) -> Code:
    """The code of a file name without its suffix.

    Raises:
        CodeError: not of the form, or an unknown speaker, sentence or emotion.

    Example:
        >>> EMOTIONS[parse_name("03a01Fa").emotion]
        'happiness'
    """
    found = _NAME.fullmatch(stem)
    if found is None:
        raise CodeError("not two digits, a or b and two digits, a capital and a small letter")
    code = Code(*found.groups())
    for name, value, known in (
        ("speaker", code.speaker, SPEAKERS),
        ("sentence", code.sentence, SENTENCES),
        ("emotion", code.emotion, EMOTIONS),
    ):
        if value not in known:
            raise CodeError(f"{name} {value} is none of {', '.join(known)}")
    return code


@dataset(CARD)
def read(root: Path, *, part: str = "", scheme: str = "", mapping: str = "") -> AnnotationTable:
    """Read the set.

    Args:
        root: folder with ``wav`` or ``flac``, or with the files themselves.
        part: ``train`` or ``test``; empty for all.
        scheme: label scheme to map to; empty for ``emodb-7``.
        mapping: labels that go elsewhere than to their namesake in that scheme.

    Returns:
        One item a file, with ``sex``, ``age`` (decade), ``age_years``, ``sentence`` and ``version``, and with the
        shares of listeners who recognised the expression and found it natural where a metadata.csv has them.

    Raises:
        InputError: names that are not of the set's form (all are listed), or a metadata.csv that contradicts them.
    """
    require_folder(root, CARD.name, CARD.layout)
    files, notes = _find(root)
    parse_all(files, root, lambda path: parse_name(path.stem), form=_FORM)
    codes = {path.relative_to(root).as_posix(): parse_name(path.stem) for path in files}
    metadata = read_metadata(root)
    table = _table(root, codes, metadata)
    table = replace(table, notes=(*notes, *_notes(codes, metadata)))
    return relabel(take_part(table, part), "expression", scheme, mapping)


def _find(root: Path) -> tuple[list[Path], tuple[str, ...]]:
    """Files of the first folder that has some; a second container of the same clips is told, not read."""
    found = {name: sound_files(root / name) for name in _FOLDERS if (root / name).is_dir()}
    filled = [name for name, files in found.items() if files]
    if not filled:
        raise nothing_found(root, CARD.name, CARD.layout)
    notes = tuple(f"{len(found[name])} files in {name}/ were not read beside {filled[0]}/" for name in filled[1:])
    return found[filled[0]], notes


def _table(root: Path, codes: dict[str, Code], metadata: Metadata) -> AnnotationTable:
    rows: list[dict[str, object]] = []
    faults: list[str] = []
    for file, code in codes.items():
        speaker, emotion = SPEAKERS[code.speaker], EMOTIONS[code.emotion]
        known = {
            "sex": (speaker.sex, speaker.sex[0]),
            "speaker": (code.speaker, str(int(code.speaker))),
            "age": (str(speaker.age_years),),
            "emotion": spellings_of(EMODB_7, emotion),
        }
        faults += contradictions(metadata, file, known)
        row: dict[str, object] = {
            "item": file,
            "media": file,
            "subject": code.speaker,
            "sex": speaker.sex,
            "age": speaker.decade,
            "expression": emotion,
            "age_years": speaker.age_years,
            "sentence": code.sentence,
            "version": code.version,
        }
        rows.append(row | {"partition": "test" if code.speaker in TEST else "train"} | _extra(file, metadata))
    refuse(
        faults, what="contradictions", where=metadata.where, cause="a metadata.csv of another copy, or an edited one"
    )
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return make_table(columns, targets=CARD.targets, groups=CARD.groups, name=CARD.name, root=root, where=str(root))


def _extra(file: str, metadata: Metadata) -> dict[str, object]:
    """What only the table beside the files knows: the partition, the listeners, and cuts."""
    found: dict[str, object] = {}
    if metadata.has("split"):
        found["partition"] = metadata.cell(file, "split")
    for column, name in _SHARES.items():
        if metadata.has(column):
            found[name] = _share(file, column, metadata)
    if metadata.has("speech_truncated"):
        found["is_cut"] = metadata.cell(file, "speech_truncated") == "1"
    return found


def _share(file: str, column: str, metadata: Metadata) -> float | None:
    cell = metadata.cell(file, column)
    try:
        percent = 0.0 if cell is None else float(cell)
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:  # NaN is not in it either
        raise InputError(f"{column} of {file} is {cell!r}", where=metadata.where, expected="a number from 0 to 100")
    return None if cell is None else percent / 100


def _notes(codes: dict[str, Code], metadata: Metadata) -> tuple[str, ...]:
    absent = [file for file in metadata.rows if file not in codes]
    strangers = [file for file in codes if metadata.rows and file not in metadata.rows]
    cut = sum(metadata.cell(file, "speech_truncated") == "1" for file in codes)
    found = [
        (CARD.items != len(codes), f"{len(codes)} of the {CARD.items} items of the set are here"),
        (absent, f"{len(absent)} files of metadata.csv are not here, such as {absent[0] if absent else ''}"),
        (strangers, f"{len(strangers)} files are not in metadata.csv, such as {strangers[0] if strangers else ''}"),
        (cut, f"in {cut} of {len(codes)} clips speech is cut off at 2 s, by metadata.csv"),
    ]
    return tuple(note for holds, note in found if holds)
