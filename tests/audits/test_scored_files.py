"""The record of predictions that were scored from files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.audits import ScoredFiles, score_files
from affectcheck.evaluation import EvaluationOptions, ScoredColumns
from affectcheck.records import run_digest

if TYPE_CHECKING:
    from pathlib import Path

ROWS = "item,said,heard,who\n" + "".join(f"{i}.wav,{'ab'[i % 2]},{'ab'[i % 3 % 2]},s{i // 4}\n" for i in range(40))


def test_everything_that_can_change_a_number_is_an_effective_argument(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(ROWS)
    columns = ScoredColumns(truth="said", prediction="heard", subject="who", labels=("a", "b"))
    _, record = score_files(ScoredFiles(path, columns=columns), EvaluationOptions(resamples=50, mapping="a=b"))
    effective = record.header.arguments["effective"]
    assert effective["truth"] == "said"
    assert effective["subject"] == "who"
    assert effective["mapping"] == "a=b"
    assert (effective["resamples"], effective["seed"], effective["metrics"]) == (50, 0, None)


def test_the_digest_of_the_record_is_the_same_in_another_folder_and_another_with_other_arguments(
    tmp_path: Path,
) -> None:
    digests = []
    columns = ScoredColumns(truth="said", prediction="heard", subject="who", labels=("a", "b"))
    for folder, resamples in (("one", 50), ("two", 50), ("three", 60)):
        path = tmp_path / folder / "labels.csv"
        path.parent.mkdir()
        path.write_text(ROWS)
        _, record = score_files(
            ScoredFiles(path, columns=columns), EvaluationOptions(resamples=resamples), passed={"file": str(path)}
        )
        digests.append(run_digest(record))
    assert digests[0] == digests[1] != digests[2]
