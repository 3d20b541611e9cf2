"""Numbers and places in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.behaviour.definition import COMPARED
from affectcheck.behaviour.fairness_disparities import LOCAL
from affectcheck.metrics import METRICS as REGISTERED
from affectcheck.records import Fault, Interval, Place, Score, Signature, Threshold, Undefined
from affectcheck.reports.glossary import METRICS, better_of, entry_of, is_difference, title_of
from affectcheck.reports.wording import (
    clean,
    count_text,
    interval_text,
    judged_text,
    limit_text,
    method_text,
    number,
    percent,
    place_text,
    plain,
    score_text,
    score_title,
)


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, "0.500"), (-0.25, "−0.250"), (-0.0001, "0.000"), (0.0, "0.000"), (1234.5678, "1234.568")]
)
def test_number(value: float, text: str) -> None:
    assert number(value) == text


def test_signed_number() -> None:
    assert number(0.1, signed=True) == "+0.100"
    assert number(-0.1, signed=True) == "−0.100"
    assert number(-0.0001, signed=True) == "0.000"


@given(st.floats(-1e6, 1e6))
def test_number_is_near_and_never_negative_zero(value: float) -> None:
    text = number(value)
    assert abs(float(text.replace("−", "-")) - value) <= 0.0005 + abs(value) * 1e-12
    assert text != "−0.000"


def test_limits() -> None:
    assert limit_text(None) == "–"
    assert limit_text(Threshold(0.5, "gt", "")) == "> 0.5"
    assert limit_text(Threshold(-0.5, "lt", "")) == "< −0.5"
    assert limit_text(Threshold(0.075, "abs_lt", "")) == "|value| < 0.075"


def test_a_simulated_limit_has_as_many_decimals_as_what_it_judges() -> None:
    limit = Threshold(0.0391671, "abs_lt", "")
    assert limit_text(limit) == "|value| < 0.0391671"
    assert limit_text(limit, 0.004, None) == "|value| < 0.039"
    assert limit_text(limit, -0.0392, 0.1) == "|value| < 0.0391671"
    assert limit_text(Threshold(0.05, "lt", ""), 0.3) == "< 0.05"


def test_a_value_is_never_rounded_onto_its_limit() -> None:
    limit = Threshold(0.95, "gt", "")
    assert judged_text(0.94998, limit) == "0.94998"
    assert judged_text(0.9, limit) == "0.900"
    assert judged_text(-0.0749999, Threshold(0.075, "abs_lt", "")) == "−0.0749999"
    assert judged_text(None, limit) == "–"


def test_scores() -> None:
    signature = Signature("eop", convention="tables")
    assert score_text(None) == "–"
    assert score_text(Score("eop", 0.1, 9, signature)) == "0.100"
    assert score_text(Undefined("eop", "one group only", 9, signature)) == "undefined: one group only"
    assert score_title(Score("eop", 0.1, 9, signature)) == "EOP (tables)"
    assert score_title(Score("eop", 0.1, 9, Signature("eop", convention="paper"))) == "EOP"


def test_intervals() -> None:
    interval = Interval(-0.1, 0.2, 0.95, "percentile-t", 24, "subject")
    assert interval_text(interval) == "[−0.100, 0.200]"
    assert interval_text(interval, signed=True) == "[−0.100, +0.200]"
    assert interval_text(None) == ""
    assert method_text(interval) == "95\N{NO-BREAK SPACE}% interval (percentile-t) over 24 subjects"
    assert method_text(interval, replace(interval, clusters=6)).endswith("over 6 to 24 subjects")
    assert method_text(Interval(0, 1)) == "95\N{NO-BREAK SPACE}% interval"


def test_shares_and_counts() -> None:
    assert [percent(share) for share in (0, 0.004, 0.05, 0.5, 1)] == [
        "0\N{NO-BREAK SPACE}%",
        "0.4\N{NO-BREAK SPACE}%",
        "5.0\N{NO-BREAK SPACE}%",
        "50\N{NO-BREAK SPACE}%",
        "100\N{NO-BREAK SPACE}%",
    ]
    assert count_text(1, "item") == "1 item"
    assert count_text(1440, "item") == "1,440 items"
    assert count_text(2, "class", "classes") == "2 classes"


def test_places() -> None:
    assert place_text(Place()) == ""
    assert place_text(Place("sex", "female", "anger")) == "sex = female, anger"
    assert place_text(Place("sex")) == "sex"


def test_plain_values() -> None:
    assert plain(None) == plain("") == plain([]) == plain({}) == "–"
    assert plain(True) == "yes"
    assert plain(0) == "0"
    assert plain(12345) == "12,345"
    assert plain(0.125) == "0.125"
    assert plain({"a": [1, 2], "b": False}) == "a: 1, 2; b: no"


def test_clean_reaches_every_text_and_nothing_else() -> None:
    fault = clean(Fault("a\x00b", "k\u202e", "fine\ttabs and\nlines"))
    assert fault == Fault("a\N{REPLACEMENT CHARACTER}b", "k\N{REPLACEMENT CHARACTER}", "fine\ttabs and\nlines")
    assert clean({"\x1b": [1, ("\ud800", None)]}) == {
        "\N{REPLACEMENT CHARACTER}": [1, ("\N{REPLACEMENT CHARACTER}", None)]
    }


def test_titles() -> None:
    assert title_of("uar_difference") == "UAR difference"
    assert title_of("mae_change") == "MAE change"
    assert title_of("uar_gap") == "UAR gap"
    assert title_of("pcc_gap") == "PCC gap"
    assert title_of("my_own_metric") == "My own metric"
    assert title_of("uar_worst") == "UAR of the worst group"
    assert title_of("uar_to_combined") == "UAR, group minus all"
    assert is_difference("uar_difference")
    assert not is_difference("uar")


def test_directions() -> None:
    assert better_of("uar") == "higher"
    assert better_of("mae") == better_of("pcc_gap") == "lower"
    assert better_of("uar_difference") == better_of("uar_change") == better_of("uar_to_combined") == "nearer to 0"
    assert better_of("mde") == better_of("mde_worst") == "nearer to 0"
    assert better_of("share") == better_of("mean") == "", "no share of the predictions is better than another"
    assert (better_of("uar_worst"), better_of("mae_worst")) == ("higher", "lower")
    assert better_of("my_own_metric") == ""


def test_every_registered_metric_is_in_the_glossary_with_its_direction() -> None:
    directions = {True: {"higher"}, False: {"lower"}, None: {"nearer to 0", ""}}
    for name in REGISTERED.names():
        metric, entry = REGISTERED.get(name), entry_of(name)
        assert entry is not None, name
        assert entry.better == better_of(name), name
        assert entry.better in directions[metric.higher_is_better], name
        assert entry.title == title_of(name), name


def test_glossary() -> None:
    assert entry_of("my_own_gap") is None
    assert entry_of("uar_difference") is METRICS["uar"]
    assert entry_of("my_own_metric") is None
    assert all(entry.text.endswith((".", "classes.")) for entry in METRICS.values())
    assert len({entry.title for entry in METRICS.values()}) == len(METRICS)


@pytest.mark.parametrize("metric", [*COMPARED, *(f"{local}_difference" for local in LOCAL)])
def test_everything_that_behaviour_tests_compare_is_explained(metric: str) -> None:
    entry = entry_of(metric)
    assert entry is not None
    assert entry.text
