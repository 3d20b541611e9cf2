"""The labels in a file of predictions, as labels of the declared scheme. No stranger becomes a class of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import rows_by_value, value_lines
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.schemes import StatedMapping

#: A number that is no whole one, or what stands for none; whole numbers may be codes of classes.
NUMBER_OR_NONE: Final = re.compile(r"[+-]?((\d+\.\d*|\.\d+)(e[+-]?\d+)?|\d+e[+-]?\d+|nan|inf(inity)?)", re.IGNORECASE)

LABELS_FROM_DATA: Final = "the label set is what occurs in the file, since none was declared"


@dataclass(frozen=True)
class ModelLabels:
    """The labels a model can give, and how the file spells them.

    Attributes:
        scheme: the declared labels, None if none were.
        mapping: what the user states about spellings and codes.
        score_names: the classes of the score columns, as the file spells them, in its order.
        parts: the model's labels.
        spellings: folded spelling to label; None leaves the item out.
        notes: what the reader should know.
    """

    scheme: CategoryScheme | None
    mapping: StatedMapping | None
    score_names: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    spellings: dict[str, str | None] | None = None
    notes: tuple[str, ...] = ()

    def label(self, text: str) -> str | None:
        """The label of a spelling that is known to have one."""
        return (self.spellings or {})[fold(text)]

    @property
    def merged(self) -> tuple[str, ...]:
        """Labels that more than one score column means."""
        found = [self.label(name) for name in self.score_names]
        return tuple(part for part in self.parts if found.count(part) > 1)

    def merge(self, values: np.ndarray) -> np.ndarray:
        """Scores by label from scores by score column: columns that mean one label are added up."""
        merged = np.zeros((len(values), len(self.parts)))
        for index, name in enumerate(self.score_names):
            label = self.label(name)
            if label is not None:
                merged[:, self.parts.index(label)] += values[:, index]
        return merged


def model_labels(asked: ModelLabels, decided: pl.Series | None, where: str) -> ModelLabels:
    """Settle which labels the model has and what each spelling means.

    Raises:
        InputError: numeric codes without a code table, or scores of two columns that mean one label.
        UnknownNameError: a score column, or a mapping's target, is no label of the scheme.
    """
    seen = asked.score_names or (() if decided is None else decided)
    scheme = asked.scheme or CategoryScheme("stated", stated_labels(seen, asked.mapping, where))
    spellings: dict[str, str | None] = {**scheme.spellings()}
    spellings |= {str(code): label for code, label in scheme.codes.items()}
    if asked.mapping:
        spellings |= asked.mapping.resolve(scheme)
    strangers = [name for name in asked.score_names if fold(name) not in spellings]
    if strangers:
        raise UnknownNameError(
            f"score columns for labels that {scheme.name!r} does not have: {', '.join(map(repr, strangers))}",
            where=where,
            expected=f"labels {', '.join(scheme.labels)}",
            cause="another label set; state a mapping, such as calm=neutral, or score only what both have in common",
        )
    found = {spellings[fold(name)] for name in asked.score_names}
    model = tuple(label for label in scheme.labels if label in found) if found else scheme.labels
    notes = () if asked.scheme or asked.score_names else (LABELS_FROM_DATA,)
    return replace(asked, scheme=scheme, parts=model, spellings=spellings, notes=notes)


def resolve_column(decided: pl.Series, labels: ModelLabels, where: str) -> pl.Series:
    """The decided labels as labels of the scheme, null where an item has none.

    Raises:
        UnknownNameError: labels that are none; each is listed with its rows and the nearest.
    """
    texts = decided.cast(pl.String)
    table = {text: labels.label(text) for text in texts.unique().drop_nulls() if fold(text) in (labels.spellings or {})}
    outside = {label for label in table.values() if label is not None} - set(labels.parts)
    strange = [text for text in texts.unique().drop_nulls() if text not in table or table[text] in outside]
    if strange:
        rows = rows_by_value(texts, texts.is_in(strange))
        raise UnknownNameError(
            f"predictions that are no label of the model:{value_lines(rows, labels.parts)}",
            where=where,
            expected=f"one of {', '.join(labels.parts)}",
            cause="a typing mistake or another label set; state a mapping if you know what they mean",
        )
    return texts.replace_strict(table, default=None, return_dtype=pl.String)


def _texts(column: pl.Series) -> list[str]:
    return column.cast(pl.String).drop_nulls().to_list()


def stated_labels(column: pl.Series | Iterable[str], mapping: StatedMapping | None, where: str) -> tuple[str, ...]:
    """The distinct labels of a column (sorted) or of names (in order), where no scheme is declared.

    They are spelt as in the file, or as the user states.

    Raises:
        InputError: numeric codes that nobody explains.
    """
    texts = sorted(_texts(column), key=lambda text: (fold(text), text)) if isinstance(column, pl.Series) else column
    seen = list(dict.fromkeys(text.strip() for text in texts))
    stated = {fold(old): new for old, new in mapping.table.items()} if mapping else {}
    unstated = [text for text in seen if fold(text) not in stated]
    values = [text for text in unstated if NUMBER_OR_NONE.fullmatch(text)]
    if values:
        raise InputError(
            f"numbers such as {', '.join(values[:3])} where labels belong",
            where=where,
            expected="names of classes; for dimensions, a declared scheme and the columns by dimension",
            cause="values of a dimension, scores, or a missing value written as nan",
        )
    codes = [text for text in unstated if text.lstrip("-").isdecimal()]
    if codes:
        raise InputError(
            f"numeric class codes {', '.join(codes[:8])} without a code table",
            where=where,
            expected="a scheme with codes, or a mapping such as 0=neutral,1=anger",
            cause="the same numbers mean other classes in other copies of a data set",
        )
    labels = [stated.get(fold(text), text) for text in seen]
    distinct = {fold(label): label for label in reversed(labels) if label}
    return tuple(dict.fromkeys(distinct[fold(label)] for label in labels if label))
