"""Schemes, spellings and targets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, DimensionScheme, Target, UnitScheme, fold, parts

MOODS = CategoryScheme("moods", ("angry", "happy", "sadly angry"), {"joy": "happy"}, {0: "angry", 7: "happy"})


@pytest.mark.parametrize(
    "spelling",
    [
        "sadly angry",
        "Sadly Angry",
        "SADLY ANGRY",
        "  sadly angry\t",
        "sadly\u00a0angry",  # no-break space within
        "\u00a0sadly angry\u00a0",
        "sadly  angry",
        "\ufeffsadly angry",  # a byte-order mark in the first cell
        "sadly angry\u200b",  # zero-width space
        "\u200esadly angry",  # direction mark
        "sadly\u3000angry",  # ideographic space
        "sadly\nangry",
    ],
)
def test_spellings_that_look_alike_are_one(spelling: str) -> None:
    assert MOODS.resolve(spelling) == "sadly angry"


def test_accents_compare_composed_and_decomposed() -> None:
    scheme = CategoryScheme("german", ("überrascht",))
    assert scheme.resolve("u\u0308berrascht") == "überrascht"


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_an_alias_means_its_label_in_any_case() -> None:
    assert MOODS.resolve("JOY ") == "happy"


def test_a_near_spelling_is_told_and_never_taken() -> None:
    with pytest.raises(UnknownNameError, match=r"f\.csv: unknown label of moods 'angray'") as caught:
        MOODS.resolve("angray", where="f.csv")
    assert "did you mean 'angry'" in str(caught.value)


def test_two_labels_of_one_spelling_are_refused() -> None:
    with pytest.raises(InputError, match="two labels of one spelling"):
        CategoryScheme("x", ("Joy", " joy"))


@pytest.mark.parametrize("extra", [{"aliases": {"a": "none"}}, {"codes": {3: "none"}}])
def test_an_alias_or_code_of_no_label_is_refused(extra: dict) -> None:
    with pytest.raises(InputError, match="labels it does not have"):
        CategoryScheme("x", ("joy",), **extra)


def test_an_alias_that_is_another_label_is_refused() -> None:
    with pytest.raises(InputError, match="reads 'SAD' both as 'sad' and as 'joy'"):
        CategoryScheme("x", ("joy", "sad"), {"SAD": "joy"})


def test_two_aliases_of_one_spelling_with_two_meanings_are_refused() -> None:
    with pytest.raises(InputError, match="both as 'joy' and as 'sad'"):
        CategoryScheme("x", ("joy", "sad"), {"j": "joy", "J ": "sad"})


def test_an_alias_may_repeat_its_own_label() -> None:
    assert CategoryScheme("x", ("joy",), {"JOY": "joy"}).resolve("Joy") == "joy"


def test_codes_are_what_the_scheme_says() -> None:
    assert MOODS.codes[7] == "happy"
    with pytest.raises(UnknownNameError):
        MOODS.resolve("7")  # a text is no code; tables read codes where they hold numbers


@pytest.mark.parametrize(("low", "high"), [(1.0, 1.0), (1.0, -1.0), (float("nan"), 1.0)])
def test_a_range_without_width_is_refused(low: float, high: float) -> None:
    with pytest.raises(InputError, match="has the range"):
        DimensionScheme("x", ("valence",), low, high)


def test_parts_and_columns_of_the_three_kinds() -> None:
    units, dimensions = UnitScheme("u", ("AU1", "AU2")), DimensionScheme("d", ("valence", "arousal"))
    assert [parts(s) for s in (MOODS, units, dimensions)] == [MOODS.labels, ("AU1", "AU2"), ("valence", "arousal")]
    assert Target("mood", MOODS).columns == ("mood",)
    assert Target("au", units).columns == ("AU1", "AU2")
    assert Target("va", dimensions).columns == ("valence", "arousal")
    assert [s.kind for s in (MOODS, units, dimensions)] == ["categories", "units", "dimensions"]


def test_a_provenance_that_no_rule_knows_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown provenance of the target 'mood': 'guess'"):
        Target("mood", MOODS, provenance="guess")
