"""The partitions of the fair protocol as its authors give them out: three lists a database, with demographics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.protocol_databases import DATABASES
from affectcheck.datasets.protocol_lists import Reading, read_protocol
from affectcheck.datasets.registry import dataset

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

IMAGES_OPTION: Final = Option("images", "folder of the pictures that names are relative to, from the root or absolute")
SUBJECTS_OPTION: Final = Option(
    "subjects", r"regular expression that finds the subject in a name, such as SN\d+ for DISFA; its first group, if any"
)

CARD: Final = Card(
    name="fair-protocol",
    title="The fair protocol's partitions of AffectNet, RAF-DB, DISFA, EmotioNet, GFT and RAF-AU",
    licence="that of each database, from its makers; the lists by an agreement with their authors",
    citation=(
        "Hu G et al. (2024). Rethinking Affect Analysis: A Protocol for Ensuring Fairness and Consistency (paper 1)"
    ),
    url="https://github.com/dkollias/Fair-Consistent-Affect-Analysis",
    access="on request",
    description=(
        "Six databases in 55 % train, 15 % validation and 30 % test, with the expression, the action units or valence "
        "and arousal of each picture, and the gender, race and age that annotators perceived."
    ),
    provenance=(
        "affect labels are the manual ones of each database; demographics by two annotators for about 20000 pictures of "
        "each image database and all videos, by a model trained on these for the other pictures (paper 1, section II-A)"
    ),
    can_show="what paper 1 shows: scores and fairness measures on its own partitions",
    cannot_show=(
        "how good the partition is unless it is audited; anything about subjects, who have no column in the lists "
        "(subjects= may find them in the names of DISFA and GFT)"
    ),
    layout=(
        "a folder with train.csv, valid.csv and test.csv, or with database= one above it, such as "
        "AffectNet/annotations/EXPR/expr7 (annotation or annotations, hyphens or underscores)"
    ),
    groups=("gender", "race", "age"),
    options=(
        Option("database", f"one of {', '.join(DATABASES)}; empty to tell it by the columns or the folder"),
        IMAGES_OPTION,
        SUBJECTS_OPTION,
    ),
    notes=(
        "columns are read by name, as their order differs between databases",
        "-1 in EmotioNet's units is not known",
        "RAF-DB's and GFT's ages and GFT's races are in groups of their own and do not map to those of the others",
        "pictures of RAF-AU are called _aligned on disk, which the lists leave out",
    ),
)


@dataset(CARD)
def read(root: Path, *, database: str = "", images: str = "", subjects: str = "") -> AnnotationTable:
    r"""Read the lists of one database.

    Args:
        root: folder of the lists, or one above it.
        database: which; empty to tell it by the columns or the folder.
        images: folder of the pictures.
        subjects: expression that finds the subject in a name, such as ``SN\d+``.

    Returns:
        One item a row, with ``gender``, ``race``, ``age`` and ``partition`` (train, validation, test).

    Raises:
        UnknownNameError: no such database; columns, labels or groups that it does not have.
        MissingPathError: a list or the folder of pictures is not there.
        InputError: a database that cannot be told, or values that do not fit.
    """
    return read_protocol(root, database, Reading(CARD, images, subjects))
