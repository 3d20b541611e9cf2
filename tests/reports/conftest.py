"""Records made by hand and by evaluation, and a browser where there is one."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType


def _module(name: str) -> ModuleType:
    """A module beside this file."""
    known = f"reports_{name}"
    spec = spec_from_file_location(known, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[known] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def records() -> ModuleType:
    """Records made by hand."""
    return _module("records")


@pytest.fixture(scope="session")
def tables() -> ModuleType:
    """Tables with partitions to report on."""
    return _module("partition_tables")


@pytest.fixture(scope="session")
def real() -> dict[str, Any]:
    """Records of real evaluations of made data, by what is predicted."""
    made = _module("real_records")
    return {"expressions": made.expressions(), "action_units": made.action_units(), "affect": made.affect(),
            "other": made.expressions("other", 0.5)}  # fmt: skip


@pytest.fixture(scope="session")
def page(records: ModuleType) -> str:
    """The HTML report of the categories record."""
    from affectcheck.reports import render_html

    return render_html(records.categories())
