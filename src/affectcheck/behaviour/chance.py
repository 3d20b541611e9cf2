"""The random model under the same rules: its value stands beside every verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.behaviour.material import round_predictions
from affectcheck.media.clip import Item
from affectcheck.models import random_model
from affectcheck.schemes import CategoryScheme, DimensionScheme, UnitScheme
from affectcheck.seeds import entropy

if TYPE_CHECKING:
    from affectcheck.behaviour.definition import Rules
    from affectcheck.behaviour.material import Material


def guessed(material: Material, kind: str, rules: Rules, *, seed: int, purpose: str = "") -> Material:
    """The same items with the guesses of the random model, over the tested classes or dimensions.

    Args:
        material: the items.
        kind: ``categories``, ``units`` or ``dimensions``.
        rules: rounding of the mode.
        seed: the run's seed.
        purpose: another purpose gives independent guesses, as a perturbed recording does.
    """
    key = entropy(seed, "random model", purpose)
    items = [Item(item) for item in material.items]
    if kind == "categories":
        model = random_model(CategoryScheme("tested", material.parts), seed=key)
        codes = model.predict(items).argmax(axis=1).astype(np.int64) if items else np.empty(0, np.int64)
        return replace(material, prediction=codes, others=0)
    if kind == "units":
        guesses = random_model(UnitScheme("tested", material.parts), seed=key)
        return replace(
            material, prediction=(guesses.predict(items) >= 0.5).astype(material.prediction.dtype)
        )  # as likely as not
    model = random_model(DimensionScheme("tested", material.parts, 0.0, 1.0), seed=key)
    return replace(material, prediction=round_predictions(model.predict(items), rules))
