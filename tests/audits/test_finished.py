"""Predicted classes of a file: one that a model never predicts is a wrong answer, not a class that it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.audits import AuditOptions, audit
from affectcheck.audits.finished import with_annotated_classes
from affectcheck.models import load_model
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from pathlib import Path

TARGET = Target("emotion", scheme("expressions-7"))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    truth = ["anger", "happiness", "sadness", "neutral"] * 30
    keys = [f"i{row:03d}" for row in range(len(truth))]
    pl.DataFrame({"item": keys, "emotion": truth}).write_csv(tmp_path / "truth.csv")
    said = ["neutral" if one == "sadness" else one for one in truth]
    pl.DataFrame({"item": keys, "prediction": said}).write_csv(tmp_path / "said.csv")
    return tmp_path


def test_items_of_a_class_that_is_never_predicted_count(files: Path) -> None:
    data = f"table:{files / 'truth.csv'}?targets=emotion=expressions-7"
    tests = ("correctness-classification",)
    asked = AuditOptions(
        data, f"table:{files / 'said.csv'}", suites=tests, partition="none", workers=1, cache=files / "cache"
    )
    for mode in ("corrected", "published"):
        found = audit(AuditOptions(**(vars(asked) | {"mode": mode})), scored=False).record.verdicts
        uar = next(one for one in found if one.metric == "uar")
        assert (uar.value, uar.support) == (0.75, 120)
        assert [one.value for one in found if one.metric == "recall" and one.place.part == "sadness"] == [0.0]


def test_classes_that_are_stated_or_scored_are_all_there_are(files: Path) -> None:
    table = make_table(pl.read_csv(files / "truth.csv"), targets=[TARGET])
    for spec, parts in (
        ("said.csv", ("anger", "happiness", "neutral", "sadness")),
        ("said.csv?labels=anger,happiness,neutral", ("anger", "happiness", "neutral")),
    ):
        model = load_model(f"table:{files / spec}")
        found = with_annotated_classes(model, f"table:{files / spec}", table, TARGET)
        assert found.card.parts == parts
    scored = pl.DataFrame({"item": ["i000"], "prediction": ["anger"], "score_anger": [1.0], "score_fear": [0.0]})
    scored.write_csv(files / "scored.csv")
    model = load_model(str(files / "scored.csv"))
    assert with_annotated_classes(model, str(files / "scored.csv"), table, TARGET) is model
    values = Target("affect", scheme("affect-3"))
    assert with_annotated_classes(model, str(files / "scored.csv"), table, values) is model
    random = load_model("random-categorical?labels=anger,fear")
    assert with_annotated_classes(random, "random-categorical", table, TARGET) is random


def test_other_spellings_are_not_added_again(files: Path) -> None:
    table = make_table(pl.read_csv(files / "truth.csv"), targets=[TARGET])
    pl.DataFrame({"item": ["i000", "i001"], "prediction": ["Angry", "happy"]}).write_csv(files / "words.csv")
    spec = f"table:{files / 'words.csv'}"
    assert with_annotated_classes(load_model(spec), spec, table, TARGET).card.parts == (
        "Angry",
        "happy",
        "neutral",
        "sadness",
    )
