"""RAVDESS, the speech part: acted expressions of 24 speakers; the file name is the annotation."""

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
    shown,
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

RAVDESS_8: Final = categories("ravdess-8")
#: Emotion codes of the file names (Livingstone and Russo, 2018, Table 1), under the names that we use.
EMOTIONS: Final = RAVDESS_8.codes
INTENSITIES: Final = {1: "normal", 2: "strong"}
STATEMENTS: Final = {1: "kids", 2: "dogs"}
ACTORS: Final = 24
#: audEERING's unofficial partition by actors; those not named train.
PARTITION: Final = dict.fromkeys((16, 17, 19, 20), "dev") | dict.fromkeys((21, 22, 23, 24), "test")

_FORM: Final = "MM-VV-EE-II-SS-RR-AA.wav or .flac, such as Actor_05/03-01-06-01-02-01-05.wav"
_NAME: Final = re.compile(r"(\d\d)-(\d\d)-(\d\d)-(\d\d)-(\d\d)-(\d\d)-(\d\d)")
_FIELDS: Final = (
    ("modality", 3),
    ("vocal channel", 2),
    ("emotion", 8),
    ("intensity", 2),
    ("statement", 2),
    ("repetition", 2),
    ("actor", ACTORS),
)
_AUDIO_ONLY, _SPEECH, _STRONG, _NEUTRAL = 3, 1, 2, 1

CARD: Final = Card(
    name="ravdess",
    title="Ryerson Audio-Visual Database of Emotional Speech and Song, speech part, sound only",
    licence="CC BY-NC-SA 4.0",
    citation=(
        "Livingstone SR, Russo FA (2018). The Ryerson Audio-Visual Database of Emotional Speech and Song (RAVDESS). "
        "PLoS ONE 13(5): e0196391"
    ),
    url="https://doi.org/10.5281/zenodo.1188976",
    access="open",
    provenance="manual: what the actor was asked to express (acted); sex by the number of the actor",
    description=(
        "24 professional actors (12 female, 12 male) speak two sentences in a neutral North American accent with eight "
        "intended expressions, all but neutral at two intensities, each twice. Labels are what the actor was asked to "
        "express, not what listeners heard."
    ),
    can_show=(
        "how well a model tells acted, intended expressions of unknown speakers apart, and whether it does so equally "
        "well for the female and the male speakers"
    ),
    cannot_show=(
        "anything about spontaneous expressions, other languages or free speech (two sentences only), about age or "
        "race (not annotated), or about arousal and valence (no such labels)"
    ),
    layout=(
        "a folder that holds Actor_01 … Actor_24 with files such as 03-01-06-01-02-01-05.wav (as Zenodo distributes "
        "it) or .flac with a metadata.csv beside the actors' folders"
    ),
    targets=(Target("expression", RAVDESS_8),),
    groups=("sex",),
    speakers=ACTORS,
    items=1440,
    options=(PART_OPTION, SCHEME_OPTION, MAPPING_OPTION),
    notes=(
        "Actor_07/03-01-03-01-02-01-07 and 03-01-03-01-02-02-07 are byte-identical in the source: one recording under "
        "two names",
        "levels vary by more than 40 dB (clip RMS from about -64 to -16 dBFS); the quietest clips hold speech",
        "five files of the original have two channels, the others one",
        "the classes are balanced (192 items each) but for neutral, which has no strong intensity (96)",
        "the partition is audEERING's unofficial one: speakers 16, 17, 19 and 20 dev, 21 to 24 (2 female, 2 male) test, "
        "as in paper 2, the others train; or that of a metadata.csv",
    ),
)


@dataclass(frozen=True)
class Code:
    """What a file name says."""

    modality: int
    channel: int
    emotion: int
    intensity: int
    statement: int
    repetition: int
    actor: int

    @property
    def is_speech(self) -> bool:
        """Whether it is of the part that this reader reads: sound only, spoken."""
        return self.modality == _AUDIO_ONLY and self.channel == _SPEECH

    @property
    def sex(self) -> str:
        """Odd actors are male, even ones female."""
        return "male" if self.actor % 2 else "female"


def parse_name(stem: str) -> Code:
    """The code of a file name without its suffix.

    Raises:
        CodeError: not seven two-digit numbers, or one that its field does not have.

    Example:
        >>> parse_name("03-01-06-01-02-01-12").sex
        'female'
    """
    found = _NAME.fullmatch(stem)
    if found is None:
        raise CodeError("not seven numbers of two digits with hyphens between them")
    numbers = [int(number) for number in found.groups()]
    for (name, largest), number in zip(_FIELDS, numbers, strict=True):
        if not 1 <= number <= largest:
            raise CodeError(f"{name} {number:02} is not in 01 to {largest:02}")
    code = Code(*numbers)
    if code.emotion == _NEUTRAL and code.intensity == _STRONG:
        raise CodeError("neutral has no strong intensity")
    return code


