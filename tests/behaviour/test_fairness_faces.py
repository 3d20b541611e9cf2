"""Fairness of faces: all items or sets of equal truth, crossed groups, distances of paper 1, and fairness of robustness."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour import load_suite, load_suites, plan, select
from affectcheck.behaviour.column_bins import with_groups
from affectcheck.behaviour.fairness_answers import _dealt
from affectcheck.behaviour.measured import Measured
from affectcheck.behaviour.requirements import Groups
from affectcheck.metrics import METRICS
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion

FAIRNESS = [one for one in load_suite("faces") if one.family == "fairness"]
UNDER = [one for one in FAIRNESS if one.kind == "group perturbation"]


def seen(world: Any, codes: Any) -> Any:
    return world.predictions(codes, media=("image",))


@pytest.fixture(scope="module")
def people(speech: Any) -> Any:
    """The world with a race of each subject and a gender in the place of sex."""
    subject = np.arange(speech.table.height) // 40
    race = pl.Series("race", [("asian", "black", "white")[s % 3] for s in subject])
    frame = speech.table.frame.with_columns(race).rename({"sex": "gender"})
    return speech.with_frame(frame, groups=("gender", "race"))


def biased(world: Any, gap: float) -> np.ndarray:
    """Right for .8 of the items, and for less of those of women."""
    draw = rng(3, "biased", str(gap))
    share = np.where(world.sex == "female", 0.8 - gap, 0.8)
    n = len(world.truth)
    return np.where(draw.random(n) < share, world.truth, (world.truth + draw.integers(1, 4, n)) % 4)


def test_recall_is_compared_on_all_items(people: Any, outcome: Any) -> None:
    found = outcome("face-fairness-gender", people, seen(people, biased(people, 0.3)))
    uar = found.one("uar_difference", group="female")
    assert uar.support == 800
    assert uar.value == pytest.approx(-0.15, abs=0.02)
    assert found.statuses("uar_difference") == {"failed"}
    assert found.one("eop").status == "failed"
    assert found.one("eop").place.group == ""
    assert {one.support for one in found.of("recall_difference", group="female")} == set(
        np.bincount(people.truth[people.sex == "female"])
    )
    assert found.one("eop").detectable is not None
    fair = outcome("face-fairness-gender", people, seen(people, biased(people, 0.0)))
    assert "failed" not in fair.statuses()


def test_distances_are_those_of_paper_1(people: Any, outcome: Any) -> None:
    codes = biased(people, 0.2)
    found = outcome("face-fairness-gender", people, seen(people, codes))
    groups = (people.sex == "male").astype(int)
    tally = Confusion.count(people.truth, codes, labels=4, cells=groups, n_cells=2)
    assert found.one("eop").value == pytest.approx(float(METRICS.get("eop").compute(tally)))
    bare = replace(people, table=replace(people.table, targets={}))
    alone = outcome("face-fairness-gender-predictions", bare, seen(bare, codes))
    assert alone.one("sp").value == pytest.approx(float(METRICS.get("sp").compute(tally)))
    assert alone.one("sp").status == "passed"
    assert len(alone.of("share_difference")) == 8


def test_sets_of_equal_truth_carry_parity_and_local_scores(people: Any, outcome: Any) -> None:
    found = outcome("face-fairness-gender-balanced", people, seen(people, biased(people, 0.3)))
    assert found.one("sp").value is not None
    assert abs(found.one("local_f1_difference").value) < 0.02
    assert found.one("uap_difference", group="male").status == "failed"


def test_classes_that_a_group_has_few_of_are_in_no_mean(people: Any, outcome: Any) -> None:
    rare = (people.sex == "female") & (people.truth == 0)
    kept = ~rare | (np.cumsum(rare) <= 3)
    few = people.only(kept)
    found = outcome("face-fairness-gender", few, seen(few, biased(few, 0.0)))
    anger = found.one("recall_difference", group="female", part="anger")
    assert (anger.status, anger.support) == ("not applicable", 3)
    assert found.one("uar_difference", group="male").value is not None
    assert any("are in no mean: anger" in note for note in found.one("uar_difference", group="male").notes)
    only = people.only(~((people.sex == "female") & (people.truth > 0)))
    lone = outcome("face-fairness-gender", only, seen(only, biased(only, 0.0)))
    assert {one.reason for one in lone.of("uar_difference")} == {
        "fewer than two classes have enough items in every group"
    }
    never = people.only(~((people.sex == "female") & (people.truth == 0)))
    gone = outcome("face-fairness-gender", never, seen(never, biased(never, 0.0)))
    assert gone.one("recall_difference", group="female", part="anger").support == 0


def test_every_cell_of_crossed_groups_has_its_support(people: Any, outcome: Any) -> None:
    found = outcome("face-fairness-gender-race", people, seen(people, biased(people, 0.0)))
    cells = found.of("uar_difference")
    assert {one.place.group for one in cells} == {
        f"{g}*{r}" for g in ("female", "male") for r in ("asian", "black", "white")
    }
    assert {one.place.attribute for one in cells} == {"gender*race"}
    assert sum(one.support for one in cells) == people.table.height
    few = people.only(np.arange(people.table.height) < 100)
    small = outcome("face-fairness-gender-race", few, seen(few, few.truth))
    told = {one.place.group: one.support for one in small.of("uar_difference") if one.place.group}
    assert told == {"female*asian": 40, "male*black": 40, "female*white": 20}
    assert small.statuses() == {"not applicable"}
    bare = replace(few, table=replace(few.table, targets={}))
    alone = outcome("face-fairness-gender-race-predictions", bare, seen(bare, few.truth))
    assert {one.place.group for one in alone.of("sp")} >= set(told)
    without = people.with_frame(people.table.frame.drop("race"), groups=("gender",))
    (planned,) = plan(load_suites(["face-fairness-gender-race"]), seen(people, people.truth).card, without.table).tests
    assert planned.reason == "the table has no column 'race'"


def test_unknown_values_are_in_no_cell_and_empty_ones_are_counted() -> None:
    frame = pl.DataFrame({"gender": ["female", "female", "male", None], "race": ["white", "unknown", "black", "black"]})
    found = with_groups(frame, Groups(columns=("gender",), crossed=("race",)), "gender")
    assert found.attribute == "gender*race"
    assert found.frame.get_column("gender*race").to_list() == ["female*white", None, "male*black", None]
    assert found.notes == ("4 combinations of gender*race have no items",)


def test_values_are_compared_on_sets_of_equal_truth(affect: Any, outcome: Any) -> None:
    found = outcome("face-fairness-gender-balanced", affect, affect.predictions(affect.near(0.05), media=("image",)))
    assert "failed" not in found.statuses()
    assert found.one("ccc_difference", group="female", part="valence").value is not None
    small = affect.only(np.arange(affect.table.height) < 60)
    few = outcome("face-fairness-gender-balanced", small, small.predictions(small.near(0.05), media=("image",)))
    assert few.statuses() == {"not applicable"}


def test_tests_share_their_error(people: Any) -> None:
    card = seen(people, people.truth).card
    planned = plan(FAIRNESS, card, people.table)
    shared = [one for one in planned.applicable if one.definition.kind != "group perturbation"]
    assert planned.families == len(shared) + len(UNDER) * 2 * 2
    bare = plan(FAIRNESS, card, replace(people.table, targets={}))
    alone = [one for one in bare.applicable if one.definition.kind != "group perturbation"]
    assert bare.families == len(alone) + len(UNDER) * 2
    assert plan(load_suites(["fairness-sex"]), card, people.table).families == 1
    lost = replace(planned.tests[0], task=None, reason="")
    assert replace(planned, tests=(lost,)).families == 1


def test_values_have_a_family_for_each_dimension(affect: Any) -> None:
    card = affect.card(media=("image",))
    assert plan(load_suites(["face-fairness-gender-balanced"]), card, affect.table).families == 6


def hurt(world: Any, who: str, share: float) -> np.ndarray:
    """The truth, moved on by one class for a share of the items of a group."""
    draw = rng(7, "hurt", who)
    race = world.table.frame.get_column("race").to_numpy()
    moved = draw.random(len(race)) < np.where(race == who, share, 0.1)
    return np.where(moved, (world.truth + 1) % 4, world.truth)


def test_a_perturbation_that_hurts_one_group_is_found_with_the_group(people: Any, outcome: Any) -> None:
    clean = seen(people, people.truth)
    found = outcome(
        "face-fairness-under-jpeg", people, clean, perturbed=seen(people, hurt(people, "black", 0.4)), reruns=0
    )
    race = found.of("unchanged_difference", attribute="race")
    assert {one.place.group for one in race if one.status == "failed"} >= {"black"}
    black = found.one("unchanged_difference", group="black")
    assert black.value < -0.15
    assert any(note.startswith("0.6") and note.endswith("of all") for note in black.notes)
    assert "dealt out" in black.threshold.source or "permuted" in black.threshold.source
    assert found.one("uar_change_difference", group="black").status == "failed"
    assert found.statuses("unchanged_difference") >= {"failed", "passed"}
    assert {one.status for one in found.of("unchanged_difference", attribute="gender")} == {"passed"}
    even = outcome("face-fairness-under-jpeg", people, clean, perturbed=seen(people, hurt(people, "", 0.0)))
    assert "failed" not in even.statuses()


def test_what_never_changes_and_what_is_not_labelled(people: Any, outcome: Any) -> None:
    clean = seen(people, people.truth)
    still = outcome("face-fairness-under-grey", people, clean, perturbed=clean)
    assert {one.reason for one in still.verdicts} == {"nothing changes in any group, so nothing could show"}
    bare = replace(people, table=replace(people.table, targets={}))
    alone = outcome("face-fairness-under-grey", bare, clean, perturbed=seen(people, hurt(people, "black", 0.4)))
    assert alone.one("unchanged_difference", group="black").status == "failed"
    assert {one.reason for one in alone.of("uar_change_difference")} == {"no labels of what the model predicts"}
    few = people.only(np.arange(people.table.height) < 50)
    small = outcome("face-fairness-under-grey", few, seen(few, few.truth), perturbed=seen(few, few.truth))
    assert small.statuses() == {"not applicable"}
    measured = Measured(still.plan.tests[0].definition.task[0].comparison[0], value=0.1)
    assert _dealt(measured, None, 0.0, 0.95).reason == "too few clusters to deal groups out over"
    assert _dealt(replace(measured, value=None, reason="none"), None, 0.0, 0.95).reason == "none"


def test_one_metric_of_a_perturbation_alone(people: Any, outcome: Any) -> None:
    clean, after = seen(people, people.truth), seen(people, hurt(people, "black", 0.4))
    for metric, named in (("unchanged", "unchanged_difference"), ("uar", "uar_change_difference")):
        alone = select(load_suites(["face-fairness-under-jpeg"]), metrics=[metric])
        found = outcome(alone, people, clean, perturbed=after)
        assert {one.metric for one in found.verdicts} == {named}
        assert found.one(named, group="black").status == "failed"


def test_groups_without_a_common_class_have_no_distance(people: Any, outcome: Any) -> None:
    apart = people.only((people.sex == "female") == (people.truth < 2))
    found = outcome("face-fairness-gender", apart, seen(apart, apart.truth))
    assert found.one("eop").status == "not applicable"
    assert found.one("eop").reason


def test_values_that_move_in_one_group(affect: Any, outcome: Any) -> None:
    near = affect.near(0.02)
    moved = np.clip(near + np.where(affect.sex == "female", 0.1, 0.0)[:, None], 0, 1)
    world = affect.with_frame(affect.table.frame.rename({"sex": "gender"}), groups=("gender",))
    clean, after = (world.predictions(one, media=("image",)) for one in (near, moved))
    found = outcome("face-fairness-under-fog", world, clean, perturbed=after)
    mean = found.one("mean_change_difference", group="female", part="valence")
    assert mean.value == pytest.approx(0.05, abs=0.005)
    assert mean.status == "failed"
    assert found.one("unchanged_difference", group="female", part="valence").status == "failed"


@pytest.mark.parametrize("test", FAIRNESS, ids=lambda one: one.name)
def test_errors_are_shared_and_limits_simulated(test: Any) -> None:
    assert test.corrected.shared_error
    assert all(one.threshold == "simulated" for task in test.task for one in task.comparison)
    assert any("at most 5 %" in note for note in test.notes)


def test_what_the_format_refuses() -> None:
    from affectcheck.behaviour import parse_definition
    from affectcheck.errors import InputError

    gender = next(one for one in FAIRNESS if one.name == "face-fairness-gender-balanced").model_dump()
    with pytest.raises(InputError, match="'precision' hangs on how frequent the truth is: it needs"):
        parse_definition({**gender, "balance": None}, where="made")
    chosen = {**gender, "groups": {"columns": ["gender"], "crossed": ["race"], "values": ["female"]}}
    with pytest.raises(InputError, match="only whole columns are crossed"):
        parse_definition(chosen, where="made")
    under = UNDER[0].model_dump()
    with pytest.raises(InputError, match="kind 'group perturbation' needs"):
        parse_definition({**under, "perturbation": None}, where="made")


def test_limits_of_distances_are_not_simulated_as_differences() -> None:
    from affectcheck.behaviour.simulating import Simulating, simulate_limits

    sizes = Simulating(groups=2, samples=50, repetitions=20, rounds=1)
    found = simulate_limits(FAIRNESS, sizes, task="categories")
    assert {one.comparison.metric for one in found} == {"recall", "uar", "precision", "uap", "share"}


def test_limits_that_were_not_published_are_not_called_so(people: Any, outcome: Any) -> None:
    found = outcome("face-fairness-gender", people, seen(people, biased(people, 0.3)))
    assert "; stated limit 0.05 (paper 1, Eq. 3; own limit: " in found.one("eop").threshold.source
    assert "; published limit 0.075 (as paper 2" in found.one("uar_difference", group="male").threshold.source
