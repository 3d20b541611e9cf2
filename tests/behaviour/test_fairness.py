"""Fairness by sex: found where it is, not found where it is not, and refused where the support cannot tell."""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour import load_suites
from affectcheck.behaviour.fairness_support import LOWEST_BIN, minimum_of_bin
from affectcheck.seeds import rng

TEST = "fairness-sex"
(SEX,) = load_suites([TEST])


def unfair(world: Any, female: float, male: float) -> Any:
    return world.predictions(world.right(np.where(world.sex == "female", female, male)))


def test_no_unfairness_is_detected_in_a_model_that_treats_all_alike(speech: Any, outcome: Any) -> None:
    found = outcome(TEST, speech, speech.predictions(speech.right(0.7)))
    assert found.statuses() == {"passed"}
    assert len(found.verdicts) == 2 * (4 + 4 + 1 + 1)
    uar = found.one("uar_difference", group="female")
    assert uar.place.attribute == "sex"
    assert uar.baseline is not None
    assert uar.detectable is not None
    assert uar.threshold is not None
    assert abs(uar.value) < uar.threshold.value < uar.detectable
    assert uar.threshold.rule == "abs_lt"
    for expected in (
        "0.99 quantile of 1000 random models",
        "2 differences at once",
        "published limit 0.075",
        "Table III",
    ):
        assert expected in uar.threshold.source
    assert "noise floor" in uar.notes[-1]
    assert "groups permuted over 40 subjects" in uar.notes[-1]


def test_a_model_that_works_better_for_one_sex_fails(speech: Any, outcome: Any) -> None:
    found = outcome(TEST, speech, unfair(speech, 0.9, 0.4))
    women, men = found.one("uar_difference", group="female"), found.one("uar_difference", group="male")
    assert women.status == men.status == "failed"
    assert women.value == pytest.approx(0.375 / 2, abs=0.02)
    assert women.value == pytest.approx(-men.value)
    assert "does not meet |x| <" in women.reason
    assert found.one("recall_difference", group="male", part="anger").status == "failed"


def test_a_bias_towards_one_class_is_found_where_it_is(speech: Any, outcome: Any) -> None:
    codes = speech.right(0.8)
    biased = (speech.sex == "female") & (codes == 3) & (rng(1, "bias").random(len(codes)) < 0.8)
    found = outcome(TEST, speech, speech.predictions(np.where(biased, 0, codes)))
    assert found.one("recall_difference", group="female", part="sadness").status == "failed"
    assert found.one("precision_difference", group="female", part="anger").status == "failed"
    assert found.one("recall_difference", group="female", part="neutral").status == "passed"


def test_the_random_model_fails_nothing(speech: Any, outcome: Any) -> None:
    found = outcome(TEST, speech, speech.predictions(speech.right(0.0)))
    assert "failed" not in found.statuses()


def test_a_difference_between_few_speakers_is_inconclusive(outcome: Any, world: Any) -> None:
    few = world(speakers=6, each=100)
    found = outcome(TEST, few, unfair(few, 0.9, 0.4))
    uar = found.one("uar_difference", group="female")
    assert uar.status == "inconclusive"
    assert "groups dealt out at random differ by up to" in uar.reason
    assert "only 20 ways" in uar.notes[-1]


def test_where_chance_is_wide_nothing_is_passed(outcome: Any, world: Any) -> None:
    small = world(speakers=10, each=8)
    found = outcome(TEST, small, small.predictions(small.right(0.7)))
    precision = found.of("precision_difference")
    assert {one.status for one in precision} == {"inconclusive"}
    assert "no unfairness detected, but chance alone reaches" in precision[0].reason
    assert "published 0.075 could not be seen" in precision[0].reason


