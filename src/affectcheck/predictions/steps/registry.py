"""The registry of steps: a module of this room that registers a class adds a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.registry import Registry

if TYPE_CHECKING:
    from affectcheck.predictions.steps.step import Step

STEPS: Final[Registry[type[Step]]] = Registry("step", "affectcheck.predictions.steps")
