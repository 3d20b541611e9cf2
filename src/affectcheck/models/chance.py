"""The random model of a scheme, which stands beside every number of a model under test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.models.random_categorical import RandomCategorical
from affectcheck.models.random_gaussian import RandomGaussian
from affectcheck.models.random_units import RandomUnits
from affectcheck.schemes import CategoryScheme, DimensionScheme

if TYPE_CHECKING:
    from affectcheck.models.card import Predictor
    from affectcheck.schemes import Scheme


def random_model(scheme: Scheme, *, seed: int = 0, media: tuple[str, ...] = ()) -> Predictor:
    """The model that guesses at random within a scheme.

    Args:
        scheme: what is predicted.
        seed: the run's seed.
        media: give ``("audio",)`` where perturbed sound must lead to new guesses; nothing is decoded without it.
    """
    if isinstance(scheme, CategoryScheme):
        return RandomCategorical(scheme.labels, seed, media)
    if isinstance(scheme, DimensionScheme):
        return RandomGaussian(scheme.dimensions, scheme.low, scheme.high, seed, media)
    return RandomUnits(scheme.units, seed, media)
