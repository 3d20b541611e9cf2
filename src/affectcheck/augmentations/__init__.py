"""Perturbations of sound: one file each, with parameters in physical units and draws keyed by item."""

from affectcheck.augmentations.augmentation import Augmentation, Augmented, describe_parameters
from affectcheck.augmentations.collection import (
    READERS,
    ROLES,
    Collection,
    Sound,
    Sounds,
    SoundsMissingError,
    read_sounds,
)
from affectcheck.augmentations.gain import Gain
from affectcheck.augmentations.impulse_response import ImpulseResponse
from affectcheck.augmentations.mixing import Mix, SilenceError, mix_at_snr, rms
from affectcheck.augmentations.perturbation import Perturbation
from affectcheck.augmentations.phone import Phone
from affectcheck.augmentations.registry import AUGMENTATIONS, make_augmentation
from affectcheck.augmentations.white_noise import WhiteNoise

__all__ = [
    "AUGMENTATIONS",
    "READERS",
    "ROLES",
    "Augmentation",
    "Augmented",
    "Collection",
    "Gain",
    "ImpulseResponse",
    "Mix",
    "Perturbation",
    "Phone",
    "SilenceError",
    "Sound",
    "Sounds",
    "SoundsMissingError",
    "WhiteNoise",
    "describe_parameters",
    "make_augmentation",
    "mix_at_snr",
    "read_sounds",
    "rms",
]
