from __future__ import annotations

import numpy as np
import pytest

import affectcheck.metrics as package
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.metrics import METRICS, Metric, Names, metrics_of, worst_group
from affectcheck.tallies import Confusion, Moments

TWO = Confusion.of_counts([[[2, 0], [0, 2]], [[0, 2], [1, 1]], [[0, 0], [0, 0]]])


def test_a_metric_is_an_attribute_of_the_package():
    assert float(package.f1_macro(Confusion.of_counts([[1, 0], [0, 1]]))) == 1.0
    with pytest.raises(AttributeError, match="no attribute 'f1_makro'"):
        _ = package.f1_makro


def test_an_unknown_metric_names_the_nearest():
    with pytest.raises(UnknownNameError, match="f1_macro"):
        METRICS.get("f1_makro")


def test_metrics_are_listed_by_kind_and_level():
    assert {metric.kind for metric in metrics_of("dimensions")} == {"dimensions"}
    assert {metric.name for metric in metrics_of("categories", "part")} == {"recall", "precision", "f1", "share"}


def test_signature_fields_name_convention_rule_and_options():
    assert METRICS.get("ccc").signature() == {"convention": "paper", "undefined": "propagate", "options": "ddof=0"}
    assert METRICS.get("eop").signature("tables")["undefined"] == "uniform"
    assert METRICS.get("accuracy").signature("tables") == {"convention": "", "undefined": "", "options": ""}
    assert METRICS.get("uar").signature(undefined="skip")["undefined"] == "skip"


def test_equality_of_opportunity_has_no_upstream():
    assert not METRICS.get("eop").supports("upstream")
    with pytest.raises(InputError, match="no definition in the convention 'upstream'"):
        METRICS.get("eop").compute(TWO, convention="upstream")


def test_names_fall_back_to_numbers():
    names = Names(("anger",), ())
    assert (names.part(0), names.part(1), names.group(2)) == ("anger", "1", "2")


def test_a_gap_leaves_out_and_names_groups_without_a_value():
    gap = METRICS.get("uar_gap")
    assert float(gap.compute(TWO)) == 0.75
    assert gap.undefined_parts(TWO) == 1
    assert gap.notes(TWO, (), ("a", "b", "c")) == ("group 'c' left out: no items",)
    assert gap.base == "uar"


def test_a_gap_names_substitutions_inside_groups():
    tally = Confusion.of_counts([[[2, 0], [0, 0]], [[1, 1], [0, 2]]])
    gap = METRICS.get("uar_gap")
    assert gap.notes(tally, ("anger", "joy"), ("a", "b")) == ("group 'a': joy: no items in the truth",)
    assert gap.undefined_parts(tally) == 1
    assert float(gap.compute(tally, undefined="skip")) == 0.25


def test_a_gap_of_dimensions_has_parts():
    truth = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0]])
    prediction = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    tally = Moments.of(truth, prediction, cells=[0, 0, 1, 1])
    gap = METRICS.get("ccc_gap")
    assert gap.parts(tally).tolist() == [2.0, 0.0]
    assert float(gap.compute(tally)) == 1.0
    assert METRICS.get("uar_gap").parts is None
    alone = tally[:1]
    assert gap.part_reasons(alone, ("valence", "arousal"))[0] == "valence: ccc is defined in 1 of 1 groups"


def test_the_worst_group_follows_the_direction_of_the_metric():
    assert int(worst_group(METRICS.get("uar"), TWO)) == 1
    moments = Moments.of([0.5, 0.5, 0.5], [0.6, 0.2, 0.5], cells=[0, 1, 2])
    assert int(worst_group(METRICS.get("mae"), moments)) == 1
    assert int(worst_group(METRICS.get("mde"), moments)) == 1
    assert int(worst_group(METRICS.get("uar"), Confusion.zero(labels=2, shape=(2,)))) == -1


def test_kappa_of_one_class_throughout_is_undefined_with_its_name():
    tally = Confusion.of_counts([[0, 0], [0, 3]])
    metric = METRICS.get("cohen_kappa")
    assert np.isnan(metric.compute(tally))
    assert metric.reason(tally, ("anger", "joy")) == "truth and prediction are joy throughout"
    assert metric.notes(Confusion.of_counts([[1, 1], [0, 3]])) == ()
    assert metric.notes(Confusion.zero(labels=2)) == ()


def test_reason_falls_back_to_the_rule_in_words():
    metric = METRICS.get("sp")
    bare = Metric(
        name="bare", title="bare", kind="categories", level="overall", tally=Confusion, compute=metric.compute, low=0.0,
        high=1.0, higher_is_better=False, source="none", undefined="never",
    )  # fmt: skip
    assert bare.reason(TWO) == "never"
    assert bare.undefined_parts(TWO).tolist() == [0, 0, 0]
    assert bare.notes(TWO) == ()
    assert bare.part_reasons(TWO) == ()


def test_groups_without_a_common_class_are_no_pair():
    tally = Confusion.of_counts([[[2, 0], [0, 0]], [[0, 0], [1, 1]]])
    eop = METRICS.get("eop")
    assert np.isnan(eop.compute(tally))
    assert "has no items of the class" in eop.reason(tally)
    assert float(eop.compute(tally, convention="tables")) == 0.25


def test_local_f1_rules():
    tally = Confusion.of_counts([[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[2, 0, 0], [0, 0, 0], [0, 0, 0]]])
    local = METRICS.get("local_f1")
    assert float(local.compute(tally)) == pytest.approx((1 + 1 / 3) / 2)
    assert float(local.compute(tally, undefined="skip")) == 1.0
    assert np.isnan(local.compute(tally, undefined="propagate"))
    assert local.undefined_parts(tally) == 2
    assert local.notes(tally, tuple("abc"), ("g", "h")) == ("group 'h': no truth, no prediction of b, c",)


def test_local_f1_of_two_labels_is_binary_in_the_public_code():
    tally = Confusion.count(
        [0, 0, 0, 1, 0, 0, 1, 1], [0, 0, 1, 1, 0, 1, 0, 1], labels=3, cells=[0, 0, 0, 0, 1, 1, 1, 1]
    )
    assert float(package.local_f1(tally, convention="upstream")) == pytest.approx(7 / 12, abs=1e-15)
    assert float(package.local_f1(tally)) == pytest.approx(37 / 90, abs=1e-15)


def test_local_ccc_rules():
    tally = Moments.of([0.1, 0.5, 0.3, 0.3, 0.2], [0.1, 0.5, 0.3, 0.3, 0.9], cells=[0, 0, 1, 1, 2])
    local = METRICS.get("local_ccc")
    assert float(local.compute(tally)) == pytest.approx(1.0)
    assert float(local.compute(tally, undefined="zero")) == pytest.approx(1 / 3)
    assert np.isnan(local.compute(tally, undefined="propagate"))
    assert np.isnan(local.compute(tally, convention="upstream"))
    assert local.notes(tally, ("v",), ("a", "b", "c")) == (
        "group 'b' left out of v: truth and prediction are constant and equal",
        "group 'c' left out of v: only 1 item",
    )
    assert local.part_reasons(tally[1:], ("v",)) == ("v: no group has a CCC",)
