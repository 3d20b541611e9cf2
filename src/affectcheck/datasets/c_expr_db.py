"""C-EXPR-DB: videos from the web with a compound expression in every frame, or, as released, with no label at all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table, read_frames
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.corpus_files import require_folder
from affectcheck.datasets.declared import categories
from affectcheck.datasets.frame_crops import crops_of, put_crops
from affectcheck.datasets.layouts import find, not_found
from affectcheck.datasets.registry import dataset
from affectcheck.errors import UnknownNameError
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_TARGETS: Final = {
    7: Target("expression", categories("compound-7")),
    12: Target("expression", categories("compound-12")),
}
_ANNOTATIONS: Final = ("CE_Recognition_Challenge", "annotations")
_CROPS: Final = "cropped_aligned*"

CARD: Final = Card(
    name="c-expr-db",
    title="C-EXPR-DB, compound expressions in videos from the web",
    licence="research that is not commercial, by an agreement with the organisers; not to be passed on",
    citation=(
        "Kollias D (2023). Multi-label compound expression recognition: C-EXPR database & network. CVPR; as released for "
        "the 6th ABAW competition (paper 3, section 2.4)"
    ),
    url="https://affective-behavior-analysis-in-the-wild.github.io/6th/",
    access="on request",
    description=(
        "400 videos of about 200 thousand frames with 12 compound expressions; 56 of them, without labels and with 7 of "
        "the expressions in question, are the test set of the 6th ABAW competition."
    ),
    provenance="manual, frame by frame; the release for the competition holds no labels",
    can_show="how well a model tells pairs of expressions apart in moving faces, for whoever has the labels",
    cannot_show=(
        "anything at all from the release alone, which has no labels: a model can predict its frames for a submission; "
        "nothing about age, gender, race or known people"
    ),
    layout=(
        "a folder with crops such as cropped_aligned/<video>/00001.jpg; and annotations/<video>.txt, a header of classes "
        "and a class number a line, where there are labels"
    ),
    targets=(_TARGETS[7],),
    options=(
        Option("classes", "7 (those of the competition) or 12 compound expressions", 7),
        Option("faceless", "frames without a crop: leave (them out) or keep (labels without media)", "leave"),
    ),
    notes=(
        "nothing says who is who: recordings stand for subjects, so one person may count as several",
        "frames are numbered from 1; -1 is a frame that was not annotated, which has no label",
    ),
)


@dataset(CARD)
def read(root: Path, *, classes: int = 7, faceless: str = "leave") -> AnnotationTable:
    """Read the frames, with labels where there are any.

    Args:
        root: folder of the annotations and crops.
        classes: 7 or 12.
        faceless: ``leave`` annotated frames without a crop out, or ``keep`` them. Without any crops all are kept.

    Returns:
        One item a frame, such as ``video1/00001.jpg``, with the recording as ``subject`` and the crop as ``media``.

    Raises:
        UnknownNameError: another number of classes or choice.
        InputError: neither crops nor annotations, annotations of another form, or crops that do not belong to them.
    """
    if classes not in _TARGETS:
        raise UnknownNameError.of("number of classes", str(classes), ("7", "12"), where=CARD.name)
    if faceless not in ("leave", "keep"):
        raise UnknownNameError.of("choice of faceless frames", faceless, ("leave", "keep"), where=CARD.name)
    target = _TARGETS[classes]
    require_folder(root, CARD.name, CARD.layout)
    labels = find(root, _ANNOTATIONS)
    bases = {root, *([labels.base] if labels else [])}
    folders = sorted({path.relative_to(root).as_posix() for base in bases for path in base.glob(_CROPS)})
    if labels is None and not folders:
        raise not_found(root, (*_ANNOTATIONS, "cropped_aligned"), CARD)
    if labels is None:
        frame, notes = _unlabelled(root, folders, target)
    else:
        found = read_frames(labels.path, target, name=CARD.name)
        frame = found.frame.rename({"media": "subject"}).with_columns(video=pl.col("item").str.extract("^(.*)/"))
        frame, notes = _with_crops(frame, found.notes, root, folders, keep=faceless == "keep")
    made = make_table(frame, targets=[target], name=CARD.name, root=root, where=str(root), unknown={target.name: ()})
    return replace(made, notes=(*notes, *made.notes))


def _with_crops(
    frame: pl.DataFrame, notes: tuple[str, ...], root: Path, folders: list[str], *, keep: bool
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    if not folders:
        return frame.with_columns(media=pl.lit(None, pl.String)), (*notes, "no crops are here: labels alone")
    kept = put_crops(frame, root, folders, keep=keep)
    return kept.frame, (*notes, *kept.notes)


def _unlabelled(root: Path, folders: list[str], target: Target) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Every crop as a frame to be predicted."""
    crops = crops_of(root, folders)
    number = pl.col("frame").cast(pl.String).str.zfill(5)
    frame = crops.with_columns(
        pl.format("{}/{}.jpg", pl.col("video"), number).alias("item"),
        pl.col("video").str.replace("_(left|right)$", "").alias("subject"),
        pl.lit(None, pl.String).alias(target.name),
    )
    return frame, ("no annotations are here: frames to be predicted, none to be scored",)
