"""Fit a baseline to features and labels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from affectcheck.errors import ExtraMissingError, InputError
from affectcheck.models.baseline import Baseline, Weights
from affectcheck.models.card import ModelCard
from affectcheck.models.feature_sets import feature_set
from affectcheck.schemes import CategoryScheme, DimensionScheme, UnitScheme, parts

if TYPE_CHECKING:
    from affectcheck.models.feature_sets import FeatureSetName
    from affectcheck.schemes import Scheme

#: Score of a class or unit that training never saw: its probability is 0 for every item. With the other sign, that of
#: a unit that every training item has.
NEVER: Final = -1e6
_ITERATIONS: Final = 2_000


@dataclass(frozen=True)
class FitOptions:
    """How a baseline is fitted.

    Attributes:
        measured: which features these are.
        strength: inverse strength of the regularisation, C: the larger, the closer the fit.
        training_data: for the card.
        notes: for the card.
    """

    measured: FeatureSetName = "normalised"
    strength: float = 0.01
    training_data: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """The strength is positive."""
        if not 0.0 < self.strength < float("inf"):
            raise InputError(f"a strength of {self.strength}", expected="a positive number")


def fit(features: np.ndarray, truth: np.ndarray, scheme: Scheme, *, options: FitOptions | None = None) -> Baseline:
    """Fit a baseline.

    Args:
        features: (n, d) of ``options.measured``.
        truth: for categories (n,) indices into the scheme's labels; for dimensions (n, D) values and for units (n, M)
            0 or 1, NaN where unknown.
        scheme: what is predicted.
        options: features, strength, words for the card.

    Returns:
        Logistic regression with classes weighted by inverse frequency, or one such a unit, or one ridge
        regression a dimension. Values of dimensions are not clipped to the range: the card says so.

    Raises:
        InputError: shapes do not fit, nothing to learn from (a single class, a constant dimension).
        ExtraMissingError: scikit-learn is not installed.
    """
    options = options or FitOptions()
    if features.ndim != 2 or len(features) != len(truth):
        raise InputError(
            f"features of shape {features.shape} for {len(truth)} labels", expected="one row of features a label"
        )
    mean, scale = features.mean(axis=0), features.std(axis=0)
    scale = np.where(scale > 1e-9 * np.maximum(np.abs(mean), 1.0), scale, 1.0)
    blank = Weights(mean, scale, np.empty((features.shape[1], 0)), np.empty(0))
    standard = blank.standardised(features)
    if isinstance(scheme, CategoryScheme):
        matrix, bias, notes = _classes(standard, truth, scheme, options)
    elif isinstance(scheme, UnitScheme):
        matrix, bias, notes = _units(standard, truth, scheme, options)
    else:
        matrix, bias, notes = _values(standard, truth, scheme, options)
    weights = replace(blank, matrix=matrix, bias=bias)
    return Baseline(_card(scheme, weights, replace(options, notes=(*notes, *options.notes))), options.measured, weights)


class _Fitted(NamedTuple):
    matrix: np.ndarray
    bias: np.ndarray
    notes: tuple[str, ...]


def _classes(standard: np.ndarray, truth: np.ndarray, scheme: CategoryScheme, options: FitOptions) -> _Fitted:
    """Logistic regression; a class without a training item gets probability 0."""
    seen = np.unique(truth)
    if len(seen) < 2:
        raise InputError(
            f"the training items have {len(seen)} class: {', '.join(scheme.labels[i] for i in seen)}",
            expected="items of at least two classes",
            cause="a partition that went wrong, or labels that are nearly all missing",
        )
    logistic = _logistic_regression(options).fit(standard, truth)
    found, constants = logistic.coef_, logistic.intercept_
    if len(seen) == 2:  # one row stands for the difference of the two
        found, constants = np.concatenate([-found, found]) / 2.0, np.concatenate([-constants, constants]) / 2.0
    matrix = np.zeros((standard.shape[1], len(scheme.labels)))
    bias = np.full(len(scheme.labels), NEVER)
    matrix[:, seen], bias[seen] = found.T, constants
    absent = [label for index, label in enumerate(scheme.labels) if index not in seen]
    notes = (f"never predicts {', '.join(absent)}: no training item has the class",) if absent else ()
    return _Fitted(matrix, bias, notes)


def _units(standard: np.ndarray, truth: np.ndarray, scheme: UnitScheme, options: FitOptions) -> _Fitted:
    """A logistic regression a unit, each on the items in which it is known."""
    matrix = np.zeros((standard.shape[1], len(scheme.units)))
    bias = np.full(len(scheme.units), NEVER)
    absent, always = [], []
    for column, unit in enumerate(scheme.units):
        known = ~np.isnan(truth[:, column])
        present = truth[known, column] > 0
        if not present.any():
            absent.append(unit)
        elif present.all():
            always.append(unit)
            bias[column] = -NEVER
        else:
            logistic = _logistic_regression(options).fit(standard[known], present)
            matrix[:, column], bias[column] = logistic.coef_[0], logistic.intercept_[0]
    if len(absent) + len(always) == len(scheme.units):
        raise InputError(
            f"no unit of {scheme.name!r} is both present and absent in the training items",
            expected="items with and without a unit",
            cause="a partition that went wrong, or labels that are nearly all missing",
        )
    notes = [f"never predicts {', '.join(absent)}: no training item has the unit"] if absent else []
    notes += [f"always predicts {', '.join(always)}: every training item has the unit"] if always else []
    return _Fitted(matrix, bias, tuple(notes))


def _values(standard: np.ndarray, truth: np.ndarray, scheme: DimensionScheme, options: FitOptions) -> _Fitted:
    """A ridge regression a dimension, each on the items whose value is known."""
    matrix = np.zeros((standard.shape[1], len(scheme.dimensions)))
    bias = np.zeros(len(scheme.dimensions))
    for column, dimension in enumerate(scheme.dimensions):
        known = ~np.isnan(truth[:, column])
        values = truth[known, column]
        if len(values) < 2 or values.min() == values.max():
            raise InputError(
                f"dimension {dimension!r} has {len(values)} training values, all equal",
                expected="at least two different values",
                cause="a column that is missing or was filled with a constant",
            )
        rows, centre = standard[known], standard[known].mean(axis=0)
        centred = rows - centre
        slopes = _ridge(centred, values - values.mean(), 1.0 / options.strength)
        matrix[:, column], bias[column] = slopes, values.mean() - centre @ slopes
    return _Fitted(matrix, bias, ("values are not clipped to the range of the scheme",))


def _ridge(rows: np.ndarray, values: np.ndarray, penalty: float) -> np.ndarray:
    """Slopes of ridge regression without a constant, solved on whichever side is the smaller."""
    count, width = rows.shape
    if count < width:
        return np.asarray(rows.T @ np.linalg.solve(rows @ rows.T + penalty * np.eye(count), values))
    return np.asarray(np.linalg.solve(rows.T @ rows + penalty * np.eye(width), rows.T @ values))


def _card(scheme: Scheme, weights: Weights, options: FitOptions) -> ModelCard:
    wanted = feature_set(options.measured)
    fitted = np.flatnonzero(np.abs(weights.bias) < -NEVER)
    return ModelCard(
        name=wanted.model,
        kind=scheme.kind,
        parts=parts(scheme),
        output="value" if scheme.kind == "dimensions" else "probability",
        media=(wanted.medium,),
        rate_hz=wanted.rate_hz,
        low=scheme.low if isinstance(scheme, DimensionScheme) else 0.0,
        high=scheme.high if isinstance(scheme, DimensionScheme) else 1.0,
        parameters=len(fitted) * (len(weights.mean) + 1),
        training_data=options.training_data,
        digest=weights.digest(options.measured),
        notes=(wanted.about, f"regularisation strength {options.strength:g}", *options.notes),
    )


def _logistic_regression(options: FitOptions) -> Any:
    try:
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  # an extra, and slow to import
    except ImportError as error:
        wanted = feature_set(options.measured)
        raise ExtraMissingError.of(f"training the model {wanted.model!r}", wanted.extra, "scikit-learn") from error
    return LogisticRegression(C=options.strength, class_weight="balanced", max_iter=_ITERATIONS)
