"""Registry of the perturbations of pictures; those of sound have another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.augmentations.pictures.picture import PictureAugmentation

PICTURE_AUGMENTATIONS: Registry[Callable[..., PictureAugmentation]] = Registry(
    "perturbation of pictures", "affectcheck.augmentations.pictures"
)
