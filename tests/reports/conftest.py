"""Records made by hand and by evaluation, and a browser where there is one."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


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


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium; skips with the reason where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield opened
        opened.close()
