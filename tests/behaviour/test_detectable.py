"""The smallest difference that would be found: what it is made of, and that it is found as often as it says."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.behaviour.detectable import Seen, smallest_found
from affectcheck.seeds import rng

POWER = 0.8416  # normal quantile of .8


def test_a_difference_raises_the_floor_that_it_must_exceed() -> None:
    found = smallest_found(Seen(0.03, 0.01, 50))
    assert found is not None
    floor = 3 * (0.01**2 + found**2 / 50) ** 0.5
    assert found == pytest.approx(floor + POWER * 0.01, abs=1e-5)
    assert smallest_found(Seen(0.03, 0.01, 9)) is None
    assert smallest_found(Seen(0.0, 0.0, 9)) == 0.0


def test_a_threshold_beyond_the_floor_is_exceeded_with_the_spread_of_the_model() -> None:
    found = smallest_found(Seen(0.03, 0.01, 50, limit=0.1))
    assert found == pytest.approx(0.1 + POWER * 0.01, abs=1e-5)
    assert smallest_found(Seen(0.03, 0.01, 50, limit=0.995)) is None


@pytest.mark.parametrize(
    ("metric", "level", "variance"),
    [
        ("recall", 0.9, lambda gap: (0.9 - gap) * (0.1 + gap) / 0.09),
        ("recall", 0.1, lambda gap: (0.1 + gap) * (0.9 - gap) / 0.09),
        ("recall", 0.5, lambda _: 1.0),
        ("ccc", 0.6, lambda gap: (1 - (0.6 - gap) ** 2) ** 2 / 0.64**2),
        ("mae", 0.2, lambda gap: (0.2 + gap) ** 2 / 0.04),
        ("mean", 0.2, lambda _: 1.0),
        ("recall", 1.0, lambda _: 1.0),
        ("recall", float("nan"), lambda _: 1.0),
    ],
)
def test_a_group_may_vary_more_than_all(metric: str, level: float, variance: object) -> None:
    """The group lies further away from all than from all with itself among them."""
    found = smallest_found(Seen(0.03, 0.01, 10**9, limit=0.05, metric=metric, level=level, share=0.25))
    assert found is not None
    wider = variance(found / 0.75)  # type: ignore[operator]
    needed = max(0.05, 3 * 0.01 * (1 + 0.25 * (wider - 1)) ** 0.5)
    assert found == pytest.approx(needed + POWER * 0.01 * wider**0.5, abs=1e-5)


def test_distances_between_many_groups_raise_their_own_floor_more() -> None:
    seen = [Seen(0.05, 0.005, 100, groups=groups, centre=0.035) for groups in (2, 4, 16)]
    found = [smallest_found(one) for one in seen]
    assert [one is not None for one in found] == [True, True, True]
    assert found[0] > 0.05 + POWER * 0.005  # type: ignore[operator]
    assert found[1] < found[2]  # type: ignore[operator]
    assert smallest_found(Seen(0.05, 0.005, 20, groups=16, centre=0.035)) is None


@pytest.mark.parametrize(("level", "subjects"), [(0.7, 96), (0.9, 96), (0.9, 48), (0.97, 96)])
def test_what_is_called_detectable_is_found_in_four_of_five_runs(level: float, subjects: int) -> None:
    """Shares of 40 items of each subject, of whom a quarter is one group; the floor is 3.5 times the spread."""
    draw, runs, group = rng(1, "detectable", str(level), subjects), 2000, subjects // 4

    def seen(rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values = draw.binomial(40, rates) / 40
        spread = np.sqrt(values.var(axis=1) * 0.75 / group)
        return values, spread

    rates = draw.beta(level * 30, (1 - level) * 30, (runs, subjects))
    values, spread = seen(rates)
    called = [
        smallest_found(Seen(3.5 * one, one, subjects, metric="recall", level=mean, share=0.25))
        for one, mean in zip(spread.tolist(), values.mean(axis=1).tolist(), strict=True)
    ]
    lower = level - np.array(called) / 0.75
    rates[:, :group] = draw.beta(lower * 30, (1 - lower) * 30, (group, runs)).T
    values, spread = seen(rates)
    differences = values[:, :group].mean(axis=1) - values.mean(axis=1)
    power = float((np.abs(differences) > 3.5 * spread).mean())
    assert 0.79 < power < 0.92
