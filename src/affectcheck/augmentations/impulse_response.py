"""Impulse responses: the speaker elsewhere in the room, or in another room (paper 2: Simulated Recording Condition)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

import numpy as np

from affectcheck.augmentations.augmentation import Augmented, changed, describe_parameters, unchanged
from affectcheck.augmentations.collection import Collection, SoundsMissingError
from affectcheck.augmentations.mixing import SILENCE_RMS, rms
from affectcheck.augmentations.registry import AUGMENTATIONS
from affectcheck.errors import InputError, UnknownNameError

Role = Literal["position", "room"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
_RESPONSES: Final = ("reference", "drawn")


@AUGMENTATIONS.register("impulse-response")
@dataclass(frozen=True)
class ImpulseResponse:
    """Lets the sound be heard as from another place, by the impulse response of that place.

    The sound is convolved with the response, cut to its own length and scaled to a peak of 1. A test compares a
    response that is drawn with the reference response, not with the sound as recorded.

    Attributes:
        role: ``position`` for another place in one room, ``room`` for another room.
        response: ``reference`` for the one that others are compared with, ``drawn`` for one of the others.
        reference: key of the reference response; empty for the one that the collection names.
        collection: the responses; of several channels the first is heard, unless the collection names another.
    """

    role: Role = "position"
    response: Literal["reference", "drawn"] = "drawn"
    reference: str = ""
    collection: Collection | None = None

    def __post_init__(self) -> None:
        """The reference must be among the responses, and something else to be compared with it."""
        if self.role not in ROLES:
            raise UnknownNameError.of("role of impulse responses", str(self.role), ROLES)
        if self.response not in _RESPONSES:
            raise UnknownNameError.of("response", str(self.response), _RESPONSES)
        if self.collection is None:
            return
        object.__setattr__(self, "collection", _first_channels(self.collection))
        object.__setattr__(self, "reference", self.reference or self.collection.reference)
        keys = [sound.key for sound in self.collection.sounds]
        if not self.reference:
            raise SoundsMissingError(
                f"the impulse responses of {self.collection.name} have no reference: describe them in a TOML file, "
                f"with one of them as reference, such as {keys[0]!r}"
            )
        if self.reference not in keys:
            raise UnknownNameError.of(f"impulse response of {self.collection.name}", self.reference, keys)
        if not self.others:
            raise SoundsMissingError(f"{self.collection.name} has no impulse response besides the reference")

    @property
    def others(self) -> tuple[str, ...]:
        """Keys of the responses that one is drawn from."""
        sounds = self.collection.sounds if self.collection is not None else ()
        return tuple(sound.key for sound in sounds if sound.key != self.reference)

    @property
    def deterministic(self) -> bool:
        """Whether nothing is drawn."""
        return self.response == "reference" or len(self.others) == 1

    @property
    def key(self) -> str:
        """Name, parameters and content of the responses."""
        return describe_parameters("impulse-response", self)

    def apply(self, samples: np.ndarray, rate_hz: int, rng: np.random.Generator) -> Augmented:
        """Convolve one clip; a silent one, or one that is not heard before its end, is not changed."""
        if self.collection is None:
            raise InputError("an impulse response without responses", expected="a collection of them")
        if rms(samples) < SILENCE_RMS:
            return unchanged(samples, "silent speech: no room changes it")
        chosen = self.reference if self.response == "reference" else self.others[rng.integers(len(self.others))]
        response = self.collection.samples(chosen, rate_hz)
        if rms(response) == 0:
            raise InputError(f"impulse response {chosen!r} is silent", where=self.collection.name)
        heard = convolve(samples, response)
        peak = float(np.max(np.abs(heard)))
        if peak / float(np.max(np.abs(response))) < SILENCE_RMS:
            return unchanged(samples, f"impulse response {chosen} is heard only after the clip", {"response": chosen})
        heard /= peak
        level_gain_db = 20 * math.log10(rms(heard) / rms(samples))
        return changed(samples, heard, {"response": chosen, "level_gain_db": level_gain_db, "peak": 1.0})


def convolve(samples: np.ndarray, response: np.ndarray) -> np.ndarray:
    """The beginning of the full convolution: as many samples as there are of sound.

    Example:
        >>> convolve(np.array([1.0, 0.0, 2.0]), np.array([0.5, 0.25])).round(3).tolist()
        [0.5, 0.25, 1.0]
    """
    from scipy.fft import irfft, next_fast_len, rfft  # noqa: PLC0415  # scipy loads with the first clip only

    n = len(samples)
    heard = response[:n]  # what comes later is never heard
    size = next_fast_len(n + len(heard) - 1, real=True)
    one, other = (rfft(np.asarray(side, np.float32), size) for side in (samples, heard))
    return np.asarray(irfft(one * other, size)[:n], np.float32)


def _first_channels(collection: Collection) -> Collection:
    """Each response by one microphone: the mean of several would comb the spectrum."""
    if all(sound.channel is not None for sound in collection.sounds):
        return collection
    return replace(collection, sounds=tuple(replace(one, channel=one.channel or 0) for one in collection.sounds))
