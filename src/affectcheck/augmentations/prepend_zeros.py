"""Silence before the beginning (paper 2, section II-D: Small Changes, prepend zeros)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from affectcheck.augmentations.lengths import LengthChange
from affectcheck.augmentations.registry import AUGMENTATIONS


@AUGMENTATIONS.register("prepend-zeros")
@dataclass(frozen=True)
class PrependZeros(LengthChange):
    """Adds digital silence before the clip.

    Paper 2 draws from 100, 500 and 1000 samples (6, 31 and 63 ms at 16 kHz).

    Attributes:
        samples: numbers of samples that one is drawn from for each clip.
    """

    NAME: ClassVar[str] = "prepend-zeros"

    def changed_by(self, samples: np.ndarray, count: int) -> np.ndarray:
        """So many zeros before the samples."""
        return np.concatenate([np.zeros(count, samples.dtype), samples])
