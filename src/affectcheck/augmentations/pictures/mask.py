"""A surgical mask over nose and mouth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from affectcheck.augmentations.pictures.covering import Cover
from affectcheck.augmentations.pictures.occlusion import Occlusion
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.face_points import FacePoints
    from affectcheck.augmentations.pictures.picture import Drawn

_CLOTH: Final = (160, 200, 215)
_FOLD: Final = (128, 170, 190)
_BAND: Final = (225, 230, 232)
_FOLDS: Final = (0.35, 0.55, 0.75)
_THICKNESS: Final = 0.025  # of folds and bands, in eye distances


@PICTURE_AUGMENTATIONS.register("mask")
@dataclass(frozen=True)
class Mask(Occlusion):
    """Draws a light blue mask with three folds from the bridge of the nose to below the chin, and bands to the ears.

    Its upper edge lies 0.28 of the way from the eyes to the mouth, its lower one 0.75 times that way below the mouth.
    """

    NAME: ClassVar[str] = "mask"

    def covers(self, face: FacePoints, drawn: Drawn) -> list[Cover]:
        """Bands, cloth, then its folds."""
        down = float(face.mouth[1])
        top, bottom = 0.28 * down, 1.75 * down
        cloth = np.array(
            [
                [-0.85, top + 0.16],
                [0, top],
                [0.85, top + 0.16],
                [0.78, down],
                [0.5, bottom - 0.12],
                [0, bottom],
                [-0.5, bottom - 0.12],
                [-0.78, down],
            ]
        )
        bands = [
            _stroke([[side * 0.82, y], [side * 1.3, y + rise]])
            for side in (-1, 1)
            for y, rise in ((top + 0.2, -0.25), (down + 0.1, -0.2))
        ]
        folds = []
        for share in _FOLDS:
            y = top + share * (bottom - top)
            width = 0.78 - 0.25 * max(0.0, share - 0.5)
            folds.append(_stroke([[-width, y - 0.03], [0, y + 0.05], [width, y - 0.03]]))
        return [
            *(Cover(face.outward(band), _BAND) for band in bands),
            Cover(face.outward(cloth), _CLOTH),
            *(Cover(face.outward(fold), _FOLD) for fold in folds),
        ]


def _stroke(points: list[list[float]]) -> np.ndarray:
    """Outline of a line of some thickness."""
    line = np.array(points)
    aside = np.array([0, _THICKNESS])
    return np.concatenate([line - aside, line[::-1] + aside])
