"""What a model whose labels nobody declared can predict, where only what truth and model have in common is scored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from affectcheck.annotations.listing import name_list
from affectcheck.errors import InputError
from affectcheck.predictions.columns import score_prefix
from affectcheck.schemes import CategoryScheme, UnitScheme, parts

if TYPE_CHECKING:
    import polars as pl

    from affectcheck.predictions import PredictionColumns
    from affectcheck.schemes import Scheme


def model_scheme(scheme: Scheme, predicted: pl.DataFrame, columns: PredictionColumns, where: str) -> Scheme | None:
    """What a model has of the truth's scheme: None where score columns name its classes.

    Args:
        scheme: that of the truth.
        predicted: the predictions.
        columns: what their columns mean.
        where: the file, for messages.

    Raises:
        InputError: classes that only the decisions show, of which nobody knows whether they are all; or no unit or
            dimension of the scheme has a column.
    """
    prefix = score_prefix(predicted, columns)
    if isinstance(scheme, CategoryScheme):
        if prefix:
            return None
        raise InputError(
            "the labels of the model are not declared, and it is not known what it could have predicted",
            where=where,
            expected="the labels of the model, or a column of scores for each of them",
            cause="a file of decided labels; a class that was never predicted would not count as one of the model's",
        )
    names = tuple(
        name
        for name in parts(scheme)
        if {columns.parts.get(name, name), f"{columns.scores}{name}"} & set(predicted.columns)
    )
    if not names:
        raise InputError(
            f"no column for any of {', '.join(parts(scheme))}",
            where=where,
            expected=f"columns of these names, or named for them; there are {name_list(predicted.columns)}",
        )
    return of_kind(scheme, CategoryScheme("of the model", names))


def of_kind(scheme: Scheme, own: Scheme) -> Scheme:
    """The model's own scheme; names that were declared as such are units or dimensions where the truth is of these.

    Example:
        >>> of_kind(UnitScheme("au", ("AU1", "AU2")), CategoryScheme("declared", ("AU1",))).units
        ('AU1',)
    """
    if not isinstance(own, CategoryScheme) or isinstance(scheme, CategoryScheme):
        return own
    if isinstance(scheme, UnitScheme):
        return replace(scheme, units=own.labels)
    return replace(scheme, dimensions=own.labels)
