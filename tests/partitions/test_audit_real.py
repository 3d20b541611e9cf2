"""Partitions of real databases, made and audited; and a real copy, found when it is split apart."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.datasets import load_dataset
from affectcheck.partitions import AuditOptions, PartitionOptions, audit, content_of, partition
from affectcheck.schemes import Target, UnitScheme
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable
    from affectcheck.partitions import Audit

pytestmark = [pytest.mark.shared, pytest.mark.slow]
PORTRAITS = PartitionOptions(subjects="none")


def made_and_audited(table: AnnotationTable, options: PartitionOptions | None = None) -> Audit:
    options = options or PartitionOptions()
    return audit(table, partition(table, options=options), options=AuditOptions(partition=options))


def fairface(shared_data: Path) -> AnnotationTable:
    raw = pl.read_csv(shared_data / "data" / "fairface-subset" / "labels_all_45k.csv.gz")
    frame = raw.select(pl.col("file").alias("item"), "age", "gender", "race", pl.col("part").alias("partition"))
    return make_table(frame, targets=[], groups=("age", "gender", "race"), name="fairface 45k")


def test_fairface(shared_data: Path) -> None:
    table = fairface(shared_data)
    found = made_and_audited(table, PORTRAITS)
    assert found.failed == (), found.failed
    assert found.points["iii"] == "passed", "every joint cell too"
    assert found.distances["total_variation"].max() < 0.001
    assert (found.distances["p_value"] > 0.99).all(), "nearer than random divisions"
    # the published numbers start anew in each part: those folders are no videos
    assert found["no frames of one video in two sets"].status == "not applicable"
    official = audit(table, options=AuditOptions(partition=PORTRAITS))
    assert official["sets of the protocol"].status == "failed"
    assert official["demographic shift"].status == "passed"


def test_ferplus(shared_data: Path) -> None:
    table = load_dataset("ferplus", root=shared_data / "data" / "ferplus-votes")
    found = made_and_audited(table, PORTRAITS)
    assert found.failed == (), found.failed
    assert found.distances["total_variation"].max() < 0.001
    official = audit(table, options=AuditOptions(partition=PORTRAITS))
    assert official["sets of the protocol"].status == "passed"
    assert official["sizes"].status == "failed", "80-10-10"


def test_crema_d(shared_data: Path) -> None:
    table = load_dataset("crema-d", root=shared_data / "data" / "crema-d-ratings")
    found = made_and_audited(table)
    assert found.failed == (), found.failed
    assert found.units == {"subjects": 91}
    assert found["subject independence"].reason == "each of 91 subjects is in one set only"
    assert found.points["iii"] != "failed"
    labels = found.distances.filter(pl.col("column") == "expression")
    assert labels["total_variation"].max() < 0.01
    people = found.distances.filter(pl.col("column") != "expression", pl.col("against") == "all")
    assert (people["total_variation"] < people["null_mean"]).all(), "nearer than random divisions of the actors"


@pytest.mark.parametrize(("name", "folder"), [("ravdess", "ravdess-speech"), ("emodb", "emodb")])
def test_speech(shared_data: Path, name: str, folder: str) -> None:
    found = made_and_audited(load_dataset(name, root=shared_data / "data" / folder))
    assert found.failed == (), found.failed
    assert found.points["i"] == "passed"
    assert found.points["v"] == "passed"


def test_the_byte_identical_pair_of_ravdess_is_found_when_it_is_split(shared_data: Path) -> None:
    table = load_dataset("ravdess", root=shared_data / "data" / "ravdess-speech")
    pair = ["Actor_07/03-01-03-01-02-01-07.flac", "Actor_07/03-01-03-01-02-02-07.flac"]
    few = table.filter(pl.col("media").str.starts_with("Actor_07") | pl.col("media").str.starts_with("Actor_08"))
    part = pl.when(pl.col("media").str.contains("-02-07")).then(pl.lit("test")).otherwise(pl.lit("train"))
    few = replace(few, frame=few.frame.with_columns(part.alias("partition")))
    contents = content_of(few)
    found = audit(few, contents=contents)
    exact = found["no content in two sets"]
    assert exact.status == "failed"
    assert len(exact.items) == 2
    media = few.frame.filter(pl.col("item").is_in(list(exact.items)))["media"].sort().to_list()
    assert media == pair
    assert "1 pair of items" in exact.reason
    together = replace(few, frame=few.frame.with_columns(partition=pl.lit("train")))
    within = audit(together, contents=contents)["no content in two sets"]
    assert within.status == "passed"
    assert "1 item of content that another item of the set holds" in within.reason


def test_three_million_rows_take_less_than_a_minute() -> None:
    draw, number, people = rng(0, "three million rows"), 3_000_000, 600
    subject = np.sort(draw.integers(0, people, number))
    units = tuple(f"AU{unit}" for unit in range(1, 13))
    codes = {
        "age": draw.integers(1, 7, people),
        "race": draw.integers(0, 4, people),
        "gender": draw.integers(0, 2, people),
    }
    frame = pl.DataFrame(
        {
            "item": pl.Series(np.arange(number)).cast(pl.String).str.zfill(8),
            "subject": pl.Series(subject).cast(pl.String),
            "partition": pl.Series(draw.choice([0, 1, 2], people, p=[0.55, 0.15, 0.3])[subject]).cast(pl.String),
            **{name: pl.Series(values[subject]).cast(pl.String) for name, values in codes.items()},
            **{unit: pl.Series(draw.integers(-1, 2, number).astype(np.int8)) for unit in units},
        }
    )
    table = make_table(frame, targets=[Target("au", UnitScheme("twelve", units))], groups=tuple(codes))
    begin = time.process_time()
    found = audit(table)
    assert time.process_time() - begin < 60
    assert found.units == {"subjects": people}
    assert found.joint["items"].sum() == int((frame.select(units).to_numpy() == 1).sum())
