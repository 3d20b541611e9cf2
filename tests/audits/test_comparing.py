"""Run folders beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck import seeds
from affectcheck.audits import ScoredFiles, compare_runs, read_entrants, save_record, score_files
from affectcheck.errors import InputError, MissingPathError
from affectcheck.evaluation import ITEMS_FILE, CompareOptions, EvaluationOptions, ScoredColumns
from affectcheck.records import decode_run, encode_run, load_run, parse_strict_json, run_digest, strict_json
from affectcheck.reports import render_html, render_markdown

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = EvaluationOptions(resamples=0, by=("sex",), metrics=("uar", "accuracy", "eop", "recall"))


def scored(folder: Path, name: str, accuracy: float, *, resamples: int = 0) -> Path:
    """A run folder of `score`."""
    random = seeds.rng(0, name)
    rows = ["item,truth,prediction,subject,sex"]
    for number in range(120):
        truth = "abc"[number % 3]
        said = truth if random.random() < accuracy else "abc"[int(random.integers(3))]
        rows.append(f"{number}.wav,{truth},{said},s{number // 10},{'fm'[number // 10 % 2]}")
    file = folder / f"{name}.csv"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(rows) + "\n")
    columns = ScoredColumns(labels=("a", "b", "c"))
    options = EvaluationOptions(resamples=resamples, by=OPTIONS.by, metrics=OPTIONS.metrics)
    found, record = score_files(ScoredFiles(file, columns=columns), options)
    run = folder / "runs" / name
    run.mkdir(parents=True)
    save_record(record, run)
    found.scored_items.write(run / ITEMS_FILE)
    return run


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("compared")
    return [scored(folder, name, share) for name, share in (("good", 0.9), ("fair", 0.6), ("poor", 0.4))]


def test_the_record_of_a_comparison_says_what_was_compared(runs: list[Path]) -> None:
    found, record = compare_runs(runs, CompareOptions(resamples=50, by=("sex",)), passed={"runs": ["a"]})
    assert found.models == ("good", "fair", "poor")
    assert record.header.command == "compare"
    assert record.header.model["name"] == "good, fair, poor"
    assert [one["run"] for one in record.header.model["models"]] == ["good", "fair", "poor"]
    effective = record.header.arguments["effective"]
    assert effective["runs"] == [load_run(run).header.digest for run in runs]
    assert (effective["resamples"], effective["by"], effective["cross_validated"]) == (50, ["sex"], False)
    assert record.comparisons == found.comparisons
    assert record.header.counts["items"] == 120
    again = decode_run(parse_strict_json(strict_json(encode_run(record))))
    assert (again.comparisons, again.ranks) == (record.comparisons, record.ranks)
    assert run_digest(compare_runs(runs, CompareOptions(resamples=50, by=("sex",)))[1]) == run_digest(record)


def test_reports_show_differences_and_ranks(runs: list[Path]) -> None:
    _, record = compare_runs(runs, CompareOptions(resamples=200, by=("sex",), parts=True))
    text = render_markdown(record)
    for piece in (
        "# good, fair, poor on good",
        "## Models compared",
        "| UAR | good − poor |",
        "good is better",
        "Ranks over all items, 1 is best.",
        "**Differences by sex**",
        "**Differences by sex of each class**",
        "**Differences of each class**",
        "p-values: permutation of 12 subjects, all 4096 ways",
        "Holm's correction: over the 3 pairs of one metric and place",
        "No interval: a distance between groups is biased upwards",
    ):
        assert piece in text, piece
    assert "No behaviour tests were run." not in text
    page = render_html(record)
    assert 'id="comparisons"' in page
    assert 'href="#sig-1"' in page


def test_runs_of_one_folder_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    twins = [scored(tmp_path / where, "same", share) for where, share in (("one", 0.9), ("two", 0.5))]
    assert [one.entrant.run for one in read_entrants(twins)] == [str(run) for run in twins]
    found, _ = compare_runs(twins, CompareOptions(resamples=0, metrics=("uar",)))
    assert found.models == tuple(f"same ({run})" for run in twins)


def test_what_cannot_be_compared_is_said(runs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="run not found"):
        compare_runs([runs[0], tmp_path])
    with pytest.raises(MissingPathError, match="table of scored items not found"):
        compare_runs(runs, cross_validated=True)
    other = scored(tmp_path, "fair", 0.6, resamples=20)
    with pytest.raises(InputError, match=r"'good' \(good\) and 'fair' \(fair\): .*resamples: '' and '20'") as error:
        compare_runs([runs[0], other])
    assert error.value.exit_code == 2