@dataset(CARD)
def read(root: Path, *, part: str = "", scheme: str = "", mapping: str = "") -> AnnotationTable:
    """Read the speech part.

    Args:
        root: folder with the actors' folders.
        part: ``train``, ``dev`` or ``test``; empty for all.
        scheme: label scheme to map to; empty for ``ravdess-8``.
        mapping: labels that go elsewhere than to their namesake in that scheme.

    Returns:
        One item a file, with ``sex``, ``intensity``, ``statement`` and ``repetition``; notes count what was left
        out: song, and files of other modalities.

    Raises:
        InputError: names that are not of the set's form (all are listed), a metadata.csv that contradicts them, or
            several copies below the root.
    """
    require_folder(root, CARD.name, CARD.layout)
    folder, files, unread = _find(root)
    parse_all(files, folder, _code, form=_FORM)
    codes = {path.relative_to(folder).as_posix(): _code(path) for path in files}
    speech = {file: code for file, code in codes.items() if code.is_speech}
    if not speech:
        raise nothing_found(root, CARD.name, CARD.layout)
    metadata = read_metadata(folder)
    table = _table(folder, speech, metadata)
    table = replace(table, notes=(*unread, *_notes(codes, speech, metadata)))
    return relabel(take_part(table, part), "expression", scheme, mapping)


def _find(root: Path) -> tuple[Path, list[Path], tuple[str, ...]]:
    """The folder of the actors' folders, their files, and what was not read; copies are unpacked a level too deep.

    The archive of song unpacks beside that of speech, with the same names of folders.
    """
    below = sorted(path for path in root.iterdir() if path.is_dir())
    found = {folder: _actors(folder) for folder in (root, *below)}
    found = {folder: files for folder, files in found.items() if files}
    speech = [folder for folder, files in found.items() if any(file.name.startswith("03-01-") for file in files)]
    if len(speech) > 1 and root not in speech:
        raise InputError(
            f"several copies lie below the root: {', '.join(folder.name for folder in speech)}",
            where=str(root),
            expected="the folder of one of them, or all actors' folders in one",
        )
    if not found:
        raise nothing_found(root, CARD.name, CARD.layout)
    chosen = next(iter(speech or found))
    rest = [folder for folder in found if folder != chosen]
    notes = tuple(f"{len(found[folder])} files in {shown(folder.name)}/ were not read" for folder in rest)
    return chosen, found[chosen], notes


def _actors(folder: Path) -> list[Path]:
    actors = [path for path in sorted(folder.iterdir()) if path.is_dir() and path.name.lower().startswith("actor_")]
    return [file for actor in actors for file in sound_files(actor)]


def _code(path: Path) -> Code:
    code = parse_name(path.stem)
    if path.parent.name.lower() != f"actor_{code.actor:02}":
        raise CodeError(f"actor {code.actor:02} in the folder {path.parent.name}")
    return code


def _table(root: Path, speech: dict[str, Code], metadata: Metadata) -> AnnotationTable:
    rows: list[dict[str, object]] = []
    faults: list[str] = []
    for file, code in speech.items():
        known = {
            "sex": (code.sex, code.sex[0]),
            "speaker": (str(code.actor), f"{code.actor:02}"),
            "emotion": spellings_of(RAVDESS_8, EMOTIONS[code.emotion]),
        }
        faults += contradictions(metadata, file, known)
        row: dict[str, object] = {
            "item": file,
            "media": file,
            "subject": f"{code.actor:02}",
            "sex": code.sex,
            "expression": EMOTIONS[code.emotion],
            "intensity": INTENSITIES[code.intensity],
            "statement": STATEMENTS[code.statement],
            "repetition": code.repetition,
        }
        own = metadata.cell(file, "split") if metadata.has("split") else PARTITION.get(code.actor, "train")
        rows.append(row | {"partition": own})
    refuse(
        faults, what="contradictions", where=metadata.where, cause="a metadata.csv of another copy, or an edited one"
    )
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return make_table(
        columns,
        targets=CARD.targets,
        groups=CARD.groups,
        name=CARD.name,
        root=root,
        where=str(root),
    )


def _notes(codes: dict[str, Code], speech: dict[str, Code], metadata: Metadata) -> tuple[str, ...]:
    song = sum(code.modality == _AUDIO_ONLY for code in codes.values()) - len(speech)
    other = len(codes) - len(speech) - song
    absent = [file for file in metadata.rows if file not in codes]
    strangers = [file for file in speech if metadata.rows and file not in metadata.rows]
    found = [
        (song, f"left out {song} files of song"),
        (other, f"left out {other} files of other modalities (sound of a video)"),
        (CARD.items != len(speech), f"{len(speech)} of the {CARD.items} items of the set are here"),
        (absent, f"{len(absent)} files of metadata.csv are not here, such as {absent[0] if absent else ''}"),
        (strangers, f"{len(strangers)} files are not in metadata.csv, such as {strangers[0] if strangers else ''}"),
    ]
    return tuple(note for holds, note in found if holds)
