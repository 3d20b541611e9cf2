"""The suites that ship, and test definitions from files: found, checked and listed."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.behaviour.parsing import parse_definition
from affectcheck.errors import InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.behaviour.definition import Definition

_SUITES: Final = Path(__file__).parent / "suites"


#: The suites of speech, which together are the whole suite for speech-emotion models: every test of the paper.
_SPEECH: Final = ("correctness", "fairness", "robustness")
WHOLE: Final = "ser"
#: The suite of models that see faces.
FACES: Final = "faces"
#: The command that lists suites and tests.
LISTED: Final = "affectcheck suites list"


def suite_names() -> tuple[str, ...]:
    """The suites that ship, in the order in which they are run: three of speech, one of faces."""
    return (*_SPEECH, FACES)


def definition_names() -> tuple[str, ...]:
    """Every test that ships, sorted."""
    return tuple(sorted(path.stem for path in _SUITES.glob("*/*.toml")))


def read_definition(path: Path) -> Definition:
    """A definition from its file.

    Raises:
        MissingPathError: the file is not there.
        InputError: it is no TOML (or JSON, by its suffix), or not a definition; the message names every fault.
    """
    if not path.is_file():
        raise MissingPathError.of("test definition", path, expected="a .toml or .json file")
    kind, read = ("JSON", json.loads) if path.suffix == ".json" else ("TOML", tomllib.loads)
    try:
        values = read(path.read_text(encoding="utf-8"))
    except ValueError as error:  # of both formats, and of text that is not UTF-8
        raise InputError(f"not {kind}: {error}", where=str(path), expected=f"a {kind} file in UTF-8") from error
    if not isinstance(values, dict):
        raise InputError("not a test definition", where=str(path), expected="the keys of the definition format")
    return parse_definition(values, where=str(path))


def load_suite(name: str) -> tuple[Definition, ...]:
    """The tests of a suite that ships, sorted by name.

    Raises:
        UnknownNameError: there is no such suite.
    """
    if name == WHOLE:
        return tuple(test for one in _SPEECH for test in load_suite(one))
    if name not in suite_names():
        raise UnknownNameError.of("suite", name, (WHOLE, *suite_names()), listed=LISTED)
    return tuple(read_definition(path) for path in sorted((_SUITES / name).glob("*.toml"), key=lambda path: path.stem))


def load_suites(names: Iterable[str]) -> tuple[Definition, ...]:
    """The tests of these suites, without repeats, in the order in which they were named.

    Args:
        names: names of suites, names of single tests, or paths of TOML files.

    Raises:
        UnknownNameError: a name is neither a suite nor a test nor a file.
        InputError: two different files define tests of one name.
    """
    found: dict[str, Definition] = {}
    for name in names:
        for definition in _resolve(name):
            if found.setdefault(definition.name, definition) != definition:
                raise InputError(
                    f"two tests are called {definition.name!r}", where=name, expected="one name, one definition"
                )
    return tuple(found.values())


def _resolve(name: str) -> tuple[Definition, ...]:
    if name == WHOLE or name in suite_names():
        return load_suite(name)
    if name in definition_names():
        return (read_definition(next(_SUITES.glob(f"*/{name}.toml"))),)
    if name.endswith((".toml", ".json")):
        return (read_definition(Path(name)),)
    raise UnknownNameError.of("suite or test", name, (WHOLE, *suite_names(), *definition_names()), listed=LISTED)
