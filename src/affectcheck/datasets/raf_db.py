"""RAF-DB, basic part: faces from the web with one of seven expressions, and gender, race and age."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.datasets.card import Card
from affectcheck.datasets.layouts import find, locate
from affectcheck.datasets.raf_files import (
    ACCESS,
    CITATION,
    GROUPS,
    IMAGES_OPTION,
    LICENCE,
    LIST_NAMES,
    NOTES,
    PROVENANCE,
    URL,
    RafPart,
    read_folders,
    read_part,
)
from affectcheck.datasets.registry import dataset
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

#: Codes of the list, from 1.
EXPRESSIONS: Final = ("surprise", "fear", "disgust", "happiness", "sadness", "anger", "neutral")
PART: Final = RafPart(
    "raf-db", Target("expression", scheme("expressions-7")), dict(enumerate(EXPRESSIONS, 1)), "basic", 15_339
)
_FOLDERS: Final = ("basic/EmoLabel", "EmoLabel", "RAF-DB/basic/EmoLabel")
_PATTERNS: Final = tuple(f"{folder}/{name}" for folder in _FOLDERS for name in LIST_NAMES)
_REPACKED: Final = ("DATASET/train", "train/1")

CARD: Final = Card(
    name=PART.name,
    title="RAF-DB, basic part: Real-world Affective Faces Database",
    licence=LICENCE,
    citation=CITATION,
    url=URL,
    access=ACCESS,
    description=(
        "15339 faces from Flickr, each with one of seven expressions that about 40 annotators agreed on. Gender, race "
        "and age are perceived, in the set's own groups."
    ),
    provenance=PROVENANCE,
    can_show=(
        "how well a model tells clear, basic expressions in pictures from the web apart, and whether it does so equally "
        "well for the genders, races and ages that annotators perceived"
    ),
    cannot_show=(
        "anything about subjects (who is who is not known), contempt, ambiguous or compound expressions, motion, or "
        "what people felt; its age groups are not decades and do not map to those of the other sets"
    ),
    layout=(
        "a folder that holds basic/ (or is it) with EmoLabel/list_patition_label.txt, Image/aligned/ or "
        "Image/original/ and Annotation/manual/; or a repacked copy with train/1 … test/7"
    ),
    targets=(PART.target,),
    groups=tuple(GROUPS),
    items=PART.items,
    options=(IMAGES_OPTION,),
    notes=(
        "12271 train and 3068 test; there is no validation set",
        "classes are not balanced: happiness 5957, neutral 3204, sadness 2460, surprise 1619, disgust 877, anger 867, "
        "fear 355 (paper 1, Table I)",
        "codes are 1 surprise, 2 fear, 3 disgust, 4 happiness, 5 sadness, 6 anger, 7 neutral",
        *NOTES,
    ),
)


@dataset(CARD)
def read(root: Path, *, images: str = "aligned", progress: Callable[[int, int], None] | None = None) -> AnnotationTable:
    """Read the basic part.

    Args:
        root: folder of the set or of its basic part.
        images: ``aligned`` or ``original``.
        progress: called with the files of attributes read and all of them.

    Returns:
        One item a picture, named as in the list, with ``gender``, ``race``, ``age`` and ``partition`` (train, test).

    Raises:
        InputError: lines or attributes of another form; all are listed.
    """
    repacked = find(root, _REPACKED) if root.is_dir() and find(root, _PATTERNS) is None else None
    if repacked is not None:
        return read_folders(
            PART, repacked.base / "DATASET" if repacked.path.parent.name == "DATASET" else repacked.base
        )
    return read_part(PART, locate(root, _PATTERNS, CARD).path, images, progress)
