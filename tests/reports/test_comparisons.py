"""The section on models beside each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from affectcheck.records import Comparison, Header, Interval, Place, Rank, RunRecord, Signature
from affectcheck.reports import render_html, render_markdown
from affectcheck.reports.reading import Reading
from affectcheck.reports.sections import comparisons
from affectcheck.reports.sections.comparisons import (
    NO_DIFFERENCE,
    notes,
    pair_text,
    rank_text,
    reading_of_comparison,
    variant,
    ways_of_testing,
)
from affectcheck.reports.wording import p_text

ONE = Comparison(
    "uar",
    "cnn",
    "svm",
    Signature("uar", convention="paper"),
    0.7,
    0.5,
    0.2,
    interval=Interval(0.1, 0.3, 0.95, "percentile-t", 12, "subject", undefined_resamples=2, note="few subjects"),
    p_value=0.0002,
    p_holm=0.0006,
    family=3,
    test="permutation of 12 subjects, all 4096 ways",
    notes=("a caution",),
)


def record(*found: Comparison, ranks: tuple[Rank, ...] = ()) -> RunRecord:
    return RunRecord(Header(model={"name": "cnn, svm"}), comparisons=found, ranks=ranks)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "cnn is better"),
        ({"difference": -0.2}, "svm is better"),
        ({"metric": "mae"}, "svm is better"),
        ({"metric": "mae", "difference": -0.2}, "cnn is better"),
        ({"metric": "mde"}, "the two differ"),
        ({"p_holm": 0.05}, "cnn is better"),
        ({"p_holm": 0.0501}, NO_DIFFERENCE),
        ({"p_value": None, "p_holm": None}, "not tested"),
        ({"difference": None, "reason": "svm: no items"}, "undefined: svm: no items"),
    ],
)
def test_a_difference_is_read_from_the_corrected_p_value_and_the_direction(changes: dict, told: str) -> None:
    assert reading_of_comparison(replace(ONE, **changes)) == told


def test_words() -> None:
    assert [p_text(p) for p in (0.0002, 0.0005, 0.0499, 1.0)] == ["< 0.001", "0.001", "0.050", "1.000"]
    assert pair_text(ONE) == "cnn − svm"
    assert (variant("eop", "tables"), variant("uar", "paper")) == ("EOP (tables)", "UAR")
    assert rank_text(Rank("uar", "cnn", 0.7, 1, 1, 2)) == "1 [1, 2]"
    assert rank_text(Rank("uar", "cnn", 0.7, 1)) == "1"


def test_each_way_of_testing_stands_once() -> None:
    said = (
        "12 subjects, all 4096 ways",
        "9 items, of which 2 differ, 99 draws",
        "9 items, of which 3 differ, 99 draws",
    )
    found = ways_of_testing(
        replace(ONE, test=f"permutation of {text}") for text in (*said, "9 items, of which 2 differ, all 4 ways")
    )
    assert found == (
        "permutation of 12 subjects, all 4096 ways",
        "permutation of 9 items, 99 draws",
        "permutation of 9 items, of which 2 differ, all 4 ways",
    )


def test_reasons_and_cautions_stand_once_with_their_number() -> None:
    found = notes([ONE, replace(ONE, reason="no interval: few", interval=None)])
    assert found == (
        "A caution (2 comparisons)",
        "Few subjects (1 comparison)",
        "Undefined in some resamples, which are left out (1 comparison)",
        "No interval: few (1 comparison)",
    )


def test_no_section_without_comparisons() -> None:
    assert comparisons.build(Reading(record())) is None
    assert "No behaviour tests were run." in render_markdown(record())


def test_the_whole_set_first_then_groups_and_parts_behind_lines() -> None:
    undefined = replace(
        ONE, first_value=None, difference=None, interval=None, p_value=None, p_holm=None, reason="cnn: x"
    )
    group = replace(undefined, place=Place("sex", "f"))
    part = replace(ONE, place=Place(part="anger"), interval=None)
    ranks = (
        Rank("uar", "cnn", 0.7, 1, 1, 1, 2, convention="paper"),
        Rank("uar", "svm", 0.5, 2, 2, 2, 2, convention="paper"),
        Rank("mde", "cnn", 0.1, None, reason="neither"),
        Rank("uar", "cnn", None, None, place=Place("sex", "f"), reason="no items"),
        Rank("uar", "svm", 0.5, 1, place=Place("sex", "f")),
    )
    whole = record(ONE, group, part, ranks=ranks)
    text = render_markdown(whole)
    assert (
        "| UAR | cnn − svm | 0.700 | 0.500 | +0.200 | [+0.100, +0.300] | &lt; 0.001 | 0.001 | cnn is better |" in text
    )
    assert "| UAR | 1 [1, 1] (0.700) | 2 [2, 2] (0.500) |" in text
    assert "MDE" not in text.split("## How to read this")[0]
    assert "**Differences by sex**" in text
    assert "**Differences of each class**" in text
    assert "| UAR (sex = f) | cnn − svm | – | 0.500 | – | – | – | – | undefined: cnn: x |" in text
    assert "1 comparison of models undefined: cnn: x" in text
    assert "Differences over all items" in render_html(whole)


def test_groups_alone_and_no_intervals_make_no_figure() -> None:
    bare = replace(ONE, interval=None, p_value=None, p_holm=None, test="", notes=())
    text = render_markdown(record(replace(bare, place=Place("sex", "f"))))
    assert "Differences over all items" not in text
    assert "How the tests were made" not in text
    assert "Differences over all items" in render_markdown(record(bare))


@pytest.mark.parametrize(
    ("families", "told"), [((1,), "the 1 pair of"), ((3,), "the 3 pairs of"), ((1, 3), "1 or 3 pairs")]
)
def test_pairs_are_counted_in_words(families: tuple[int, ...], told: str) -> None:
    found = [replace(ONE, metric=metric, family=size) for metric, size in zip(("uar", "uap"), families, strict=False)]
    assert told in render_markdown(record(*found))
