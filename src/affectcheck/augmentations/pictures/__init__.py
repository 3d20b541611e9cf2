"""Perturbations of pictures: one file each, with severities in physical units and draws keyed by item."""

from affectcheck.augmentations.pictures.brightness import Brightness
from affectcheck.augmentations.pictures.colour_temperature import ColourTemperature
from affectcheck.augmentations.pictures.contrast import Contrast
from affectcheck.augmentations.pictures.defocus_blur import DefocusBlur
from affectcheck.augmentations.pictures.flip import Flip
from affectcheck.augmentations.pictures.fog import Fog
from affectcheck.augmentations.pictures.gamma import Gamma
from affectcheck.augmentations.pictures.gaussian_blur import GaussianBlur
from affectcheck.augmentations.pictures.gaussian_noise import GaussianNoise
from affectcheck.augmentations.pictures.grey import Grey
from affectcheck.augmentations.pictures.jpeg import Jpeg
from affectcheck.augmentations.pictures.low_light import LowLight
from affectcheck.augmentations.pictures.low_resolution import LowResolution
from affectcheck.augmentations.pictures.mask import Mask
from affectcheck.augmentations.pictures.motion_blur import MotionBlur
from affectcheck.augmentations.pictures.occlude_eyes import OccludeEyes
from affectcheck.augmentations.pictures.occlude_half import OccludeHalf
from affectcheck.augmentations.pictures.occlude_mouth import OccludeMouth
from affectcheck.augmentations.pictures.perturbation import PicturePerturbation
from affectcheck.augmentations.pictures.picture import (
    ChangedPicture,
    PictureAugmentation,
    VideoAugmentation,
    changed,
    unchanged,
)
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.augmentations.pictures.rotation import Rotation
from affectcheck.augmentations.pictures.scale import Scale
from affectcheck.augmentations.pictures.shift import Shift
from affectcheck.augmentations.pictures.sunglasses import Sunglasses
from affectcheck.augmentations.pictures.video_compression import VideoCompression

__all__ = [
    "PICTURE_AUGMENTATIONS",
    "Brightness",
    "ChangedPicture",
    "ColourTemperature",
    "Contrast",
    "DefocusBlur",
    "Flip",
    "Fog",
    "Gamma",
    "GaussianBlur",
    "GaussianNoise",
    "Grey",
    "Jpeg",
    "LowLight",
    "LowResolution",
    "Mask",
    "MotionBlur",
    "OccludeEyes",
    "OccludeHalf",
    "OccludeMouth",
    "PictureAugmentation",
    "PicturePerturbation",
    "Rotation",
    "Scale",
    "Shift",
    "Sunglasses",
    "VideoAugmentation",
    "VideoCompression",
    "changed",
    "unchanged",
]
