"""What every background noise has in common: a ratio, a level that is kept, and noise that is drawn for each clip."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final, Literal, get_args

import numpy as np

from affectcheck.augmentations.augmentation import Augmented, changed, describe_parameters, unchanged
from affectcheck.augmentations.draws import drawn_from, require
from affectcheck.augmentations.mixing import (
    FRAME_S,
    Mix,
    Part,
    Rule,
    SilentNoiseError,
    SilentSpeechError,
    mix_in,
    peak_notes,
)
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

SnrOver = Literal["clip", "active"]
#: So often is noise drawn, when what was drawn is silent.
ATTEMPTS: Final = 5


@dataclass(frozen=True, eq=False)
class Noise:
    """Noise as it was drawn, before it is scaled.

    Attributes:
        samples: (m,) float32.
        drawn: what was drawn.
        begin: sample of the clip that it begins with; elsewhere it is silent.
    """

    samples: np.ndarray
    drawn: Mapping[str, float | str]
    begin: int = 0


@dataclass(frozen=True)
class Background(ABC):
    """Noise that is added at a ratio; a subclass says which noise.

    With ``snr_over="clip"`` levels are root mean squares over the whole clip, as in the published tests; a short noise
    then is the louder the longer the clip is. With ``"active"`` that of the speech is taken over its active frames, and
    that of the noise over those where it sounds (20 ms; at most 40 dB below the loudest frame; see ``active_rms``).

    Where the level is kept, the mix is scaled back to the root mean square of the clip; if its peak exceeds full scale
    then, in either direction, it is scaled to a peak of 1, which leaves the ratio as it is. The original looks at
    positive peaks only, and stores 16 bits, which clips the negative ones.

    Attributes:
        snr_db: signal-to-noise ratio in decibels; with several, one is drawn for each clip.
        keep_level: whether the mix has the level of the clip.
        snr_over: ``clip`` or ``active``.
    """

    NAME: ClassVar[str] = ""

    snr_db: float | tuple[float, ...] = 20.0
    keep_level: bool = True
    snr_over: SnrOver = "clip"

    def __post_init__(self) -> None:
        """There is a ratio, and all are finite."""
        require("snr_db", self.snr_db, lambda _: True, "a number of decibels, or several")
        if not isinstance(self.keep_level, bool):
            raise InputError(f"keep_level is {self.keep_level!r}", expected="true or false")
        if self.snr_over not in get_args(SnrOver):
            raise UnknownNameError.of("span of the signal-to-noise ratio", str(self.snr_over), get_args(SnrOver))

    @cached_property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters(self.NAME, self)

    def refusal(self, rate_hz: int) -> str:
        """Why there is no such noise at a sampling rate; empty if there is."""
        return ""

    @abstractmethod
    def draw(self, n: int, rate_hz: int, rng: np.random.Generator) -> Noise:
        """Draw noise.

        Args:
            n: number of samples.
            rate_hz: their rate.
            rng: what everything is drawn from.
        """

    def apply(self, samples: np.ndarray, rate_hz: int, rng: np.random.Generator) -> Augmented:
        """Add noise; a silent clip, or one that only silence was drawn for, is not changed."""
        reason = self.refusal(rate_hz)
        if reason:
            return unchanged(samples, reason)
        snr_db = drawn_from(self.snr_db, rng)
        frame = max(1, round(FRAME_S * rate_hz)) if self.snr_over == "active" else None
        rule = Rule(snr_db, self.keep_level, frame)
        for attempt in range(1, ATTEMPTS + 1):
            noise = self.draw(len(samples), rate_hz, rng)
            try:
                mix = mix_in(samples, Part(noise.samples, noise.begin), rule)
            except SilentSpeechError as error:
                return unchanged(samples, error.what)
            except SilentNoiseError:
                continue
            return self._heard(samples, mix, {"snr_db": snr_db, **noise.drawn, "attempts": float(attempt)})
        return unchanged(samples, f"silent noise: {ATTEMPTS} draws had nothing to mix in", dict(noise.drawn))

    def _heard(self, samples: np.ndarray, mix: Mix, drawn: Mapping[str, float | str]) -> Augmented:
        level_gain_db, peak = mix.level_gain_db, mix.peak
        notes = peak_notes(peak, scaled=self.keep_level)
        if peak > 1 and self.keep_level:
            np.divide(mix.samples, peak, out=mix.samples)
            level_gain_db, peak = level_gain_db - 20 * math.log10(peak), 1.0
        levels = {"noise_gain": mix.noise_gain, "level_gain_db": level_gain_db, "peak": peak}
        return changed(samples, mix.samples, {**drawn, **levels}, notes)
