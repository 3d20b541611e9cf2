"""Mean fundamental frequency of a clip, by an estimator that has a name and a version.

Praat (praat-parselmouth, GPL-3.0-or-later, an extra of its own) where it is installed, as paper 2 took it; else our own
implementation of the method that Praat documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from affectcheck.errors import ExtraMissingError, UnknownNameError
from affectcheck.media.pitch_autocorrelation import Autocorrelation
from affectcheck.media.pitch_praat import Praat, praat_installed

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.media.clip import Clip

#: Estimators by name, the preferred one first.
PITCH_ESTIMATORS: Final = ("praat", "autocorrelation")


class PitchEstimator(Protocol):
    """Measures the fundamental frequency of frames."""

    @property
    def name(self) -> str:
        """One of ``PITCH_ESTIMATORS``."""

    @property
    def version(self) -> str:
        """Version of what measures: numbers of two versions may differ."""

    def frames_hz(self, clip: Clip) -> np.ndarray:
        """(frames,) fundamental frequency of each frame, 0 where it is unvoiced; none where the clip is too short."""


def pitch_estimator(name: str = "auto") -> PitchEstimator:
    """An estimator.

    Args:
        name: ``praat``, ``autocorrelation``, or ``auto`` for Praat where it is installed.

    Raises:
        UnknownNameError: there is no such estimator.
        ExtraMissingError: Praat is wanted and not installed.

    Example:
        >>> pitch_estimator("autocorrelation").name
        'autocorrelation'
    """
    if name not in ("auto", *PITCH_ESTIMATORS):
        raise UnknownNameError.of("pitch estimator", name, ("auto", *PITCH_ESTIMATORS))
    if name == "autocorrelation" or (name == "auto" and not praat_installed()):
        return Autocorrelation()
    if not praat_installed():
        raise ExtraMissingError.of("pitch by Praat", "praat", "praat-parselmouth")
    return Praat()


def mean_pitch(clip: Clip, estimator: PitchEstimator) -> float | None:
    """Mean fundamental frequency over the voiced frames; None where no frame is voiced."""
    frames = estimator.frames_hz(clip)
    voiced = frames[frames > 0.0]
    return float(voiced.mean()) if voiced.size else None
