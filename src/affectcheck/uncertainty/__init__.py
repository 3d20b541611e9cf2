"""Uncertainty: bootstrap on tallies, noise floors, differences between groups, thresholds of random models."""

from affectcheck.uncertainty.bootstrap import (
    Resampled,
    cluster_bootstrap,
    resample,
    resample_blocks,
    resample_items,
)
from affectcheck.uncertainty.differences import Difference, cluster_t_difference, detectable, paired_t_difference
from affectcheck.uncertainty.floors import (
    Dealt,
    Floors,
    Permuting,
    deal,
    deal_items,
    decide,
    noise_floor,
    noise_floor_items,
)
from affectcheck.uncertainty.intervals import FEW, LEAST, Intervals, Resampling, number_of, too_few
from affectcheck.uncertainty.proportions import Proportions, wilson
from affectcheck.uncertainty.simulate import (
    NullDistances,
    NullThreshold,
    Simulation,
    bin_shares,
    simulate_bins,
    simulate_categories,
    simulate_dimensions,
)

__all__ = [
    "FEW",
    "LEAST",
    "Dealt",
    "Difference",
    "Floors",
    "Intervals",
    "NullDistances",
    "NullThreshold",
    "Permuting",
    "Proportions",
    "Resampled",
    "Resampling",
    "Simulation",
    "bin_shares",
    "cluster_bootstrap",
    "cluster_t_difference",
    "deal",
    "deal_items",
    "decide",
    "detectable",
    "noise_floor",
    "noise_floor_items",
    "number_of",
    "paired_t_difference",
    "resample",
    "resample_blocks",
    "resample_items",
    "simulate_bins",
    "simulate_categories",
    "simulate_dimensions",
    "too_few",
    "wilson",
]