def test_the_supports_are_those_of_the_balanced_set(outcome: Any, world: Any) -> None:
    base = world()
    # Men say nothing but anger half of the time: unbalanced, their precision of anger would only show that.
    kept = (base.sex == "female") | (base.truth == 0) | (np.arange(len(base.truth)) % 3 == 0)
    skewed = base.only(kept)
    found = outcome(TEST, skewed, base.predictions(base.right(0.7)).select(skewed.table.items))
    assert "failed" not in found.statuses()
    supports = {one.place.part: one.support for one in found.of("recall_difference", group="female")}
    assert supports == {one.place.part: one.support for one in found.of("recall_difference", group="male")}
    male = np.bincount(skewed.truth[skewed.sex == "male"], minlength=4)
    female = np.bincount(skewed.truth[skewed.sex == "female"], minlength=4)
    assert list(supports.values()) == np.minimum(male, female).tolist()
    assert found.one("uar_difference", group="male").support == sum(supports.values())


def test_unknown_groups_and_classes_are_left_out_and_counted(speech: Any, outcome: Any) -> None:
    sex = [None] * 40 + ["unsure"] * 40 + speech.sex[80:].tolist()
    frame = speech.table.frame.with_columns(pl.Series("sex", sex, dtype=pl.String))
    world = speech.with_frame(frame)
    found = outcome(TEST, world, speech.predictions(speech.right(0.7)))
    assert {one.place.group for one in found.verdicts} == {"female", "male"}
    assert "80 items without a known sex are left out" in found.verdicts[0].notes


@pytest.mark.parametrize(
    ("speakers", "each", "reason"),
    [(2, 100, "female, male: fewer than 2 subjects"), (4, 10, "at least 30 a group"), (1, 100, "1 group of known sex")],
)
def test_too_little_support_is_not_applicable(outcome: Any, world: Any, speakers: int, each: int, reason: str) -> None:
    small = world(speakers=speakers, each=each)
    found = outcome(TEST, small, small.predictions(small.right(0.9)))
    assert found.statuses() == {"not applicable"}
    assert len(found.verdicts) == 4
    assert all(reason in one.reason for one in found.verdicts)
    assert all(one.minimum_support == 30 for one in found.verdicts)


def test_rare_classes_are_left_out_and_said(speech: Any, outcome: Any) -> None:
    sad = np.flatnonzero(speech.truth == 3)
    kept = np.ones(len(speech.truth), bool)
    kept[sad[6:]] = False
    world = speech.only(kept)
    found = outcome(TEST, world, speech.predictions(speech.right(0.7)).select(world.table.items))
    (gone,) = found.of("recall_difference", part="sadness")
    assert (gone.status, gone.place.group) == ("not applicable", "")
    assert "fewer than 5 items in one of the groups" in gone.reason
    assert any("left out: sadness" in note for note in found.one("uar_difference", group="male").notes)


def test_one_class_alone_is_not_compared(speech: Any, outcome: Any) -> None:
    kept = speech.truth == 0
    world = speech.only(kept)
    found = outcome(TEST, world, speech.predictions(speech.right(0.7)).select(world.table.items))
    assert found.statuses() == {"not applicable"}
    assert "fewer than two classes have 5 items in every group" in found.verdicts[0].reason


def test_what_balancing_leaves_may_be_too_little(outcome: Any, world: Any) -> None:
    base = world(speakers=10, each=20)
    kept = np.where(base.sex == "female", base.truth < 2, base.truth > 1)
    for sex in ("female", "male"):
        for code in range(4):
            kept[np.flatnonzero((base.sex == sex) & (base.truth == code))[:6]] = True
    skewed = base.only(kept)
    found = outcome(TEST, skewed, base.predictions(base.right(0.7)).select(skewed.table.items))
    assert found.statuses() == {"not applicable"}
    assert "after balancing by class" in found.verdicts[0].reason


