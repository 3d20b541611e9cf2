"""MSP-Podcast: turns of podcasts, with the class and ratings that crowds perceived."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table, read_csv
from affectcheck.annotations.listing import plural
from affectcheck.datasets.card import Card
from affectcheck.datasets.corpus_files import refuse
from affectcheck.datasets.declared import categories
from affectcheck.datasets.headerless import LINE, misfits
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.leaving_out import Kept
from affectcheck.datasets.parts import PART_OPTION, rows_of_part
from affectcheck.datasets.pictures import put_media
from affectcheck.datasets.ratings_range import rescaled
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.relabel import MAPPING_OPTION, SCHEME_OPTION, relabel
from affectcheck.errors import UnknownNameError
from affectcheck.schemes import DIMENSIONS, Target

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_AFFECT: Final = next(found for found in DIMENSIONS if found.name == "affect-3")
_RATED: Final = next(found for found in DIMENSIONS if found.name == "affect-3-of-7")
#: The list is spelled with "sen" by its makers.
_LISTS: Final = tuple(
    place + name for name in ("labels_concensus.csv", "labels_consensus.csv") for place in ("Labels/", "")
)
#: Codes of classes; X says that no class had a majority.
CLASSES: Final = {
    "A": "anger",
    "C": "contempt",
    "D": "disgust",
    "F": "fear",
    "H": "happiness",
    "N": "neutral",
    "O": "other",
    "S": "sadness",
    "U": "surprise",
}
_NO_AGREEMENT: Final = "X"
#: Folded name of a partition to ours; releases call the second one differently.
PARTITIONS: Final = {
    "train": "train",
    "development": "development",
    "validation": "development",
    "test1": "test-1",
    "test2": "test-2",
    "test3": "test-3",
}
_RATINGS: Final = {"arousal": "EmoAct", "dominance": "EmoDom", "valence": "EmoVal"}
_NEEDED: Final = ("FileName", "EmoClass", *_RATINGS.values(), "SpkrID", "Gender", "Split_Set")
_UNKNOWN: Final = ("unknown", "")
_FOLDERS: Final = ("Audios", "Audio")

CARD: Final = Card(
    name="msp-podcast",
    title="MSP-Podcast corpus",
    licence="research or commercial, by an agreement with its makers",
    citation=(
        "Lotfian R, Busso C (2019). Building naturalistic emotionally balanced speech corpus by retrieving emotional "
        "speech from existing podcast recordings. IEEE Transactions on Affective Computing 10(4)"
    ),
    url="https://ecs.utdallas.edu/research/researchlabs/msp-lab/MSP-Podcast.html",
    access="on request",
    provenance=(
        "manual: the class that most of at least five crowd workers chose, and the mean of their ratings; speakers "
        "and their perceived gender as annotators told them apart"
    ),
    description=(
        "Turns of 2.75 to 11 s from English podcasts, chosen for their expected expression, judged by crowds in class "
        "and on arousal, dominance and valence from 1 to 7, which is mapped to 0 to 1."
    ),
    can_show=(
        "how well a model tells natural expressions apart and rates them, by turn and by speaker, and whether it does "
        "so equally well for speakers perceived as female and as male"
    ),
    cannot_show=(
        "anything about other languages, age or race (not annotated), or, where the speaker is unknown, about subjects; "
        "turns were retrieved by models, so extreme expressions are more frequent than in podcasts"
    ),
    layout=(
        "a folder with Labels/labels_concensus.csv (spelled so), and the recordings in Audios/, as its makers "
        "distribute it"
    ),
    targets=(Target("expression", categories("msp-podcast-9")), Target("affect", _AFFECT)),
    groups=("sex",),
    options=(PART_OPTION, SCHEME_OPTION, MAPPING_OPTION),
    notes=(
        "turns without agreement (X) have no class, but ratings",
        "number of turns and speakers depend on the release; paper 2 tests on test-1 and test-2 of release 1.7",
        "test-3 of newer releases has no public labels",
        "speakers and genders called Unknown are not known, and no group",
    ),
)


@dataset(CARD)
def read(root: Path, *, part: str = "", scheme: str = "", mapping: str = "") -> AnnotationTable:
    """Read the set.

    Args:
        root: folder of Labels and Audios, or one above it.
        part: ``train``, ``development``, ``test-1`` or ``test-2``; empty for all.
        scheme: label scheme to map to; empty for ``msp-podcast-9``.
        mapping: labels that go elsewhere than to their namesake in that scheme.

    Returns:
        One item a turn, such as ``MSP-PODCAST_0001_0008.wav``, with ``sex``.

    Raises:
        UnknownNameError: the list lacks a column.
        InputError: codes, ratings or partitions that do not fit; all are listed.
    """
    found = locate(root, _LISTS, CARD)
    listed = _turns(found.path)
    kept = rows_of_part(listed.frame, part, where=CARD.name)
    scaled = rescaled(kept.frame, _RATED, _AFFECT)
    folder = next((name for name in _FOLDERS if (found.base / name).is_dir()), _FOLDERS[0])
    placed = put_media(scaled.frame, f"{folder}/" + scaled.frame.get_column("item"), found.base, noun="recordings")
    table = make_table(
        placed.frame,
        targets=CARD.targets,
        groups={"sex": categories("sex-2")},
        name=CARD.name,
        root=found.base,
        where=str(found.path),
    )
    table = replace(table, notes=(*listed.notes, *kept.notes, *scaled.notes, *placed.notes))
    return relabel(table, "expression", scheme, mapping)


def _turns(path: Path) -> Kept:
    table = _listed(path)
    code = pl.col("EmoClass").str.strip_chars()
    split = pl.col("Split_Set").str.strip_chars().str.to_lowercase().str.replace_all(r"[ _-]", "")
    frame = table.with_row_index(LINE, 2).with_columns(
        code.replace_strict(CLASSES, default=None, return_dtype=pl.String).alias("expression"),
        split.replace_strict(PARTITIONS, default=None, return_dtype=pl.String).alias("partition"),
        *(pl.col(cell).str.strip_chars().cast(pl.Float64, strict=False).alias(name) for name, cell in _RATINGS.items()),
    )
    fits = {
        "EmoClass": frame.select(pl.col("expression").is_not_null() | (code == _NO_AGREEMENT)).to_series(),
        "Split_Set": frame.get_column("partition").is_not_null(),
    }
    # An empty cell is an unknown rating, a word in it is none.
    fits |= {
        cell: frame.select(pl.col(name).is_finite().fill_null(value=False) | pl.col(cell).is_null()).to_series()
        for name, cell in _RATINGS.items()
    }
    refuse(
        misfits(frame.select(LINE, "FileName", *fits), fits),
        what="rows that do not fit",
        where=str(path),
        expected=f"classes {', '.join((*CLASSES, _NO_AGREEMENT))}, numbers, and one of {', '.join(PARTITIONS)}",
    )
    people = {"subject": pl.col("SpkrID").str.strip_chars(), "sex": pl.col("Gender").str.strip_chars()}
    known = frame.select(
        pl.col("FileName").str.strip_chars().alias("item"),
        *(pl.when(~cell.str.to_lowercase().is_in(_UNKNOWN)).then(cell).alias(name) for name, cell in people.items()),
        "partition",
        "expression",
        *_RATINGS,
    )
    unsure = known.get_column("expression").null_count()
    return Kept(known, (f"{plural(unsure, 'turn')} without agreement (X), which gives no class",) if unsure else ())


def _listed(path: Path) -> pl.DataFrame:
    table = read_csv(path)
    missing = [column for column in _NEEDED if column not in table.columns]
    if missing:
        raise UnknownNameError(
            f"the list lacks {', '.join(missing)}",
            where=str(path),
            expected=f"a header with {', '.join(_NEEDED)}",
            cause="a list of another release, or labels_detailed",
        )
    return table
