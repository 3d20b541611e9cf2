"""Names: any script is welcome, nothing that is not seen, and nothing that passes for another name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.challenges.characters import character_fault
from affectcheck.challenges.public_names import RESERVED, confusable_key, is_reserved, parse_method, parse_name
from affectcheck.errors import InputError

CYRILLIC_TEAM = "T\u0435am"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Team", "Team"),
        ("  Team \u00a0 \uff21  ", "Team A"),  # a no-break blank, a full-width A
        ("e\u0301quipe-1.0_b", "\u00e9quipe-1.0_b"),
        ("\u0628\u0631\u0646\u0627\u0645\u062c", "\u0628\u0631\u0646\u0627\u0645\u062c"),
        ("\u0939\u093f\u0928\u094d\u0926\u0940", "\u0939\u093f\u0928\u094d\u0926\u0940"),  # with vowel signs
        ("\u60c5\u7dd2\u30c1\u30fc\u30e0", "\u60c5\u7dd2\u30c1\u30fc\u30e0"),
        ("\ud55c\uae00 2", "\ud55c\uae00 2"),
        ("10", "10"),
        ("x" * 40, "x" * 40),
    ],
)
def test_names_of_any_script_are_taken(text: str, name: str) -> None:
    assert parse_name(text) == name


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "has 0 characters"),
        (" x ", "has 1 character"),
        ("x" * 41, "has 41 characters"),
        ("x" * 10_000, "has 10000 characters"),
        ("ab" + " " * 500 + "cd", "has 504 characters"),
        ("\ufdfa" * 10, "has 180 characters"),  # a ligature that NFKC makes eighteen of
        ("a\u202egnp.exe", r"has an invisible or direction-changing character, U\+202E"),
        ("a\u200bb", "U\\+200B"),
        ("a\x00b", r"U\+0000"),
        ("a\nb", r"U\+000A"),
        ("a\ud800b", r"U\+D800"),
        ("a\u3164b", r"U\+1160 \(HANGUL JUNGSEONG FILLER\)"),
        ("a\ufe0fb", r"U\+FE0F"),
        ("\U0001f600\U0001f600", r"has the character U\+1F600 \(GRINNING FACE\)"),
        ("<b>team</b>", r"has the character U\+003C"),
        ("=1+1", r"has the character U\+003D"),
        ("a/b", r"U\+002F"),
        ("a\u2028b", r"U\+2028"),
        ("\u0301ab", "begins with a mark"),
        ("x" + "\u0335" * 5, "has more than 4 marks over one letter"),
        ("-_.", "has no letter and no digit"),
        ("Baseline", "is kept for the organiser: 'Baseline'"),
    ],
)
def test_other_names_are_refused_with_the_reason(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=f"a team whose name .*{fault}") as caught:
        parse_name(text)
    assert caught.value.code == "E_NAME"
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "other",
    [
        CYRILLIC_TEAM,
        "\u0422\u0415\u0410\u041c",  # all Cyrillic
        "\u03a4\u0395\u0391\u039c",  # all Greek
        "TEAM",
        "te\u00e1m",
        "\U0001d413\U0001d41e\U0001d41a\U0001d426",  # mathematical bold
        "tea\u1d0d",
        "\u13a2\u13ac\u13aa\u13b7",  # Cherokee
        "Tearn",
    ],
)
def test_names_that_pass_for_one_another_share_a_key(other: str) -> None:
    assert confusable_key(other) == confusable_key("Team")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("team_1", "team-l"),
        ("Team I", "team 1"),
        ("R0BOT", "robot"),
        ("vvave", "wave"),
        ("stra\u00dfe", "STRASSE"),
        ("\u0131\u0307stanbul", "Istanbul"),
        ("team \u0663", "team 3"),
        ("\u0397\u039b\u0399\u039f\u03a3", "\u03b7\u03bb\u03b9\u03bf\u03c2"),
        ("\u041d\u0410\u0422", "hat"),
        ("team.", "team"),
    ],
)
def test_kinds_of_letters_and_separators_make_no_other_name(one: str, other: str) -> None:
    assert confusable_key(one) == confusable_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("team", "teams"),
        ("hat", "nat"),
        ("\u0915\u093f", "\u0915\u0941"),  # two syllables of Hindi
        ("\u60c5", "\u611f"),
        ("team 2", "team 3"),
        ("ab", "a b"),
    ],
)
def test_other_names_have_other_keys(one: str, other: str) -> None:
    assert confusable_key(one) != confusable_key(other)


@pytest.mark.parametrize(
    "name",
    [*RESERVED, "BASELINE", "Base-line 2", "The Organisers", "\u0410dmin", "adm1n", "b\u00e1seline_01", "0rganizer."],
)
def test_names_of_the_organiser_are_kept(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize("name", ["Baselines of Kassel", "administration lab", "rooted", "the team", "1", "hosted 2"])
def test_names_that_only_hold_such_a_word_are_free(name: str) -> None:
    assert not is_reserved(name)


@given(st.text(max_size=60))
def test_a_name_that_is_taken_stays_as_it_is_and_keeps_the_rules(text: str) -> None:
    try:
        name = parse_name(text)
    except InputError:
        return
    assert parse_name(name) == name
    assert unicodedata.normalize("NFKC", name) == name
    assert not character_fault(name)
    assert 1 <= len(confusable_key(name)) <= 160


@given(st.text(st.characters(categories=["L"], max_codepoint=0x52F), min_size=1, max_size=20))
def test_case_makes_no_other_name(text: str) -> None:
    assert confusable_key(text.upper()) == confusable_key(text.lower().upper())
    assert confusable_key(text.casefold()) == confusable_key(text)


def test_joiners_are_let_pass_where_asked() -> None:
    family = "\U0001f469\u200d\U0001f52c"
    assert character_fault(family).endswith("U+200D (ZERO WIDTH JOINER)")
    assert character_fault(family, allowed="\u200d") == ""


@pytest.mark.parametrize(
    "text", ["ViT-B/16 + LSTM (frozen), 2 seeds", "CCC-loss: k=5 [ours]", "x" * 80, "Réseau d'Ekman & al.", "L1×L2 90%"]
)
def test_names_of_methods_have_more_characters(text: str) -> None:
    assert parse_method(text) == text


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<b>", r"U\+003C"),
        ('a"b', r"U\+0022"),
        ("a\u202eb", r"U\+202E"),
        ("a\nb", r"U\+000A"),
        ("x" * 81, "has 81 characters"),
        ("+ +", "has no letter and no digit"),
        ("Baseline", "is kept for the organiser"),
    ],
)
def test_what_is_no_name_of_a_method_is_refused(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=f"a method whose name .*{fault}") as caught:
        parse_method(text)
    assert caught.value.code == "E_NAME"
    assert ", ; : + / &" in caught.value.expected
