"""Every number of a finished run again: from its table, by plain definitions, resampled and permuted row by row."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from affectcheck import seeds
from affectcheck.metrics import METRICS
from affectcheck.tallies import Binned, Confusion, Sample, Signs, Units
from peers.kernels import PLAIN
from peers.plain import NAN
from peers.plain_units import f1, known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.tallies import Tally
    from peers.draws import Case

LEAST = 5
COUNTED = (Binned, Confusion, Signs, Units)
#: Class by class, or bin by bin.
SHIFT, DIFFERENCE = "_to_combined", "_difference"


@dataclass(frozen=True, eq=False)
class Table:
    """The scored rows.

    Attributes:
        case: the items, in no group.
        parts: names of classes, units or dimensions.
        attributes: name to (n,) group, empty where it has none.
        cluster: (n,) cluster of each.
        unit: what a cluster is.
    """

    case: Case
    parts: tuple[str, ...]
    attributes: dict[str, np.ndarray]
    cluster: np.ndarray
    unit: str = "subject"

    def groups(self, attribute: str) -> list[str]:
        return sorted(set(self.attributes[attribute].tolist()) - {""})

    def divided(self, attribute: str) -> tuple[Case, np.ndarray]:
        """The rows that have a group, and their clusters."""
        names, values = self.groups(attribute), self.attributes[attribute]
        rows = np.flatnonzero(values != "")
        case = self.case.take(rows)
        return replace(case, group=np.array([names.index(v) for v in values[rows]]), groups=len(names)), self.cluster[
            rows
        ]


def convention_of(scored: dict[str, Any]) -> str:
    """The convention in a score's signature."""
    fields = dict(field.split(":", 1) for field in scored["signature"].split("|")[1:])
    return fields.get("convention", "paper")


def column(case: Case, part: int) -> Case:
    """One unit or dimension alone."""
    narrow = {name: getattr(case, name)[:, [part]] for name in ("truth", "prediction", "score")}
    return replace(case, **narrow)


def statistic(name: str, convention: str, part: int | None) -> Any:
    """A metric, or one of its parts, as a function of cases."""
    metric = METRICS.get(name)
    if metric.base:
        return _over_groups(name, statistic(metric.base, convention, part))
    if part is None:
        rule = metric.rules.resolve(convention)
        return lambda case: PLAIN[name](case, rule, convention)
    if metric.level == "part":
        return lambda case: PLAIN[name](case)[part]
    if name == "unit_local_f1" and convention == "paper":
        return lambda case: _local_f1_of(case, part)
    rule = "propagate" if metric.level == "overall" else metric.rules.resolve(convention)
    return lambda case: PLAIN[name](column(case, part), rule, convention)


def _local_f1_of(case: Case, part: int) -> float:
    """One unit, 0 in a group that has items of any unit and no F1 of this one."""
    groups = [group for group in case.by_group if group.items and (group.truth >= 0).any()]
    return float(np.mean([np.nan_to_num(f1(known(group)[part])) for group in groups])) if groups else NAN


def _over_groups(name: str, base: Any) -> Any:
    metric = METRICS.get(name)
    badness = {True: lambda v: -v, False: lambda v: v, None: abs}[metric.higher_is_better]

    def value(case: Case) -> float:
        values = [base(group) for group in case.by_group if group.items]
        defined = [v for v in values if not np.isnan(v)]
        if name.endswith("_gap"):
            return max(defined) - min(defined) if len(defined) > 1 else NAN
        return max(defined, key=badness) if defined else NAN

    return value


