"""Parts of suites: by names, by metrics; and samples of items."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from affectcheck.behaviour import load_suite, load_suites, select
from affectcheck.behaviour.sampling import sampled
from affectcheck.errors import UnknownNameError


def test_tests_are_selected_by_pattern_and_comparisons_by_metric() -> None:
    everything = load_suites(["ser"])
    assert everything == load_suite("ser")
    assert {one.family for one in everything} == {"correctness", "fairness", "robustness"}
    assert select(everything) == everything
    some = select(everything, ["robustness-g*", "fairness-sex"])
    assert {one.name for one in some} == {"robustness-gain", "fairness-sex"}
    narrowed = select(everything, [], ["uar"])
    assert all(one.metric == "uar" for test in narrowed for task in test.task for one in task.comparison)
    assert all(task.kind == "categories" for test in narrowed for task in test.task)
    with pytest.raises(UnknownNameError, match="unknown test 'robustness-gian'"):
        select(everything, ["robustness-gian"])
    with pytest.raises(UnknownNameError, match="unknown compared metric 'uarr'"):
        select(everything, [], ["uarr"])


def limited(**data: Any) -> Any:
    (definition,) = load_suites(["correctness-classification"])
    return definition.model_copy(update={"data": definition.data.model_copy(update=data)})


def test_a_sample_hangs_on_seed_and_keys_and_not_on_the_order(speech: Any) -> None:
    table = speech.table
    assert sampled(limited(), table, seed=0) == table
    kept = sampled(limited(maximum_items=100), table, seed=0)
    assert kept.height == 100
    assert kept.items.to_list() == [one for one in table.items if one in set(kept.items)]
    turned = replace(table, frame=table.frame.reverse())
    assert set(sampled(limited(maximum_items=100), turned, seed=0).items) == set(kept.items)
    assert set(sampled(limited(maximum_items=100), table, seed=1).items) != set(kept.items)
    assert sampled(limited(maximum_items=5000), table, seed=0).height == table.height


def test_a_sample_may_be_of_each_group(speech: Any) -> None:
    kept = sampled(limited(maximum_items=7, maximum_items_per="sex"), speech.table, seed=0)
    assert kept.frame.get_column("sex").value_counts(sort=True).get_column("count").to_list() == [7, 7]
    assert sampled(limited(maximum_items=7, maximum_items_per="race"), speech.table, seed=0).height == 7


def test_items_of_a_length_are_taken_and_unknown_lengths_stay(speech: Any) -> None:
    bounded = limited(duration_s=(0.5, 30.0))
    assert sampled(bounded, speech.table, seed=0).height == speech.table.height
    lengths = pl.Series("duration_s", [0.1, None, *[2.0] * (speech.table.height - 2)])
    timed = replace(speech.table, frame=speech.table.frame.with_columns(lengths))
    assert sampled(bounded, timed, seed=0).height == speech.table.height - 1
    segments = speech.table.frame.with_columns(start_us=pl.lit(0), end_us=pl.lit(40_000_000))
    assert sampled(bounded, replace(speech.table, frame=segments), seed=0).height == 0
