"""A data set's own partition: used as it is, and judged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations import write_table
from affectcheck.audits import AuditOptions, audit
from affectcheck.datasets import load_dataset
from affectcheck.reports import summary_lines

if TYPE_CHECKING:
    from pathlib import Path


def test_a_subject_in_two_sets_of_an_own_partition_is_told_with_the_scores(tones: Path, tmp_path: Path) -> None:
    table = load_dataset(f"table:{tones}")
    names = [("train", "validation", "test")[n % 3] for n in range(table.height)]
    leaking = replace(table, frame=table.frame.with_columns(partition=pl.Series(names)))
    write_table(leaking, tmp_path / "own.csv")
    data = f"table:{tmp_path / 'own.csv'}"
    found = audit(AuditOptions(data, "random-categorical", suites=(), partition="own", resamples=0, cache=tmp_path))
    assert "subjects are in more than one set" in found.record.header.partition["independence"]
    assert any("subjects are in more than one set" in line for line in summary_lines(found.record))
