"""RAF-DB, compound part: faces from the web with one of eleven pairs of expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.datasets.card import Card
from affectcheck.datasets.declared import categories
from affectcheck.datasets.layouts import locate
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
    read_part,
)
from affectcheck.datasets.registry import dataset
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_SCHEME: Final = categories("compound-11-rafdb")
PART: Final = RafPart(
    "raf-db-compound",
    Target("expression", _SCHEME),
    _SCHEME.codes,
    "compound",
    3_954,
)
_FOLDERS: Final = ("compound/EmoLabel", "EmoLabel", "RAF-DB/compound/EmoLabel")
_PATTERNS: Final = tuple(f"{folder}/{name}" for folder in _FOLDERS for name in LIST_NAMES)

CARD: Final = Card(
    name=PART.name,
    title="RAF-DB, compound part: Real-world Affective Faces Database",
    licence=LICENCE,
    citation=CITATION,
    url=URL,
    access=ACCESS,
    description="3954 faces from Flickr on which annotators saw two expressions at once, as one of eleven pairs.",
    provenance=PROVENANCE,
    can_show="how well a model tells pairs of expressions in pictures from the web apart",
    cannot_show=(
        "anything about single expressions, subjects (who is who is not known), motion, or what people felt; the "
        "rarest pairs and groups hold too few faces for a comparison"
    ),
    layout=(
        "a folder that holds compound/ (or is it) with EmoLabel/list_patition_label.txt, Image/aligned/ or "
        "Image/original/ and Annotation/manual/"
    ),
    targets=(PART.target,),
    groups=tuple(GROUPS),
    items=PART.items,
    options=(IMAGES_OPTION,),
    notes=("there is no validation set", "codes 1 to 11 stand for the labels in their order here", *NOTES),
)


@dataset(CARD)
def read(root: Path, *, images: str = "aligned", progress: Callable[[int, int], None] | None = None) -> AnnotationTable:
    """Read the compound part.

    Args:
        root: folder of the set or of its compound part.
        images: ``aligned`` or ``original``.
        progress: called with the files of attributes read and all of them.

    Returns:
        One item a picture, named as in the list, with ``gender``, ``race``, ``age`` and ``partition`` (train, test).

    Raises:
        InputError: lines or attributes of another form; all are listed.
    """
    return read_part(PART, locate(root, _PATTERNS, CARD).path, images, progress)
