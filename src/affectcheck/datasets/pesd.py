"""PESD: Polish emotional speech, eight actors; the distribution's file names are not described in public."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.datasets.card import Card
from affectcheck.datasets.declared import categories
from affectcheck.datasets.named_by_form import LAYOUT, NOTES, OPTIONS, Corpus, read_corpus
from affectcheck.datasets.registry import dataset
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

CARD: Final = Card(
    name="pesd",
    title="Polish Emotional Speech Database (PESD)",
    licence="not stated in public, as far as known",
    citation="Staroniewicz P, Majewski W (2009). Polish emotional speech database: recording and preliminary validation. Springer LNCS 5641",
    url="https://doi.org/10.1007/978-3-642-03320-9_5",
    access="on request",
    provenance="manual: what the actor was asked for (acted); sex as a metadata.csv or an option states it",
    description=(
        "Eight actors (4 female, 4 male) speak five Polish sentences with six intended expressions (paper 2, section "
        "III-A)."
    ),
    can_show="how well a model tells acted expressions of unknown Polish speakers apart",
    cannot_show=(
        "anything about spontaneous expressions, disgust, surprise or other languages, or, with eight speakers, small "
        "differences between the female and the male ones"
    ),
    layout=LAYOUT,
    targets=(Target("expression", categories("pesd-6")),),
    groups=("sex",),
    speakers=8,
    items=240,
    options=OPTIONS,
    notes=(
        *NOTES,
        "the classes are balanced (40 items each)",
    ),
)


@dataset(CARD)
def read(root: Path, **options: str) -> AnnotationTable:
    """Read the set.

    Args:
        root: folder of the recordings.
        **options: those of the card, see ``read_corpus``.
    """
    return read_corpus(root, Corpus(CARD), **options)
