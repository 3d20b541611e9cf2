"""A light suite where a test says none: the whole one has tests of its own, and takes a minute."""

from __future__ import annotations

import pytest

LIGHT = "correctness-classification,correctness-regression,fairness-sex,robustness-gain,robustness-white-noise"


@pytest.fixture(autouse=True)
def light_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    for verb in ("AUDIT", "TEST"):
        monkeypatch.setenv(f"AFFECTCHECK_{verb}_SUITE", LIGHT)
        monkeypatch.setenv(f"AFFECTCHECK_{verb}_RERUNS", "0")
