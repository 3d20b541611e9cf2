"""A checked submission beside kept labels, as scores are computed from them, without a copy that is larger than they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations import AnnotationTable
from affectcheck.annotations.matching import match
from affectcheck.challenges.kept_labels import BLOCK, MEDIA, PREFIX, SUBJECT
from affectcheck.challenges.labels import TARGET
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.alignment import Aligned
from affectcheck.evaluation.class_scores import LABELS_ONLY, NO_CLASSES
from affectcheck.evaluation.data_digest import DataDigest, columns_of
from affectcheck.evaluation.deciding import thresholds_for
from affectcheck.evaluation.labels import LabelTable
from affectcheck.evaluation.options import CROSS
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.challenges.checking import Checked
    from affectcheck.challenges.kept_labels import KeptLabels
    from affectcheck.challenges.track import Track

#: The rule for missing predictions, which a checked submission has none of, as it stands in signatures.
RULE: Final = "error"


def aligned_rows(checked: Checked, kept: KeptLabels, track: Track, told: Callable[[], None]) -> Aligned:
    """What is scored: the labelled items in the order of the labels.

    Args:
        checked: the submission.
        kept: the labels.
        track: what they are of.
        told: is called behind each block of keys that was compared.

    Returns:
        Truth and predictions as ``evaluate`` has them: bytes of units, codes of classes, float64 of dimensions.

    Raises:
        InputError: the submission was not checked against the list of these labels.
    """
    values = _in_order(checked, kept, told)
    target = Target(TARGET, track.declared)
    frame = _frame(checked.items if values is checked.values else kept.rows("item").to_series(), kept)
    columns = [kept.rows(f"{PREFIX}{name}").to_series() for name in target.columns]
    if track.kind == "categories":
        truth = columns[0].cast(pl.Int16).fill_null(LabelTable.UNKNOWN).to_numpy()
        found = Aligned(target, track.parts, frame, truth, values, missing=RULE, no_scores=LABELS_ONLY, output="label")
        return found.keep(truth != LabelTable.UNKNOWN, "without a label: left out")
    if track.kind == "units":
        return _units(Aligned(target, track.parts, frame, _bytes(columns), np.asfortranarray(values), missing=RULE))
    table = pl.DataFrame(columns).select(pl.all().cast(pl.Float64).fill_null(float("nan")))
    found = Aligned(target, track.parts, frame, table.to_numpy(), values, missing=RULE, no_scores=NO_CLASSES)
    return found.keep(~np.isnan(found.truth).all(axis=1), "without any label: left out")


def labels_digest(kept: KeptLabels, attributes: tuple[str, ...]) -> DataDigest:
    """What signatures say of the data, as of the table that the labels were read from.

    Args:
        kept: the labels.
        attributes: group columns; ``sex*age`` crosses two.

    Raises:
        UnknownNameError: a name is no group column.
    """
    members = {}
    for name in attributes:
        columns = columns_of(name)
        for column in columns:
            if column not in kept.groups:
                raise UnknownNameError.of("group column", column, kept.groups)
        members[name] = kept.members[CROSS.join(sorted(set(columns)))]
    return DataDigest(kept.data, members)


def group_table(kept: KeptLabels, frame: pl.DataFrame) -> AnnotationTable:
    """The scored rows as a table that knows its groups."""
    return AnnotationTable(frame, {}, kept.groups)


def _in_order(checked: Checked, kept: KeptLabels, told: Callable[[], None]) -> np.ndarray:
    """Predictions in the order of the labels; those of the submission themselves where they are in it."""
    same = len(checked.items) == kept.height
    for start in range(0, kept.height, BLOCK):
        if same:
            keys = kept.rows("item", start=start, number=BLOCK).to_series()
            same = bool((keys == checked.items.slice(start, BLOCK)).all())
        told()
    if same:
        return checked.values
    try:
        pairs = match(kept.rows("item").to_series(), checked.items).pairs
    except InputError as error:
        cause = "a submission that was checked without the list of these labels, or against another"
        raise InputError(error.what, where=error.where, expected=error.expected, cause=cause) from error
    found: np.ndarray = checked.values[pairs.get_column("prediction_row").to_numpy()]
    return found


def _frame(items: pl.Series, kept: KeptLabels) -> pl.DataFrame:
    """Keys, subject, recording and groups of each item."""
    others = [name for name in (SUBJECT, MEDIA, *kept.groups) if name in kept.names]
    return pl.DataFrame([items.alias("item"), *kept.rows(*others)])


def _bytes(columns: list[pl.Series]) -> np.ndarray:
    """(n, M) int8, -1 where unknown, each unit in one piece."""
    found = np.empty((len(columns[0]), len(columns)), np.int8, order="F")
    for place, column in enumerate(columns):
        found[:, place] = column.fill_null(-1).to_numpy()
    return found


def _units(found: Aligned) -> Aligned:
    """Decisions of units, which are the probabilities 0 and 1 of themselves."""
    found = found.keep(np.asarray((found.truth >= 0).any(axis=1)), "without any label: left out")
    thresholds = thresholds_for(None, found.parts, "probability")
    return replace(found, scores=found.prediction, thresholds=thresholds, output="probability")
