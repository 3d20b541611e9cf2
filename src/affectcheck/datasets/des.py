"""DES: Danish Emotional Speech, four actors; the distribution's file names are not described in public."""

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
    name="des",
    title="Danish Emotional Speech (DES)",
    licence="by an agreement with its makers, as far as known",
    citation=(
        "Engberg IS, Hansen AV (1996). Documentation of the Danish Emotional Speech database (DES). Internal report, "
        "Center for PersonKommunikation, Aalborg University"
    ),
    url="http://universal.elra.info",
    access="on request",
    provenance="manual: what the actor was asked for (acted); sex by the list of speakers (HO and JZB female, DHC and KLA male)",
    description=(
        "Four actors (2 female, 2 male) speak about 30 minutes of Danish words, sentences and passages with five "
        "intended expressions (paper 2, section III-A)."
    ),
    can_show="how well a model tells acted expressions of unknown Danish speakers apart",
    cannot_show=(
        "anything about spontaneous expressions or other languages; with four speakers, nothing about differences "
        "between the female and the male ones"
    ),
    layout=LAYOUT,
    targets=(Target("expression", categories("des-5")),),
    groups=("sex",),
    speakers=4,
    options=OPTIONS,
    notes=(
        *NOTES,
        "20 kHz",
    ),
)
_CORPUS: Final = Corpus(CARD, {"HO": "female", "JZB": "female", "DHC": "male", "KLA": "male"})


@dataset(CARD)
def read(root: Path, **options: str) -> AnnotationTable:
    """Read the set.

    Args:
        root: folder of the recordings.
        **options: those of the card, see ``read_corpus``.
    """
    return read_corpus(root, _CORPUS, **options)
