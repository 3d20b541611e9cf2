"""The choice of the regularisation by a metric on the validation part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.models import FitOptions, fit
from affectcheck.schemes import CategoryScheme, UnitScheme
from affectcheck.tallies import Confusion, Moments, Units

if TYPE_CHECKING:
    from affectcheck.schemes import Scheme
    from affectcheck.training.extraction import Material
    from affectcheck.training.recipe import Recipe

#: Probability from which on a unit counts as present.
PRESENT: Final = 0.5


@dataclass(frozen=True)
class Candidate:
    """One strength that was tried.

    Attributes:
        strength: inverse strength of the regularisation.
        value: the metric on the validation part; None where it is undefined.
    """

    strength: float
    value: float | None


@dataclass(frozen=True)
class Choice:
    """The strength that was chosen.

    Attributes:
        strength: the one with the best value; of equal ones the strongest regularisation.
        metric: by which it was chosen; empty where nothing could be compared.
        candidates: what was tried.
        reason: why nothing could be compared.
    """

    strength: float
    metric: str = ""
    candidates: tuple[Candidate, ...] = ()
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Halves:
    """Rows to fit on and rows to choose by.

    Attributes:
        train: row numbers.
        validation: row numbers; empty where there is no validation part.
    """

    train: np.ndarray
    validation: np.ndarray


def choose(found: Material, halves: Halves, recipe: Recipe) -> Choice:
    """Fit with every strength on the training rows and choose by the validation rows."""
    scheme = found.target.scheme
    search = recipe.search(scheme.kind)
    if not len(halves.validation):
        return Choice(search.strength, reason="no labelled validation items: the recipe's own strength")
    candidates = []
    for strength in sorted(search.strengths):
        options = FitOptions(recipe.measured, strength)
        model = fit(found.features[halves.train], found.truth[halves.train], scheme, options=options)
        prediction = model.predict_features(found.features[halves.validation])
        value = score(found.truth[halves.validation], prediction, scheme, metric=search.metric)
        candidates.append(Candidate(strength, value))
    defined = [candidate for candidate in candidates if candidate.value is not None]
    if not defined:
        reason = f"{search.metric} is undefined on the validation part: the recipe's own strength"
        return Choice(search.strength, search.metric, tuple(candidates), reason)
    best = max(defined, key=lambda candidate: candidate.value or 0.0)  # the first of equal ones
    return Choice(best.strength, search.metric, tuple(candidates))


def score(truth: np.ndarray, prediction: np.ndarray, scheme: Scheme, *, metric: str) -> float | None:
    """One number for predictions; None where it is undefined.

    Args:
        truth: as in ``Material``, without unknown classes.
        prediction: (n, parts) as a model returns.
        scheme: what was predicted.
        metric: name of an overall metric of the scheme's kind.

    Raises:
        InputError: a metric of another kind, or of which less is better.
    """
    found = METRICS.get(metric)
    if found.kind != scheme.kind or found.level != "overall" or found.higher_is_better is not True:
        raise InputError(
            f"a model of {scheme.kind} cannot be chosen by {metric!r}",
            where="recipe",
            expected=f"an overall metric of {scheme.kind} of which more is better",
        )
    if isinstance(scheme, CategoryScheme):
        tally: Confusion | Moments | Units = Confusion.count(
            truth, prediction.argmax(axis=1), labels=len(scheme.labels)
        )
    elif isinstance(scheme, UnitScheme):
        unknown = np.isnan(truth)
        tally = Units.count(np.where(unknown, -1, truth).astype(np.int64), (prediction >= PRESENT).astype(np.int64))
    else:
        tally = Moments.of(truth, prediction)
    value = float(found.compute(tally))
    return value if np.isfinite(value) else None
