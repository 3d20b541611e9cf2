"""A folder that is read in batches gets the scores that its rows have in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from streams import (
    AFFECT_COLUMNS,
    PREDICTED_UNITS,
    TRUTH_UNITS,
    UNIT_COLUMNS,
    UNITS,
    affect,
    assert_same,
    both,
    coded_units,
    labelled,
    undigested,
    write,
)

from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.evaluation import (
    EvaluationOptions,
    ScoredColumns,
    duplicates,
    evaluate_frames,
    stream_plan,
    streamed_scores,
    streaming,
)
from affectcheck.evaluation import batches as batches_module
from affectcheck.evaluation.streaming import score_folder
from affectcheck.records import Undefined
from affectcheck.schemes import scheme

if TYPE_CHECKING:
    from pathlib import Path

FAST = EvaluationOptions(by=("sex", "age", "sex*age"), resamples=50)
NO_RESAMPLES = EvaluationOptions(by=("sex",), resamples=0)


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches_module, "BATCH", 97)


class TestSameAsInMemory:
    def test_classes(self, tmp_path: Path) -> None:
        assert_same(*both(labelled(900), tmp_path / "data", options=FAST))

    def test_declared_classes_that_are_spelt_otherwise_and_unknown_or_left_out(self, tmp_path: Path) -> None:
        frame = labelled(300).with_columns(
            pl.col("truth").replace({"joy": " Happy ", "fear": None}),
            pl.col("prediction").replace({"joy": "HAPPINESS"}),
        )
        columns = ScoredColumns(labels=scheme("expressions-7"), truth_labels="anger=", prediction_labels="anger=fear")
        assert_same(*both(frame, tmp_path / "data", columns, FAST))

    def test_a_stated_mapping(self, tmp_path: Path) -> None:
        options = EvaluationOptions(by=("age",), resamples=20, mapping="fear=anger")
        assert_same(*both(labelled(300), tmp_path / "joined", options=options))
        options = EvaluationOptions(by=("age",), resamples=20, mapping="fear=")
        assert_same(*both(labelled(300), tmp_path / "dropped", options=options))

    @pytest.mark.parametrize("rule", ["wrong", "leave out"])
    def test_missing_predictions(self, tmp_path: Path, rule: str) -> None:
        frame = labelled(300).with_columns(pl.col("prediction").replace({"fear": None}))
        options = EvaluationOptions(by=("age",), resamples=30, missing=rule)
        memory, streamed = both(frame, tmp_path / "data", ScoredColumns(labels=("anger", "fear", "joy")), options)
        assert_same(memory, streamed)
        assert {fault.item for fault in streamed.faults} == {fault.item for fault in memory.faults}

    def test_scores_behind_decisions(self, tmp_path: Path) -> None:
        random = np.random.default_rng(0)
        given = random.dirichlet(np.ones(3), 300)
        frame = labelled(300).drop("prediction")
        frame = frame.with_columns(
            pl.Series(f"p_{name}", given[:, i]) for i, name in enumerate(("anger", "fear", "joy"))
        )
        options = EvaluationOptions(metrics=("default", "top_2", "calibration"), by=("age",), resamples=20)
        assert_same(*both(frame, tmp_path / "data", options=options), tolerance=1e-12)

    def test_units(self, tmp_path: Path) -> None:
        assert_same(*both(coded_units(900), tmp_path / "data", UNIT_COLUMNS, FAST))

    def test_units_in_text_with_other_markers_and_some_rows_without_any(self, tmp_path: Path) -> None:
        frame = coded_units(300).with_columns(pl.col("AU1").cast(pl.String).replace({"-1": "999"}))
        blank = pl.int_range(frame.height) % 7 == 0
        frame = frame.with_columns(pl.when(~blank).then(pl.col(unit)).alias(unit) for unit in UNITS.units)
        assert_same(*both(frame, tmp_path / "data", UNIT_COLUMNS, FAST))

    def test_units_by_thresholds_of_probabilities(self, tmp_path: Path) -> None:
        random = np.random.default_rng(1)
        frame = coded_units(300)
        frame = frame.with_columns(pl.Series(name, random.random(300)) for name in PREDICTED_UNITS.values())
        columns = ScoredColumns(TRUTH_UNITS, labels=UNITS, scores="p_")
        options = EvaluationOptions(
            by=("age",),
            resamples=20,
            thresholds={"AU1": 0.3, "AU2": 0.5, "AU4": 0.9},
            metrics=("default", "unit_calibration"),
        )
        assert_same(*both(frame, tmp_path / "data", columns, options), tolerance=1e-12)

    def test_dimensions(self, tmp_path: Path) -> None:
        assert_same(*both(affect(900), tmp_path / "data", AFFECT_COLUMNS, FAST), tolerance=1e-11)

    def test_points_of_a_figure_are_those_that_memory_shows(self, tmp_path: Path) -> None:
        frame = affect(2500)
        memory, streamed = both(frame, tmp_path / "all", AFFECT_COLUMNS, NO_RESAMPLES)
        assert_same(memory, streamed, tolerance=1e-12)
        gone = pl.int_range(frame.height) % 5 == 0
        frame = frame.with_columns(pl.when(~gone).then(pl.col(name)).alias(name) for name in ("valence", "arousal"))
        assert_same(*both(frame, tmp_path / "some", AFFECT_COLUMNS, NO_RESAMPLES), tolerance=1e-12)

    def test_subjects_that_are_not_known_are_clusters_of_their_own(self, tmp_path: Path) -> None:
        frame = labelled(300).with_columns(pl.col("subject").replace({"s03": None, "s07": ""}))
        assert_same(*both(frame, tmp_path / "rows", options=FAST))
        keyed = frame.with_columns(item="i" + pl.int_range(frame.height, 0, -1).cast(pl.String))
        assert_same(*both(keyed, tmp_path / "keys", options=FAST))

    def test_media_stand_in_for_subjects(self, tmp_path: Path) -> None:
        frame = labelled(300).rename({"subject": "media"}).with_columns(subject=pl.lit(None, pl.String))
        assert_same(*both(frame, tmp_path / "data", options=FAST))

    def test_few_items_without_clusters_are_scored_in_memory(self, tmp_path: Path) -> None:
        memory, streamed = both(affect(200).drop("subject"), tmp_path / "data", AFFECT_COLUMNS, FAST)
        assert_same(memory, streamed)
        assert streamed["ccc"].signature == memory["ccc"].signature
        assert streamed.items.equals(memory.items)

    def test_many_items_without_clusters(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(streaming, "ITEMS_IN_MEMORY", 0)
        memory, streamed = both(labelled(600).drop("subject"), tmp_path / "data", options=FAST)
        for one, other in zip(memory, streamed, strict=True):
            assert (other.metric, other.place, other.support) == (one.metric, one.place, one.support)
            assert undigested(other) == undigested(one)
            if not isinstance(one, Undefined):
                assert other.value == one.value
                assert other.floor == one.floor
                if one.interval and not one.metric.endswith("_difference"):  # lots are dealt by row, not by key
                    assert other.interval == one.interval

    def test_shifts_of_groups(self, tmp_path: Path) -> None:
        options = EvaluationOptions(by=("sex", "age"), resamples=20, shifts="all")
        assert_same(*both(labelled(300), tmp_path / "data", options=options))

    @pytest.mark.parametrize("kind", ["classes", "units", "dimensions"])
    def test_every_metric_that_needs_no_ranks(self, tmp_path: Path, kind: str) -> None:
        frame, columns = {
            "classes": (labelled(300), None),
            "units": (coded_units(300), UNIT_COLUMNS),
            "dimensions": (affect(300), AFFECT_COLUMNS),
        }[kind]
        options = EvaluationOptions(metrics=("all",), by=("age",), resamples=0)
        memory, streamed = both(frame, tmp_path / "data", columns, options)
        found = {(one.metric, one.place, one.signature.convention): one for one in memory}
        counted = [one for one in streamed if not isinstance(one, Undefined)]
        assert len(counted) > 20
        for one in counted:
            other = found[one.metric, one.place, one.signature.convention]
            assert one.value == pytest.approx(other.value, rel=1e-12, abs=1e-12)
            assert undigested(one) == undigested(other)

    def test_common_labels(self, tmp_path: Path) -> None:
        frame = labelled(300).with_columns(pl.col("prediction").replace({"fear": "boredom"}))
        columns = ScoredColumns(labels=("anger", "fear", "joy"), model_labels=("anger", "joy", "boredom"))
        options = EvaluationOptions(by=("age",), resamples=20, labels_rule="intersection")
        assert_same(*both(frame, tmp_path / "data", columns, options))


class TestRefused:
    def refused(
        self, frame: pl.DataFrame, folder: Path, columns: ScoredColumns | None = None, **options: object
    ) -> str:
        with pytest.raises(InputError) as caught:
            score_folder(write(frame, folder), columns=columns, options=EvaluationOptions(resamples=0, **options))
        return str(caught.value)

    def test_a_label_that_is_none_is_told_with_its_file_and_row(self, tmp_path: Path) -> None:
        frame = labelled(300).with_row_index("n")
        frame = frame.with_columns(truth=pl.when(pl.col("n") == 199).then(pl.lit("fearr")).otherwise("truth")).drop("n")
        told = self.refused(frame, tmp_path / "data", ScoredColumns(labels=("anger", "fear", "joy")))
        assert "part-1.parquet" in told
        assert "'fearr' (row 100): did you mean 'fear'?" in told

    def test_a_value_out_of_range_and_one_that_is_no_number(self, tmp_path: Path) -> None:
        place = pl.int_range(600) == 350
        truth = affect(600).with_columns(valence=pl.when(place).then(1.5).otherwise("valence"))
        told = self.refused(truth, tmp_path / "truth", AFFECT_COLUMNS)
        assert "part-1.parquet" in told
        assert "'1.5' (row 151)" in told
        wild = affect(600).with_columns(p_valence=pl.when(place).then(float("nan")).otherwise("p_valence"))
        told = self.refused(wild, tmp_path / "wild", AFFECT_COLUMNS)
        assert "part-1.parquet" in told
        assert "(row 151)" in told

    def test_a_unit_that_is_neither_present_nor_absent(self, tmp_path: Path) -> None:
        place = pl.int_range(300) == 250
        frame = coded_units(300).with_columns(AU2=pl.when(place).then(pl.lit(3, pl.Int8)).otherwise("AU2"))
        told = self.refused(frame, tmp_path / "data", UNIT_COLUMNS)
        assert "part-2.parquet" in told
        assert "(row 51)" in told

    def test_a_row_without_a_prediction(self, tmp_path: Path) -> None:
        place = pl.int_range(300) == 120
        frame = labelled(300).with_columns(prediction=pl.when(~place).then("prediction"))
        told = self.refused(frame, tmp_path / "data")
        assert "part-1.parquet" in told
        assert "1 item without a prediction: row 21" in told

    def test_keys_that_occur_twice_in_different_files(self, tmp_path: Path) -> None:
        numbers = pl.int_range(300)
        frame = labelled(300).with_columns(
            item="i" + pl.when(numbers == 299).then(0).otherwise(numbers).cast(pl.String)
        )
        told = self.refused(frame, tmp_path / "data")
        assert "1 item in more than one row: 'i0'" in told
        assert "part-0.parquet row 1, part-2.parquet row 100" in told

    def test_keys_are_looked_through_a_share_at_a_time(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(duplicates, "KEYS_AT_ONCE", 50)
        keys = pl.Series([f"i{number}" for number in range(300)])
        frame = labelled(300).with_columns(file=keys)
        assert score_folder(write(frame, tmp_path / "data"), options=NO_RESAMPLES)["uar"].support == 300
        twice = frame.with_columns(file=pl.when(pl.int_range(300) == 250).then(pl.lit("i9")).otherwise("file"))
        assert "'i9'" in self.refused(twice, tmp_path / "twice")
        blank = frame.with_columns(file=pl.when(pl.int_range(300) == 250).then(pl.lit(" i9")).otherwise("file"))
        told = self.refused(blank, tmp_path / "blank")
        assert "part-2.parquet: item keys with surrounding blanks" in told
        assert "(row 51)" in told

    def test_values_in_the_place_of_labels(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stream_plan, "MOST_LABELS", 8)
        assert "more than 8 pairs of values" in self.refused(labelled(300), tmp_path / "data")
        told = ScoredColumns(truth={"valence": "valence"}, prediction={"valence": "p_valence"})
        assert "declared scheme" in self.refused(affect(30), tmp_path / "affect", told)

    def test_too_many_items_without_a_subject(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stream_plan, "MOST_OWN", 10)
        frame = labelled(300).with_columns(pl.col("subject").replace({"s03": None}))
        assert "without a subject, each of which is a cluster of its own" in self.refused(frame, tmp_path / "data")

    def test_a_file_that_was_cut_off(self, tmp_path: Path) -> None:
        folder = write(labelled(3000), tmp_path / "data")
        file = folder / "part-1.parquet"
        content = bytearray(file.read_bytes())
        described = int.from_bytes(content[-8:-4], "little") + 8
        content[4:-described] = bytes(len(content) - described - 4)  # the pages are gone, their description is there
        file.write_bytes(content)
        with pytest.raises(InputError, match=r"part-1\.parquet: the file cannot be read"):
            score_folder(folder, options=NO_RESAMPLES)

    def test_two_spellings_of_a_group(self, tmp_path: Path) -> None:
        place = pl.int_range(300) == 0
        frame = labelled(300).with_columns(sex=pl.when(place).then(pl.lit("Female")).otherwise("sex"))
        told = self.refused(frame, tmp_path / "data", by=("sex",))
        assert "'Female' (row 1)" in told

    def test_a_column_that_one_file_lacks(self, tmp_path: Path) -> None:
        folder = write(labelled(90), tmp_path / "data")
        labelled(30).drop("prediction").write_parquet(folder / "part-9.parquet")
        with pytest.raises(UnknownNameError, match=r"part-9.*unknown column 'prediction'"):
            score_folder(folder)

    def test_other_columns_that_are_not_there(self, tmp_path: Path) -> None:
        folder = write(labelled(90), tmp_path / "data")
        for columns, by in ((ScoredColumns(truth="label"), ()), (ScoredColumns(item="key"), ()), (None, ("race",))):
            with pytest.raises(UnknownNameError):
                score_folder(folder, columns=columns, options=EvaluationOptions(by=by))
        with pytest.raises(UnknownNameError, match="engine"):
            score_folder(folder, engine="dask")  # type: ignore[arg-type]

    def test_what_is_no_folder_of_parquet_files(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        for place in (tmp_path / "empty", tmp_path / "none", tmp_path / "*.parquet"):
            with pytest.raises(MissingPathError, match="folder of Parquet files"):
                score_folder(place)
        (tmp_path / "empty" / "a.parquet").write_text("no")
        with pytest.raises(InputError, match="not a Parquet file"):
            score_folder(tmp_path / "empty")
        labelled(0).write_parquet(tmp_path / "empty" / "a.parquet")
        with pytest.raises(InputError, match="no rows"):
            score_folder(tmp_path / "empty")

    def test_steps_and_rows_none_of_which_is_scored(self, tmp_path: Path) -> None:
        assert "single file" in self.refused(affect(30), tmp_path / "steps", AFFECT_COLUMNS, steps="smooth:mean,3")
        assert "against all items" in self.refused(labelled(30), tmp_path / "balanced", by=("sex",), shifts="balanced")
        frame = labelled(90).with_columns(truth=pl.lit(None, pl.String))
        told = self.refused(frame, tmp_path / "none", ScoredColumns(labels=("anger", "fear", "joy")))
        assert "no item is left to score" in told


class TestFolder:
    def test_patterns_and_single_files(self, tmp_path: Path) -> None:
        frame = labelled(300)
        folder = write(frame, tmp_path / "data")
        whole = score_folder(folder, options=NO_RESAMPLES)
        pattern = score_folder(f"{folder}/part-*.parquet", options=NO_RESAMPLES)
        assert [one.value for one in whole if not isinstance(one, Undefined)] == [
            one.value for one in pattern if not isinstance(one, Undefined)
        ]
        first = score_folder(folder / "part-0.parquet", options=NO_RESAMPLES)
        assert first["uar"].value == evaluate_frames(frame.head(100), options=NO_RESAMPLES)["uar"].value

    def test_the_digest_knows_rows_and_not_their_order_or_files(self, tmp_path: Path) -> None:
        frame = labelled(300)
        places = [write(frame, tmp_path / "a"), write(frame.reverse(), tmp_path / "b", files=2)]
        places.append(write(frame.with_columns(prediction=pl.lit("joy")), tmp_path / "c"))
        columns = ScoredColumns(labels=("anger", "fear", "joy"), name="same")
        same = {score_folder(p, columns=columns, options=NO_RESAMPLES)["uar"].signature.data for p in places}
        assert len(same) == 1
        other = frame.with_columns(truth=pl.when(pl.int_range(300) == 7).then(pl.lit("joy")).otherwise("truth"))
        place = write(other.sample(fraction=1.0, shuffle=True, seed=0), tmp_path / "d")
        assert score_folder(place, columns=columns, options=NO_RESAMPLES)["uar"].signature.data not in same

    def test_progress_reaches_the_number_of_rows(self, tmp_path: Path) -> None:
        seen: list[tuple[int, int]] = []
        score_folder(
            write(labelled(300), tmp_path / "data"), options=NO_RESAMPLES, progress=lambda *at: seen.append(at)
        )
        assert seen[-1] == (300, 300)
        assert len(seen) > 3

    def test_columns_of_other_types_from_file_to_file(self, tmp_path: Path) -> None:
        frame = labelled(300)
        folder = write(frame, tmp_path / "data")
        (frame.tail(100).with_columns(pl.col("age").cast(pl.String), pl.col("sex").cast(pl.Categorical))).write_parquet(
            folder / "part-2.parquet"
        )
        found = score_folder(folder, options=FAST)
        assert found.by("sex")["eop"].value == evaluate_frames(frame, options=FAST).by("sex")["eop"].value

    def test_scores_that_need_ranks_are_undefined(self, tmp_path: Path) -> None:
        options = EvaluationOptions(metrics=("spearman",), resamples=0)
        found = score_folder(write(affect(90), tmp_path / "data"), columns=AFFECT_COLUMNS, options=options)
        assert isinstance(found["spearman"], Undefined)
        assert "rank of every item" in found["spearman"].reason
        assert streamed_scores.ITEMS_IN_MEMORY == 200_000
