"""What the drawn faces do: the action units of each expression, and the valence and arousal that units amount to.

The recipes follow the prototypes of the Facial Action Coding System's manual and of the literature on basic
expressions: units that always belong to an expression, and units that may come along. Valence and arousal are sums
over the intensities that are drawn, so that both can be read off the picture. All of it is a stand-in for
expression, not a model of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from affectcheck.datasets.declared import units

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

#: The units that are annotated as present or absent.
ANNOTATED: Final = units("au-12-affwild2").units
#: Every unit that can be drawn: the annotated ones, then those that some expressions need beside them.
DRAWN: Final = (*ANNOTATED, "AU5", "AU9", "AU17", "AU20", "AU43")

#: The weakest intensity that is drawn on purpose, in units of the strongest: about a pixel and a half at 112 pixels.
WEAKEST: Final = 0.3


@dataclass(frozen=True)
class Recipe:
    """The units of an expression.

    Attributes:
        always: units of every picture.
        chances: other units to their chance.
        either: groups of units of which every picture has one.
        stray: units that may come along weakly, as they do in life.
    """

    always: tuple[str, ...] = ()
    chances: tuple[tuple[str, float], ...] = ()
    either: tuple[str, ...] = ()
    stray: tuple[str, ...] = ()


RECIPES: Final[Mapping[str, Recipe]] = {
    "anger": Recipe(("AU4", "AU7"), (("AU5", 0.4), ("AU10", 0.25), ("AU17", 0.4)), ("AU23", "AU24"), ("AU2", "AU15")),
    "disgust": Recipe(("AU9", "AU10"), (("AU15", 0.35), ("AU4", 0.3), ("AU25", 0.4), ("AU7", 0.3)), (), ("AU6",)),
    "fear": Recipe(("AU1", "AU2", "AU4", "AU5", "AU20", "AU25"), (("AU26", 0.4),), (), ("AU10",)),
    "happiness": Recipe(("AU12",), (("AU6", 0.85), ("AU25", 0.6), ("AU26", 0.2), ("AU7", 0.1)), (), ("AU1", "AU2")),
    "neutral": Recipe((), (("AU43", 0.25), ("AU25", 0.12)), (), ("AU2", "AU7", "AU12", "AU24")),
    "sadness": Recipe(("AU1", "AU4", "AU15"), (("AU17", 0.4), ("AU43", 0.6)), (), ("AU7", "AU24")),
    "surprise": Recipe(("AU1", "AU2", "AU25", "AU26"), (("AU5", 0.9),), (), ("AU12",)),
}
#: Chance that one stray unit comes along, and its strongest intensity.
STRAY_CHANCE: Final = 0.2
STRAY_STRONGEST: Final = 0.45

#: Intensities of the annotated and the other units to valence, then to arousal.
_VALENCE: Final = {
    "AU1": -0.05, "AU2": 0.04, "AU4": -0.26, "AU5": -0.02, "AU6": 0.28, "AU7": -0.05, "AU9": -0.30, "AU10": -0.20,
    "AU12": 0.60, "AU15": -0.36, "AU17": -0.10, "AU20": -0.22, "AU23": -0.18, "AU24": -0.16,
}  # fmt: skip
_AROUSAL: Final = {
    "AU1": 0.06, "AU2": 0.16, "AU4": 0.14, "AU5": 0.30, "AU6": 0.10, "AU7": 0.18, "AU9": 0.16, "AU10": 0.06,
    "AU12": 0.16, "AU15": -0.30, "AU17": -0.08, "AU20": 0.14, "AU23": 0.20, "AU24": 0.14, "AU25": 0.08, "AU26": 0.22,
    "AU43": -0.55,
}  # fmt: skip
_STEPS: Final = 4  # decimals of valence, arousal and intensities


@dataclass(frozen=True)
class Affect:
    """Valence and arousal, each within -1 and 1."""

    valence: float
    arousal: float


def affect_of(actions: Mapping[str, float]) -> Affect:
    """Valence and arousal of what a face does; the still face is at (0, 0).

    Example:
        >>> affect_of({"AU12": 1.0, "AU6": 1.0})
        Affect(valence=0.88, arousal=0.26)
    """
    return Affect(_sum(_VALENCE, actions), _sum(_AROUSAL, actions))


def _sum(weights: Mapping[str, float], actions: Mapping[str, float]) -> float:
    total = sum(weight * actions.get(unit, 0.0) for unit, weight in weights.items())
    return round(min(max(total, -1.0), 1.0), _STEPS)


def draw_actions(expression: str, strength: float, draw: np.random.Generator) -> dict[str, float]:
    """Intensities of every drawn unit, 0 where it is absent.

    Args:
        expression: one of ``RECIPES``.
        strength: from 0 to 1, of the expression as a whole; single units scatter around it by a sixth.
        draw: source of chance; it is asked for the same numbers whatever the strength.
    """
    recipe = RECIPES[expression]
    actions = dict.fromkeys(DRAWN, 0.0)
    scatter: list[float] = draw.uniform(-1 / 6, 1 / 6, len(DRAWN)).tolist()
    chance: list[float] = draw.uniform(0.0, 1.0, len(recipe.chances) + 1).tolist()
    pick, stray, weak = draw.uniform(0.0, 1.0, 3).tolist()
    present = [*recipe.always]
    present += [unit for (unit, rate), drawn in zip(recipe.chances, chance, strict=False) if drawn < rate]
    if recipe.either:
        present.append(recipe.either[int(pick * len(recipe.either))])
    if "AU26" in present and "AU25" not in present:
        present.append("AU25")  # a dropped jaw parts the lips of these faces
    for unit in present:
        actions[unit] = strength * (1 + scatter[DRAWN.index(unit)])
    if chance[-1] < STRAY_CHANCE:
        unit = recipe.stray[int(stray * len(recipe.stray))]
        actions[unit] = actions[unit] or WEAKEST + weak * (STRAY_STRONGEST - WEAKEST)
    return {unit: _shown(value) for unit, value in actions.items()}


def _shown(value: float) -> float:
    return round(min(max(value, WEAKEST), 1.0), _STEPS) if value else 0.0
