"""Declarations: every fault at once, and a rule that was not kept is told, not refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.challenges.catalogue import load_track, parse_track
from affectcheck.challenges.declaration import (
    FIELDS,
    LONGEST_TEXTS,
    Declaration,
    DeclarationError,
    parse_declaration,
    read_declaration,
)
from affectcheck.challenges.track import Track, plain
from affectcheck.errors import InputError

UNI_TASK = load_track("abaw6-va")
FREE = parse_track(plain(UNI_TASK) | {"use": {"uni_task": False}})
LEAST = {"method": "Ours", "pretraining": "none", "uni_task": "yes"}


def faults_of(values: dict[str, Any], track: Track = UNI_TASK) -> dict[str, str]:
    with pytest.raises(DeclarationError) as caught:
        parse_declaration(values, track)
    assert caught.value.code == "E_DECLARATION"
    return dict(caught.value.faults)


def test_a_declaration_is_taken_as_it_was_made() -> None:
    found = parse_declaration(
        {
            "method": " Two-stream\u00a0 3D ",
            "link": " https://example.org/paper?id=1#top ",
            "pretraining": "ImageNet-21k,\n\tVGGFace2",
            "uni_task": True,
            "other_data": "",
            "affiliation": "Universit\u0061\u0308t",
            "text": "10\u00b2 models.\r\nAn ensemble. \r\n",
        },
        UNI_TASK,
    )
    assert found == Declaration(
        "Two-stream 3D",
        "https://example.org/paper?id=1#top",
        "ImageNet-21k, VGGFace2",
        uni_task=True,
        affiliation="Universit\u00e4t",
        text="10\u00b2 models.\nAn ensemble.",
    )


def test_it_comes_back_from_json() -> None:
    found = parse_declaration({**LEAST, "uni_task": "no", "other_data": "AffectNet"}, UNI_TASK)
    assert read_declaration(json.loads(json.dumps(found.plain()))) == found
    assert set(found.plain()) == {*FIELDS, "notes"}


def test_other_annotations_on_a_uni_task_track_are_a_note() -> None:
    found = parse_declaration({**LEAST, "uni_task": "no", "other_data": "AffectNet"}, UNI_TASK)
    assert found.notes == ("other annotations than those of this track were used, which its rules do not allow",)
    assert parse_declaration({**LEAST, "uni_task": "no", "other_data": "AffectNet"}, FREE).notes == ()
    assert parse_declaration(LEAST, UNI_TASK).notes == ()


def test_a_track_without_the_rule_does_not_ask() -> None:
    found = parse_declaration({"method": "Ours", "pretraining": "none"}, FREE)
    assert found.uni_task is None
    assert parse_declaration({**LEAST, "uni_task": " "}, FREE).uni_task is None


@pytest.mark.parametrize(
    ("answer", "meaning"),
    [
        ("yes", True),
        ("On", True),
        ("1", True),
        (True, True),
        ("no", False),
        ("FALSE", False),
        ("0", False),
        (False, False),
    ],
)
def test_answers_of_forms_and_json_are_understood(answer: object, meaning: bool) -> None:
    found = parse_declaration({**LEAST, "uni_task": answer, "other_data": "AffectNet"}, UNI_TASK)
    assert found.uni_task is meaning


def test_all_faults_are_told_at_once_in_the_order_of_the_form() -> None:
    values = {
        "methd": "x",
        "link": "http://example.org",
        "uni_task": "perhaps",
        "affiliation": 3,
        "text": "x" * 2001,
        "other_data": "a\u202eb",
    }
    found = faults_of(values)
    assert found == {
        "method": "not answered; a name is needed",
        "link": "it does not begin with https://",
        "pretraining": "not answered; write none where no model had been trained before",
        "uni_task": "'perhaps' is neither yes nor no",
        "other_data": "it has an invisible or direction-changing character, U+202E (RIGHT-TO-LEFT OVERRIDE)",
        "affiliation": "a int, not a text",
        "text": "has 2001 characters, more than 2000",
        "methd": "unknown: did you mean 'method'?",
    }
    assert list(found) == [*FIELDS, "methd"]


def test_questions_of_the_track_must_be_answered() -> None:
    assert faults_of({"method": "Ours", "pretraining": "none"}) == {
        "uni_task": "not answered; the track asks whether only its own annotations were used"
    }
    assert faults_of({**LEAST, "uni_task": False}) == {
        "other_data": "not answered; other annotations were used, and it is not said which"
    }
    assert faults_of({**LEAST, "uni_task": 2}) == {"uni_task": "'2' is neither yes nor no"}


def test_names_of_methods_keep_the_rules_of_names() -> None:
    assert faults_of({**LEAST, "method": "baseline"})["method"].startswith(
        "a method whose name is kept for the organiser: 'baseline'; 2 to 80 characters: letters and digits of any script"
    )
    assert faults_of({**LEAST, "method": "x" * 200})["method"] == "has 200 characters, more than 80"


@pytest.mark.parametrize(
    "link",
    [
        "",
        "https://example.org",
        "https://example.org:8443/a",
        "HTTPS://Example.org/",
        "https://xn--mnchen-3ya.de/a%20b",
        "https://example.org/\u00fcber",
        "https://192.0.2.1/",
    ],
)
def test_links_by_https_are_taken(link: str) -> None:
    assert parse_declaration({**LEAST, "link": link}, UNI_TASK).link == link


@pytest.mark.parametrize(
    ("link", "fault"),
    [
        ("example.org", "it does not begin with https://"),
        ("javascript:alert(1)", "it does not begin with https://"),
        ("data:text/html,x", "it does not begin with https://"),
        ("https:example.org", "it does not begin with https://"),
        ("https://user:secret@example.org", "it has a name before its host, which hides where it leads"),
        ("https://", "it names no host, such as example.org"),
        ("https://localhost/", "it names no host, such as example.org"),
        ("https://ex\u0430mple.org/", "it names no host, such as example.org"),
        ("https://-a.org/", "it names no host, such as example.org"),
        ("https://example.org:port/", "it is no link"),
        ("https://[::1/", "it is no link"),
        ("https://example.org/a b", "it has a blank or a character that links do not have"),
        ('https://example.org/"onload=', "it has a blank or a character that links do not have"),
        ("https://example.org/" + "x" * 300, "has 320 characters, more than 300"),
        (
            "https://example.org/\u200b",
            "it has an invisible or direction-changing character, U+200B (ZERO WIDTH SPACE)",
        ),
    ],
)
def test_other_links_are_not(link: str, fault: str) -> None:
    assert faults_of({**LEAST, "link": link}) == {"link": fault}


def test_a_text_as_long_as_allowed_is_taken_and_a_huge_one_is_not_read() -> None:
    for name in ("pretraining", "other_data", "affiliation", "text"):
        longest = LONGEST_TEXTS[name]
        assert len(getattr(parse_declaration({**LEAST, name: "x" * longest}, UNI_TASK), name)) == longest
        huge = faults_of({**LEAST, name: "x" * 10**6})
        assert huge == {name: f"has 1000000 characters, more than {longest}"}


def test_many_unknown_fields_make_no_endless_message() -> None:
    with pytest.raises(DeclarationError) as caught:
        parse_declaration(LEAST | {f"{'x' * 10**4}{place}": "" for place in range(1000)}, UNI_TASK)
    assert len(str(caught.value)) < 4000
    assert len(caught.value.faults) == 1000


@given(
    st.dictionaries(
        st.sampled_from(FIELDS) | st.text(max_size=5), st.none() | st.booleans() | st.integers() | st.text(max_size=50)
    )
)
def test_whatever_comes_is_taken_or_refused_and_taken_again(values: dict[str, object]) -> None:
    try:
        found = parse_declaration(values, FREE)
    except InputError:
        return
    again = {name: value for name, value in found.plain().items() if name != "notes"}
    assert parse_declaration(again, FREE) == found