@dataclass
class Rerun:
    """A run again."""

    table: Table
    resamples: int
    seed: int = 0
    method: str = "percentile-t"
    _cases: dict[tuple[str, str], list[Case]] = field(default_factory=dict)
    _dealt: dict[str, list[Case]] = field(default_factory=dict)

    def part_of(self, metric: str, name: str) -> int | None:
        """Place of a part among those of its metric."""
        if not name:
            return None
        parts = self.table.parts
        if METRICS.get(metric).naming is not None:
            dimension, _, span = name.partition(" ")
            return parts.index(dimension) * 4 + ["(-inf", "(-0.5", "(0,", "(0.5"].index(
                span.split()[0].rstrip(",") + ("," if span.startswith("(0,") else "")
            )
        return parts.index(name)

    def function(self, scored: dict[str, Any]) -> tuple[Any, Case, np.ndarray]:
        """What a score is as a function of cases, with its case and their clusters."""
        name, place = scored["metric"], scored["place"]
        base = name.removesuffix(SHIFT).removesuffix(DIFFERENCE)
        of = statistic(base, convention_of(scored), self.part_of(base, place["part"]))
        if not place["attribute"]:
            return of, self.table.case, self.table.cluster
        case, cluster = self.table.divided(place["attribute"])
        names = self.table.groups(place["attribute"])
        if name.endswith(DIFFERENCE):
            return (lambda c: of(c.by_group[0]) - of(c.by_group[1])), case, cluster
        if name.endswith(SHIFT):
            g = names.index(place["group"])
            return (lambda c: of(c.by_group[g]) - of(c)), case, cluster
        if place["group"]:
            g = names.index(place["group"])
            return (lambda c: of(c.by_group[g])), case, cluster
        return of, case, cluster

    def value(self, scored: dict[str, Any]) -> float:
        of, case, _ = self.function(scored)
        return float(of(case))

    # Intervals.

    def resampled(self, attribute: str, tally: type[Tally]) -> list[Case]:
        """Every resample, written out row by row."""
        by_items = self.table.unit == "item" and tally is not Sample
        how = "clusters" if not by_items else "cells" if tally is Confusion else "items"
        if (attribute, how) not in self._cases:
            case, cluster = self.table.divided(attribute) if attribute else (self.table.case, self.table.cluster)
            drawn = {"clusters": self._by_cluster, "cells": self._by_cell, "items": self._by_item}[how]
            rows = drawn(attribute, case, cluster)
            self._cases[attribute, how] = [case.take(row) for row in rows]
        return self._cases[attribute, how]

    def _by_cluster(self, _attribute: str, _case: Case, cluster: np.ndarray) -> list[np.ndarray]:
        """Clusters with replacement."""
        names = sorted(set(cluster.tolist()))
        place = np.array([names.index(c) for c in cluster])
        random = seeds.rng(self.seed, "bootstrap", self.table.unit)
        drawn = random.integers(len(names), size=(self.resamples, len(names)))
        by_cluster = [np.flatnonzero(place == k) for k in range(len(names))]
        return [np.concatenate([by_cluster[k] for k in row]) for row in drawn]

    def _by_cell(self, _attribute: str, case: Case, _cluster: np.ndarray) -> list[np.ndarray]:
        """Numbers of items by group, true class and prediction; any item of a cell stands for it."""
        cells = np.ravel_multi_index(
            (case.group, case.truth, case.prediction), (case.groups, case.labels, case.labels + 1)
        )
        occupied, first, numbers = np.unique(cells, return_index=True, return_counts=True)
        random = seeds.rng(self.seed, "bootstrap", "item")
        drawn = random.multinomial(case.items, numbers / case.items, size=self.resamples)
        assert occupied.size == drawn.shape[1]
        return [np.repeat(first, row) for row in drawn]

    def _by_item(self, attribute: str, _case: Case, _cluster: np.ndarray) -> list[np.ndarray]:
        """Poisson(1) weights of all items, those without a group among them."""
        random = seeds.rng(self.seed, "bootstrap", "poisson", 0)
        size = (self.resamples, self.table.case.items)
        weights = _poisson_table()[random.integers(0, 1 << 16, size=size, dtype=np.uint16)].astype(int)
        if attribute:
            weights = weights[:, self.table.attributes[attribute] != ""]
        return [np.repeat(np.arange(row.size), row) for row in weights]

    def clusters_of(self, scored: dict[str, Any]) -> int:
        """Clusters behind a score; of one that compares groups, those of the group that has fewest."""
        attribute, group = scored["place"]["attribute"], scored["place"]["group"]
        case, cluster = self.table.divided(attribute) if attribute else (self.table.case, self.table.cluster)
        base = scored["metric"].removesuffix(SHIFT)
        part = self.part_of(base, scored["place"]["part"])
        held = self._known(case, None if scored["metric"].startswith("bin_") else part)
        if not attribute:
            numbers, here = [len(set(cluster[held]))], np.arange(case.items)
        else:
            names = self.table.groups(attribute)
            numbers = [len(set(cluster[held & (case.group == g)])) for g in range(len(names))]
            here = np.flatnonzero(case.group == names.index(group)) if group else np.empty(0, int)
            numbers = [numbers[names.index(group)]] if group else [number for number in numbers if number]
        behind = min(numbers, default=0)
        if part is None or not here.size or not self._counted(METRICS.get(base).tally):
            return behind
        return min(behind, self._holding(statistic(base, convention_of(scored), part), case.take(here), cluster[here]))

    def _known(self, case: Case, part: int | None) -> np.ndarray:
        """(n,) whether anything, or a unit or dimension, is known of an item."""
        if case.truth.ndim == 1:
            return np.ones(case.items, bool)
        known = case.truth >= 0 if case.truth.dtype.kind == "i" else ~np.isnan(case.truth)
        return known.any(axis=1) if part is None else known[:, part]

    def _counted(self, tally: type[Tally]) -> bool:
        """Whether clusters are asked for a value of their own; of single items, only those of classes are."""
        return tally is Confusion if self.table.unit == "item" else issubclass(tally, COUNTED)

    def _holding(self, of: Any, case: Case, cluster: np.ndarray) -> int:
        """Clusters that have a value by themselves."""
        return sum(not np.isnan(of(case.take(np.flatnonzero(cluster == name)))) for name in set(cluster.tolist()))

    def interval(self, scored: dict[str, Any], level: float = 0.95) -> tuple[float, float] | None:
        """Percentiles at a level widened by Student's t; of single items, corrected for bias."""
        of, case, _ = self.function(scored)
        tally = METRICS.get(scored["metric"].removesuffix(SHIFT)).tally
        values = np.array([of(c) for c in self.resampled(scored["place"]["attribute"], tally)])
        clusters, defined, point = self.clusters_of(scored), values[~np.isnan(values)], of(case)
        if clusters < LEAST or 2 * (values.size - defined.size) >= values.size or np.isnan(point):
            return None
        z = np.sqrt(clusters / (clusters - 1)) * stats.t.ppf((1 - level) / 2, clusters - 1)
        bias, speed = 0.0, self._speed(of, scored["place"]["attribute"]) if self.method == "bca" else 0.0
        if self.table.unit == "item" or self.method == "bca":
            equal = np.abs(defined - point) <= 1e-9 * np.ptp(defined) + 1e-15
            below = ((defined[~equal] < point).sum() + equal.sum() / 2) / defined.size
            bias = np.clip(stats.norm.ppf(np.clip(below, 0.5 / defined.size, 1 - 0.5 / defined.size)), -1, 1)
        away = bias + np.array([z, -z])
        low, high = np.quantile(defined, stats.norm.cdf(bias + away / (1 - speed * away)), method="weibull")
        return float(low), float(high)

    def _speed(self, of: Any, attribute: str) -> float:
        """Acceleration, from leaving out one cluster at a time."""
        case, cluster = self.table.divided(attribute) if attribute else (self.table.case, self.table.cluster)
        left = np.array([of(case.take(np.flatnonzero(cluster != name))) for name in sorted(set(cluster.tolist()))])
        away = np.nanmean(left) - left[~np.isnan(left)]
        spread = (away**2).sum() ** 1.5
        return float((away**3).sum() / (6 * spread)) if spread > 0 else 0.0

    def jackknifed(self, scored: dict[str, Any], level: float = 0.95) -> tuple[float, float] | None:
        """Welch's t of the pseudo-values of clusters that lie in one group each."""
        base, place = scored["metric"].removesuffix(DIFFERENCE), scored["place"]
        of = statistic(base, convention_of(scored), self.part_of(base, place["part"]))
        case, cluster = self.table.divided(place["attribute"])
        sides = []
        for g in (0, 1):
            rows = np.flatnonzero(case.group == g)
            group, names = case.take(rows), cluster[rows]
            whole, k = of(group), len(set(names))
            left = [of(group.take(np.flatnonzero(names != name))) for name in sorted(set(names))]
            values = k * whole - (k - 1) * np.array(left)
            sides.append(values[~np.isnan(values)])
        if min(map(len, sides)) < 2 or sum(map(len, sides)) < LEAST:
            return None
        parts = [side.var(ddof=1) / side.size for side in sides]
        if not sum(parts) > 0:
            return None
        degrees = sum(parts) ** 2 / sum(p**2 / (side.size - 1) for p, side in zip(parts, sides, strict=True))
        reach = float(stats.t.ppf((1 + level) / 2, degrees) * np.sqrt(sum(parts)))
        value = self.value(scored)
        return value - reach, value + reach

    # Noise floors.

    def dealt(self, attribute: str) -> tuple[list[Case], bool]:
        """Groups dealt out anew among whole clusters, or among their parts by group where they have several."""
        case, cluster = self.table.divided(attribute)
        units = sorted(set(zip(cluster.tolist(), case.group.tolist(), strict=True)))
        place = {unit: k for k, unit in enumerate(units)}
        of_row = np.array([place[unit] for unit in zip(cluster.tolist(), case.group.tolist(), strict=True)])
        groups = np.array([g for _, g in units], np.uint8)
        ways = _ways(np.bincount(groups).tolist())
        if attribute not in self._dealt:
            if ways <= self.resamples:
                drawn: Sequence[np.ndarray] = _every(groups)
            else:
                random = seeds.rng(self.seed, "noise floor", self.table.unit)
                drawn = random.permuted(np.tile(groups, (self.resamples, 1)), axis=1)
            self._dealt[attribute] = [replace(case, group=row[of_row].astype(int)) for row in drawn]
        return self._dealt[attribute], ways <= self.resamples

    def floor(self, scored: dict[str, Any]) -> tuple[float, float]:
        """Mean and 95 % quantile, at the worse end; where draws are random, its upper bound at 95 %."""
        of, _, _ = self.function(scored)
        metric = METRICS.get(scored["metric"])
        turned = -1.0 if metric.higher_is_better and scored["metric"].endswith("_worst") else 1.0
        cases, every = self.dealt(scored["place"]["attribute"])
        values = turned * np.array([of(case) for case in cases])
        values = np.sort(values[~np.isnan(values)])
        if every:
            rank = int(np.ceil(0.95 * values.size))
        else:
            enough = stats.binom.cdf(np.arange(values.size), values.size, 0.95) >= 0.95
            rank = int(np.argmax(enough)) + 1 if enough.any() else values.size
        return turned * float(values.mean()), turned * float(values[rank - 1])


