"""Views of an evaluation, and its tables."""

from __future__ import annotations

import numpy as np
import pytest
from affect_tables import affect, labelled, predicted, predicted_affect

from affectcheck import seeds
from affectcheck.errors import UnknownNameError
from affectcheck.evaluation import Evaluation, EvaluationOptions, evaluate
from affectcheck.records import RunRecord, decode_run, encode_run, parse_strict_json, strict_json
from affectcheck.records.run import Header

OPTIONS = EvaluationOptions(by=("sex", "sex*age"), resamples=30, minimum_support=2)


@pytest.fixture(scope="module")
def found() -> Evaluation:
    truth = labelled(["anger", "neutral", "sadness"] * 8, sex=["f", "m"] * 12, age=(["old"] * 3 + ["young"] * 3) * 4)
    return evaluate(truth, predicted(["anger", "neutral", "anger"] * 8), options=OPTIONS)


def test_views_name_what_there_is(found: Evaluation) -> None:
    assert "uar" in found.groups("sex")
    assert len(found.by("sex")) == len(list(found.by("sex")))
    for call in (
        lambda: found["uaar"],
        lambda: found.by("race"),
        lambda: found.groups("race"),
        lambda: found.by("sex")["uar"],
        lambda: found.groups("sex")["eop"],
        lambda: found.parts("uar"),
        lambda: found.parts("recall", attribute="sex", group="x"),
    ):
        with pytest.raises(UnknownNameError):
            call()
    assert set(found.groups("sex*age")["uar"]) == {"f*old", "f*young", "m*old", "m*young"}


def test_the_confusion_table_adds_up(found: Evaluation) -> None:
    table = found.tables["confusion"]
    assert table["columns"] == ["truth", "prediction", "count", "attribute", "group"]
    totals: dict[tuple[str, str], int] = {}
    for _, _, count, attribute, group in table["rows"]:
        totals[attribute, group] = totals.get((attribute, group), 0) + count
    assert totals["", ""] == 24
    assert totals["sex", "f"] + totals["sex", "m"] == 24
    assert sum(n for (attribute, _), n in totals.items() if attribute == "sex*age") == 24


def test_everything_survives_strict_json(found: Evaluation) -> None:
    record = RunRecord(Header(), scores=found.scores, faults=found.faults, tables=found.tables)
    again = decode_run(parse_strict_json(strict_json(encode_run(record))))
    assert again.scores == found.scores
    assert again.tables == found.tables


def test_the_scatter_is_a_seeded_sample_with_groups() -> None:
    random = seeds.rng(0, "points")
    truth = random.random((3000, 2))
    truth[0, 1] = np.nan
    table = affect(truth, sex=["f", None, "m"] * 1000)
    options = EvaluationOptions(by=("sex",), metrics=("mae",), resamples=0)
    first, again = (
        evaluate(table, predicted_affect(np.full((3000, 2), 0.5)), options=options).tables["scatter"] for _ in range(2)
    )
    assert first == again
    assert first["columns"] == ["dimension", "truth", "prediction", "sex"]
    assert len(first["rows"]) in (1999, 2000)
    assert {row[3] for row in first["rows"]} == {"f", "m", "missing"}
