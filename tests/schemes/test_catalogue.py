"""The built-in schemes: complete, consistent, and of the sizes that the papers state."""

from __future__ import annotations

import pytest

from affectcheck.errors import UnknownNameError
from affectcheck.schemes import (
    ACTION_UNIT_NAMES,
    ACTION_UNITS,
    COMPOUND,
    DEMOGRAPHICS,
    DIMENSIONS,
    EXPRESSIONS,
    MISSING,
    SPEECH_SETS,
    TASKS,
    UNKNOWN_GROUPS,
    CategoryScheme,
    aliases_of,
    fold,
    parts,
    scheme,
    scheme_names,
    task_of,
)


@pytest.mark.parametrize("name", scheme_names())
def test_every_scheme_is_found_by_its_name_and_says_where_it_comes_from(name: str) -> None:
    found = scheme(name)
    assert found.name == name
    assert found.source
    assert len(set(parts(found))) == len(parts(found)) > 1


def test_the_catalogue_holds_every_scheme_once() -> None:
    every = [*EXPRESSIONS, *COMPOUND, *SPEECH_SETS, *ACTION_UNITS, *DIMENSIONS, *DEMOGRAPHICS]
    assert sorted(found.name for found in every) == list(scheme_names())


def test_an_unknown_scheme_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'expressions-7'"):
        scheme("expression-7")


@pytest.mark.parametrize("found", [s for s in map(scheme, scheme_names()) if isinstance(s, CategoryScheme)])
def test_every_alias_code_and_label_resolves(found: CategoryScheme) -> None:
    for alias, label in found.aliases.items():
        assert found.resolve(alias) == label
    for label in found.labels:
        assert found.resolve(label.upper()) == label
    assert set(found.codes.values()) <= set(found.labels)


@pytest.mark.parametrize("found", ACTION_UNITS)
def test_action_units_have_names_and_the_number_in_the_scheme_name(found) -> None:
    assert set(found.units) <= set(ACTION_UNIT_NAMES)
    assert len(found.units) == int(found.name.split("-")[1])
    assert list(found.units) == sorted(found.units, key=lambda unit: int(unit[2:]))


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("expressions-4", 4),
        ("expressions-7", 7),
        ("expressions-8-contempt", 8),
        ("expressions-8-other", 8),
        ("compound-12", 12),
        ("compound-7", 7),
        ("compound-11-rafdb", 11),
        ("age-9", 9),
        ("race-7-fairface", 7),
    ],
)
def test_sizes_of_the_published_label_sets(name: str, size: int) -> None:
    assert len(parts(scheme(name))) == size


def test_codes_of_rafdb_compounds_start_at_1() -> None:
    codes = scheme("compound-11-rafdb").codes
    assert codes[1] == "happily surprised"
    assert codes[11] == "disgustedly surprised"


@pytest.mark.parametrize(("spelling", "label"), [("03-Sep", "03-09"), ("Oct-19", "10-19"), ("more than 70", "70+")])
def test_age_groups_that_a_spreadsheet_has_rewritten(spelling: str, label: str) -> None:
    assert scheme("age-9").resolve(spelling) == label


@pytest.mark.parametrize("spelling", ["Fearfully_Surprised", "fearfully-surprised", "FEARFULLY SURPRISED"])
def test_compounds_in_every_spelling(spelling: str) -> None:
    assert scheme("compound-7").resolve(spelling) == "fearfully surprised"


def test_aliases_are_those_of_the_labels_at_hand() -> None:
    assert aliases_of(("neutral", "calm")) == {"neu": "neutral"}


def test_unknown_groups_are_folded_spellings() -> None:
    assert MISSING in UNKNOWN_GROUPS
    assert {fold(name) for name in UNKNOWN_GROUPS} == UNKNOWN_GROUPS


@pytest.mark.parametrize("kind", sorted(TASKS))
def test_a_task_heads_with_one_of_its_metrics(kind: str) -> None:
    task = TASKS[kind]
    assert task.kind == kind
    assert task.headline in task.metrics


def test_the_task_of_a_scheme_is_that_of_its_kind() -> None:
    assert task_of(scheme("affect-3")).headline == "ccc"
    assert task_of(scheme("expressions-7")).headline == "uar"
