"""An end that is cut off (paper 2, section II-D: Small Changes, crop end)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from affectcheck.augmentations.lengths import LengthChange
from affectcheck.augmentations.registry import AUGMENTATIONS

if TYPE_CHECKING:
    import numpy as np


@AUGMENTATIONS.register("crop-end")
@dataclass(frozen=True)
class CropEnd(LengthChange):
    """Removes the end of the clip.

    Paper 2 draws from 100, 500 and 1000 samples (6, 31 and 63 ms at 16 kHz). The original fails for a clip that is not
    longer than that; here it is not changed, and the reason is told.

    Attributes:
        samples: numbers of samples that one is drawn from for each clip.
    """

    NAME: ClassVar[str] = "crop-end"

    def changed_by(self, samples: np.ndarray, count: int) -> np.ndarray:
        """All but the last samples."""
        return samples[: max(0, len(samples) - count)]
