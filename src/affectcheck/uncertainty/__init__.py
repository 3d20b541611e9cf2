"""Uncertainty: bootstrap on tallies, paired tests and ranks of models, noise floors, differences, random models."""

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
from affectcheck.uncertainty.grouped import Grouped
from affectcheck.uncertainty.holm import holm
from affectcheck.uncertainty.intervals import (
    FEW,
    LEAST,
    Intervals,
    Method,
    ResampledValues,
    Resampling,
    number_of,
    too_few,
)
from affectcheck.uncertainty.paired import Exchanged, Exchanging, exchange, resample_together
from affectcheck.uncertainty.proportions import Proportions, wilson
from affectcheck.uncertainty.ranks import RankIntervals, rank_intervals, ranks
from affectcheck.uncertainty.simulate import (
    NullDistances,
    NullThreshold,
    Simulation,
    bin_shares,
    simulate_bins,
    simulate_categories,
    simulate_dimensions,
)
from affectcheck.uncertainty.stacking import items_by_part, items_of, stack

__all__ = [
    "FEW",
    "LEAST",
    "Dealt",
    "Difference",
    "Exchanged",
    "Exchanging",
    "Floors",
    "Grouped",
    "Intervals",
    "Method",
    "NullDistances",
    "NullThreshold",
    "Permuting",
    "Proportions",
    "RankIntervals",
    "Resampled",
    "ResampledValues",
    "Resampling",
    "Simulation",
    "bin_shares",
    "cluster_bootstrap",
    "cluster_t_difference",
    "deal",
    "deal_items",
    "decide",
    "detectable",
    "exchange",
    "holm",
    "items_by_part",
    "items_of",
    "noise_floor",
    "noise_floor_items",
    "number_of",
    "paired_t_difference",
    "rank_intervals",
    "ranks",
    "resample",
    "resample_blocks",
    "resample_items",
    "resample_together",
    "simulate_bins",
    "simulate_categories",
    "simulate_dimensions",
    "stack",
    "too_few",
    "wilson",
]
