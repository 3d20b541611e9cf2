"""The published values of four models and two random ones give the published cells, counts and failures."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from affectcheck.behaviour import load_suite
from affectcheck.behaviour.leaderboards import board
from affectcheck.behaviour.published_layout import comparison_of, layout
from affectcheck.behaviour.published_rules import judge_values
from affectcheck.behaviour.published_shares import table_five, tally_tests
from affectcheck.behaviour.published_values import PublishedValue, read_values

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shared
MODELS = ("CNN14", "hubert-b", "w2v2-b", "w2v2-L-robust")
TESTS = load_suite("ser")


@pytest.fixture(scope="module")
def results(shared_data: Path) -> Path:
    return shared_data / "reference" / "ser_published_results.csv"


@pytest.fixture(scope="module")
def values(results: Path) -> tuple[PublishedValue, ...]:
    return read_values(results)


def test_all_cells_of_four_models_equal_table_five(values: tuple[PublishedValue, ...]) -> None:
    found = table_five(tally_tests(judge_values(values, TESTS, "published")))
    printed = board("V").blocks
    cells = [
        (block, model, ours, theirs)
        for block in printed
        for model in MODELS
        for ours, theirs in zip(found[block][model], printed[block][model], strict=True)
    ]
    assert len(cells) == 80
    assert [cell for cell in cells if cell[2] != cell[3]] == []


def test_random_models_fail_no_fairness_comparison(values: tuple[PublishedValue, ...]) -> None:
    tallies = [one for one in tally_tests(judge_values(values, TESTS, "published")) if "random" in one.model]
    fairness = [one for one in tallies if one.family == "fairness"]
    assert sum(one.passed for one in fairness) > 1000
    assert sum(one.failed for one in fairness) == 0
    # no model at all passes most of what a random one is asked about values, for they are all near the middle
    cells = table_five(tallies)["all tests"]
    assert cells["random-gaussian"][:3] == (0.8, 0.804, 0.793)
    assert cells["random-categorical"][3] == 0.616


def test_as_many_comparisons_are_configured_as_published(values: tuple[PublishedValue, ...]) -> None:
    counted: Counter[tuple[str, str, str]] = Counter()
    for one in tally_tests(judge_values(values, TESTS, "published")):
        counted[one.model, one.family, one.task] += one.configured
    for model in MODELS:
        tasks = ((model, "arousal"), (model, "dominance"), (model, "valence"), (f"{model}-cat", "emotion"))
        found = {family: [counted[m, family, task] for m, task in tasks] for family in ("correctness", "fairness")}
        assert found == {"correctness": [66, 72, 76, 196], "fairness": [382, 382, 382, 314]}
        assert [counted[m, "robustness", task] for m, task in tasks] == [82, 82, 82, 193]


def test_planted_changes_move_the_counts_as_they_must(results: Path, tmp_path: Path) -> None:
    """Every limit is crossed on purpose: the counts move by what was planted, and by nothing else."""
    lines = results.read_text(encoding="utf-8").splitlines()
    before = judge_values(read_values(results), TESTS, "published")
    planted: Counter[tuple[str, str, str]] = Counter()
    for index, one in enumerate(before):
        if index % 37 or one.value.model not in MODELS:
            continue
        limit = one.threshold.value
        inside = {"gt": limit + 0.01, "lt": limit - 0.01, "abs_lt": -limit + 0.01, "abs_gt": -limit - 0.01}
        outside = {"gt": limit, "lt": limit, "abs_lt": -limit - 0.01, "abs_gt": limit}
        key = (one.value.model, one.value.task, one.value.test)
        if one.status == "passed":
            new, planted[(*key, "passed")], planted[(*key, "failed")] = (
                outside[one.threshold.rule], planted[(*key, "passed")] - 1, planted[(*key, "failed")] + 1,
            )  # fmt: skip
        else:
            kind = one.status
            new, planted[(*key, kind)], planted[(*key, "passed")] = (
                inside[one.threshold.rule], planted[(*key, kind)] - 1, planted[(*key, "passed")] + 1,
            )  # fmt: skip
        front = lines[one.value.row - 1].rpartition(",")[0]
        lines[one.value.row - 1] = f"{front},{new:.4f}"
    changed = tmp_path / "changed.csv"
    changed.write_text("\n".join(lines) + "\n", encoding="utf-8")
    moved: Counter[tuple[str, str, str]] = Counter()
    after = judge_values(read_values(changed), TESTS, "published")
    for sign, judged in ((-1, before), (1, after)):
        for one in judged:
            moved[(one.value.model, one.value.task, one.value.test, one.status)] += sign
    assert sum(abs(n) for n in planted.values()) > 200
    assert {key: n for key, n in moved.items() if n} == {key: n for key, n in planted.items() if n}


def test_a_value_taken_away_is_one_less_executed(values: tuple[PublishedValue, ...]) -> None:
    first = next(one for one in values if one.model == "CNN14" and one.test == "fairness_sex" and one.value is not None)
    kept = [one if one is not first else PublishedValue(**(vars(one) | {"value": None})) for one in values]

    def count(held: object) -> tuple[int, int, int]:
        tallies = tally_tests(judge_values(held, TESTS, "published"))  # type: ignore[arg-type]
        (one,) = [t for t in tallies if (t.model, t.task, t.test) == ("CNN14", first.task, "fairness_sex")]
        return one.executed, one.not_applicable, one.configured

    before, after = count(values), count(kept)
    assert after == (before[0] - 1, before[1] + 1, before[2])


def test_the_limits_of_the_tests_are_those_of_the_public_code(shared_data: Path) -> None:
    entries = json.loads((shared_data / "reference" / "ser_thresholds.json").read_text(encoding="utf-8"))
    names, tests = layout(), {one.name: one for one in TESTS}
    different = []
    for entry in entries:
        wanted = PublishedValue(entry["task"], "", entry["test"], "", entry["metric"], "", None, 0)
        _, comparison = comparison_of(wanted, names, tests)
        if comparison.limits.get(entry["task"], comparison.limit) != entry["threshold"]:
            different.append((entry["task"], entry["test"], entry["metric"], comparison.limit, entry["threshold"]))
    assert len(entries) == 343
    assert different == []
