"""Silence after the end (paper 2, section II-D: Small Changes, append zeros)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from affectcheck.augmentations.lengths import LengthChange
from affectcheck.augmentations.registry import AUGMENTATIONS


@AUGMENTATIONS.register("append-zeros")
@dataclass(frozen=True)
class AppendZeros(LengthChange):
    """Adds digital silence after the clip.

    Paper 2 draws from 100, 500 and 1000 samples (6, 31 and 63 ms at 16 kHz).

    Attributes:
        samples: numbers of samples that one is drawn from for each clip.
    """

    NAME: ClassVar[str] = "append-zeros"

    def changed_by(self, samples: np.ndarray, count: int) -> np.ndarray:
        """So many zeros after the samples."""
        return np.concatenate([samples, np.zeros(count, samples.dtype)])
