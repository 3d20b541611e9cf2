"""What changes of length have in common: a number of samples that is drawn for each clip."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from affectcheck.augmentations.augmentation import Augmented, changed, describe_parameters, unchanged
from affectcheck.augmentations.draws import drawn_from, require, values_of
from affectcheck.augmentations.mixing import is_silent

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class LengthChange(ABC):
    """Adds or removes samples at one end.

    Attributes:
        samples: numbers of samples that one is drawn from.
    """

    NAME: ClassVar[str] = ""

    samples: float | tuple[float, ...] = (100, 500, 1_000)

    def __post_init__(self) -> None:
        """Numbers of samples are whole and above 0."""
        require(
            "samples", self.samples, lambda value: value >= 1 and value == int(value), "whole numbers of samples from 1"
        )

    @property
    def deterministic(self) -> bool:
        """Whether nothing is drawn."""
        return len(values_of(self.samples)) == 1

    @cached_property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters(self.NAME, self)

    @abstractmethod
    def changed_by(self, samples: np.ndarray, count: int) -> np.ndarray:
        """The samples with so many more or fewer; empty if there are too few of them.

        Args:
            samples: (n,) samples.
            count: how many are added or removed.
        """

    def apply(self, samples: np.ndarray, rate_hz: int, rng: np.random.Generator) -> Augmented:
        """Change the length; a silent clip, or one of which nothing would be left, is not changed."""
        count = int(drawn_from(self.samples, rng))
        drawn = {"samples": float(count)}
        if is_silent(samples):
            return unchanged(samples, "silent speech: its length does not matter", drawn)
        made = self.changed_by(samples, count)
        if not made.size:
            return unchanged(samples, f"too short: {len(samples)} samples, of which {count} would be removed", drawn)
        if is_silent(made):
            return unchanged(samples, f"nothing but silence is left without {count} samples", drawn)
        return changed(samples, made, drawn)
