"""DISFA: 27 people who watch a video, filmed from the left and the right, with the intensity of 12 action units."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.declared import UNITS_TARGET, units
from affectcheck.datasets.disfa_intensities import HIGHEST, SUBJECTS, read_subjects
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.registry import dataset
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_FOLDER: Final = "ActionUnit_Labels"
_VIEWS: Final = ("left", "right")
_TARGET: Final = Target(UNITS_TARGET, units("au-12-disfa"))

CARD: Final = Card(
    name="disfa",
    title="DISFA: Denver Intensity of Spontaneous Facial Action",
    licence=(
        "research that is not commercial, by an agreement that a member of staff of a university or institute signs; "
        "not to be passed on"
    ),
    citation=(
        "Mavadati SM, Mahoor MH, Bartlett K, Trinh P, Cohn JF (2013). DISFA: A spontaneous facial action intensity "
        "database. IEEE Transactions on Affective Computing 4(2)"
    ),
    url="http://mohammadmahoor.com/disfa/",
    access="on request",
    description=(
        "27 adults (12 women, 15 men) watch a four-minute video of clips that stir emotions. Two synchronous cameras film "
        "the face from the left and the right; one expert coded the intensity (0 to 5) of 12 action units in every frame."
    ),
    provenance="manual: one expert coded every frame, a second checked some; a frame has one label for both views",
    can_show=(
        "how well a model finds spontaneous action units of unknown people in a laboratory, frame by frame; and, with "
        "intensities as columns, how it depends on the threshold"
    ),
    cannot_show=(
        "anything about age, gender or race (not in the release, and some groups have one subject), other light and "
        "poses, or rare units: with 27 subjects only large differences show"
    ),
    layout=(
        f"a folder that holds {_FOLDER}/SN001/SN001_au1.txt and so on, with videos such as "
        "Video_LeftCamera/LeftVideoSN001_comp.avi"
    ),
    targets=(_TARGET,),
    speakers=SUBJECTS,
    items=261_628,
    options=(
        Option(
            "threshold",
            "least intensity that counts as present: 1 (above 0, as paper 1 has it), or 2 as in many studies",
            1,
        ),
        Option("views", "both, left or right", "both"),
    ),
    notes=(
        "the release has no partition",
        "frames of one subject are alike: scores and partitions go by subject",
        "studies differ in threshold, views and units (8 or 12): scores compare only where all three agree",
        "261628 items are the frames of both views (paper 1, Table II): 27 subjects of 4845 frames, one of 4844",
    ),
)


@dataset(CARD)
def read(
    root: Path, *, threshold: int = 1, views: str = "both", progress: Callable[[int, int], None] | None = None
) -> AnnotationTable:
    """Read the set.

    Args:
        root: folder of ``ActionUnit_Labels``.
        threshold: least intensity, 1 to 5, that counts as present.
        views: ``both``, ``left`` or ``right``.
        progress: called with the subjects read and all of them.

    Returns:
        One item a frame and view, such as ``LeftVideoSN001/00001``, with the subject, the number of the ``frame``,
        12 units, and their intensities as ``AU1_intensity`` and so on; the two views of a frame have one label.

    Raises:
        UnknownNameError: other views.
        InputError: a threshold out of range, or lines of another form; all are listed.
    """
    if not 1 <= threshold <= HIGHEST:
        raise InputError(
            f"threshold is {threshold}",
            where=CARD.name,
            expected=f"1 to {HIGHEST}: the least intensity that is present",
        )
    if views not in ("both", *_VIEWS):
        raise UnknownNameError.of("choice of views", views, ("both", *_VIEWS), where=CARD.name)
    found = locate(root, (_FOLDER, f"DISFA/{_FOLDER}"), CARD)
    base = found.path.parent
    labels = read_subjects(found.path, progress)
    present = [(pl.col(f"{unit}_intensity") >= threshold).cast(pl.Int8).alias(unit) for unit in _TARGET.columns]
    frame = labels.frame.with_columns(present)
    seen = _VIEWS if views == "both" else (views,)
    every = pl.concat(_view(frame, view, base) for view in seen)
    table = make_table(every, targets=[_TARGET], name=CARD.name, root=base, where=str(found.path))
    above = f"a unit is present from intensity {threshold} on"
    notes = [above, *labels.notes, *_absent(table.frame, seen)]
    return replace(table, notes=tuple(notes))


def _view(frame: pl.DataFrame, view: str, base: Path) -> pl.DataFrame:
    """One view: items named after its videos, which are the media where they are there."""
    side = view.capitalize()
    videos: dict[str, str | None] = {}
    for subject in frame.get_column("subject").unique():
        paths = sorted(base.glob(f"Video*_{side}Camera/{side}Video{subject}*.avi"))
        videos[subject] = paths[0].relative_to(base).as_posix() if paths else None
    number = pl.col("frame").cast(pl.String).str.zfill(5)
    return frame.select(
        (f"{side}Video" + pl.col("subject") + "/" + number).alias("item"),
        pl.col("subject").replace_strict(videos, return_dtype=pl.String).alias("media"),
        pl.lit(view).alias("view"),
        pl.all(),
    )


def _absent(frame: pl.DataFrame, seen: tuple[str, ...]) -> tuple[str, ...]:
    lacking = frame.filter(pl.col("media").is_null()).select("subject", "view").unique().height
    every = frame.get_column("subject").n_unique() * len(seen)
    return (f"{lacking} of {every} videos are not here: labels without media",) if lacking else ()
