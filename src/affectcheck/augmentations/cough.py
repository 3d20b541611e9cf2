"""A cough in the background (paper 2, section II-D: Background Noise, coughing)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from affectcheck.augmentations.recorded import Once
from affectcheck.augmentations.registry import AUGMENTATIONS


@AUGMENTATIONS.register("cough")
@dataclass(frozen=True)
class Cough(Once):
    """Adds one cough.

    For each clip one cough is drawn, and where in the clip it begins; it is not repeated, and cut where the clip ends.
    Paper 2 draws from the coughs of cough-speech-sneeze at 10 dB over the whole clip: a cough of 0.8 s then is 4 dB
    below the speech in a clip of 3 s, and 1 dB above it in one of 10 s. ``snr_over="active"`` sets the ratio where it
    sounds. A part that is silent is drawn again.

    Attributes:
        snr_db: signal-to-noise ratio in decibels; with several, one is drawn for each clip.
        keep_level: whether the mix has the level of the clip.
        snr_over: ``clip`` or ``active`` (see ``Background``).
        collection: recordings of coughs.
    """

    NAME: ClassVar[str] = "cough"
    ROLE: ClassVar[str] = "cough"

    snr_db: float | tuple[float, ...] = 10.0
