"""Butterworth filters of first order, which do not look ahead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, ClassVar

from affectcheck.augmentations.augmentation import Augmented, changed, describe_parameters, unchanged
from affectcheck.augmentations.draws import drawn_from, require, values_of
from affectcheck.augmentations.mixing import is_silent, peak_of

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class FirstOrderFilter:
    """A filter whose cutoff frequency is drawn for each clip.

    Attributes:
        cutoff_hz: frequencies that one is drawn from; there the level is 3 dB lower.
    """

    NAME: ClassVar[str] = ""

    cutoff_hz: float | tuple[float, ...] = 1_000.0

    def __post_init__(self) -> None:
        """Frequencies are above 0."""
        require("cutoff_hz", self.cutoff_hz, lambda value: value > 0, "frequencies in hertz above 0")

    @property
    def deterministic(self) -> bool:
        """Whether nothing is drawn."""
        return len(values_of(self.cutoff_hz)) == 1

    @cached_property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters(self.NAME, self)

    def apply(self, samples: np.ndarray, rate_hz: int, rng: np.random.Generator) -> Augmented:
        """Filter one clip; a silent one, or one that nothing would be left of, is not changed."""
        from scipy.signal import lfilter  # noqa: PLC0415  # scipy loads with the first clip only

        cutoff_hz = drawn_from(self.cutoff_hz, rng)
        drawn: dict[str, float | str] = {"cutoff_hz": cutoff_hz}
        if is_silent(samples):
            return unchanged(samples, "silent speech: a filter does not change it", drawn)
        if 2 * cutoff_hz >= rate_hz:
            return unchanged(samples, f"cutoff at {cutoff_hz:g} Hz: nothing is there at {rate_hz} Hz", drawn)
        made = lfilter(*_coefficients(self.NAME, cutoff_hz, rate_hz), samples)
        if is_silent(made):
            return unchanged(samples, "nothing but silence is left behind the filter", drawn)
        return changed(samples, made, {**drawn, "peak": peak_of(made)})


@lru_cache(maxsize=64)
def _coefficients(kind: str, cutoff_hz: float, rate_hz: int) -> tuple[np.ndarray, np.ndarray]:
    from scipy.signal import butter  # noqa: PLC0415

    numerator, denominator = butter(1, cutoff_hz, kind, fs=rate_hz)
    return numerator, denominator
