"""Perturbations of sound, and of pictures in a package of their own: one file each, with parameters in physical units and draws keyed by item."""

from affectcheck.augmentations.append_zeros import AppendZeros
from affectcheck.augmentations.augmentation import Augmentation, Augmented, describe_parameters
from affectcheck.augmentations.babble import Babble
from affectcheck.augmentations.background import Background
from affectcheck.augmentations.clipping import Clipping
from affectcheck.augmentations.collection import (
    READERS,
    ROLES,
    Collection,
    Sound,
    Sounds,
    SoundsMissingError,
    read_sounds,
)
from affectcheck.augmentations.cough import Cough
from affectcheck.augmentations.crop_beginning import CropBeginning
from affectcheck.augmentations.crop_end import CropEnd
from affectcheck.augmentations.environment import Environment
from affectcheck.augmentations.gain import Gain
from affectcheck.augmentations.highpass import Highpass
from affectcheck.augmentations.impulse_response import ImpulseResponse
from affectcheck.augmentations.lowpass import Lowpass
from affectcheck.augmentations.mixing import (
    Mix,
    SilenceError,
    SilentNoiseError,
    SilentSpeechError,
    active_rms,
    mix_at_snr,
    rms,
)
from affectcheck.augmentations.music import Music
from affectcheck.augmentations.perturbation import Perturbation
from affectcheck.augmentations.phone import Phone
from affectcheck.augmentations.pictures import PICTURE_AUGMENTATIONS, PicturePerturbation
from affectcheck.augmentations.prepend_zeros import PrependZeros
from affectcheck.augmentations.registry import AUGMENTATIONS, AnyPerturbation, make_augmentation, make_perturbation
from affectcheck.augmentations.sneeze import Sneeze
from affectcheck.augmentations.tilt_down import TiltDown
from affectcheck.augmentations.tilt_up import TiltUp
from affectcheck.augmentations.tone import Tone
from affectcheck.augmentations.white_noise import WhiteNoise

__all__ = [
    "AUGMENTATIONS",
    "PICTURE_AUGMENTATIONS",
    "READERS",
    "ROLES",
    "AnyPerturbation",
    "AppendZeros",
    "Augmentation",
    "Augmented",
    "Babble",
    "Background",
    "Clipping",
    "Collection",
    "Cough",
    "CropBeginning",
    "CropEnd",
    "Environment",
    "Gain",
    "Highpass",
    "ImpulseResponse",
    "Lowpass",
    "Mix",
    "Music",
    "Perturbation",
    "Phone",
    "PicturePerturbation",
    "PrependZeros",
    "SilenceError",
    "SilentNoiseError",
    "SilentSpeechError",
    "Sneeze",
    "Sound",
    "Sounds",
    "SoundsMissingError",
    "TiltDown",
    "TiltUp",
    "Tone",
    "WhiteNoise",
    "active_rms",
    "describe_parameters",
    "make_augmentation",
    "make_perturbation",
    "mix_at_snr",
    "read_sounds",
    "rms",
]
