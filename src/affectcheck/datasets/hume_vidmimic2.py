"""Hume-Vidmimic2: people who mimic a video before their webcam, with the intensity of six emotions as they rated it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table, read_csv
from affectcheck.annotations.plain import number_column
from affectcheck.datasets.card import Card
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.pictures import put_media
from affectcheck.datasets.registry import dataset
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import Target, fold, parts, scheme

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_TARGET: Final = Target("mimicry", scheme("mimicry-6"))
_LISTS: Final = {"train_split.csv": "train", "valid_split.csv": "validation", "test_split.csv": "test"}
_KEY: Final = "filename"

CARD: Final = Card(
    name="hume-vidmimic2",
    title="Hume-Vidmimic2, as the 6th ABAW competition releases it",
    licence="research that is not commercial, by an agreement with the organisers; not to be passed on",
    citation=(
        "Kollias D, Tzirakis P, Cowen A, Zafeiriou S et al. (2024). The 6th Affective Behavior Analysis in-the-wild "
        "(ABAW) Competition. CVPR Workshops (paper 3)"
    ),
    url="https://affective-behavior-analysis-in-the-wild.github.io/6th/",
    access="on request",
    description=(
        "17246 webcam videos, over 30 hours, of 557 people who mimic what a seed video shows, each with the intensity of "
        "admiration, amusement, determination, empathic pain, excitement and joy (paper 3, section 2.5)."
    ),
    provenance="by the people in the videos, who rated what they mimicked from 0 to 100; the lists hold 0 to 1",
    can_show="how well a model follows what people say they saw or mimicked, clip by clip, over the whole set",
    cannot_show=(
        "anything about subjects, age, gender or race, as the lists do not say who is who; the test set, whose ratings "
        "are not released"
    ),
    layout="a folder with train_split.csv and valid_split.csv (Filename, then six emotions), and raw/<Filename>.mp4",
    targets=(_TARGET,),
    notes=(
        "the lists do not say who is who: no subject, so that intervals treat clips as independent and are too narrow",
        "names of clips are kept as they are written, with zeros in front; a list without ratings may be there for the test",
    ),
)


@dataset(CARD)
def read(root: Path) -> AnnotationTable:
    """Read the lists.

    Args:
        root: folder of the lists and videos.

    Returns:
        One item a clip, with ``partition`` (train, validation, test) and the video as ``media`` where it is there. Clips
        without ratings have none.

    Raises:
        UnknownNameError: a list without the column of names or an emotion.
        InputError: ratings that are no numbers or out of range, or a clip twice.
    """
    base = locate(root, tuple(_LISTS), CARD).base
    found = {name: part for name, part in _LISTS.items() if (base / name).is_file()}
    frame = pl.concat([_list(base / name, part) for name, part in found.items()])
    names = frame.get_column("item")
    paths = "raw/" + names.str.replace(r"\.mp4$", "") + ".mp4"
    placed = put_media(frame, paths, base, noun="videos")
    table = make_table(placed.frame, targets=CARD.targets, name=CARD.name, root=base, where=str(base))
    return replace(table, notes=(*placed.notes, *table.notes))


def _list(path: Path, part: str) -> pl.DataFrame:
    """``item``, ``partition`` and the six ratings, null in a list that has none."""
    table = read_csv(path)
    columns = {fold(name.replace("_", " ").replace("-", " ")): name for name in table.columns}
    wanted = parts(_TARGET.scheme)
    missing = [name for name in wanted if name not in columns]
    if _KEY not in columns or (missing and (part != "test" or len(missing) < len(wanted))):
        lacking = [*([] if _KEY in columns else ["Filename"]), *missing]
        raise UnknownNameError.of("column", lacking[0], table.columns, where=str(path))
    names = table.get_column(columns[_KEY]).str.strip_chars()
    if names.null_count():
        raise InputError("a line without a name of its clip", where=str(path), expected="a name in every line")
    ratings = [
        pl.lit(None, pl.Float64).alias(name)
        if missing
        else number_column(table.get_column(columns[name]), str(path)).alias(name)
        for name in wanted
    ]
    return table.select(names.alias("item"), pl.lit(part).alias("partition"), *ratings)
