"""What a model's file imports from beside it: found, digested, and found again in other processes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations.validation import make_table
from affectcheck.errors import ModelError
from affectcheck.media.clip import Clip, Item
from affectcheck.models import load_model
from affectcheck.models.python_code import code_files, load_code
from affectcheck.predictions import PredictOptions, predict
from affectcheck.predictions.options import no_progress
from affectcheck.schemes import DimensionScheme, Target

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ITEM = Item("a", {"audio": Clip(np.full(4, 0.5, np.float32), 16_000)})
MODEL = "import helper_of_a_model\n\ndef level(samples, rate_hz):\n    return helper_of_a_model.scale(samples.max())\n"
CLASS = """
from affectcheck.models import ModelCard

class Model:
    card = ModelCard("mine", "dimensions", ("arousal",), output="value", media=(), rate_hz=None)
    def __init__(self, value):
        self.value = value
    def predict(self, items):
        return [[self.value]] * len(items)
"""


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith(("helper_of", "package_of", "affectcheck_model")):
            del sys.modules[name]


def folder(root: Path, factor: float, name: str = "one") -> Path:
    place = root / name
    place.mkdir()
    (place / "helper_of_a_model.py").write_text(f"def scale(value):\n    return {factor} * value\n")
    (place / "model.py").write_text(MODEL)
    return place / "model.py"


def test_a_file_imports_what_lies_beside_it(tmp_path: Path) -> None:
    model = load_model(f"{folder(tmp_path, 0.5)}:level?dimensions=arousal")
    assert model.predict([ITEM]).tolist() == [[0.25]]


def test_two_files_with_helpers_of_one_name_do_not_meet(tmp_path: Path) -> None:
    one = load_model(f"{folder(tmp_path, 0.5)}:level?dimensions=arousal")
    other = load_model(f"{folder(tmp_path, 2.0, 'two')}:level?dimensions=arousal")
    assert (one.predict([ITEM]).tolist(), other.predict([ITEM]).tolist()) == ([[0.25]], [[1.0]])
    assert one.card.digest != other.card.digest


def test_equal_files_with_equal_helpers_have_one_digest(tmp_path: Path) -> None:
    one = load_model(f"{folder(tmp_path, 0.5)}:level?dimensions=arousal")
    other = load_model(f"{folder(tmp_path, 0.5, 'two')}:level?dimensions=arousal")
    assert one.card.digest == other.card.digest
    assert "beside it" in one.card.notes[-1]


def test_a_file_that_is_imported_while_it_runs_is_found_as_well(tmp_path: Path) -> None:
    file = folder(tmp_path, 0.5)
    file.write_text(
        "def level(samples, rate_hz):\n    from helper_of_a_model import scale\n    return scale(samples.max())\n"
    )
    assert load_model(f"{file}:level?dimensions=arousal").predict([ITEM]).tolist() == [[0.25]]


def test_a_package_beside_a_file_is_found(tmp_path: Path) -> None:
    package = tmp_path / "package_of_a_model"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "inner.py").write_text(CLASS)
    file = tmp_path / "model.py"
    file.write_text("from package_of_a_model.inner import Model\nready = Model(0.75)\n")
    assert load_model(f"{file}:ready").predict([ITEM]).tolist() == [[0.75]]
    assert "package_of_a_model.inner" in code_files()


def test_the_path_is_searched_last_once_a_model_is_loaded(tmp_path: Path) -> None:
    file = folder(tmp_path, 0.5)
    load_model(f"{file}:level?dimensions=arousal")
    assert sys.path[-1] == str(file.parent)
    assert sys.path[0] != str(file.parent)


def test_code_that_is_there_is_not_loaded_again(tmp_path: Path) -> None:
    file = folder(tmp_path, 0.5)
    load_model(f"{file}:level?dimensions=arousal")
    helper = sys.modules["helper_of_a_model"]
    load_code({name: path for name, path in code_files().items() if path == file.resolve()})
    assert sys.modules["helper_of_a_model"] is helper


def test_a_helper_that_is_not_there_is_told(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(MODEL)
    with pytest.raises(ModelError, match="No module named 'helper_of_a_model'"):
        load_model(f"{file}:level?dimensions=arousal")


@pytest.mark.slow
def test_other_processes_find_what_lies_beside_a_file(tmp_path: Path) -> None:
    """An object whose class is defined beside the file: nothing of the file itself travels with it."""
    file = folder(tmp_path, 0.5)
    (file.parent / "helper_of_a_model.py").write_text(CLASS)
    file.write_text("import helper_of_a_model\nready = helper_of_a_model.Model(0.75)\n")
    scheme = DimensionScheme("one", ("arousal",), 0.0, 1.0)
    frame = pl.DataFrame({"item": list("abcdef"), "arousal": [0.5] * 6})
    table = make_table(frame, targets=[Target("affect", scheme)])
    found = predict(load_model(f"{file}:ready"), table, options=PredictOptions(workers=2, progress=no_progress))
    assert found.frame.get_column("arousal").to_list() == [0.75] * 6
