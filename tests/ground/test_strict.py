"""Files of settings: what is no TOML, and every fault of the values with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import pytest
from pydantic import Field

from affectcheck.errors import InputError, MissingPathError
from affectcheck.strict import Strict, parsed, read_toml

if TYPE_CHECKING:
    from pathlib import Path


class Inner(Strict):
    size: Annotated[int, Field(ge=0)]


class Outer(Strict):
    name: str
    inner: tuple[Inner, ...] = Field(default=(), min_length=1)


def test_values_become_a_model() -> None:
    found = parsed(Outer, {"name": " a ", "inner": [{"size": 1}]}, kind="thing")
    assert (found.name, found.inner[0].size) == ("a", 1)


def test_every_fault_is_told_with_its_place() -> None:
    with pytest.raises(InputError) as told:
        parsed(Outer, {"names": "a", "inner": [{"size": -1}, {"sizes": 1, "size": 1}]}, kind="thing", where="f.toml")
    lines = str(told.value).splitlines()
    assert lines[0] == "f.toml: 4 faults in a thing:"
    assert any(line.startswith("  name: Field required") for line in lines)
    assert any(line.startswith("  inner.0.size: Input should be greater") for line in lines)
    assert any("inner.1.sizes: unknown key 'sizes'" in line and "did you mean 'size'" in line for line in lines)
    assert any("names: unknown key 'names'" in line and "did you mean 'name'" in line for line in lines)


def test_what_is_no_toml(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="thing not found"):
        read_toml(tmp_path / "gone.toml", "thing")
    for content in (b"name = a", b"name = '\xe9'"):
        (tmp_path / "f.toml").write_bytes(content)
        with pytest.raises(InputError, match="not TOML"):
            read_toml(tmp_path / "f.toml", "thing")
    (tmp_path / "f.toml").write_bytes(b"\xef\xbb\xbfname = 'a'\n")
    assert read_toml(tmp_path / "f.toml", "thing") == {"name": "a"}
