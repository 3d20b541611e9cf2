"""A table tallied by cell in one pass gives what its rows give one attribute at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from streams import AFFECT, PREDICTED_UNITS, TRUTH_UNITS, UNITS, affect, coded_units, labelled, write

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation import EvaluationOptions, ScoredColumns, Tallied, evaluate_frames, tally_frame
from affectcheck.evaluation import batches as batches_module
from affectcheck.metrics import METRICS
from affectcheck.schemes import CategoryScheme, scheme
from affectcheck.tallies import Confusion, Histogram, Moments, Units

if TYPE_CHECKING:
    from pathlib import Path

BY = ("sex", "age", "sex*age")
LABELS = ("anger", "fear", "joy")


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches_module, "BATCH", 97)


def tallied(frame: object, **more: object) -> Tallied:
    return tally_frame(frame, truth="truth", prediction="prediction", scheme=LABELS, by=BY, clusters="subject", **more)


def test_every_group_has_the_scores_of_its_rows() -> None:
    frame = labelled(600)
    found = tallied(frame)
    memory = evaluate_frames(
        frame, columns=ScoredColumns(labels=LABELS), options=EvaluationOptions(by=BY, resamples=0, minimum_support=0)
    )
    assert METRICS.get("uar").compute(found.pooled(Confusion)) == memory["uar"].value
    for name in BY:
        assert found.attributes[name].groups == memory.attributes[name]
        assert dict(found.attributes[name].excluded) == memory.counts["excluded"][name]
        values = METRICS.get("uar").compute(found.pooled(Confusion, name))
        assert values.tolist() == [one.value for one in memory.groups(name)["uar"].values()]
        assert METRICS.get("eop").compute(found.pooled(Confusion, name)) == memory.by(name)["eop"].value
    assert found.height == 600
    assert str(found.clusters) == memory["uar"].signature.clusters


def test_units_and_dimensions_too() -> None:
    frame = coded_units(600)
    found = tally_frame(frame, truth=TRUTH_UNITS, prediction=PREDICTED_UNITS, scheme=UNITS, by=BY)
    columns = ScoredColumns(TRUTH_UNITS, PREDICTED_UNITS, labels=UNITS)
    memory = evaluate_frames(frame, columns=columns, options=EvaluationOptions(by=BY, resamples=0, minimum_support=0))
    for name in BY:
        for metric in ("unit_local_f1", "eod", "dpd"):
            value = METRICS.get(metric).compute(found.pooled(Units, name))
            assert value == pytest.approx(memory.by(name)[metric].value, abs=1e-15)
    assert found.height == memory.counts["scored"]
    frame = affect(600)
    names = list(AFFECT.dimensions)
    told = {"truth": names, "prediction": [f"p_{name}" for name in names], "scheme": AFFECT}
    found = tally_frame(frame, by=BY, clusters="subject", histogram=True, **told)
    columns = ScoredColumns({name: name for name in names}, {name: f"p_{name}" for name in names}, labels=AFFECT)
    memory = evaluate_frames(frame, columns=columns, options=EvaluationOptions(by=BY, resamples=0, minimum_support=0))
    assert METRICS.get("jsd").compute(found.pooled(Histogram)) == memory["jsd"].value
    for name in BY:
        value = METRICS.get("local_ccc").compute(found.pooled(Moments, name))
        assert value == pytest.approx(memory.by(name)["local_ccc"].value, abs=1e-12)
    assert found.by_cluster(Moments).shape == (12,)


def test_frames_files_and_folders_give_the_same(tmp_path: Path) -> None:
    frame = labelled(300)
    folder = write(frame, tmp_path / "data")
    whole = tallied(frame)
    sources = (frame.lazy(), folder, f"{folder}/*.parquet", pl.scan_parquet(folder / "*.parquet"))
    for source in sources:
        found = tallied(source)
        for attribute in (None, *BY):
            assert (found.pooled(Confusion, attribute).counts == whole.pooled(Confusion, attribute).counts).all()
            assert (
                found.by_cluster(Confusion, attribute).counts == whole.by_cluster(Confusion, attribute).counts
            ).all()


def test_a_lazy_frame_of_an_older_polars_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pl.LazyFrame, "collect_batches", raising=False)
    assert tallied(labelled(300).lazy()).height == 300


def test_labels_as_text_enumerations_numbers_and_codes() -> None:
    frame = labelled(300)
    whole = tallied(frame).pooled(Confusion).counts
    order = pl.Enum(["joy", "fear", "anger"])
    enumerated = frame.with_columns(pl.col("truth", "prediction").cast(order))
    assert (tallied(enumerated).pooled(Confusion).counts == whole).all()
    places = {label: place for place, label in enumerate(LABELS)}
    numbers = frame.with_columns(pl.col("truth", "prediction").replace_strict(places, return_dtype=pl.Int8))
    assert (tallied(numbers).pooled(Confusion).counts == whole).all()
    coded = CategoryScheme("coded", LABELS, codes={place + 1: label for place, label in enumerate(LABELS)})
    found = tally_frame(
        numbers.with_columns(pl.col("truth", "prediction") + 1), truth="truth", prediction="prediction", scheme=coded
    )
    assert (found.pooled(Confusion).counts == whole).all()


def test_items_without_a_label_are_not_counted() -> None:
    gone = pl.int_range(300) % 3 == 0
    frame = labelled(300).with_columns(truth=pl.when(~gone).then("truth"))
    found = tallied(frame)
    assert found.height == 200
    assert found.attributes["age"].counts.sum() == 200
    units = coded_units(300).with_columns(
        pl.when(~gone).then(pl.col(unit)).otherwise(-1).alias(unit) for unit in UNITS.units
    )
    counted = tally_frame(units, truth=TRUTH_UNITS, prediction=PREDICTED_UNITS, scheme=UNITS, by=["age"])
    known = (units.select(UNITS.units).to_numpy() >= 0).any(axis=1)
    assert counted.height == known.sum()


def test_flags_may_be_yes_and_no() -> None:
    frame = pl.DataFrame({"t": [True, False, None], "p": [True, True, False]})
    found = tally_frame(frame, truth="t", prediction="p", scheme=scheme("au-12-disfa").__class__("one", ("AU1",)))
    assert found.pooled(Units).counts.tolist() == [[[0, 1], [0, 1]]]
    assert found.pooled(Units).unknown.tolist() == [1]


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"truth": "label"}, UnknownNameError, "unknown column 'label'"),
        ({"by": ["race"]}, UnknownNameError, "unknown column 'race'"),
        ({"scheme": ("anger", "fear")}, UnknownNameError, "no label of the scheme"),
        ({"scheme": "joy"}, InputError, "single text 'joy' declares no classes"),
        ({"truth": ["truth"]}, InputError, "of classes"),
        ({"clusters": "sex"}, InputError, "without a value in the column of clusters 'sex'"),
    ],
)
def test_what_cannot_be_counted_is_refused(change: dict[str, object], kind: type[InputError], message: str) -> None:
    told = {"truth": "truth", "prediction": "prediction", "scheme": LABELS, "by": ["age"]} | change
    with pytest.raises(kind, match=message):
        tally_frame(labelled(30), **told)


def test_other_faults_of_cells() -> None:
    frame = labelled(300)
    with pytest.raises(InputError, match="1 row without a prediction in column 'prediction'"):
        tallied(frame.with_columns(prediction=pl.when(pl.int_range(300) != 7).then("prediction")))
    numbers = pl.DataFrame({"t": [0, 1, 5], "p": [0, 1, 1]})
    with pytest.raises(InputError, match="class code 5"):
        tally_frame(numbers, truth="t", prediction="p", scheme=LABELS)
    with pytest.raises(InputError, match="2 columns for 3 units"):
        tally_frame(coded_units(30), truth=["AU1", "AU2"], prediction=PREDICTED_UNITS, scheme=UNITS)
    with pytest.raises(InputError, match="no rows"):
        tally_frame(coded_units(0), truth=TRUTH_UNITS, prediction=PREDICTED_UNITS, scheme=UNITS)
    wrong = coded_units(300).with_columns(AU2=pl.when(pl.int_range(300) == 200).then(3).otherwise("AU2"))
    with pytest.raises(InputError, match="in the rows from 194 on: row 6"):
        tally_frame(wrong, truth=TRUTH_UNITS, prediction=PREDICTED_UNITS, scheme=UNITS)
    wild = affect(300).with_columns(p_valence=pl.when(pl.int_range(300) == 3).then(np.inf).otherwise("p_valence"))
    with pytest.raises(InputError, match="row 3"):
        tally_frame(wild, truth=["valence", "arousal"], prediction=["p_valence", "p_arousal"], scheme=AFFECT)


def test_what_was_not_counted_is_not_had() -> None:
    found = tally_frame(labelled(30), truth="truth", prediction="prediction", scheme=LABELS, by=["age"])
    for ask in (
        lambda: found.clusters,
        lambda: found.by_cluster(Confusion),
        lambda: found.pooled(Moments),
        lambda: found.item_blocks(Confusion),
    ):
        with pytest.raises(InputError):
            ask()
    with pytest.raises(UnknownNameError, match="counted attribute"):
        found.pooled(Confusion, "sex")
    assert found.whole
    assert found.lacks(Moments) == ""
