from __future__ import annotations

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.tallies import Units

AU = ("AU1", "AU2")
#: Group a has both units; b never AU1, and nothing is known of its AU2; c has no items.
GROUPS = Units.of_counts(
    [[[[4, 1], [1, 3]], [[3, 1], [0, 2]]], [[[5, 1], [0, 0]], [[0, 0], [0, 0]]], [[[0, 0], [0, 0]], [[0, 0], [0, 0]]]],
    [[0, 3], [0, 6], [0, 0]],
)
#: Both units everywhere, in two groups.
WHOLE = Units.of_counts([[[[4, 1], [1, 3]], [[3, 1], [0, 2]]], [[[5, 1], [2, 2]], [[4, 0], [1, 3]]]])


def value(name: str, tally: Units, **options) -> float:
    return float(METRICS.get(name).compute(tally, **options))


def test_opportunity_leaves_out_and_names_what_has_no_recall():
    eod = METRICS.get("eod")
    assert np.isnan(eod.compute(GROUPS))
    assert eod.undefined_parts(GROUPS) == 2 + 1 + 2  # rates of b, group c, both units
    assert eod.notes(GROUPS, AU, ("a", "b", "c")) == (
        "group 'c' left out: no items",
        "group 'b': AU1 (n = 6) never present; AU2 unknown in every item",
        "left out, with fewer than two groups: AU1, AU2",
    )
    assert eod.part_reasons(GROUPS, AU) == ("AU1: defined in 1 of 3 groups", "AU2: defined in 1 of 3 groups")


def test_opportunity_of_the_tables_takes_no_positives_as_zero_and_the_unknown_as_unknown():
    assert value("eod", GROUPS, convention="tables") == 0.75
    parts = METRICS.get("eod").parts(GROUPS, convention="tables")
    assert parts[0] == 0.75
    assert np.isnan(parts[1])


def test_opportunity_is_not_in_the_public_code():
    with pytest.raises(InputError, match="no definition in the convention 'upstream'"):
        METRICS.get("eod").compute(WHOLE, convention="upstream")


def test_parity_compares_the_items_where_a_unit_is_known():
    dpd = METRICS.get("dpd")
    assert float(dpd.compute(GROUPS)) == pytest.approx(4 / 9 - 1 / 6, abs=1e-15)
    assert dpd.undefined_parts(GROUPS) == 1 + 1 + 1
    assert dpd.notes(GROUPS, AU, ("a", "b", "c")) == (
        "group 'c' left out: no items",
        "group 'b': AU2 unknown in every item",
        "left out, with fewer than two groups: AU2",
    )
    assert dpd.part_reasons(GROUPS, AU) == ("", "AU2: defined in 1 of 3 groups")
    assert dpd.parts(WHOLE).tolist() == pytest.approx([4 / 9 - 3 / 10, 1 / 2 - 3 / 8], abs=1e-15)


@pytest.mark.parametrize("name", ["eod", "dpd"])
def test_a_distance_can_propagate_what_is_undefined(name):
    assert np.isnan(value(name, GROUPS, undefined="propagate"))
    assert value(name, WHOLE, undefined="propagate") == value(name, WHOLE)
    # A declared group that nobody belongs to is no group.
    three = WHOLE.joined([Units.zero(units=2, shape=(1,))])
    assert value(name, three, undefined="propagate") == value(name, WHOLE)


@pytest.mark.parametrize("name", ["eod", "dpd"])
def test_a_single_group_is_undefined_with_its_name(name):
    reason = METRICS.get(name).reason(WHOLE[:1], AU, ("young",))
    assert np.isnan(value(name, WHOLE[:1]))
    assert reason == "needs 2 groups: only 'young' has items"


def test_the_limit_is_judged_where_the_scale_is_a_share():
    assert METRICS.get("eod").limit_in == ("paper", "tables")
    assert METRICS.get("dpd").limit_in == ("paper", "tables", "upstream")


def test_local_f1_rules():
    local = METRICS.get("unit_local_f1")
    first, second = 3 * 2 / (3 * 2 + 2), 2 * 2 / (2 * 2 + 1)
    assert value("unit_local_f1", GROUPS) == pytest.approx(((first + second) / 2 + (0 + 0) / 2) / 2, abs=1e-15)
    assert value("unit_local_f1", GROUPS, undefined="seen") == value("unit_local_f1", GROUPS, undefined="skip")
    assert np.isnan(value("unit_local_f1", GROUPS, undefined="propagate"))
    # b predicts AU1 once where it is not: its F1 is 0, not undefined; AU2 is unknown there.
    assert value("unit_local_f1", GROUPS, undefined="skip") == pytest.approx(((first + second) / 2 + 0) / 2, abs=1e-15)
    assert local.undefined_parts(GROUPS) == 1 + 1
    assert local.notes(GROUPS, AU, ("a", "b", "c")) == (
        "group 'c' left out: no items",
        "group 'b': AU2 unknown in every item",
    )
    assert local.parts(GROUPS).tolist() == pytest.approx([first / 2, second / 2], abs=1e-15)
    assert local.parts(GROUPS, undefined="skip").tolist() == pytest.approx([first / 2, second], abs=1e-15)
    assert local.part_reasons(GROUPS[2:], AU) == ("AU1: no group has items", "AU2: no group has items")


def test_local_f1_of_the_public_code_goes_unit_by_unit():
    first, second = 3 * 2 / (3 * 2 + 2), 2 * 2 / (2 * 2 + 1)
    for convention in ("tables", "upstream"):
        found = METRICS.get("unit_local_f1").parts(GROUPS, convention=convention)
        assert found.tolist() == pytest.approx([first / 2, second], abs=1e-15)
        assert value("unit_local_f1", GROUPS, convention=convention) == pytest.approx(found.mean(), abs=1e-15)
        zero = value("unit_local_f1", GROUPS, convention=convention, undefined="zero")
        assert zero == value("unit_local_f1", GROUPS)


def test_gaps_of_units_have_parts():
    gap = METRICS.get("unit_f1_gap")
    parts = METRICS.get("unit_f1").parts(WHOLE)
    assert gap.parts(WHOLE).tolist() == pytest.approx(np.abs(parts[0] - parts[1]).tolist(), abs=1e-15)
    assert gap.part_reasons(GROUPS, AU) == ("", "AU2: unit_f1 is defined in 1 of 3 groups")
    assert gap.limit_in == ("paper", "tables", "upstream")


def test_accuracy_counts_absence_and_f1_does_not():
    never = Units.of_counts([[[9, 0], [1, 0]]])
    assert value("unit_accuracy", never) == 0.9
    assert value("unit_f1", never) == 0.0
    assert value("emotionet", never) == 0.45
    assert value("unit_matthews", never) == 0.0
    assert METRICS.get("unit_matthews").notes(never, AU) == ("AU1: truth or prediction is the same in every item",)


def test_an_unknown_unit_counts_as_the_rule_says_in_both_halves():
    tally = Units.of_counts([[[4, 1], [0, 3]], [[0, 0], [0, 0]]], [0, 8])
    both = (7 / 8 + 6 / 7) / 2
    assert value("emotionet", tally) == pytest.approx(both / 2)
    assert value("emotionet", tally, undefined="skip") == pytest.approx(both)
    assert np.isnan(value("emotionet", tally, undefined="propagate"))
    assert METRICS.get("unit_accuracy").notes(tally, AU) == ("AU2: unknown in every item",)
    assert METRICS.get("unit_recall").part_reasons(tally, AU) == ("", "AU2: unknown in every item")
