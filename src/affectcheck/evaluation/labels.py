"""The label set that is scored, and the codes of truth and prediction in it.

The set comes from the declared scheme, never from the data. A model may lack classes, which is noted; a class that the
truth does not have needs a stated mapping, or the rule that what both have in common is scored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias

import polars as pl

from affectcheck.annotations.listing import name_list, suggestion
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, fold, parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from affectcheck.schemes import StatedMapping, Target

LabelsRule: TypeAlias = Literal["declared", "intersection"]
INTERSECTION: Final = "the rule 'intersection', which scores what truth and model have in common"


@dataclass(frozen=True)
class LabelTable:
    """Codes of labels.

    Attributes:
        parts: the labels that are scored; their codes are 0, 1, …
        truth: label of the truth to scored label, None where left out.
        prediction: label of the model to scored label, None where left out.
        columns: for units and dimensions, the model's columns in the target's order.
        stated: the mapping as it stands in a signature.
        notes: what the reader should know, such as classes that the model lacks.
        truth_only, model_only: labels, units or dimensions of one side, where only the common ones are scored.
    """

    parts: tuple[str, ...]
    truth: Mapping[str, str | None] = field(default_factory=dict)
    prediction: Mapping[str, str | None] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    stated: str = ""
    notes: tuple[str, ...] = ()
    truth_only: tuple[str, ...] = ()
    model_only: tuple[str, ...] = ()

    MISSING: ClassVar[int] = -1
    UNKNOWN: ClassVar[int] = -2
    DROPPED: ClassVar[int] = -3
    #: The first label of one side only; the next ones have lower codes.
    OUTSIDE: ClassVar[int] = -4

    def __str__(self) -> str:
        """The mapping as it stands in a signature."""
        return self.stated

    def truth_codes(self, column: pl.Series) -> np.ndarray:
        """Codes of the truth; ``UNKNOWN`` where null, ``DROPPED`` where the mapping leaves a label out."""
        return self._codes(column, self.truth, self.truth_only)

    def prediction_codes(self, column: pl.Series) -> np.ndarray:
        """Codes of decisions; ``DROPPED`` where the mapping leaves a label out."""
        return self._codes(column, self.prediction, self.model_only)

    def _codes(self, column: pl.Series, table: Mapping[str, str | None], only: tuple[str, ...]) -> np.ndarray:
        places = {label: code for code, label in enumerate(self.parts)}
        codes = {old: self.DROPPED if new is None else places[new] for old, new in table.items()}
        codes |= {label: self.OUTSIDE - place for place, label in enumerate(only)}
        coded = column.cast(pl.String).replace_strict(codes, default=None, return_dtype=pl.Int64)
        return coded.fill_null(self.UNKNOWN).to_numpy()


@dataclass(frozen=True)
class Spellings:
    """How labels of truth and model are read: as the scheme spells them, and as the user states.

    Attributes:
        scheme: that of the truth.
        model: the model's labels.
        stated: the user's mapping.
    """

    scheme: CategoryScheme
    model: tuple[str, ...]
    stated: StatedMapping

    def __post_init__(self) -> None:
        """Every label that is mapped is known.

        Raises:
            UnknownNameError: one is not, or is mapped to what is no label of the truth.
        """
        known = {**{fold(label): label for label in self.model}, **self.scheme.spellings()}
        for old in self.stated.table:
            if fold(old) not in known:
                raise UnknownNameError.of("label in the mapping", old, {*self.scheme.labels, *self.model})

    @cached_property
    def table(self) -> dict[str, str | None]:
        """Folded spelling to label of the truth's scheme, None where left out."""
        return {**self.scheme.spellings(), **self.stated.resolve(self.scheme)}

    @property
    def told(self) -> str:
        """The mapping as it stands in a signature."""
        return ",".join(f"{old}>{new}" for old, new in sorted(self.stated.table.items()))

    def of(self, label: str) -> str | None:
        """The label of the truth's scheme that a label means; None where there is none."""
        return self.table.get(fold(label))

    def leaves_out(self, label: str) -> bool:
        """Whether the mapping leaves the label's items out."""
        return self.table.get(fold(label), "") is None


def label_table(target: Target, model: tuple[str, ...], stated: StatedMapping) -> LabelTable:
    """Settle the scored labels: those that the truth declares.

    Args:
        target: what is scored.
        model: the model's labels, units or dimensions.
        stated: the user's mapping.

    Raises:
        UnknownNameError: the mapping names a label that neither side has, or that is no label of the truth.
        InputError: the model has labels that the truth's scheme does not have, or lacks a unit or dimension.
    """
    if isinstance(target.scheme, CategoryScheme):
        return _categories(Spellings(target.scheme, model, stated))
    require_no_mapping(target, stated)
    names = parts(target.scheme)
    missing = [name for name in names if name not in model]
    if missing:
        raise InputError(
            f"the model does not predict {name_list(missing)}",
            expected=f"{', '.join(names)}; or {INTERSECTION}",
            cause=f"the model predicts {', '.join(model)}",
        )
    spare = [name for name in model if name not in names]
    notes = (f"the model also predicts {', '.join(spare)}, which the table does not annotate",) if spare else ()
    return LabelTable(names, columns=names, notes=notes)


def require_no_mapping(target: Target, stated: StatedMapping) -> None:
    """Raise where a mapping of labels is stated for units or dimensions.

    Raises:
        InputError: it is.
    """
    if stated.table:
        kind = target.scheme.kind
        raise InputError(f"a label mapping for {kind}", expected="no mapping", cause=f"{kind} have no labels")


def _categories(spelt: Spellings) -> LabelTable:
    scheme, model = spelt.scheme, spelt.model
    truth = {label: spelt.of(label) for label in scheme.labels}
    scored = tuple(label for label in scheme.labels if label in truth.values())
    strangers = [label for label in model if fold(label) not in spelt.table]
    if strangers:
        near = "; ".join(f"{label!r}{suggestion(label, scheme.labels)}" for label in strangers)
        raise InputError(
            f"the model predicts labels that the truth's scheme {scheme.name!r} does not have: {near}",
            expected=f"one of {', '.join(scheme.labels)}, or a stated mapping such as {strangers[0]}={scheme.labels[0]}; "
            f"or {INTERSECTION}",
            cause="a model of another data set",
        )
    prediction = {label: spelt.of(label) for label in model}
    if not scored or not set(prediction.values()) & set(scored):
        raise InputError("the mapping leaves no label to score", expected="at least one label on both sides")
    gone = [label for label in prediction.values() if label is not None and label not in scored]
    if gone:
        raise InputError(
            f"predictions are mapped to {name_list(gone)}, which the mapping takes from the truth",
            expected="one label set",
        )
    lacking = [label for label in scored if label not in prediction.values()]
    notes = (f"the model cannot predict {', '.join(lacking)}",) if lacking else ()
    return LabelTable(scored, truth, prediction, stated=spelt.told, notes=notes)
