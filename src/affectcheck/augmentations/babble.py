"""Babble of several voices in the background (paper 2, section II-D: Background Noise, babble)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.background import Noise
from affectcheck.augmentations.draws import is_number
from affectcheck.augmentations.recorded import Recorded
from affectcheck.augmentations.registry import AUGMENTATIONS
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from numpy.random import Generator


@AUGMENTATIONS.register("babble")
@dataclass(frozen=True)
class Babble(Recorded):
    """Adds the babble of several voices.

    For each clip the number of voices is drawn; for each voice a recording, the place in it that it is heard from (at
    its end it begins anew), and its gain in whole decibels. Paper 2 draws four to seven recordings of the speech of
    MUSAN at -20 to -13 dB, and mixes their sum at 20 dB. In the original only what follows the drawn place is repeated,
    so that a place near the end repeats a snippet; that is not copied. A silent part is drawn again.

    Attributes:
        snr_db: ratio of the speech to all voices together, in decibels; with several, one is drawn for each clip.
        keep_level: whether the mix has the level of the clip.
        snr_over: ``clip`` or ``active`` (see ``Background``).
        collection: recordings of speech.
        voices: fewest and most voices.
        gain_db: lowest and highest gain of a voice, in whole decibels.
    """

    NAME: ClassVar[str] = "babble"
    ROLE: ClassVar[str] = "speech"

    voices: tuple[int, int] = (4, 7)
    gain_db: tuple[int, int] = (-20, -13)

    def __post_init__(self) -> None:
        """Both are ranges of whole numbers."""
        super().__post_init__()
        if not _is_range(self.voices) or self.voices[0] < 1:
            raise InputError(f"voices is {self.voices!r}", expected="the fewest and the most voices, from 1")
        if not _is_range(self.gain_db):
            raise InputError(
                f"gain_db is {self.gain_db!r}", expected="the lowest and the highest gain, in whole decibels"
            )

    def draw(self, n: int, rate_hz: int, rng: Generator) -> Noise:
        """The sum of the voices."""
        count = int(rng.integers(int(self.voices[0]), int(self.voices[1]) + 1))
        babble = np.zeros(n, np.float32)
        drawn: dict[str, float | str] = {"voices": float(count)}
        for number in range(1, count + 1):
            gain_db = float(rng.integers(int(self.gain_db[0]), int(self.gain_db[1]) + 1))
            voice = self.excerpt(n, rate_hz, rng)
            babble += voice.samples * np.float32(10 ** (gain_db / 20))
            drawn |= {f"voice_{number}_{name}": value for name, value in voice.drawn.items()}
            drawn[f"voice_{number}_gain_db"] = gain_db
        return Noise(babble, drawn)


def _is_range(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and all(is_number(one) and one == int(one) for one in value)
        and value[0] <= value[1]
    )
