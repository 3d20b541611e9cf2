"""Options as they are described are those that the adapters take."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.models import MODELS, Option, load_model, options_of


@pytest.mark.parametrize("name", MODELS.names())
def test_every_model_describes_what_it_takes(name: str) -> None:
    options = options_of(name)
    assert all(option.meaning for option in options), name
    assert len({option.name for option in options}) == len(options)
    stated = inspect.signature(MODELS.get(name)).parameters.values()
    if all(one.kind is not inspect.Parameter.VAR_KEYWORD for one in stated):
        assert {option.name for option in options} == {one.name for one in stated}
        needed = {option.name for option in options if option.needed == "yes"}
        assert needed == {one.name for one in stated if one.default is one.empty}


@pytest.mark.parametrize("name", ["command", "hf", "http", "https", "onnx", "table"])
def test_an_adapter_of_many_options_takes_those_that_it_describes_and_no_other(name: str) -> None:
    options = {option.name: "x" for option in options_of(name) if option.name != "source"}
    source = "//h/" if name.startswith("http") else "no-such-thing"
    with pytest.raises(UnknownNameError, match="unknown option 'bogus'") as raised:
        load_model(f"{name}:{source}", **options, bogus="x")
    assert all(option in raised.value.expected for option in options)
    with pytest.raises(InputError) as refused:
        load_model(f"{name}:{source}", **options)
    assert "unknown option" not in str(refused.value)


def test_what_describes_nothing_is_known_by_its_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    def factory(source: str, *, speed: int = 3, **_: Any) -> Any:
        raise AssertionError(source, speed)

    monkeypatch.setitem(MODELS._parts, "other", factory)
    assert options_of("other") == (Option("source", "", needed="yes"), Option("speed", "", "3"))
    with pytest.raises(UnknownNameError, match="unknown model 'others'"):
        options_of("others")
