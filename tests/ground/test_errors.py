from __future__ import annotations

import pytest

from affectcheck import errors


def test_message_gives_place_expectation_and_cause() -> None:
    error = errors.InputError("bad cell", where="a.csv:3", expected="a number", cause="a decimal comma")
    assert str(error) == "a.csv:3: bad cell\n  expected: a number\n  likely cause: a decimal comma"


def test_unknown_name_lists_the_known_and_suggests_the_nearest() -> None:
    error = errors.UnknownNameError.of("metric", "uarr", ["uar", "uap", "ccc"])
    assert "unknown metric 'uarr'" in str(error)
    assert "ccc, uap, uar" in str(error)
    assert "did you mean 'uar'" in str(error)


def test_of_many_names_the_nearest_few_are_told_and_how_to_list_the_others() -> None:
    many = [f"test-{number}" for number in range(100)]
    told = str(errors.UnknownNameError.of("test", "test-77x", many, listed="affectcheck suites list"))
    assert "one of 100 names, such as test-77, " in told
    assert "; `affectcheck suites list` lists them" in told
    assert "test-12" not in told
    assert str(errors.UnknownNameError.of("column", "zzz", many)).endswith(
        "such as test-0, test-1, test-10, test-11, test-12"
    )


def test_suggestion_prefers_the_same_word_in_other_case() -> None:
    assert "did you mean 'UAR'?" in str(errors.UnknownNameError.of("metric", "uar ", ["UAR", "uap"]))


def test_no_suggestion_where_nothing_is_near() -> None:
    error = errors.UnknownNameError.of("metric", "zzz", [])
    assert "likely cause" not in str(error)
    assert "(none registered)" in str(error)


@pytest.mark.parametrize(
    ("kind", "builtin", "code"),
    [
        (errors.InputError, ValueError, 2),
        (errors.UnknownNameError, LookupError, 2),
        (errors.MissingPathError, FileNotFoundError, 2),
        (errors.MediaError, OSError, 2),
        (errors.ModelError, RuntimeError, 2),
        (errors.ExtraMissingError, ImportError, 2),
        (errors.AffectcheckError, Exception, 3),
    ],
)
def test_each_error_is_also_the_builtin_and_has_its_exit_code(kind: type, builtin: type, code: int) -> None:
    assert issubclass(kind, builtin)
    assert kind.exit_code == code
    assert str(kind("what")) == "what"


def test_missing_path_and_missing_extra_say_what_to_do() -> None:
    assert "relative to another folder" in str(errors.MissingPathError.of("folder", "x"))
    assert "pip install 'affectcheck[speech]'" in str(errors.ExtraMissingError.of("audio", "speech", "soundfile"))
