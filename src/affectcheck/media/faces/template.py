"""Where the five points of a face lie in an aligned crop of 112×112 pixels.

The places are those that face recognition has used since ArcFace (Deng et al. 2019), and Aff-Wild2's crops with them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

#: Side of an aligned crop in pixels.
SIDE: Final = 112
_POINTS: Final = ((38.2946, 51.6963), (73.5318, 51.5014), (56.0252, 71.7366), (41.5493, 92.3655), (70.7299, 92.2041))


def template(width: int = SIDE, height: int = SIDE) -> np.ndarray:
    """(5, 2) x and y of the eyes, the tip of the nose and the corners of the mouth in an aligned crop.

    Args:
        width: of the crop in pixels; other sizes than 112 scale the places.
        height: of the crop.

    Example:
        >>> template()[2].round(1).tolist()
        [56.0, 71.7]
    """
    return np.array(_POINTS) * (width / SIDE, height / SIDE)
