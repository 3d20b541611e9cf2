"""Numbers of libraries that are not installed with the tests, from fixtures."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from peers.comparison import REFUSED
from peers.draws import Case

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).parent / "fixtures"
#: Values of these lose digits in any implementation.
HARD = ("far from zero", "nearly constant")


@cache
def fixtures(name: str) -> dict[str, Any]:
    """Versions, cases and values of one file."""
    read: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return read


@cache
def stored_cases(name: str, family: str) -> tuple[Case, ...]:
    """The cases of one kind of prediction."""
    return tuple(_case(entry["case"]) for entry in fixtures(name)["cases"] if entry["family"] == family)


def _case(entry: dict[str, Any]) -> Case:
    arrays = {name: np.array(entry[name], float).astype(kind) for name, kind in entry["types"].items()}
    near = 1e-6 if entry["name"] in HARD else 1e-12
    return Case(entry["name"], groups=entry["groups"], labels=entry["labels"], tolerance=near, **arrays)


def stored(name: str, family: str, function: str) -> Callable[[Case], Any]:
    """A function's value in the fixtures."""

    def call(case: Case) -> Any:
        (found,) = (
            entry["values"][function]
            for entry in fixtures(name)["cases"]
            if entry["family"] == family and entry["case"]["name"] == case.name
        )
        return np.asarray(REFUSED if isinstance(found, str) else found, float)

    return call
