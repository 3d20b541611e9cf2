from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.models import MODELS, ModelSpec, Predictor, load_model
from affectcheck.models.registry import number, words

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.models import Baseline


def test_every_adapter_says_what_it_is() -> None:
    assert {"baseline", "fusion", "python", "random-categorical", "random-gaussian", "table"} <= set(MODELS.names())
    for _, factory in MODELS.items():
        assert factory.__doc__


@pytest.mark.parametrize(
    ("text", "name", "source"),
    [
        ("random-gaussian", "random-gaussian", ""),
        ("table:a/b.csv", "table", "a/b.csv"),
        ("a/b.parquet", "table", "a/b.parquet"),
        ("a/b.NPZ", "baseline", "a/b.NPZ"),
        (" m.npz ", "baseline", "m.npz"),
        ("C:\\models\\m.npz", "baseline", "C:\\models\\m.npz"),
        ("python:json:dumps", "python", "json:dumps"),
        ("json:dumps", "python", "json:dumps"),
        ("json.decoder:JSONDecoder.decode", "python", "json.decoder:JSONDecoder.decode"),
        ("a/b.py:f", "python", "a/b.py:f"),
    ],
)
def test_specifications(text: str, name: str, source: str) -> None:
    assert ModelSpec.parse(text) == ModelSpec(name, source)


def test_options_in_a_specification() -> None:
    assert ModelSpec.parse("table:a.csv?item=file&labels=a%26b").options == {"item": "file", "labels": "a&b"}


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("basline", UnknownNameError, "did you mean 'baseline'"),
        ("tabel:x.csv", UnknownNameError, "did you mean 'table'"),
        ("no_such_module_here:f", UnknownNameError, "FILE.py:OBJECT"),
        ("", InputError, "no model is named"),
        ("?seed=1", InputError, "no model is named"),
        ("baseline", InputError, "baseline:SOURCE"),
        ("random-categorical", InputError, r"needs labels[\s\S]*random-categorical\?labels=VALUE"),
        ("random-categorical:x?labels=a", InputError, "takes nothing after the colon"),
        ("random-categorical?labels=a&sead=1", UnknownNameError, "did you mean 'seed'"),
        ("random-categorical?labels=a&labels=b", InputError, "stated twice"),
        ("random-categorical?labels", InputError, "not a list of options"),
        ("random-categorical?labels=a&seed=x", InputError, "a number"),
        ("no/such/model", MissingPathError, "not found"),
    ],
)
def test_what_cannot_be_loaded_says_why(text: str, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        load_model(text)


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "weights.onnx"
    path.touch()
    with pytest.raises(InputError, match="not a model"):
        load_model(str(path))


def test_an_option_is_stated_once() -> None:
    with pytest.raises(InputError, match="stated twice: labels"):
        load_model("random-categorical?labels=a", labels="b")


def test_the_cache_is_an_option_of_the_baseline(trained: Baseline, tmp_path: Path) -> None:
    trained.save(tmp_path / "m.npz")
    found = load_model(f"baseline:{tmp_path / 'm.npz'}", cache=tmp_path / "cache")
    assert found.cache == tmp_path / "cache"  # type: ignore[attr-defined]
    assert isinstance(found, Predictor)


def test_words_and_numbers() -> None:
    assert words("a, b,,c") == words(["a", "b", "c"]) == ("a", "b", "c")
    assert number("x", "1.5") == 1.5
    with pytest.raises(InputError, match="option 'x' is None"):
        number("x", None)
