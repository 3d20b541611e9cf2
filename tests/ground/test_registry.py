from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, EntryPoints
from typing import TYPE_CHECKING

import pytest

from affectcheck import registry
from affectcheck.errors import UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with one part in a module of its own, which nothing has imported yet."""
    name = "room_of_parts"
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from affectcheck.registry import Registry\nPARTS = Registry('part', 'room_of_parts')\n"
    )
    (folder / "one.py").write_text("from room_of_parts import PARTS\n\n@PARTS.register('one')\ndef one(): return 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield name
    for module in [m for m in sys.modules if m.startswith(name)]:
        del sys.modules[module]


def parts(room: str) -> registry.Registry:
    return __import__(room).PARTS


def test_a_part_is_found_without_being_imported_first(room: str) -> None:
    found = parts(room)
    assert "room_of_parts.one" not in sys.modules
    assert found.get("one")() == 1
    assert found.names() == ("one",)
    assert "one" in found
    assert len(found) == 1
    assert dict(found.items())["one"]() == 1
    assert found.origin("one") == "room_of_parts.one:one"


def test_an_unknown_name_is_an_error_with_a_suggestion(room: str) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'one'"):
        parts(room).get("ona")


def test_two_parts_of_one_name_raise_and_both_are_named(room: str) -> None:
    found = parts(room)
    found.get("one")
    with pytest.raises(registry.DuplicateNameError, match=r"room_of_parts.one:one and elsewhere:two"):
        found.add("one", lambda: 2, origin="elsewhere:two")


def test_an_object_without_a_qualified_name_is_filed_by_its_type(room: str) -> None:
    found = parts(room)
    found.add("n", 5)
    assert found.origin("n") == "builtins:5"


def test_a_broken_plug_in_is_kept_aside_and_a_sound_one_is_filed(room: str, monkeypatch: pytest.MonkeyPatch) -> None:
    points = EntryPoints(
        [
            EntryPoint("bad", "no_such_module:part", room),
            EntryPoint("join", "os.path:join", room),
        ]
    )
    monkeypatch.setattr(registry, "entry_points", lambda group: points.select(group=group))
    found = parts(room)
    assert found.names() == ("join", "one")
    assert found.origin("join") == "os.path:join"
    assert "ModuleNotFoundError" in found.broken["bad"]


def test_threads_that_ask_at_once_all_find_it(room: str, tmp_path: Path) -> None:
    """A part is imported for a while; nobody is told meanwhile that it is not there."""
    from concurrent.futures import ThreadPoolExecutor

    path = tmp_path / room / "one.py"
    path.write_text(f"import time\ntime.sleep(0.2)\n{path.read_text()}")
    found = parts(room)
    with ThreadPoolExecutor(8) as pool:
        assert [part() for part in pool.map(lambda _: found.get("one"), range(8))] == [1] * 8


def test_a_part_may_ask_for_others_while_it_is_imported(room: str, tmp_path: Path) -> None:
    path = tmp_path / room / "one.py"
    path.write_text(f"{path.read_text()}\nassert PARTS.names() == ('one',)\n")
    assert parts(room).names() == ("one",)
