"""Backgrounds that are recordings: long ones that go on for the whole clip, and short ones that are heard once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from affectcheck.augmentations.background import ATTEMPTS, Background, Noise
from affectcheck.augmentations.collection import SoundsMissingError
from affectcheck.augmentations.mixing import is_silent
from affectcheck.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.augmentations.collection import Collection


@dataclass(frozen=True)
class Recorded(Background):
    """A background noise that is drawn from recordings; ``collection`` holds them."""

    ROLE: ClassVar[str] = ""

    collection: Collection | None = None

    def __post_init__(self) -> None:
        """The recordings play the role that this noise is for."""
        super().__post_init__()
        if self.collection is not None and self.collection.role != self.ROLE:
            raise InputError(
                f"{self.collection.name} has the role {self.collection.role!r}",
                expected=f"sounds of the role {self.ROLE!r}",
            )

    @property
    def recordings(self) -> Collection:
        """The recordings.

        Raises:
            SoundsMissingError: there are none.
        """
        if self.collection is None:
            raise SoundsMissingError.of(self.ROLE)
        return self.collection

    def excerpt(self, n: int, rate_hz: int, rng: np.random.Generator) -> Noise:
        """Part of a random recording from a random place on; at its end it begins anew.

        A silent part is drawn again, a few times.
        """
        for _ in range(ATTEMPTS):
            key = self.recordings.sounds[rng.integers(len(self.recordings.sounds))].key
            start = float(rng.random())
            samples = self.recordings.excerpt(key, rate_hz, start, n)
            if not is_silent(samples):
                break
        return Noise(samples, {"sound": key, "start": start})


@dataclass(frozen=True)
class Continuous(Recorded):
    """One recording that is heard for the whole clip."""

    def draw(self, n: int, rate_hz: int, rng: np.random.Generator) -> Noise:
        """A random recording, from a random place on."""
        return self.excerpt(n, rate_hz, rng)


@dataclass(frozen=True)
class Once(Recorded):
    """One recording that is heard once: it begins anywhere in the clip, and is cut at its end."""

    def draw(self, n: int, rate_hz: int, rng: np.random.Generator) -> Noise:
        """A random recording at a random place of the clip."""
        key = self.recordings.sounds[rng.integers(len(self.recordings.sounds))].key
        begin = int(rng.random() * n)
        heard = self.recordings.samples(key, rate_hz)[: n - begin]
        drawn: dict[str, float | str] = {"sound": key, "begin_s": begin / rate_hz, "length_s": len(heard) / rate_hz}
        return Noise(heard, drawn, begin)
