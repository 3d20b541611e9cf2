"""How a suite is run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from affectcheck.predictions import PredictOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.augmentations import Sounds
    from affectcheck.behaviour.definition import Mode
    from affectcheck.predictions import PredictionTable


@dataclass(frozen=True)
class SuiteOptions:
    """How a suite is run.

    Attributes:
        mode: ``corrected`` or ``published``; every verdict names it.
        target: what is tested; None for the first target of the table.
        seed: seed of balancing, noise, simulation and resampling.
        resamples: resamples of each interval; 0 for no intervals (noise floors of groups are dealt out all the same).
        level: coverage of the intervals.
        baseline: whether the random model's value is put beside every verdict.
        reruns: how often random perturbations are drawn again, so that a verdict shows what hangs on the draw. Each
            costs as many predictions as the first draw.
        sounds: recordings and impulse responses that perturbations mix in; what is missing makes its tests not
            applicable.
        predict: cache and processes of the predictions that are still needed.
        perturbed: predictions under perturbations that are there already, by the key of the perturbation.
    """

    mode: Mode = "corrected"
    target: str | None = None
    seed: int = 0
    resamples: int = 1000
    level: float = 0.95
    baseline: bool = True
    reruns: int = 0
    sounds: Sounds | None = None
    predict: PredictOptions = field(default_factory=PredictOptions)
    perturbed: Mapping[str, PredictionTable] = field(default_factory=dict)
