from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import InputError, MissingPathError, ModelError, UnknownNameError
from affectcheck.media.clip import Clip, Item
from affectcheck.models import ModelRaisedError, load_model

if TYPE_CHECKING:
    from pathlib import Path

CODE = """
import numpy as np
from affectcheck.models import ModelCard

def level(samples, rate_hz):
    return float(np.abs(samples).max())

class Model:
    def __init__(self, value=0.25):
        self.card = ModelCard("mine", "dimensions", ("arousal",), output="value")
        self.value = float(value)
    def predict(self, items):
        return np.full((len(items), 1), self.value)

ready = Model(0.75)
level_with_card = lambda samples, rate_hz: 0.5
level_with_card.card = ready.card
nothing = 3
"""
ITEM = Item("a", {"audio": Clip(np.full(4, 0.5, np.float32), 16_000)})


@pytest.fixture
def code(tmp_path: Path) -> Path:
    path = tmp_path / "my_models.py"
    path.write_text(CODE)
    return path


def test_a_function_from_a_file(code: Path) -> None:
    model = load_model(f"{code}:level?dimensions=arousal&low=0&high=1&name=peak&rate_hz=8000")
    assert model.predict([ITEM]).tolist() == [[0.5]]
    card = model.card
    assert (card.name, card.parts, card.rate_hz, card.output) == ("peak", ("arousal",), 8_000, "value")


def test_labels_and_output(code: Path) -> None:
    card = load_model(f"python:{code}:level", labels=["a", "b"], output="logit").card
    assert (card.kind, card.parts, card.output, card.name) == ("categories", ("a", "b"), "logit", "level")


@pytest.mark.parametrize(("name", "value"), [("Model", 0.25), ("Model?value=0.5", 0.5), ("ready", 0.75)])
def test_a_class_or_an_object(code: Path, name: str, value: float) -> None:
    assert load_model(f"{code}:{name}").predict([ITEM]).tolist() == [[value]]


def test_a_function_with_a_card(code: Path) -> None:
    assert load_model(f"{code}:level_with_card").card.name == "mine"


def test_the_digest_is_that_of_the_file(code: Path) -> None:
    before = load_model(f"{code}:ready").card.digest
    code.write_text(CODE.replace("0.75", "0.8"))
    assert before
    assert load_model(f"{code}:ready").card.digest != before


def test_an_importable_module() -> None:
    model = load_model("statistics:fmean?dimensions=x")
    assert model.card.digest
    with pytest.raises(ModelRaisedError, match="item 'a': the model raised"):
        model.predict([ITEM])


def test_the_digest_depends_on_what_a_class_is_made_with_and_not_on_where_its_file_lies(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = load_model(f"{code}:Model?value=0.5").card.digest
    assert load_model(f"{code}:Model?value=0.6").card.digest != digest
    monkeypatch.chdir(code.parent)
    assert load_model("my_models.py:Model?value=0.5").card.digest == digest


def test_two_objects_of_one_file_are_of_one_module(code: Path) -> None:
    one, two = load_model(f"{code}:Model"), load_model(f"{code}:ready")
    assert type(one.model) is type(two.model)  # type: ignore[attr-defined]  # both are checked objects
    pickle.dumps((one, two))


def test_what_a_model_prints_is_no_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "talks.py"
    path.write_text("print('loading')\ndef f(samples, rate_hz):\n    print('hello')\n    return 1.0\n")
    load_model(f"{path}:f?dimensions=x").predict([ITEM])
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "loading\nhello\n")


