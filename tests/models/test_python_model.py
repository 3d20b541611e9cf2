from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.errors import InputError, ModelError
from affectcheck.media.clip import Clip, Item
from affectcheck.models import CheckedModel, ModelCard, ModelRaisedError, PythonModel, python_model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CLASSES = ModelCard("loud", "categories", ("loud", "soft"))
VALUE = ModelCard("level", "dimensions", ("arousal",), output="value")


def item(key: str, value: float = 0.5) -> Item:
    return Item(key, {"audio": Clip(np.full(4, value, np.float32), 16_000)})


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x, _: "loud" if x.max() > 0.4 else "soft", [1.0, 0.0]),
        (lambda x, _: [x.max(), 0.2], [0.5, 0.2]),
        (lambda x, _: np.array([[x.max(), 0.2]]), [0.5, 0.2]),
        (lambda _, rate: {"soft": rate, "loud": 1}, [1.0, 16_000.0]),
    ],
    ids=["class", "sequence", "row", "mapping"],
)
def test_what_a_function_may_return(function: Callable[..., Any], expected: list[float]) -> None:
    assert python_model(function, card=CLASSES).predict([item("a"), item("b")]).tolist() == [expected] * 2


@pytest.mark.parametrize("value", [0.5, np.float32(0.5), [0.5], np.array([[0.5]])])
def test_a_single_number_where_there_is_one_part(value: object) -> None:
    assert python_model(lambda *_: value, card=VALUE).predict([item("a")]).tolist() == [[0.5]]


def test_no_items_no_rows() -> None:
    assert python_model(lambda *_: "loud", card=CLASSES).predict([]).shape == (0, 2)


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        ([1.0], r"shape \(1,\)[\s\S]*loud, soft"),
        (np.ones((2, 2)), r"shape \(2, 2\)"),
        ([1.0, np.nan], "NaN or infinity"),
        ({"loud": 1.0}, "no number for soft"),
        ({"loud": 1.0, "sofd": 0.0}, "returned 'sofd'[\\s\\S]*did you mean 'soft'"),
        ({"loud": 1.0, "soft": np.inf}, "NaN or infinity"),
        ("lout", "did you mean 'loud'"),
        (None, "the model returned nothing"),
        ({"loud": 1.0, "soft": None}, "returned None for soft"),
        ({"loud": 1.0, "soft": "x"}, "returned 'x' for soft"),
        ({"loud": 1.0, "soft": [1, 2]}, r"returned \[1, 2\] for soft"),
        ("x" * 3000, r"returned str 'x{59}…\n"),
        (object(), "object, which is no array"),
    ],
)
def test_a_wrong_answer_names_model_and_item(returned: object, words: str) -> None:
    with pytest.raises(ModelError, match=words) as caught:
        python_model(lambda *_: returned, card=CLASSES).predict([item("a.wav")])
    assert "model 'loud', item 'a.wav'" in str(caught.value)
    assert not isinstance(caught.value, ModelRaisedError)


def test_a_class_is_no_answer_for_dimensions() -> None:
    with pytest.raises(ModelError, match="returned 'loud'"):
        python_model(lambda *_: "loud", card=VALUE).predict([item("a")])


def test_an_exception_is_kept_and_the_item_named() -> None:
    def fails(samples: np.ndarray, _: int) -> float:
        return 1.0 / int(samples.max() * 2)

    with pytest.raises(ModelRaisedError, match="ZeroDivisionError: float division by zero") as caught:
        python_model(fails, card=VALUE).predict([item("a"), item("b", 0.1)])
    assert "item 'b'" in str(caught.value)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@dataclass
class Batched:
    """An object that answers batches."""

    answer: Callable[[Sequence[Item]], object]
    card: ModelCard = CLASSES

    def predict(self, items: Sequence[Item]) -> object:
        return self.answer(items)


def test_an_object() -> None:
    model = python_model(Batched(lambda items: [[1, 0] for _ in items]))
    assert isinstance(model, CheckedModel)
    found = model.predict([item("a"), item("b")])
    assert found.dtype == np.float64
    assert found.tolist() == [[1.0, 0.0]] * 2


def test_an_object_is_asked_item_by_item_where_a_batch_fails() -> None:
    def fails(items: Sequence[Item]) -> object:
        if any(item.key == "b" for item in items):
            raise KeyError("b")
        return np.ones((len(items), 2))

    with pytest.raises(ModelRaisedError, match="item 'b': the model raised KeyError") as caught:
        python_model(Batched(fails)).predict([item("a"), item("b"), item("c")])
    assert isinstance(caught.value.__cause__, KeyError)


def test_an_object_with_a_wrong_shape() -> None:
    with pytest.raises(ModelError, match=r"item 'a' and 1 more: the model returned an array of shape \(2, 3\)"):
        python_model(Batched(lambda items: np.ones((len(items), 3)))).predict([item("a"), item("b")])


def test_an_object_with_nan_names_the_item() -> None:
    answer = np.array([[1.0, 0.0], [np.nan, 0.0]])
    with pytest.raises(ModelError, match="item 'b'"):
        python_model(Batched(lambda _: answer)).predict([item("a"), item("b")])


def test_an_object_that_cannot_take_an_empty_batch() -> None:
    with pytest.raises(ModelError, match=r"model 'loud': the model returned an array of shape \(0,\)"):
        python_model(Batched(lambda _: [])).predict([])


@pytest.mark.parametrize("target", [3, lambda *_: 1.0, Batched(lambda _: [], card="no card")])  # type: ignore[arg-type]
def test_what_is_no_model(target: object) -> None:
    with pytest.raises(InputError, match="is no model"):
        python_model(target)


def test_a_function_may_bring_its_card() -> None:
    def half(*_: object) -> float:
        return 0.5

    half.card = VALUE  # type: ignore[attr-defined]
    assert isinstance(python_model(half), PythonModel)
