"""What the columns of scored frames and files are called and mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from affectcheck.schemes import CategoryScheme, DimensionScheme, StatedMapping, UnitScheme

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from affectcheck.annotations.matching import Leniency
    from affectcheck.models.card import Output
    from affectcheck.schemes import Scheme

#: A column for categories; for units and dimensions, part to column.
Columns: TypeAlias = "str | Mapping[str, str]"


@dataclass(frozen=True)
class ScoredColumns:
    """What the columns of scored frames are called and mean.

    Attributes:
        truth: column of the annotated label; for units and dimensions, part to column.
        prediction: column of the predicted label; for units and dimensions, part to column.
        labels: the declared labels, or a scheme. Without, what occurs in the data is taken, and said.
        model_labels: the labels of the model, or its scheme, where they are not the truth's and only what both have in
            common is scored (``EvaluationOptions.labels_rule``). Without, those of the score columns are taken.
        item: column of item keys in both frames; empty takes ``item`` or ``file``, and row numbers in a single frame.
        start, end: columns of a segment's borders in seconds.
        subject: column that says who is heard or seen; empty takes ``subject``, if there is one.
        media: column of the recording that an item is of; empty takes ``media``, if there is one.
        frame: column of its frame number, counted from 1, by which steps such as smoothing find its neighbours; empty
            takes ``frame``, if there is one and steps are done.
        scores: prefix of the score columns, of units and dimensions too.
        output: what the scores are; empty takes what the prefix says.
        truth_labels, prediction_labels: what labels or codes in the column mean, such as ``0=neutral,1=anger``; an empty
            right side, such as ``-5=``, stands for no label, in truths of units and dimensions too.
        forgive: faults of keys that are let pass, see ``annotations.matching``.
        name: name of the data.
        model: name of the model.
        delimiter: character between the cells of a CSV file.
        encoding: character encoding of a CSV file, if it is not UTF-8.
    """

    truth: Columns = "truth"
    prediction: Columns = "prediction"
    labels: Scheme | Sequence[str] | None = None
    model_labels: Scheme | Sequence[str] | None = None
    item: str = ""
    start: str = ""
    end: str = ""
    subject: str = ""
    media: str = ""
    frame: str = ""
    scores: str = ""
    output: Output | None = None
    truth_labels: str | StatedMapping = ""
    prediction_labels: str | StatedMapping = ""
    forgive: tuple[Leniency, ...] = field(default=())
    name: str = ""
    model: str = ""
    delimiter: str = ","
    encoding: str | None = None

    @property
    def declared(self) -> Scheme | None:
        """The declared scheme; None where the labels are those that occur."""
        return _declared(self.labels)

    @property
    def model_declared(self) -> Scheme | None:
        """The declared scheme of the model; None where it is not said."""
        return _declared(self.model_labels)


def _declared(labels: Scheme | Sequence[str] | None) -> Scheme | None:
    if labels is None or isinstance(labels, CategoryScheme | UnitScheme | DimensionScheme):
        return labels
    return CategoryScheme("declared", tuple(labels))


def stated(mapping: str | StatedMapping) -> StatedMapping | None:
    """What a side's spellings mean; None where nothing is said of them."""
    found = mapping if isinstance(mapping, StatedMapping) else StatedMapping.parse(mapping)
    return found if found.table else None
