"""AffectNet: faces from the web with expression, valence and arousal; the full lists, or the reduced release."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table
from affectcheck.datasets.affectnet_lists import LISTS, Part, read_lists
from affectcheck.datasets.affectnet_numbers import SETS, read_sets
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.corpus_files import require_folder
from affectcheck.datasets.layouts import find, not_found
from affectcheck.datasets.leaving_out import leave_out, without_repeats
from affectcheck.datasets.pictures import put_media
from affectcheck.datasets.registry import dataset
from affectcheck.errors import InputError
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

#: Codes of the list; from 8 on they are no expressions.
EXPRESSIONS: Final = ("neutral", "happiness", "sadness", "surprise", "fear", "disgust", "anger", "contempt")
NO_EXPRESSIONS: Final = ("none", "uncertain", "non-face")
_INVALID: Final = -2.0  # of valence and arousal, where they were not annotated
_LABELS: Final = ("code", "valence", "arousal", "partition")
_AFFECT: Final = Target("affect", scheme("valence-arousal"))
_SCHEMES: Final = {8: scheme("expressions-8-contempt"), 7: scheme("expressions-7")}

CARD: Final = Card(
    name="affectnet",
    title="AffectNet: facial expression, valence and arousal in the wild",
    licence="research that is not commercial, by an agreement that a principal investigator signs; not to be passed on",
    citation=(
        "Mollahosseini A, Hasani B, Mahoor MH (2019). AffectNet: A database for facial expression, valence, and "
        "arousal computing in the wild. IEEE Transactions on Affective Computing 10(1)"
    ),
    url="http://mohammadmahoor.com/affectnet/",
    access="on request",
    description=(
        "Faces from the web, found by emotion words in six languages. One annotator labelled most images, with one of "
        "eight expressions (or none, uncertain, non-face) and with valence and arousal. A second part was labelled by "
        "networks."
    ),
    provenance=(
        "manual in training and validation, one annotator an image; automatic in the automatically annotated lists, "
        "which are read where they are, and told apart by expression_provenance and affect_provenance"
    ),
    can_show=(
        "how well a model tells posed and spontaneous expressions in pictures from the web apart, and how near its "
        "valence and arousal come to one annotator's"
    ),
    cannot_show=(
        "anything about subjects (who is who is not known, so no partition of it is known to be subject-independent), "
        "about age, gender or race (not annotated in the release), about motion, or what people felt"
    ),
    layout=(
        "a folder that holds Manually_Annotated_file_lists/ with training.csv and validation.csv (full release; "
        "pictures in Manually_Annotated_Images/), or train_set/ and val_set/ with annotations/ and images/ (reduced "
        "release)"
    ),
    targets=(Target("expression", _SCHEMES[8]), _AFFECT),
    items=291_650,
    options=(
        Option("classes", "expressions to keep: 8, or 7 without contempt, whose items are left out", 8),
        Option("automatic", "whether automatically annotated lists are read where they are", True),
    ),
    notes=(
        "291650 items (287651 and 3999) are those of the reduced release with eight expressions (paper 1, Table I)",
        "classes are not balanced in training (happiness 134415, contempt 3750) and balanced in validation, which is "
        "small: labels shift between the two",
        "subjects are not known: faces of one person, and one picture under two names, may lie in both sets",
        "codes are 0 neutral, 1 happiness, 2 sadness, 3 surprise, 4 fear, 5 disgust, 6 anger, 7 contempt; lists of "
        "the fair protocol write names",
        "the test set of its makers is not released; what others call its test set is the validation set",
    ),
)


@dataset(CARD)
def read(
    root: Path, *, classes: int = 8, automatic: bool = True, progress: Callable[[int, int], None] | None = None
) -> AnnotationTable:
    """Read either release.

    Args:
        root: folder of the lists or of the two sets.
        classes: 8, or 7 to leave contempt out.
        automatic: whether automatically annotated lists are read too.
        progress: called with the annotations read and all of them, in the reduced release.

    Returns:
        One item a face with ``expression``, ``valence`` and ``arousal``; ``partition`` is train or validation, null
        in the automatically annotated part. Items are named by the path in the list (full), or by that of the
        picture (reduced). Notes count what was left out.

    Raises:
        InputError: lists of another form, codes or values that the release does not have; all are listed.
    """
    if classes not in _SCHEMES:
        raise InputError(f"classes is {classes}", where=CARD.name, expected="8, or 7 (without contempt)")
    require_folder(root, CARD.name, CARD.layout)
    lists = find(root, [pattern for each in LISTS for pattern in each.patterns])
    if lists is not None:
        part = read_lists(lists.base, automatic=automatic)
        other = [f"{name} (reduced release) is here too, and not read" for name in SETS if (lists.base / name).is_dir()]
        return _table(replace(part, notes=(*part.notes, *other)), lists.base, classes)
    sets = find(root, list(SETS))
    if sets is None:
        raise not_found(root, ["Manually_Annotated_file_lists/training.csv", *SETS], CARD)
    return _table(read_sets(sets.base, progress), sets.base, classes)


def _table(part: Part, base: Path, classes: int) -> AnnotationTable:
    code = pl.col("code")
    reasons = {
        f"of class {name} (code {number})": code == number
        for number, name in enumerate(NO_EXPRESSIONS, len(EXPRESSIONS))
    }
    if "face_width" in part.frame.columns:
        reasons["without a face (negative face_width)"] = pl.col("face_width") < 0
    if classes == 7:
        reasons["of class contempt, as classes=7 asks"] = code == EXPRESSIONS.index("contempt")
    kept = leave_out(part.frame, reasons, where=str(base))
    alone = without_repeats(kept.frame, "item", _LABELS, noun="pictures")
    frame = alone.frame.with_columns(
        code.replace_strict(dict(enumerate(EXPRESSIONS)), return_dtype=pl.String).alias("expression"),
        *(pl.col(name).replace(_INVALID, None) for name in ("valence", "arousal")),
    )
    placed = put_media(frame, frame.get_column("path"), base, noun="pictures")
    unknown = {name: frame.get_column(name).null_count() for name in ("valence", "arousal")}
    told = ", ".join(f"{name} {count}" for name, count in unknown.items() if count)
    notes = [*part.notes, *kept.notes, *alone.notes, *([f"cells not annotated: {told}"] if told else []), *placed.notes]
    table = make_table(
        placed.frame.drop("path", "code"),
        targets=(Target("expression", _SCHEMES[classes]), _AFFECT),
        name=CARD.name,
        root=base,
        where=str(base),
    )
    return replace(table, notes=(*notes, *table.notes))