def test_balancing_follows_the_seed_and_not_the_order(speech: Any, outcome: Any) -> None:
    prediction = speech.predictions(speech.right(0.7))
    first = outcome(TEST, speech, prediction, resamples=50)
    assert outcome(TEST, speech.turned(), prediction, resamples=50).verdicts == first.verdicts
    assert outcome(TEST, speech, prediction, resamples=50, seed=1).verdicts != first.verdicts


def test_a_column_called_gender_serves_as_well(speech: Any, outcome: Any) -> None:
    frame = speech.table.frame.rename({"sex": "gender"})
    world = speech.with_frame(frame, groups=("gender",))
    found = outcome(TEST, world, speech.predictions(speech.right(0.7)))
    assert {one.place.attribute for one in found.verdicts} == {"gender"}


def test_published_mode_takes_1000_items_a_group(outcome: Any, world: Any) -> None:
    small = world()
    refused = outcome(TEST, small, small.predictions(small.right(0.7)), mode="published")
    assert refused.statuses() == {"not applicable"}
    assert (
        "female has 800 items, male has 800 items, the test takes at least 1000 a group" in refused.verdicts[0].reason
    )
    large = world(speakers=40, each=60)
    found = outcome(TEST, large, large.predictions(large.right(0.7)), mode="published")
    assert found.statuses() == {"passed"}
    uar = found.one("uar_difference", group="female")
    assert uar.support == 1000
    assert str(uar.threshold) == "|x| < 0.075"
    assert uar.value == round(uar.value, 2)
    assert uar.detectable > 0.075
    worse = outcome(TEST, large, unfair(large, 0.9, 0.5), mode="published")
    assert worse.one("uar_difference", group="female").status == "failed"


def test_of_many_small_groups_a_few_are_named(speech: Any, outcome: Any) -> None:
    frame = speech.table.frame.with_columns(sex=pl.Series([f"g{i % 200}" for i in range(len(speech.truth))]))
    many = speech.with_frame(frame)
    for mode in ("corrected", "published"):
        found = outcome(TEST, many, many.predictions(many.right(0.7)), mode=mode)
        assert found.statuses() == {"not applicable"}
        assert "g101 has 8 items and 195 more, the test takes at least" in found.verdicts[0].reason


def test_values_are_compared_by_dimension_and_bin(affect: Any, outcome: Any) -> None:
    found = outcome(TEST, affect, affect.predictions(affect.near(0.05)))
    assert "failed" not in found.statuses()
    assert len(found.of("ccc_difference")) == 6
    bins = found.of("recall_difference", group="female")
    assert len(bins) == 3 * 4
    assert {one.place.part for one in bins} >= {"arousal (-inf, 0.25]", "valence (0.75, inf)"}


def test_a_shift_for_one_sex_is_found_in_the_values(affect: Any, outcome: Any) -> None:
    shift = np.where(affect.sex == "female", 0.1, -0.1)[:, None]
    found = outcome(TEST, affect, affect.predictions(affect.near(0.05) + shift))
    assert {one.status for one in found.of("mde_difference")} == {"failed"}
    assert found.one("mde_difference", group="female", part="arousal").value == pytest.approx(0.1, abs=0.01)
    assert found.one("recall_difference", group="female", part="arousal (0.25, 0.5]").status == "failed"


def test_bins_with_few_true_values_are_not_applicable(affect: Any, outcome: Any) -> None:
    values = affect.truth.copy()
    values[:, 0] = np.clip(values[:, 0], 0.3, 0.7)
    frame = affect.table.frame.with_columns(pl.Series("arousal", values[:, 0]))
    world = replace(affect.with_frame(frame), truth=values)
    found = outcome(TEST, world, affect.predictions(affect.near(0.05)))
    outer = found.one("recall_difference", group="male", part="arousal (0.75, inf)")
    assert outer.status == "not applicable"
    assert outer.minimum_support == 53
    assert outer.reason == "0 items, the test takes at least 53"


