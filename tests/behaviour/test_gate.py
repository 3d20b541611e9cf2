"""What became of each comparison between two runs, and what holds the gate."""

from __future__ import annotations

from typing import Any

import pytest

from affectcheck.behaviour.gate import Margins, compare_verdicts, gate_text, gate_values
from affectcheck.errors import InputError
from affectcheck.records import Place, Threshold, Verdict, strict_json

LIMIT = Threshold(0.9, "gt", "s")


def verdict(value: float | None, **changes: Any) -> Verdict:
    status = "not applicable" if value is None else "passed" if LIMIT.met_by(value) else "failed"
    fields = {"test": "t", "family": "robustness", "metric": "unchanged", "status": status, "value": value}
    return Verdict(**(fields | {"threshold": LIMIT, "reason": "why"} | changes))


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        (0.95, 0.93, "unchanged"),
        (0.8, 0.7, "unchanged"),
        (0.95, 0.8, "broken"),
        (0.95, 0.9, "broken"),  # on the limit is not met, and without a margin nothing is near
        (0.8, 0.95, "fixed"),
        (0.8, None, "gone"),
        (None, 0.8, "appeared"),
    ],
)
def test_what_becomes_of_a_comparison(before: float | None, after: float | None, outcome: str) -> None:
    gate = compare_verdicts([verdict(before)], [verdict(after)])
    assert [len(getattr(gate, one)) for one in ("fixed", "broken", "unchanged", "appeared", "gone")].count(1) == 1
    (change,) = getattr(gate, outcome)
    assert (change.value_before, change.value_after, change.near) == (before, after, False)
    assert gate.passed == (outcome not in ("broken", "gone"))


def test_nothing_is_said_of_what_neither_run_decided() -> None:
    gate = compare_verdicts([verdict(None)], [verdict(None)])
    assert not any((gate.fixed, gate.broken, gate.unchanged, gate.appeared, gate.gone))


def test_a_comparison_that_is_not_there_is_gone_or_has_appeared() -> None:
    here, there = verdict(0.95, metric="uar"), verdict(0.95, place=Place(part="anger"))
    both = verdict(0.95, metric="mae")
    gate = compare_verdicts([here, both], [there, both])
    assert [one.metric for one in gate.gone] == ["uar"]
    assert [one.place.part for one in gate.appeared] == ["anger"]
    assert gate.gone[0].after == ""
    assert gate.lost == ()
    assert gate.passed


def test_a_whole_test_that_is_lost_holds_the_gate() -> None:
    gate = compare_verdicts([verdict(0.95), verdict(0.95, test="other")], [verdict(0.95)])
    assert gate.lost == ("other",)
    assert not gate.passed
    assert "lost: other" in gate_text(gate)


@pytest.mark.parametrize(
    ("margins", "after", "reruns", "broken"),
    [
        (Margins(), 0.89, (), True),
        (Margins(0.02), 0.89, (), False),
        (Margins(0.02), 0.87, (), True),
        (Margins(0.5, {"unchanged": 0.0}), 0.89, (), True),
        (Margins(0.0, {"unchanged": 0.02}), 0.89, (), False),
        (Margins(), 0.89, (0.92, 0.88), False),  # other draws moved by 0.03
        (Margins(), 0.85, (0.86, 0.84), True),
        (Margins(rerun_noise=False), 0.89, (0.92,), True),
    ],
)
def test_a_verdict_near_its_limit_is_not_called_broken(
    margins: Margins, after: float, reruns: tuple[float, ...], broken: bool
) -> None:
    gate = compare_verdicts([verdict(0.95)], [verdict(after, reruns=reruns)], margins)
    assert bool(gate.broken) == broken
    assert len(gate.near) == (not broken)
    assert ("near: t unchanged" in gate_text(gate)) == (not broken)


def test_the_noise_of_the_baseline_counts_as_well() -> None:
    gate = compare_verdicts([verdict(0.91, reruns=(0.95,))], [verdict(0.88)])
    assert gate.near
    assert gate.near[0].margin == pytest.approx(0.04)


def test_the_distance_of_a_signed_value_is_that_of_its_size() -> None:
    limit = Threshold(0.05, "abs_lt", "s")
    before = verdict(0.01, threshold=limit, status="passed")
    after = verdict(-0.06, threshold=limit, status="failed")
    assert compare_verdicts([before], [after], Margins(0.02)).near
    assert compare_verdicts([before], [after], Margins(0.005)).broken


def test_undecided_is_neither_fixed_nor_broken_and_is_listed() -> None:
    gate = compare_verdicts([verdict(0.95)], [verdict(0.91, status="inconclusive")])
    assert len(gate.near) == 1
    assert gate.passed


