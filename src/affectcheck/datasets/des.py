"""DES: Danish Emotional Speech, four actors; the distribution's file names are not described in public."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.datasets.card import Card
from affectcheck.datasets.declared import categories
from affectcheck.datasets.named_by_form import DEFAULT_FORM, OPTIONS, Corpus, Stated, read_by_form
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.relabel import relabel
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
    layout=(
        "a folder with recordings (.wav or .flac, in any subfolders) that either are called SPEAKER_EXPRESSION_TEXT "
        "(or as form= says) or stand in a metadata.csv with the columns file, speaker and expression (sex and text if "
        "known)"
    ),
    targets=(Target("expression", categories("des-5")),),
    groups=("sex",),
    speakers=4,
    options=OPTIONS,
    notes=(
        "no public description of the distribution's file names was found: state their form, or a table",
        "paper 2 tests on the whole set; it has no partition of its own",
        "20 kHz",
    ),
)
_CORPUS: Final = Corpus(CARD, {"HO": "female", "JZB": "female", "DHC": "male", "KLA": "male"})


@dataset(CARD)
def read(  # noqa: PLR0913  # the options of the card, by keyword
    root: Path,
    *,
    form: str = DEFAULT_FORM,
    codes: str = "",
    female: str = "",
    male: str = "",
    scheme: str = "",
    mapping: str = "",
) -> AnnotationTable:
    """Read the set.

    Args:
        root: folder of the recordings.
        form: of the paths.
        codes: codes of expressions.
        female: speakers who are female.
        male: speakers who are male.
        scheme: label scheme to map to; empty for ``des-5``.
        mapping: labels that go elsewhere than to their namesake in that scheme.

    Returns:
        One item a file, with ``sex`` and, where it is named, ``text``.

    Raises:
        InputError: files that do not fit, or expressions without a label; all are listed.
    """
    table = read_by_form(root, _CORPUS, Stated(form, codes, female, male))
    return relabel(table, "expression", scheme, mapping)
