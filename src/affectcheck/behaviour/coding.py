"""Labels and values in the coding of a material: tested classes first, and every value on [0, 1]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.behaviour.material import UNKNOWN
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from affectcheck.schemes import CategoryScheme


def truth_codes(labels: Iterable[str | None], parts: tuple[str, ...]) -> NDArray[np.int64]:
    """Code of each annotated label among the tested classes.

    Example:
        >>> truth_codes(["sadness", None, "boredom"], ("anger", "sadness")).tolist()
        [1, -1, -1]
    """
    codes: dict[str | None, int] = {part: code for code, part in enumerate(parts)}
    return np.array([codes.get(label, UNKNOWN) for label in labels], np.int64)


def answer_codes(scheme: CategoryScheme, answers: Iterable[str], parts: tuple[str, ...]) -> dict[str, int]:
    """Code of each class that a model or a rater may answer: the tested ones first, then the others in their order.

    Args:
        scheme: that of the annotation, which knows other spellings of its classes.
        answers: the classes, each once.
        parts: the tested classes.
    """
    spellings, answered = scheme.spellings(), tuple(answers)
    tested = {one: parts.index(spellings[fold(one)]) for one in answered if spellings.get(fold(one)) in parts}
    others = [one for one in answered if one not in tested]
    return tested | {one: len(parts) + place for place, one in enumerate(others)}


def unit_range(values: NDArray[Any], low: float, high: float) -> NDArray[np.float64]:
    """Values mapped from a range onto [0, 1], for which the limits of paper 2 are meant."""
    return np.asarray((values - low) / (high - low), np.float64)
