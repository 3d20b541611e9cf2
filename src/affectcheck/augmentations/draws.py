"""Parameters that hold one value or several, of which one is drawn for each clip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np


def values_of(parameter: float | tuple[float, ...]) -> tuple[float, ...]:
    """The values that one is drawn from."""
    return parameter if isinstance(parameter, tuple) else (parameter,)


def require(name: str, parameter: Any, usable: Callable[[float], bool], expected: str) -> None:
    """Refuse a parameter without values, or with one that is no finite number or not usable.

    Args:
        name: the parameter's name.
        parameter: its value or values.
        usable: what is asked of each number.
        expected: the same in words.

    Raises:
        InputError: names the parameter, its value and what was expected.
    """
    values = values_of(parameter)
    if not values or not all(is_number(value) and usable(value) for value in values):
        raise InputError(f"{name} is {parameter!r}", expected=expected)


def is_number(value: Any) -> bool:
    """Whether it is a finite number, and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def drawn_from(parameter: float | tuple[float, ...], rng: np.random.Generator) -> float:
    """One of the values, each as likely as the others."""
    values = values_of(parameter)
    return float(values[rng.integers(len(values))])
