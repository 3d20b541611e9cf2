"""Uncertainty: bootstrap on tallies, noise floors, differences between groups, thresholds of random models."""

from affectcheck.uncertainty.bootstrap import (
    Resampled,
    cluster_bootstrap,
    resample,
    resample_blocks,
    resample_items,
)
from affectcheck.uncertainty.intervals import FEW, LEAST, Intervals, Resampling

__all__ = [
    "FEW",
    "LEAST",
    "Intervals",
    "Resampled",
    "Resampling",
    "cluster_bootstrap",
    "resample",
    "resample_blocks",
    "resample_items",
]