def test_where_no_model_can_differ_nothing_is_compared(affect: Any, outcome: Any) -> None:
    values = affect.truth.copy()
    values[:, 0] = 0.4
    frame = affect.table.frame.with_columns(pl.Series("arousal", values[:, 0]))
    world = replace(affect.with_frame(frame), truth=values)
    right = outcome(TEST, world, affect.predictions(values))
    only = right.one("precision_difference", group="male", part="arousal (0.25, 0.5]")  # all truth lies in it
    assert (only.status, only.value, only.threshold.value) == ("not applicable", None, 0.1)
    assert "no random model differs between groups" in only.reason
    assert right.one("recall_difference", group="male", part="arousal (0.25, 0.5]").status == "passed"
    varied = outcome(TEST, world, affect.predictions(affect.near(0.05)))
    assert varied.one("ccc_difference", group="male", part="arousal").status == "not applicable"


def test_a_class_never_predicted_for_one_group_has_no_precision_there(speech: Any, outcome: Any) -> None:
    codes = np.where((speech.sex == "female") & (speech.truth == 3), 0, speech.truth)
    found = outcome(TEST, speech, speech.predictions(codes))
    never = found.one("precision_difference", group="female", part="sadness")
    assert (never.status, never.value, never.threshold.value) == ("not applicable", None, 0.075)
    assert "sadness" in never.reason
    assert found.one("precision_difference", group="male", part="sadness").value == 0.0


def test_without_subjects_groups_are_dealt_out_over_items(speech: Any, outcome: Any) -> None:
    world = speech.with_frame(speech.table.frame.drop("subject", "media"))
    found = outcome(TEST, world, unfair(world, 0.9, 0.4))
    uar = found.one("uar_difference", group="female")
    assert uar.status == "failed"
    assert "items; over" in uar.notes[-1]


def test_a_task_without_bins_compares_the_dimension_alone(affect: Any, outcome: Any) -> None:
    task = SEX.task_of("dimensions")
    whole = task.model_copy(update={"comparison": tuple(c for c in task.comparison if c.per == "set")})
    found = outcome([SEX.model_copy(update={"task": (whole,)})], affect, affect.predictions(affect.near(0.05)))
    assert len(found.verdicts) == 3 * 3 * 2


def test_too_few_values_are_not_applicable_by_dimension(outcome: Any, world: Any) -> None:
    small = world("dimensions", speakers=4, each=10)
    found = outcome(TEST, small, small.predictions(small.near(0.05)))
    assert found.statuses() == {"not applicable"}
    assert {one.place.part for one in found.verdicts} == {"arousal", "dominance", "valence"}


def test_the_minimum_of_a_bin_is_the_number_expected_in_the_lowest_one() -> None:
    assert NormalDist(0.5, 1 / 6).cdf(0.25) == LOWEST_BIN
    assert minimum_of_bin(SEX.corrected, 1000) == 67  # paper 2, Eq. 4 and Table III
    assert minimum_of_bin(SEX.corrected, 60) == 4
    assert minimum_of_bin(SEX.published, 60) == 67


@pytest.mark.slow
def test_models_that_treat_all_alike_rarely_fail_and_unfair_ones_do(outcome: Any, world: Any) -> None:
    """Speakers differ by chance; with 24 of them, a difference of sex must be told from it."""
    made = world(speakers=24, each=40)
    failed = {0.0: 0, 0.15: 0}
    for bias in failed:
        for seed in range(40):
            draw = rng(seed, "skill")
            skill = (0.6 + 0.1 * draw.standard_normal(24))[np.arange(len(made.truth)) // 40]
            skill = skill + np.where(made.sex == "female", bias, -bias)
            guess = draw.integers(4, size=len(skill))
            codes = np.where(draw.random(len(skill)) < skill, made.truth, guess)
            found = outcome(TEST, made, made.predictions(codes), baseline=False, seed=seed)
            failed[bias] += "failed" in found.statuses()
    assert failed[0.0] <= 5
    assert failed[0.15] >= 36
