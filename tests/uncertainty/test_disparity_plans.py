from __future__ import annotations

import pytest

from affectcheck.errors import InputError
from affectcheck.uncertainty import DisparityAim, Simulating, Study, plan_disparity

STUDY = Study("accuracy", 0.7, items=30, classes=4, between=0.08)
QUICK = Simulating(40, draws=99)


@pytest.fixture(scope="module")
def plan():
    told = []
    found = plan_disparity(
        STUDY, DisparityAim(value=0.3), subjects=4, options=Simulating(40, 3, 99, lambda *n: told.append(n))
    )
    assert told[-1] == (40, 40)
    return found


def test_the_needed_number_has_the_power_and_groups_that_are_alike_seldom_exceed(plan):
    by_subjects = {row.subjects: row for row in plan.rows}
    assert by_subjects[plan.needed].power.value >= 0.8
    assert all(row.false_alarms.value <= 0.15 for row in plan.rows)
    assert {4, plan.needed, 2 * plan.needed} <= set(by_subjects)
    assert list(by_subjects) == sorted(by_subjects)
    assert (plan.asked, plan.repetitions, plan.seed) == (4, 40, 3)


def test_more_subjects_find_it_more_often_and_show_less_noise(plan):
    assert plan.rows[0].power.value <= plan.rows[-1].power.value
    assert plan.rows[0].alike > plan.rows[-1].alike > 0.0
    assert plan.rows[-1].value == pytest.approx(0.3, abs=0.05)


def test_scores_of_two_groups_are_as_far_apart_as_eop_says(plan):
    """With errors alike in all classes, the total variation of two rows is the difference of their hits."""
    assert plan.scores == pytest.approx((0.85, 0.55))


def test_a_gap_over_three_groups():
    study = Study("ccc", 0.5, items=30, between=0.08)
    found = plan_disparity(study, DisparityAim("ccc_gap", 0.3, 3), options=QUICK)
    assert found.scores == pytest.approx((0.65, 0.5, 0.35))
    assert found.asked is None


def test_a_number_that_the_search_took_for_enough_grows_until_it_is(monkeypatch):
    from affectcheck.uncertainty import disparity_plans as module

    monkeypatch.setattr(module, "_SEARCHED", 1)
    found = plan_disparity(STUDY, DisparityAim(value=0.25), options=QUICK)
    assert next(row for row in found.rows if row.subjects == found.needed).power.value >= 0.8


@pytest.mark.parametrize(
    ("study", "metric", "message"),
    [
        (STUDY, "sp", "are not planned"),
        (STUDY, "uar_gap", "are not planned"),
        (Study("ccc", 0.5, between=0.1), "eop", "are not planned"),
    ],
)
def test_other_disparities_are_refused(study, metric, message):
    with pytest.raises(InputError, match=message):
        plan_disparity(study, DisparityAim(metric), options=QUICK)


@pytest.mark.parametrize("changed", [{"groups": 1}, {"value": 0.1}, {"limit": -0.1}, {"power": 1.0}])
def test_aims_without_meaning_are_refused(changed):
    with pytest.raises(InputError, match="a disparity of"):
        DisparityAim(**changed)


def test_too_few_subjects_and_too_large_disparities_are_refused():
    with pytest.raises(InputError, match="with fewer nothing is decided"):
        plan_disparity(STUDY, DisparityAim(), subjects=2, options=QUICK)
    with pytest.raises(InputError, match=r"a disparity of 0\.9"):
        plan_disparity(STUDY, DisparityAim(value=0.9), options=QUICK)
