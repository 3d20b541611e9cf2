"""Fundamental frequency by Praat with its defaults, through praat-parselmouth (GPL-3.0-or-later, optional)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from affectcheck.media.clip import Clip


def praat_installed() -> bool:
    """Whether Praat can be called."""
    return find_spec("parselmouth") is not None


def _parselmouth() -> Any:
    import parselmouth  # noqa: PLC0415  # an optional extra

    return parselmouth


@dataclass(frozen=True)
class Praat:
    """Praat's ``To Pitch`` with its defaults: autocorrelation, 75 to 600 Hz, a frame every 10 ms."""

    name: str = "praat"

    @property
    def version(self) -> str:
        """Versions of the wrapper and of Praat itself."""
        found = _parselmouth()
        return f"parselmouth {found.VERSION}, Praat {found.PRAAT_VERSION}"

    def frames_hz(self, clip: Clip) -> np.ndarray:
        """(frames,) fundamental frequency, 0 where unvoiced; none for a clip too short for one frame."""
        parselmouth = _parselmouth()
        sound = parselmouth.Sound(np.asarray(clip.samples, np.float64), float(clip.rate_hz))
        try:
            return np.asarray(sound.to_pitch().selected_array["frequency"], np.float64)
        except parselmouth.PraatError:
            return np.zeros(0)