def _poisson_table() -> np.ndarray:
    """Poisson(1) as 65,536 equally likely values with a mean of exactly 1."""
    counts = np.round(stats.poisson.pmf(np.arange(9), 1) * (1 << 16)).astype(int)
    counts[0] += (1 << 16) - counts.sum()
    excess = int((np.arange(9) * counts).sum()) - (1 << 16)
    counts[1] -= excess
    counts[0] += excess
    return np.repeat(np.arange(9), counts)


def _ways(sizes: Sequence[int]) -> int:
    ways, left = 1, sum(sizes)
    for size in sizes:
        ways *= comb(left, size)
        left -= size
    return ways


def _every(groups: np.ndarray) -> list[np.ndarray]:
    """Every distinct way to deal two groups, or several of which all but the first hold one cluster."""
    if np.unique(groups).size == 1:
        return [groups]
    rest = np.flatnonzero(groups != groups.min())
    found = []
    for chosen in combinations(range(groups.size), rest.size):
        for order in {tuple(p) for p in _orders(groups[rest].tolist())}:
            dealt = np.full(groups.size, groups.min())
            dealt[list(chosen)] = order
            found.append(dealt)
    return found


def _orders(values: list[int]) -> list[tuple[int, ...]]:
    from itertools import permutations

    return list(permutations(values))
