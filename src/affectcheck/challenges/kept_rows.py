"""A checked submission beside kept labels, as scores are computed from them, without a copy that is larger than they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations import AnnotationTable
from affectcheck.annotations.matching import match
from affectcheck.challenges.kept_labels import BLOCK, PREFIX
from affectcheck.challenges.labels import TARGET
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.alignment import Aligned
from affectcheck.evaluation.class_scores import LABELS_ONLY, NO_CLASSES
from affectcheck.evaluation.data_digest import DataDigest, columns_of
from affectcheck.evaluation.deciding import thresholds_for
from affectcheck.evaluation.grouping import Clusters, attribute, clusters
from affectcheck.evaluation.labels import LabelTable
from affectcheck.evaluation.options import CROSS
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.challenges.checking import Checked
    from affectcheck.challenges.kept_labels import KeptLabels
    from affectcheck.challenges.track import Track
    from affectcheck.evaluation.grouping import Attribute

#: The rule for missing predictions, which a checked submission has none of, as it stands in signatures.
RULE: Final = "error"


@dataclass(frozen=True, eq=False)
class KeptRows:
    """The labelled items, with what is known of them read column by column when it is asked for.

    Attributes:
        aligned: truth and predictions as ``evaluate`` has them: bytes of units, codes of classes, float64 of dimensions; of
            the frame the keys alone.
        kept: the labels.
        known: (n,) which items of the labels are labelled.
    """

    aligned: Aligned
    kept: KeptLabels
    known: np.ndarray

    def frame(self, *columns: str) -> pl.DataFrame:
        """Some columns of the labelled items, with their keys."""
        known = None if self.known.all() else pl.Series(self.known)
        others = [column if known is None else column.filter(known) for column in self.kept.rows(*columns)]
        return pl.DataFrame([self.aligned.frame.get_column("item"), *others])

    def clusters(self) -> Clusters:
        """What is resampled as a whole: subjects, or recordings where no subject is known, or items."""
        unit = self.kept.unit
        return clusters(self.frame(*([unit] if unit in self.kept.names else [])), unit)

    def attribute(self, name: str, minimum_support: int) -> Attribute:
        """A way to divide the items into groups."""
        frame = self.frame(*dict.fromkeys(columns_of(name)))
        found = attribute(AnnotationTable(frame, {}, self.kept.groups), frame, name, minimum_support)
        return replace(found, codes=found.codes.astype(np.int32))


def kept_rows(checked: Checked, kept: KeptLabels, track: Track, told: Callable[[], None]) -> KeptRows:
    """What is scored: the labelled items in the order of the labels.

    Args:
        checked: the submission.
        kept: the labels.
        track: what they are of.
        told: is called behind each block of keys that was compared.

    Raises:
        InputError: the submission was not checked against the list of these labels.
    """
    values = _in_order(checked, kept, told)
    target = Target(TARGET, track.declared)
    items = checked.items if values is checked.values else kept.rows("item").to_series()
    columns = kept.rows(*(f"{PREFIX}{name}" for name in target.columns))
    truth, known = _TRUTHS[track.kind](columns)
    found = Aligned(target, track.parts, items.alias("item").to_frame(), truth, values, missing=RULE)
    if track.kind == "units":
        found = replace(found, prediction=np.asfortranarray(values))
    found = found.keep(known, f"without {'a' if track.kind == 'categories' else 'any'} label: left out")
    if track.kind == "units":  # decisions are the probabilities 0 and 1 of themselves
        thresholds = thresholds_for(None, found.parts, "probability")
        found = replace(found, scores=found.prediction, thresholds=thresholds, output="probability")
    elif track.kind == "categories":
        found = replace(found, no_scores=LABELS_ONLY, output="label")
    else:
        found = replace(found, no_scores=NO_CLASSES)
    return KeptRows(found, kept, known)


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


def _codes(columns: pl.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """(n,) codes of classes, and which are known."""
    codes = columns.to_series().cast(pl.Int16).fill_null(LabelTable.UNKNOWN).to_numpy()
    return codes, codes != LabelTable.UNKNOWN


def _bytes(columns: pl.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """(n, M) int8, -1 where unknown, each unit in one piece; and of which items any is known."""
    found = np.empty(columns.shape, np.int8, order="F")
    for place, column in enumerate(columns):
        found[:, place] = column.fill_null(-1).to_numpy()
    return found, np.asarray((found >= 0).any(axis=1))


def _numbers(columns: pl.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """(n, D) float64, NaN where unknown, and of which items any is known."""
    found = columns.select(pl.all().cast(pl.Float64).fill_null(float("nan"))).to_numpy()
    return found, ~np.isnan(found).all(axis=1)


_TRUTHS: Final = {"categories": _codes, "units": _bytes, "dimensions": _numbers}
