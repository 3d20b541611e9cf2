"""Perturbations of pictures: one file each, with severities in physical units and draws keyed by item."""

from affectcheck.augmentations.pictures.brightness import Brightness
from affectcheck.augmentations.pictures.perturbation import PicturePerturbation
from affectcheck.augmentations.pictures.picture import (
    ChangedPicture,
    PictureAugmentation,
    VideoAugmentation,
    changed,
    unchanged,
)
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS

__all__ = [
    "PICTURE_AUGMENTATIONS",
    "Brightness",
    "ChangedPicture",
    "PictureAugmentation",
    "PicturePerturbation",
    "VideoAugmentation",
    "changed",
    "unchanged",
]
