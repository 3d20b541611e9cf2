"""PESD: Polish emotional speech, eight actors; the distribution's file names are not described in public."""

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
    layout=(
        "a folder with recordings (.wav or .flac, in any subfolders) that either are called SPEAKER_EXPRESSION_TEXT "
        "(or as form= says) or stand in a metadata.csv with the columns file, speaker and expression (sex and text if "
        "known)"
    ),
    targets=(Target("expression", categories("pesd-6")),),
    groups=("sex",),
    speakers=8,
    items=240,
    options=OPTIONS,
    notes=(
        "no public description of the distribution's file names was found: state their form, or a table",
        "paper 2 tests on the whole set; it has no partition of its own",
        "the classes are balanced (40 items each)",
    ),
)


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
        scheme: label scheme to map to; empty for ``pesd-6``.
        mapping: labels that go elsewhere than to their namesake in that scheme.

    Returns:
        One item a file, with ``sex`` and, where it is named, ``text``.

    Raises:
        InputError: files that do not fit, or expressions without a label; all are listed.
    """
    table = read_by_form(root, Corpus(CARD), Stated(form, codes, female, male))
    return relabel(table, "expression", scheme, mapping)
