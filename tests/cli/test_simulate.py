"""``simulate``: one test at given sizes, the published table beside ours, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import typer
from typer.testing import CliRunner

from affectcheck.behaviour import load_suites
from affectcheck.cli import simulate
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


def verb(*words: str) -> Result:
    app = typer.Typer()
    app.callback()(lambda: None)
    simulate.register(app)
    return CliRunner().invoke(app, ["simulate", *words])


def test_one_test_at_given_sizes() -> None:
    done = verb(
        "-t", "fairness-sex", "--task", "categories", "-g", "4", "-n", "100", "--repetitions", "50", "--rounds", "2"
    )
    assert done.exit_code == 0, done.output
    assert "recall per class" in done.output
    assert "2 rounds of 50 random models" in done.output
    assert "family-wise error" in done.output
    plain = json.loads(
        verb(
            "-t", "fairness-accent", "-n", "70", "--metric", "share", "--repetitions", "20", "--rounds", "1", "--json"
        ).output
    )
    assert [(one["per"], one["samples"], one["groups"]) for one in plain] == [("class", 70, 30), ("bin", 70, 30)]
    assert plain[1]["minimum_per_bin"] == 5
    assert plain[0]["minimum_per_bin"] is None
    assert len(plain[0]["maxima"]) == 1
    few = ("-t", "fairness-sex", "--metric", "precision", "-n", "4", "--repetitions", "50", "--rounds", "1")
    assert " none " in verb(*few).output
    assert json.loads(verb(*few, "--json").output)[0]["detectable"] is None
    assert "0.99 of one" in verb("-n", "20", "--repetitions", "5", "--rounds", "1").output


def test_the_table() -> None:
    done = verb("--table", "--seeds", "2", "--repetitions", "20", "--rounds", "1")
    assert done.exit_code == 0, done.output
    assert done.output.count("fairness-") == 27
    assert "authors' maximum" in done.output
    rows = json.loads(verb("--table", "--seeds", "1", "--repetitions", "20", "--rounds", "1", "--json").output)
    assert len(rows) == 27
    assert rows[0]["seeds"][0]["repetitions"] == 20


def test_what_does_not_go_together_is_refused() -> None:
    for words, error in (
        (("--table", "-n", "50"), InputError),
        (("--task", "units"), UnknownNameError),
        (("--metric", "jsd"), UnknownNameError),
        (("-t", "fairness-sex", "--metric", "share"), UnknownNameError),
        (("-t", "fairness-sex", "--task", "dimensions", "--metric", "uar"), UnknownNameError),
        (("-t", "fairness-sex,robustness-gain"), InputError),
        (("-t", "correctness"), InputError),
        (("--seeds", "2"), InputError),
        (("-t", "nothing"), UnknownNameError),
    ):
        with pytest.raises(error):
            raise verb(*words).exception


def test_a_test_of_one_task_has_no_limits_of_the_other(tmp_path: Path) -> None:
    (sex,) = load_suites(["fairness-sex"])
    own = sex.model_copy(update={"task": sex.task[:1]})
    (tmp_path / "own.json").write_text(own.model_dump_json())
    done = verb("-t", str(tmp_path / "own.json"), "--task", "dimensions")
    assert "none of these tests has a task for dimensions" in str(done.exception)
    done = verb("-t", str(tmp_path / "own.json"), "-n", "30", "--repetitions", "5", "--rounds", "1")
    assert "1 round of 5 random models" in done.output
