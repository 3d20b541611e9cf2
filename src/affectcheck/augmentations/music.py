"""Music in the background (paper 2, section II-D: Background Noise, music)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from affectcheck.augmentations.recorded import Continuous
from affectcheck.augmentations.registry import AUGMENTATIONS


@AUGMENTATIONS.register("music")
@dataclass(frozen=True)
class Music(Continuous):
    """Adds music.

    For each clip one recording of music is drawn, and the place in it that it is heard from; at its end it begins anew.
    Paper 2 draws from the music of MUSAN at 20 dB. In the original only what follows that place is repeated, so that a
    place near the end repeats a snippet; that is not copied. A silent part is drawn again.

    Attributes:
        snr_db: signal-to-noise ratio in decibels; with several, one is drawn for each clip.
        keep_level: whether the mix has the level of the clip.
        snr_over: ``clip`` or ``active`` (see ``Background``).
        collection: recordings of music.
    """

    NAME: ClassVar[str] = "music"
    ROLE: ClassVar[str] = "music"
