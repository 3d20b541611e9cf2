"""GFT: groups of three people who get to know each other, in the lists of the fair protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.datasets.card import Card
from affectcheck.datasets.corpus_files import require_folder
from affectcheck.datasets.fair_protocol import IMAGES_OPTION, SUBJECTS_OPTION
from affectcheck.datasets.protocol_databases import DATABASES
from affectcheck.datasets.protocol_lists import Reading, read_protocol
from affectcheck.datasets.registry import dataset
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_DATABASE: Final = DATABASES["gft"]
_RAW: Final = "AU_coding"

CARD: Final = Card(
    name="gft",
    title="GFT: Sayette Group Formation Task, in the lists of the fair protocol",
    licence="research that is not commercial, by an agreement with its makers, and one with the authors of paper 1",
    citation=(
        "Girard JM, Chu W-S, Jeni LA, Cohn JF, De la Torre F, Sayette MA (2017). Sayette Group Formation Task (GFT) "
        "spontaneous facial expression database. FG 2017"
    ),
    url="https://osf.io/7wcyz/",
    access="on request",
    description=(
        "96 adults of 21 to 28 years, in groups of three who have met for the first time, filmed as they talk; action "
        "units were coded in every frame. Only the lists of the fair protocol are read, not the coding files of the "
        "database's makers, whose form is not documented in public."
    ),
    provenance="units manual, by experts; demographics by two annotators (paper 1, section II-A)",
    can_show="how well a model finds spontaneous action units of young adults who talk to each other",
    cannot_show=(
        "anything about other ages, or much about Asian people (2641 of 133194 frames, paper 1, Table II); anything "
        "about subjects unless subjects= finds them in the names"
    ),
    layout="a folder with the fair protocol's train.csv, valid.csv and test.csv of GFT, or one above it",
    targets=(_DATABASE.target,),
    groups=tuple(_DATABASE.groups),
    options=(IMAGES_OPTION, SUBJECTS_OPTION),
    notes=(
        f"the raw layout ({_RAW}/) is not read: bring it into a table of your own, or use the protocol's lists",
        "ages are single years, races white, black, asian and other",
        "14 units, as in paper 1; the database codes 32",
    ),
)


@dataset(CARD)
def read(root: Path, *, images: str = "", subjects: str = "") -> AnnotationTable:
    """Read the lists.

    Args:
        root: folder of the lists, or one above it.
        images: folder of the pictures.
        subjects: expression that finds the subject in a name.

    Returns:
        One item a row, with ``gender``, ``race``, ``age`` and ``partition`` (train, validation, test).

    Raises:
        MissingPathError: a list or the folder of pictures is not there.
        InputError: the raw layout, or columns and values that do not fit.
    """
    require_folder(root, CARD.name, CARD.layout)
    if (root / _RAW).is_dir():
        raise InputError(
            f"{_RAW}/ is the raw layout of GFT, which is not read",
            where=str(root),
            expected=CARD.layout,
            cause="the database as its makers give it out; its coding files can be read as a table of your own",
        )
    return read_protocol(root, _DATABASE.key, Reading(CARD, images, subjects))
