"""EMOVO: acted expressions of six Italian speakers; the file name is the annotation."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Card
from affectcheck.datasets.corpus_files import CodeError, parse_all, sound_files
from affectcheck.datasets.declared import categories
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.relabel import MAPPING_OPTION, SCHEME_OPTION, relabel
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

#: Italian words in the file names: disgusto, gioia, neutrale, paura, rabbia, sorpresa, tristezza.
EMOTIONS: Final = {
    "dis": "disgust",
    "gio": "happiness",
    "neu": "neutral",
    "pau": "fear",
    "rab": "anger",
    "sor": "surprise",
    "tri": "sadness",
}
SPEAKERS: Final = ("f1", "f2", "f3", "m1", "m2", "m3")
SENTENCES: Final = tuple(f"{kind}{n}" for kind, count in (("b", 3), ("d", 2), ("l", 4), ("n", 5)) for n in range(1, count + 1))  # fmt: skip
_SEX: Final = {"f": "female", "m": "male"}
_NAME: Final = re.compile(r"([a-z]{3})-([fm]\d)-([a-z]\d)")
_FORM: Final = "EMOTION-SPEAKER-SENTENCE.wav in the speaker's folder, such as f1/dis-f1-b1.wav"

CARD: Final = Card(
    name="emovo",
    title="EMOVO: Italian emotional speech",
    licence="not stated by its makers; free for research by their page",
    citation=(
        "Costantini G, Iaderola I, Paoloni A, Todisco M (2014). EMOVO corpus: an Italian emotional speech database. "
        "LREC 2014"
    ),
    url="http://voice.fub.it/EMOVO",
    access="open",
    provenance="manual: what the actor was asked to express (acted); sex by the code of the speaker",
    description="Six actors (3 female, 3 male) speak 14 Italian sentences with seven intended expressions.",
    can_show="how well a model tells acted expressions of unknown Italian speakers apart",
    cannot_show=(
        "anything about spontaneous expressions, other languages, age (not annotated), or, with six speakers, small "
        "differences between the female and the male ones"
    ),
    layout="a folder that holds f1, f2, f3, m1, m2 and m3 with files such as f1/dis-f1-b1.wav",
    targets=(Target("expression", categories("expressions-7")),),
    groups=("sex",),
    speakers=len(SPEAKERS),
    items=588,
    options=(SCHEME_OPTION, MAPPING_OPTION),
    notes=(
        "the classes are balanced (84 items each)",
        "paper 2 tests on the whole set; it has no partition of its own",
        "48 kHz, most files with two channels",
        "five sentences (n1 to n5) are nonsense; the others are of short, long and question form",
    ),
)


@dataclass(frozen=True)
class Code:
    """What a file name says."""

    emotion: str
    speaker: str
    sentence: str


def parse_name(stem: str) -> Code:
    """The code of a file name without its suffix.

    Raises:
        CodeError: not of the form, or an unknown expression, speaker or sentence.

    Example:
        >>> parse_name("dis-f1-b1")
        Code(emotion='disgust', speaker='f1', sentence='b1')
    """
    found = _NAME.fullmatch(stem.lower())
    if found is None:
        raise CodeError("not EMOTION-SPEAKER-SENTENCE")
    for noun, value, known in zip(
        ("emotion", "speaker", "sentence"), found.groups(), (EMOTIONS, SPEAKERS, SENTENCES), strict=True
    ):
        if value not in known:
            raise CodeError(f"{noun} {value} is none of {', '.join(known)}")
    emotion, speaker, sentence = found.groups()
    return Code(EMOTIONS[emotion], speaker, sentence)


def _code(path: Path) -> Code:
    code = parse_name(path.stem)
    if path.parent.name.lower() != code.speaker:
        raise CodeError(f"speaker {code.speaker} in the folder {path.parent.name}")
    return code


@dataset(CARD)
def read(root: Path, *, scheme: str = "", mapping: str = "") -> AnnotationTable:
    """Read the set.

    Args:
        root: folder with the speakers' folders, or one above it.
        scheme: label scheme to map to; empty for ``expressions-7``.
        mapping: labels that go elsewhere than to their namesake in that scheme.

    Returns:
        One item a file, such as ``f1/dis-f1-b1.wav``, with ``sex`` and ``sentence``.

    Raises:
        InputError: names that are not of the set's form; all are listed.
    """
    base = locate(root, (*SPEAKERS, *(speaker.upper() for speaker in SPEAKERS)), CARD).base
    folders = sorted(path for path in base.iterdir() if path.is_dir() and path.name.lower() in SPEAKERS)
    files = [path for folder in folders for path in sound_files(folder)]
    parse_all(files, base, _code, form=_FORM)
    codes = [_code(path) for path in files]
    names = [path.relative_to(base).as_posix() for path in files]
    columns = {
        "item": names,
        "media": names,
        "subject": [code.speaker for code in codes],
        "sex": [_SEX[code.speaker[0]] for code in codes],
        "expression": [code.emotion for code in codes],
        "sentence": [code.sentence for code in codes],
    }
    table = make_table(columns, targets=CARD.targets, groups=CARD.groups, name=CARD.name, root=base, where=str(base))
    notes = () if table.height == CARD.items else (f"{table.height} of the {CARD.items} items of the set are here",)
    return relabel(replace(table, notes=notes), "expression", scheme, mapping)
