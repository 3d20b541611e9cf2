"""Technical and ambient sounds in the background (paper 2, section II-D: Background Noise, environmental)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from affectcheck.augmentations.recorded import Continuous
from affectcheck.augmentations.registry import AUGMENTATIONS


@AUGMENTATIONS.register("environment")
@dataclass(frozen=True)
class Environment(Continuous):
    """Adds a technical or ambient sound.

    For each clip one sound is drawn, and the place in it that it is heard from; at its end it begins anew. Paper 2
    draws from the noises of MUSAN at 20 dB. In the original only what follows that place is repeated, so that a place
    near the end repeats a snippet; that is not copied. A silent part is drawn again.

    Attributes:
        snr_db: signal-to-noise ratio in decibels; with several, one is drawn for each clip.
        keep_level: whether the mix has the level of the clip.
        snr_over: ``clip`` or ``active`` (see ``Background``).
        collection: environmental sounds.
    """

    NAME: ClassVar[str] = "environment"
    ROLE: ClassVar[str] = "environment"
