from __future__ import annotations

import pytest

from affectcheck.errors import ModelError
from affectcheck.models import ModelCard, ModelRaisedError
from affectcheck.models.answers import SERVER, AnswerError, read_answer

CARD = ModelCard("m", "categories", ("anger", "neutral"))
ONE = ModelCard("m", "dimensions", ("arousal",), output="value")


@pytest.mark.parametrize(
    "text",
    [
        '{"anger": 0.7, "neutral": 0.3}',
        '{"neutral": 0.3, "anger": 0.7}',
        "[0.7, 0.3]",
        "[[0.7, 0.3]]",
        '{"scores": {"anger": 0.7, "neutral": 0.3}, "seconds": 3}',
        '{"file": "a.wav", "scores": [0.7, 0.3]}',
    ],
)
def test_forms_of_an_answer(text: str) -> None:
    assert read_answer(text, CARD, where="w").tolist() == [0.7, 0.3]


def test_a_class_and_a_single_number() -> None:
    assert read_answer('"neutral"', CARD, where="w").tolist() == [0.0, 1.0]
    assert read_answer('{"prediction": "anger"}', CARD, where="w").tolist() == [1.0, 0.0]
    assert read_answer("0.25", ONE, where="w").tolist() == [0.25]


def test_a_class_that_is_called_prediction_is_one() -> None:
    odd = ModelCard("m", "categories", ("prediction", "other"))
    assert read_answer('{"prediction": 1, "other": 2}', odd, where="w").tolist() == [1.0, 2.0]


@pytest.mark.parametrize("text", ["loading weights...", "", '{"anger": NaN, "neutral": 1}', "[1, Infinity]"])
def test_what_is_no_json_is_a_fault_of_the_clip(text: str) -> None:
    with pytest.raises(AnswerError, match="is no JSON"):
        read_answer(text, CARD, where="w")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"anger": NaN, "neutral": 1}', "it holds NaN, which is no number[\\s\\S]*normalisation of silence"),
        ('{"anger": 1, "anger": 0, "neutral": 1}', "'anger' stands in it twice[\\s\\S]*only one would count"),
        ("<html>", "<html>'[\\s\\S]*a page for people"),
        ("", "an empty answer"),
        ("[" * 100_000, "is no JSON: '\\[{80}'"),
    ],
)
def test_why_an_answer_is_no_json(text: str, told: str) -> None:
    with pytest.raises(AnswerError, match=told):
        read_answer(text, CARD, where="w", cause=SERVER)


def test_an_error_is_a_fault_of_the_clip() -> None:
    with pytest.raises(ModelRaisedError, match="the model says: too short"):
        read_answer('{"error": "too short"}', CARD, where="w")


@pytest.mark.parametrize("text", ['{"anger": 1, "joy": 0}', '{"anger": 1}', "[1, 2, 3]", '"joy"', "null"])
def test_other_classes_than_declared_are_a_fault_of_the_model(text: str) -> None:
    with pytest.raises(ModelError) as raised:
        read_answer(text, CARD, where="w")
    assert not isinstance(raised.value, ModelRaisedError)
