"""Run folders beside each other."""

from __future__ import annotations

from itertools import product
from shutil import copytree
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck import seeds
from affectcheck.audits import ScoredFiles, compare_runs, read_entrants, save_record, score_files
from affectcheck.errors import InputError, MissingPathError
from affectcheck.evaluation import ITEMS_FILE, CompareOptions, EvaluationOptions, ScoredColumns
from affectcheck.records import decode_run, encode_run, load_run, parse_strict_json, run_digest, save_run, strict_json
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
    with pytest.raises(MissingPathError, match="a run that was not cross-validated"):
        compare_runs(runs, cross_validated=True)
    (tmp_path / "other.csv").write_text("item\n")
    with pytest.raises(InputError, match=r"other\.csv"):
        compare_runs([runs[0], tmp_path / "other.csv"])
    _, record = compare_runs(runs, CompareOptions(resamples=0, metrics=("uar",)))
    save_run(record, tmp_path)
    with pytest.raises(MissingPathError, match="a run of `compare`, which scores nothing"):
        compare_runs([runs[0], tmp_path])
    other = scored(tmp_path, "fair", 0.6, resamples=20)
    with pytest.raises(InputError, match=r"'good' \(good\) and 'fair' \(fair\): .*resamples: '' and '20'") as error:
        compare_runs([runs[0], other])
    assert error.value.exit_code == 2


@pytest.mark.shared
def test_two_rules_on_real_predictions(shared_data: Path, tmp_path: Path) -> None:
    """The highest probability against the highest above a class's mean, on 240 clips of 4 speakers, row by row."""
    frame = pl.read_csv(shared_data / "data" / "baseline-predictions" / "ravdess-speech.csv")
    columns = [name for name in frame.columns if name.startswith("p_")]
    labels, shares = [name.removeprefix("p_") for name in columns], frame.select(columns).to_numpy()
    rules = {"plain": shares.argmax(axis=1), "balanced": (shares / shares.mean(axis=0)).argmax(axis=1)}
    truth = frame.select(item="file", truth="truth", subject="speaker", sex="sex")
    truth.write_csv(tmp_path / "truth.csv")
    folders = []
    for name, codes in rules.items():
        told = pl.DataFrame({"item": frame.get_column("file"), "prediction": [labels[code] for code in codes]})
        told.write_csv(tmp_path / f"{name}.csv")
        files = ScoredFiles(tmp_path / "truth.csv", tmp_path / f"{name}.csv", ScoredColumns(labels=labels))
        found, record = score_files(files, EvaluationOptions(resamples=0, metrics=("uar",)))
        folders.append(tmp_path / "runs" / name)
        folders[-1].mkdir(parents=True)
        save_run(record, folders[-1])
        found.scored_items.write(folders[-1] / ITEMS_FILE)
    compared, _ = compare_runs(folders, CompareOptions())
    one = compared.comparisons[0]
    codes, who = (
        np.array([labels.index(label) for label in frame.get_column("truth")]),
        frame.get_column("speaker").to_numpy(),
    )

    def uar(prediction: np.ndarray) -> float:
        return float(np.mean([np.mean(prediction[codes == c] == c) for c in range(len(labels))]))

    sizes = []
    for swapped in product([False, True], repeat=4):
        mask = np.isin(who, np.unique(who)[np.array(swapped)])
        mixed = [np.where(mask, second, first) for first, second in (rules.values(), [*rules.values()][::-1])]
        sizes.append(abs(uar(mixed[0]) - uar(mixed[1])))
    assert one.first_value == pytest.approx(0.551, abs=5e-4)
    assert one.difference == pytest.approx(uar(rules["plain"]) - uar(rules["balanced"]))
    assert one.p_value == pytest.approx(np.mean(np.array(sizes) >= abs(one.difference) - 1e-12))
    assert one.test == "permutation of 4 subjects, all 16 ways"
    assert "predictions made by leaving out one subject at a time" in one.reason


def test_data_of_other_pictures_under_the_same_keys_are_told(runs: list[Path], tmp_path: Path) -> None:
    assert not any("differ in other columns" in note for note in compare_runs(runs[:2])[0].notes)
    for run, digest, notes in ((runs[0], "0", []), (runs[1], "1", ["a planted bias: faint:tone:dark:0.8"])):
        record = load_run(run)
        copytree(run, tmp_path / run.name)
        data = [one | {"digest": digest * 32, "notes": notes} for one in record.header.data]
        save_run(record.with_header(data=data, command="audit"), tmp_path / run.name)
    found, compared = compare_runs([tmp_path / run.name for run in runs[:2]])
    told = f"the data of {found.models[1]} have the items and labels of {found.models[0]}, but differ in other columns"
    note = next(note for note in found.notes if note.startswith(told))
    assert note.endswith("a planted bias: faint:tone:dark:0.8")
    assert told[1:] in compared.header.message
