"""Clipping of the loudest samples (paper 2, section II-D: Small Changes, clip)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.augmentations.augmentation import Augmented, changed, describe_parameters, unchanged
from affectcheck.augmentations.draws import drawn_from, require, values_of
from affectcheck.augmentations.mixing import is_silent, peak_of
from affectcheck.augmentations.registry import AUGMENTATIONS

if TYPE_CHECKING:
    from numpy.random import Generator

_GROUP: Final = 32


@AUGMENTATIONS.register("clip")
@dataclass(frozen=True)
class Clipping:
    """Clips the samples of largest magnitude; the level of the others stays as it is.

    Of n samples and a ratio r, the ``floor(r n)`` largest are clipped to the magnitude of the next one. Paper 2 draws
    from 0.1, 0.2 and 0.3 % of the samples. A clip that has as large a magnitude in more samples than that is not
    changed.

    Attributes:
        ratio: shares of the samples that one is drawn from for each clip.
    """

    ratio: float | tuple[float, ...] = (0.001, 0.002, 0.003)

    def __post_init__(self) -> None:
        """Ratios are shares."""
        require("ratio", self.ratio, lambda value: 0 < value < 1, "shares of the samples between 0 and 1")

    @property
    def deterministic(self) -> bool:
        """Whether nothing is drawn."""
        return len(values_of(self.ratio)) == 1

    @cached_property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters("clip", self)

    def apply(self, samples: np.ndarray, rate_hz: int, rng: Generator) -> Augmented:
        """Clip; a silent clip, one too short for the ratio, or one that would be silent is not changed."""
        ratio = drawn_from(self.ratio, rng)
        drawn: dict[str, float | str] = {"ratio": ratio}
        if is_silent(samples):
            return unchanged(samples, "silent speech: there is nothing to clip", drawn)
        n = len(samples)
        clipped = int(ratio * n)
        if not clipped:
            return unchanged(samples, f"too short: no sample of {n} is clipped at a ratio of {ratio:g}", drawn)
        magnitudes = np.abs(samples)
        peak = largest(magnitudes, clipped)
        if peak >= peak_of(magnitudes):
            return unchanged(samples, f"more than {ratio:.1%} of the samples have the largest magnitude already", drawn)
        made = np.clip(samples, -peak, peak)
        if is_silent(made):
            return unchanged(samples, f"nothing but silence is left at a ratio of {ratio:g}", drawn)
        return changed(samples, made, {**drawn, "peak": peak})


def largest(magnitudes: np.ndarray, place: int) -> float:
    """One of the largest values, by its place counted from 0.

    Of disjoint groups of values, ``place + 1`` have a maximum of at least the bound that is used here, so that at least as
    many values are not below it, and only those need to be put in order.

    Args:
        magnitudes: (n,) values.
        place: fewer than n of them are larger.

    Example:
        >>> largest(np.array([0.1, 0.5, 0.3, 0.4]), 1)
        0.4
    """
    groups = len(magnitudes) // _GROUP
    if 2 * place < groups:
        maxima = magnitudes[: groups * _GROUP].reshape(_GROUP, groups).max(axis=0)
        magnitudes = magnitudes[magnitudes >= np.partition(maxima, groups - 1 - place)[groups - 1 - place]]
    place = len(magnitudes) - 1 - place
    return float(np.partition(magnitudes, place)[place])
