"""Plans: known powers, their own inverse, and the simulated power of the studies they plan."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.metrics import METRICS
from affectcheck.uncertainty import (
    Aim,
    Answers,
    Plan,
    Simulating,
    Study,
    check_plan,
    plan_groups,
    plan_models,
)
from affectcheck.uncertainty.planning import least_subjects
from affectcheck.uncertainty.power import Precision, fewest
from affectcheck.uncertainty.quantiles import noncentral_t_cdf

GROUPS = {
    "accuracy": (Study("accuracy", 0.6, items=40, classes=7, between=0.1), Aim(0.1)),
    "uar": (Study("uar", 0.6, items=60, classes=8, between=0.08), Aim(0.1)),
    "macro F1": (Study("f1_macro", 0.6, items=30, classes=4, icc=0.05, shares=(0.4, 0.3, 0.2, 0.1)), Aim(0.12)),
    "CCC": (Study("ccc", 0.5, items=40, between=0.1), Aim(0.12)),
}
MODELS = {
    "accuracy": (Study("accuracy", 0.6, items=40, classes=4, between=0.1, agreement=0.4), Aim(0.06)),
    "CCC": (Study("ccc", 0.5, items=40, between=0.1, agreement=0.6), Aim(0.06)),
}


def off(plan: Plan, repetitions: int, seed: int = 0) -> float:
    """How far the simulated power lies from the planned one, in standard errors of the simulation."""
    found = check_plan(plan, Simulating(repetitions, seed, draws=299))
    assert found.false_alarms.value <= 0.05 + 3.3 * np.sqrt(0.05 * 0.95 / repetitions)
    planned = plan.row.power
    return float((found.power.value - planned) / np.sqrt(planned * (1 - planned) / repetitions))


@pytest.mark.parametrize(
    ("effect", "subjects", "power"), [(0.2, 394, 0.80), (0.5, 64, 0.80), (0.8, 26, 0.80), (0.5, 86, 0.90)]
)
def test_published_sample_sizes(effect, subjects, power):
    """Cohen (1988), Tables 2.3.5 and 2.4.1: subjects in each group, two-sided .05."""
    assert fewest(lambda n: Precision.of_groups(1.0, 1.0, n).power(effect), power, 2) in (subjects - 1, subjects)


def test_published_sample_size_of_pairs():
    """d = 0.5: 34 pairs for a power of .80 (two-sided .05)."""
    assert fewest(lambda n: Precision.of_pairs(1.0, n).power(0.5), 0.8, 2) == 34


def test_a_power_that_no_number_reaches_is_refused():
    with pytest.raises(InputError, match=r"needs more than 1,000,000 subjects"):
        fewest(lambda _: 0.1, 0.8, 3)


def test_tails_beyond_all_numbers_are_none():
    assert noncentral_t_cdf([-2.0, 40.0], 49.8, [14.3, 14.3]) == pytest.approx([0.0, 1.0], abs=1e-9)


@pytest.mark.parametrize("name", GROUPS)
def test_more_is_seen_with_more_subjects_and_the_smallest_gap_is_the_inverse(name):
    study, aim = GROUPS[name]
    plan = plan_groups(study, aim, subjects=50)
    assert (plan.asked, plan.subjects, plan.row.subjects) == (50, 50, 50)
    needed = next(row for row in plan.rows if row.subjects == plan.needed)
    assert needed.power >= 0.8
    assert needed.detectable <= aim.gap
    assert plan_groups(study, aim).subjects == plan.needed
    for column in ("power", "width", "detectable"):
        values = [getattr(row, column) for row in plan.rows]
        assert values == sorted(values, reverse=column != "power")
    again = plan_groups(study, replace(aim, gap=plan.row.detectable), subjects=50)
    assert again.row.power == pytest.approx(0.8, abs=1e-3)
    assert again.needed in (50, 51)


def test_one_subject_fewer_has_less_power():
    study, aim = GROUPS["uar"]
    plan = plan_groups(study, aim)
    assert plan_groups(study, aim, subjects=plan.needed - 1).row.power < 0.8


def test_models_that_agree_need_fewer_subjects():
    study, aim = MODELS["accuracy"]
    needed = [plan_models(replace(study, agreement=agreement), aim).needed for agreement in (0.0, 0.4, 0.8)]
    assert needed == sorted(needed, reverse=True)
    assert any("independently" in note for note in plan_models(replace(study, agreement=0.0), aim).notes)
    assert not any("independently" in note for note in plan_models(study, aim).notes)


def test_a_gap_too_large_for_the_score_is_never_detectable():
    plan = plan_groups(Study("accuracy", 0.95, items=5, between=0.05), Aim(0.02), subjects=3)
    assert plan.row.detectable is None
    assert any("fewer than 20 subjects" in note for note in plan.notes)


def test_a_pilot_stands_in_the_place_of_what_is_assumed():
    population = Answers.of_counts(METRICS.get("uar").compute, np.array([[30, 10], [20, 40]])).with_between(0.1)
    plan = plan_groups(Study("uar", items=30, pilot=population))
    assert plan.score == pytest.approx(0.70833, abs=1e-4)
    assert (plan.between, plan.icc) == (0.1, pytest.approx(population.icc))
    assert plan_groups(Study("uar", 0.6, items=30, between=0.0, pilot=population)).needed < plan.needed


def test_below_six_subjects_no_permutation_of_models_is_significant():
    assert least_subjects("models", 0.95) == 6  # 2 of 2^5 ways are more than .05, of 2^6 less
    assert least_subjects("models", 0.8) == 5  # below which no interval is given
    assert least_subjects("groups", 0.95) == 3
    with pytest.raises(InputError, match="with fewer no difference is tested"):
        plan_models(MODELS["CCC"][0], subjects=5)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"metric": "uarr"}, "uarr"),
        ({"metric": "mae"}, "are not planned"),
        ({"metric": "recall"}, "are not planned"),
        ({"items": 0}, "0 items a subject"),
        ({"agreement": 1.0}, r"an agreement of 1\.0"),
        ({"shares": (0.5, 0.5)}, "of 7 classes"),
        ({"classes": 1}, "1 classes"),
        ({"classes": 51}, "51 classes\n  expected: 2 to 50"),
        ({"score": None}, "no score is expected"),
        ({"between": None}, "is not stated"),
        ({"icc": 0.1}, "twice"),
    ],
)
def test_what_cannot_be_planned_is_refused(changed, message):
    with pytest.raises((InputError, UnknownNameError), match=message):
        replace(GROUPS["accuracy"][0], **changed)


@pytest.mark.parametrize("changed", [{"gap": 0.0}, {"power": 1.0}, {"power": 0.04}, {"level": 1.0}])
def test_aims_without_meaning_are_refused(changed):
    with pytest.raises(InputError, match="a gap of"):
        Aim(**changed)


def test_a_check_without_studies_is_refused():
    with pytest.raises(InputError, match="0 simulated studies"):
        Simulating(0)


class TestSimulated:
    def test_groups_and_models_have_the_planned_power(self):
        told = []
        plan = plan_groups(*GROUPS["accuracy"])
        found = check_plan(plan, Simulating(80, progress=lambda done, total: told.append((done, total))))
        assert abs(off(plan, 150)) < 3.3
        assert found.width == pytest.approx(plan.row.width, rel=0.05)
        assert (found.repetitions, found.seed, found.subjects) == (80, 0, plan.needed)
        assert told[0] == (1, 160)
        assert told[-1] == (160, 160)
        assert abs(off(plan_models(*MODELS["CCC"]), 60)) < 3.3

    def test_a_plan_that_forgets_how_subjects_differ_is_found_out(self):
        """The bound above is none that any plan keeps."""
        study, aim = GROUPS["accuracy"]
        forgetful = plan_groups(replace(study, between=0.0), aim)
        assert off(replace(forgetful, study=study), 150) < -5.0

    def test_without_any_spread_there_is_no_interval(self):
        study = Study("accuracy", 0.5, items=1, classes=2, between=0.0)
        plan = plan_groups(study, Aim(0.9), subjects=3)
        found = check_plan(plan, Simulating(5))
        assert found.width is None or found.width > 0.0

    @pytest.mark.slow
    @pytest.mark.parametrize("name", GROUPS)
    def test_groups_at_size(self, name):
        assert abs(off(plan_groups(*GROUPS[name]), 1000)) < 3.3

    @pytest.mark.slow
    @pytest.mark.parametrize("name", MODELS)
    def test_models_at_size(self, name):
        assert abs(off(plan_models(*MODELS[name]), 600)) < 3.3