def test_a_verdict_without_limit_or_value_is_never_near() -> None:
    gate = compare_verdicts([verdict(0.95)], [verdict(0.89, threshold=None)], Margins(1.0))
    assert gate.broken
    lost_value = verdict(0.89, reruns=(0.5,))
    assert compare_verdicts([verdict(0.95)], [Verdict(**(vars(lost_value) | {"value": None}))]).broken


@pytest.mark.parametrize("margin", [0.01, 0.03, 0.05, 0.1, 0.2])
def test_a_value_as_far_from_its_limit_as_the_margin_is_near(margin: float) -> None:
    for limit in (0.1, 0.7, 0.9, 0.95):
        stated = Threshold(limit, "gt", "s")
        before = verdict(0.99, threshold=stated, status="passed")
        for extra, broken in ((0.0, 0), (1e-6, 1)):
            after = verdict(limit - margin - extra, threshold=stated, status="failed")
            assert len(compare_verdicts([before], [after], Margins(margin)).broken) == broken


@pytest.mark.parametrize("margin", [-0.1, float("nan"), float("inf")])
def test_a_margin_is_a_size(margin: float) -> None:
    with pytest.raises(InputError, match="a margin of"):
        Margins(margin)
    with pytest.raises(InputError, match="a margin of"):
        Margins(by_metric={"uar": margin})


def test_runs_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(InputError, match="the baseline holds no verdicts"):
        compare_verdicts([], [verdict(0.9)])
    with pytest.raises(InputError, match="the run holds no verdicts"):
        compare_verdicts([verdict(0.9)], [])
    with pytest.raises(InputError, match="different modes: corrected and published"):
        compare_verdicts([verdict(0.9)], [verdict(0.9, mode="published")])


def test_the_gate_is_told_in_lines_and_in_plain_values() -> None:
    before = [verdict(0.95), verdict(0.8, metric="uar"), verdict(0.8, metric="uap")]
    after = [verdict(0.8), verdict(0.95, metric="uar"), verdict(None, metric="uap"), verdict(0.95, metric="ccc")]
    gate = compare_verdicts(before, after)
    text = gate_text(gate)
    assert text.splitlines()[0] == "against the baseline: 1 broken, 1 fixed, 0 unchanged, 1 appeared, 1 gone"
    assert "  broken: t unchanged, passed to failed, 0.950 to 0.800: why" in text
    assert "  appeared: t ccc, not there to passed, none to 0.950" in text
    values = gate_values(gate)
    assert values["counts"] == {"broken": 1, "fixed": 1, "unchanged": 0, "appeared": 1, "gone": 1, "near": 0}
    assert values["passed"] is False
    assert "unchanged" in strict_json(values)


def test_each_data_set_is_gated_by_itself_and_another_version_is_told() -> None:
    before = [verdict(0.95, data="emodb@1"), verdict(0.95, data="ravdess@1")]
    after = [verdict(0.95, data="emodb@2"), verdict(0.8, data="ravdess@1")]
    gate = compare_verdicts(before, after)
    assert [one.data for one in gate.broken] == ["ravdess"]
    assert gate.other_data == ("emodb",)
    assert "note: emodb: not the same content" in gate_text(gate)
    assert "broken: t unchanged of ravdess" in gate_text(gate)
    assert compare_verdicts([verdict(0.95, data="1")], [verdict(0.95, data="2")]).other_data == ("unnamed data",)


def test_two_verdicts_of_one_comparison_are_refused() -> None:
    with pytest.raises(InputError, match="the run holds two verdicts of 't'"):
        compare_verdicts([verdict(0.95)], [verdict(0.95), verdict(0.8)])
    skipped = verdict(None)
    assert compare_verdicts([verdict(0.95)], [skipped, verdict(0.95), skipped]).unchanged


def test_a_baseline_of_other_data_or_another_model_passes_nothing() -> None:
    before, after = verdict(0.95, data="emodb@1"), verdict(0.95, data="ravdess@1")
    gate = compare_verdicts([before], [after])
    assert not gate.passed
    assert gate.lost == ("t on emodb",)
    told = "no comparison is decided in both: the baseline's are of emodb, the run's of ravdess"
    assert f"note: {told}" in gate_text(gate)
    assert gate_values(gate)["apart"] == told
    other = compare_verdicts([verdict(0.95)], [verdict(0.95, metric="uar")])
    assert other.lost == ()
    assert not other.passed
    assert "unnamed data, the run's of unnamed data" in other.apart
    assert compare_verdicts([verdict(None)], [verdict(None)]).passed


def test_a_test_that_is_left_out_on_one_of_two_data_sets_is_lost() -> None:
    one, two = verdict(0.95, data="emodb@1"), verdict(0.95, data="ravdess@1")
    gate = compare_verdicts([one, two], [one])
    assert gate.lost == ("t on ravdess",)
    assert not gate.passed
