"""Cells of action units and dimensions that mean no label, as far as a user states them."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from affectcheck.annotations.labels import UNKNOWN_UNITS
from affectcheck.errors import InputError
from affectcheck.evaluation.scored_columns import stated
from affectcheck.schemes import UnitScheme

if TYPE_CHECKING:
    from affectcheck.annotations.labels import Marker
    from affectcheck.evaluation.scored_columns import ScoredColumns
    from affectcheck.schemes import Scheme


def markers_of(scheme: Scheme, columns: ScoredColumns, where: str) -> tuple[Marker, ...]:
    """The stated markers, such as ``-5=``, and those that any file of units has; empty where none are stated.

    Raises:
        InputError: a value is said to mean another one, which numbers do not, or a prediction to mean anything.

    Example:
        >>> from affectcheck.evaluation.scored_columns import ScoredColumns
        >>> from affectcheck.schemes import scheme
        >>> markers_of(scheme("valence-arousal"), ScoredColumns(truth_labels="-5=,nan="), "")
        (-5.0, 'nan')
    """
    told = {} if (found := stated(columns.truth_labels)) is None else found.table
    meant = [f"{old}={new}" for old, new in told.items() if new]
    if meant or stated(columns.prediction_labels) is not None:
        raise InputError(
            f"labels are said to mean something, but {scheme.kind} have none"
            + (f": {', '.join(meant)}" if meant else ", least of all in predictions"),
            where=where,
            expected="at most what of the truth means 'not annotated', as -5=",
            cause="an option for classes; numbers are put on another scale before they are scored",
        )
    common = UNKNOWN_UNITS if told and isinstance(scheme, UnitScheme) else ()
    return (*common, *(_marker(text) for text in told))


def _marker(text: str) -> Marker:
    try:
        number = float(text)
    except ValueError:
        return text
    return number if isfinite(number) else text
