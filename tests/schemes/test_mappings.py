"""Mappings: only true coarsenings, and what the user states."""

from __future__ import annotations

import pytest

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, StatedMapping, mapping_between, scheme, scheme_names

CATEGORIES = [found for found in map(scheme, scheme_names()) if isinstance(found, CategoryScheme)]


@pytest.mark.parametrize("source", CATEGORIES)
@pytest.mark.parametrize("target", CATEGORIES)
def test_a_mapping_is_total_or_refused(source: CategoryScheme, target: CategoryScheme) -> None:
    try:
        found = mapping_between(source, target)
    except InputError as error:
        refusal = error
    else:
        refusal = None
    if refusal is not None:
        assert "no mapping from" in refusal.what
        assert refusal.cause
        return
    assert set(found.table) | set(found.dropped) == set(source.labels)
    assert not set(found.table) & set(found.dropped)
    assert set(found.table.values()) <= set(target.labels)
    assert found.reason


@pytest.mark.parametrize("found", CATEGORIES)
def test_every_scheme_maps_to_itself(found: CategoryScheme) -> None:
    assert mapping_between(found, found).table == {label: label for label in found.labels}


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("age-9", "age-5-rafdb", "straddle"),
        ("age-5-rafdb", "age-9", "wider than a decade"),
        ("race-5", "race-7-fairface", "East or Southeast"),
        ("age-9", "age-years-gft", "does not tell the year"),
        ("expressions-8-contempt", "expressions-7", "no counterpart for contempt"),
    ],
)
def test_a_guess_is_refused_with_what_stands_in_the_way(source: str, target: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        mapping_between(scheme(source), scheme(target))


def test_a_coarsening_names_what_it_drops_and_changes() -> None:
    found = mapping_between(scheme("race-7-fairface"), scheme("race-5"))
    assert found.dropped == ("latino_hispanic", "middle eastern")
    assert str(found) == "east asian>asian,southeast asian>asian,latino_hispanic>,middle eastern>"


def test_years_lie_in_their_decade() -> None:
    assert set(mapping_between(scheme("age-years-gft"), scheme("age-9")).table.values()) == {"20-29"}


def test_a_subset_maps_by_namesakes() -> None:
    found = mapping_between(scheme("expressions-7"), scheme("expressions-8-contempt"))
    assert found.table["fear"] == "fear"
    assert str(found) == ""


def test_a_stated_mapping_reads_pairs() -> None:
    stated = StatedMapping.parse(" joy = happiness, calm=neutral ,boredom=,")
    assert stated.table == {"joy": "happiness", "calm": "neutral", "boredom": ""}
    resolved = stated.resolve(scheme("expressions-7"))
    assert resolved == {"joy": "happiness", "calm": "neutral", "boredom": None}


def test_a_stated_target_may_be_an_alias() -> None:
    assert StatedMapping({"Freude": "HAPPY"}).resolve(scheme("expressions-7")) == {"freude": "happiness"}


@pytest.mark.parametrize("text", ["joy", "=happiness", "joy=a,joy=b", "joy=a,sad"])
def test_what_is_no_mapping_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a label mapping"):
        StatedMapping.parse(text)


def test_a_stated_target_that_is_no_label_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'happiness'"):
        StatedMapping({"joy": "hapiness"}).resolve(scheme("expressions-7"))


def test_a_label_mapped_twice_is_told() -> None:
    with pytest.raises(InputError, match="'c' is mapped twice"):
        StatedMapping.parse("c=b,c=a")
