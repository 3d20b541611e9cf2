"""Uncertainty: bootstrap on tallies, paired tests and ranks of models, noise floors, differences, random models."""

from affectcheck.uncertainty.agreeing_values import Values
from affectcheck.uncertainty.answers import Answers
from affectcheck.uncertainty.bootstrap import (
    Resampled,
    cluster_bootstrap,
    resample,
    resample_blocks,
    resample_items,
)
from affectcheck.uncertainty.concordance import Concordance, Ranked, concordance
from affectcheck.uncertainty.differences import Difference, cluster_t_difference, detectable, paired_t_difference
from affectcheck.uncertainty.disparity_plans import DisparityAim, DisparityPlan, DisparityRow, plan_disparity
from affectcheck.uncertainty.drawing import (
    Simulation,
    bin_shares,
    draw_categories,
    draw_counts,
    draw_means,
    draw_values,
)
from affectcheck.uncertainty.exchanged import Exchanged, Exchanging
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
from affectcheck.uncertainty.influence import Spread, influences, spread_of
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
from affectcheck.uncertainty.jackknife import MOST_LEFT_OUT, Contrast, LeftOut, without_each
from affectcheck.uncertainty.kendall import Kendall, kendall, kendall_tau, orders
from affectcheck.uncertainty.paired import exchange, resample_together
from affectcheck.uncertainty.plan_checks import Check, Share, Simulating, check_plan
from affectcheck.uncertainty.planning import Aim, Plan, PlanRow, plan_groups, plan_models
from affectcheck.uncertainty.populations import Population
from affectcheck.uncertainty.proportions import Proportions, wilson
from affectcheck.uncertainty.quantiles import drawn_quantile
from affectcheck.uncertainty.ranks import RankIntervals, rank_intervals, ranks
from affectcheck.uncertainty.simulate import (
    NullDistances,
    NullThreshold,
    simulate_bins,
    simulate_categories,
    simulate_dimensions,
)
from affectcheck.uncertainty.stacking import items_by_part, items_of, stack
from affectcheck.uncertainty.study import Study, require_plannable
from affectcheck.uncertainty.subset_rankings import (
    AtSize,
    Redealt,
    Subsetting,
    memberships,
    rankings_by_size,
    redealt,
)

__all__ = [
    "FEW",
    "LEAST",
    "MOST_LEFT_OUT",
    "Aim",
    "Answers",
    "AtSize",
    "Check",
    "Concordance",
    "Contrast",
    "Dealt",
    "Difference",
    "DisparityAim",
    "DisparityPlan",
    "DisparityRow",
    "Exchanged",
    "Exchanging",
    "Floors",
    "Grouped",
    "Intervals",
    "Kendall",
    "LeftOut",
    "Method",
    "NullDistances",
    "NullThreshold",
    "Permuting",
    "Plan",
    "PlanRow",
    "Population",
    "Proportions",
    "RankIntervals",
    "Ranked",
    "Redealt",
    "Resampled",
    "ResampledValues",
    "Resampling",
    "Share",
    "Simulating",
    "Simulation",
    "Spread",
    "Study",
    "Subsetting",
    "Values",
    "bin_shares",
    "check_plan",
    "cluster_bootstrap",
    "cluster_t_difference",
    "concordance",
    "deal",
    "deal_items",
    "decide",
    "detectable",
    "draw_categories",
    "draw_counts",
    "draw_means",
    "draw_values",
    "drawn_quantile",
    "exchange",
    "holm",
    "influences",
    "items_by_part",
    "items_of",
    "kendall",
    "kendall_tau",
    "memberships",
    "noise_floor",
    "noise_floor_items",
    "number_of",
    "orders",
    "paired_t_difference",
    "plan_disparity",
    "plan_groups",
    "plan_models",
    "rank_intervals",
    "rankings_by_size",
    "ranks",
    "redealt",
    "require_plannable",
    "resample",
    "resample_blocks",
    "resample_items",
    "resample_together",
    "simulate_bins",
    "simulate_categories",
    "simulate_dimensions",
    "spread_of",
    "stack",
    "too_few",
    "wilson",
    "without_each",
]
