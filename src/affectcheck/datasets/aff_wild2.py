"""Aff-Wild2: videos from the web with valence and arousal, expressions or action units in every frame."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table, read_frames
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.declared import UNITS_TARGET
from affectcheck.datasets.frame_crops import put_crops
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.registry import dataset
from affectcheck.errors import UnknownNameError
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

#: A task's target, and the names of its folder in the releases, the newest first.
_TASKS: Final = {
    "va": (Target("affect", scheme("valence-arousal")), ("VA_Estimation_Challenge", "VA_Set")),
    "expr": (
        Target("expression", scheme("expressions-8-other")),
        ("EXPR_Recognition_Challenge", "EXPR_Classification_Challenge", "EXPR_Set"),
    ),
    "au": (Target(UNITS_TARGET, scheme("au-12-affwild2")), ("AU_Detection_Challenge", "AU_Set")),
}
_CROPS: Final = "cropped_aligned*"

CARD: Final = Card(
    name="aff-wild2",
    title="Aff-Wild2, as the ABAW competitions release it",
    licence="research that is not commercial, by an agreement that a member of staff signs; not to be passed on",
    citation="Kollias D, Zafeiriou S (2019). Expression, affect, action unit recognition: Aff-Wild2, multi-task learning and ArcFace. BMVC",
    url="https://ibug.doc.ic.ac.uk/resources/aff-wild2/",
    access="on request",
    description=(
        "Videos from the web of people who react, talk or act; annotators rated valence and arousal, and coded "
        "expressions and 12 action units, in every frame (paper 3, section 2)."
    ),
    provenance="manual: valence and arousal by several raters of moving pictures, expressions and units by experts",
    can_show="how well a model follows what annotators saw in faces of videos from the web, frame by frame",
    cannot_show=(
        "anything about age, gender or race, or about unknown people: the release says neither who is who nor what "
        "they are; and the test set, whose labels are not released"
    ),
    layout=(
        "a folder that holds VA_Estimation_Challenge/Train_Set/<video>.txt and so on, with crops such as "
        "cropped_aligned/<video>/00001.jpg beside it"
    ),
    targets=(_TASKS["va"][0],),
    options=(
        Option("task", "va; or expr (8 expressions), or au (12 action units), with that target instead", "va"),
        Option("faceless", "frames without a crop: leave (them out) or keep (labels without media)", "leave"),
    ),
    notes=(
        "the release does not say who is who: recordings stand for subjects, so one person may count as several",
        "persons of one video, <video>_left and <video>_right, are kept together",
        "frames are numbered from 1; those that were not annotated have no label",
    ),
)


@dataset(CARD)
def read(root: Path, *, task: str = "va", faceless: str = "leave") -> AnnotationTable:
    """Read one task.

    Args:
        root: folder of the annotations and crops.
        task: ``va``, ``expr`` or ``au``.
        faceless: ``leave`` frames without a crop out, or ``keep`` them. Without any crops all are kept.

    Returns:
        One item a frame and person, such as ``video61_left/00001.jpg``, with its ``frame``, the recording as
        ``subject``, ``partition`` (train, validation), and the crop as ``media``.

    Raises:
        UnknownNameError: another task or choice.
        InputError: annotations of another form, or crops that do not belong to them.
    """
    if task not in _TASKS:
        raise UnknownNameError.of("task", task, _TASKS, where=CARD.name)
    if faceless not in ("leave", "keep"):
        raise UnknownNameError.of("choice of faceless frames", faceless, ("leave", "keep"), where=CARD.name)
    target, names = _TASKS[task]
    found = locate(root, names, CARD)
    labels = read_frames(found.path, target, name=CARD.name, root=root)
    frame = labels.frame.rename({"media": "subject"}).with_columns(video=pl.col("item").str.extract("^(.*)/"))
    folders = sorted(path.relative_to(root).as_posix() for base in {root, found.base} for path in base.glob(_CROPS))
    notes = labels.notes
    if folders:
        kept = put_crops(frame, root, folders, keep=faceless == "keep")
        frame, notes = kept.frame, notes + kept.notes
    else:
        frame, notes = frame.with_columns(media=pl.lit(None, pl.String)), (*notes, "no crops are here: labels alone")
    unknown = {target.name: ()}  # markers are resolved already
    table = make_table(frame, targets=[target], name=CARD.name, root=root, where=str(found.path), unknown=unknown)
    return replace(table, notes=(*notes, *table.notes))
