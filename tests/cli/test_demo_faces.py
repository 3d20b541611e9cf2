"""``affectcheck demo --faces``: two runs, what was planted, and what was found."""

from __future__ import annotations

import json
from contextlib import nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.behaviour import load_suites, select
from affectcheck.cli.app import run
from affectcheck.cli.demo import _RUNS, BIAS
from affectcheck.datasets.drawn_faces_bias import parse_biases
from affectcheck.records import Place

if TYPE_CHECKING:
    from pathlib import Path

UNFAIR = SimpleNamespace(family="fairness", status="failed", place=Place("tone", "dark"))
BETWEEN = SimpleNamespace(family="fairness", status="failed", place=Place("tone"))
WEAK = SimpleNamespace(family="robustness", status="failed", place=Place())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found: list[Any] = []

    def audit(options: Any, **rest: Any) -> Any:
        found.append(options)
        verdicts = (UNFAIR, BETWEEN, UNFAIR, WEAK) if "bias" in options.data else (WEAK,)
        return SimpleNamespace(record=SimpleNamespace(verdicts=verdicts))

    monkeypatch.setattr("affectcheck.audits.audit", audit)
    monkeypatch.setattr("affectcheck.audits.save_audit", lambda done, folder, **rest: folder / "report.html")
    monkeypatch.setattr("affectcheck.cli.output.progress", lambda label: nullcontext(lambda done, total: None))
    return found


def test_both_runs_say_what_was_found(asked: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "--faces", "--seed", "3"]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        "without-bias: no unfairness detected at this support",
        "  runs/demo-faces/without-bias/report.html",
        "with-bias: 3 comparisons of groups failed: tone = dark",
        "  runs/demo-faces/with-bias/report.html",
    ]
    assert "with-bias: expressions of faces with dark skin are drawn weaker" in told.err
    assert [one.data for one in asked] == ["drawn-faces", f"drawn-faces?bias={BIAS}"]
    assert {(one.model, one.seed, one.suites) for one in asked} == {("face-baseline", 3, ("faces",))}


def test_json_is_one_document(asked: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "--faces", "-o", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["with-bias"] == {
        "bias": BIAS,
        "fairness_failed": 3,
        "groups": ["tone = dark"],
        "report": str(tmp_path / "with-bias" / "report.html"),
    }
    assert told["without-bias"]["fairness_failed"] == 0


def test_every_test_of_the_demo_is_there_and_its_bias_can_be_drawn() -> None:
    for bias, tests in _RUNS.values():
        assert all(one.changes_pictures for one in parse_biases(bias))
        assert len(select(load_suites(["faces"]), tests, ())) >= len(tests)
