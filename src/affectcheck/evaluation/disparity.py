"""A metric over groups in one convention: its value, and those of its action units or dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from affectcheck.metrics import Metric
    from affectcheck.tallies import Tally


class Disparity(NamedTuple):
    """A metric over groups, in one convention."""

    metric: Metric
    convention: str

    @property
    def has_parts(self) -> bool:
        """Whether it has a value for each action unit or dimension."""
        return self.metric.kind in ("units", "dimensions") and self.metric.parts is not None

    def parts(self, tally: Tally) -> np.ndarray:
        """(..., parts) values of tallies (..., G)."""
        if not self.has_parts or self.metric.parts is None:
            return np.empty((*tally.shape[:-1], 0))
        return np.asarray(self.metric.parts(tally, convention=self.convention))

    def values(self, tally: Tally) -> np.ndarray:
        """(..., 1 + parts) the value of tallies (..., G), then those of its parts."""
        whole = np.asarray(self.metric.compute(tally, convention=self.convention))
        return np.concatenate([whole[..., None], self.parts(tally)], axis=-1)