def test_a_model_does_not_end_the_program(tmp_path: Path) -> None:
    path = tmp_path / "leaves.py"
    path.write_text("import sys\ndef f(samples, rate_hz):\n    sys.exit(0)\n")
    with pytest.raises(ModelRaisedError, match="SystemExit"):
        load_model(f"{path}:f?dimensions=x").predict([ITEM])
    path.write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(ModelRaisedError, match="SystemExit"):
        load_model(f"{path}:f?dimensions=x")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("labels=a,a", "'a' twice"),
        ("labels=a,b&rate_hz=0", "at 0 Hz"),
        ("labels=a,b&rate_hz=1e9", "1000000000 Hz"),
        ("labels=a,b&rate_hz=nan", "'rate_hz' is nan"),
        ("labels=a,b&rate_hz=8000.5", "'rate_hz' is 8000.5"),
        ("dimensions=a&low=5&high=1", "values from 5 to 1"),
        ("dimensions=a&low=1&high=1", "values from 1 to 1"),
        ("dimensions=a&low=nan", "'low' is nan"),
        ("dimensions=a&high=inf", "'high' is inf"),
        ("dimensions=a&labels=b", "both labels and dimensions are stated"),
    ],
)
def test_a_card_that_no_model_can_have(code: Path, options: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        load_model(f"{code}:level?{options}")


def test_labels_that_are_no_names(code: Path) -> None:
    with pytest.raises(InputError, match="5 stands for names"):
        load_model(f"{code}:level", labels=5)


def test_imaginary_parts_are_not_dropped(tmp_path: Path) -> None:
    path = tmp_path / "complex.py"
    path.write_text("def f(samples, rate_hz):\n    return [1j]\n")
    with pytest.raises(ModelError, match="no array of numbers"):
        load_model(f"{path}:f?dimensions=x").predict([ITEM])


def test_a_loaded_function_travels_between_processes_that_loaded_it(code: Path) -> None:
    model = load_model(f"{code}:level?dimensions=x")
    assert (pickle.loads(pickle.dumps(model)).predict([ITEM]) == model.predict([ITEM])).all()


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        (":levle?dimensions=x", UnknownNameError, "did you mean 'level'"),
        (":level", InputError, "not declared"),
        (":level?labels=a&dimensions=b", InputError, "both labels and dimensions are stated"),
        (":level?labels=a&output=words", UnknownNameError, "unknown output 'words'"),
        (":level?label=a", UnknownNameError, "did you mean 'labels'"),
        (":ready?value=1", UnknownNameError, "option of a model object"),
        (":Model?values=1", ModelRaisedError, "unexpected keyword"),
        (":nothing?dimensions=x", InputError, "int is no model"),
    ],
)
def test_what_cannot_be_loaded_says_why(code: Path, name: str, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        load_model(f"{code}{name}")


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="Python file not found"):
        load_model(f"{tmp_path / 'none.py'}:f")


def test_code_that_raises(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import no_such_package_anywhere\n")
    with pytest.raises(ModelRaisedError, match="No module named 'no_such_package_anywhere'") as caught:
        load_model(f"{path}:f")
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)


def test_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "affect_broken_one.py").write_text("1 / 0\n")
    (tmp_path / "affect_broken_two.py").write_text("import no_such_package_anywhere\n")
    with pytest.raises(ModelRaisedError, match="ZeroDivisionError"):
        load_model("affect_broken_one:f")
    with pytest.raises(ModelRaisedError, match="no_such_package_anywhere"):
        load_model("affect_broken_two:f")
    with pytest.raises(UnknownNameError, match="no module 'no_such_package_anywhere'"):
        load_model("python:no_such_package_anywhere:f")


def test_many_names_are_counted(code: Path) -> None:
    with pytest.raises(UnknownNameError, match="functions and classes"):
        load_model("numpy:arange_")
    with pytest.raises(InputError, match=r"FILE\.py:OBJECT or MODULE:OBJECT"):
        load_model("python:numpy")


def test_a_wrong_answer_is_a_model_error(code: Path) -> None:
    with pytest.raises(ModelError, match="shape"):
        load_model(f"{code}:level?labels=a,b").predict([ITEM])


def test_a_callable_declares_itself_by_attributes(tmp_path: Path) -> None:
    path = tmp_path / "loud.py"
    path.write_text(
        "class Loud:\n    labels = ('anger', 'sadness')\n    def __call__(self, samples, rate_hz):\n        return [1.0, 0.0]\n"
        "loud = Loud()\ndef plain(samples, rate_hz):\n    return 0.5\nplain.dimensions = ('arousal',)\n"
    )
    assert load_model(f"{path}:loud").card.parts == ("anger", "sadness")
    assert load_model(f"{path}:loud?labels=a,b").card.parts == ("a", "b")
    card = load_model(f"{path}:plain").card
    assert (card.kind, card.parts, card.output) == ("dimensions", ("arousal",), "value")
