"""Frames and files of predictions: names, labels, kinds of score, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.models.card import ModelCard
from affectcheck.predictions import (
    PredictionColumns,
    PredictionTable,
    predictions_from_frame,
    read_predictions,
    write_predictions,
)
from affectcheck.schemes import CategoryScheme, DimensionScheme, StatedMapping, UnitScheme, scheme

if TYPE_CHECKING:
    from pathlib import Path

FOUR = scheme("expressions-4")


def read(frame: dict[str, list[object]], **told: object) -> PredictionTable:
    return predictions_from_frame(frame, columns=PredictionColumns(**told))  # type: ignore[arg-type]


class TestCategories:
    def test_labels_alone(self) -> None:
        made = read({"item": ["a", "b"], "prediction": ["sad", " Happy "]}, scheme=FOUR)
        assert made.frame.rows() == [("a", "sadness"), ("b", "happiness")]
        assert made.frame.schema["prediction"] == pl.Enum(FOUR.labels)
        assert made.card.output == "label"
        assert made.parts == FOUR.labels

    def test_scores_and_decisions(self) -> None:
        made = read({"file": ["a"], "prediction": ["angry"], "p_angry": [0.25], "p_sad": [0.75]}, scheme=FOUR)
        assert made.parts == ("anger", "sadness")
        assert made.frame.rows() == [("a", "anger", 0.25, 0.75)]
        assert made.card.output == "probability"

    def test_scores_alone_decide_by_the_largest(self) -> None:
        made = read({"item": ["a", "b"], "logit_x": [1.0, -3.0], "logit_y": [1.0, 2.0]})
        assert made.frame["prediction"].to_list() == ["x", "y"]
        assert made.card.output == "logit"
        assert made.parts == ("x", "y")

    def test_other_column_names(self) -> None:
        frame = {"clip": ["a"], "guess": ["sad"], "s.sad": [3.0], "s.happy": [2.0]}
        made = read(frame, item="clip", prediction="guess", scores="s.", scheme=FOUR, output="logit")
        assert made.frame.rows() == [("a", "sadness", 2.0, 3.0)]

    def test_text_cells_become_numbers(self) -> None:
        made = read({"item": ["a"], "p_x": ["1e-1"], "p_y": [" 0.9 "]})
        assert made.frame.rows() == [("a", "y", 0.1, 0.9)]

    def test_without_a_scheme_the_card_says_where_the_labels_come_from(self) -> None:
        made = read({"item": ["a", "b"], "prediction": ["sad", "angry"]})
        assert made.parts == ("angry", "sad")
        assert "since none was declared" in made.card.notes[0]

    def test_strangers_are_listed_with_rows_and_suggestions(self) -> None:
        labels = ["happy", "Angray", "sad", "Superise", "Angray"]
        with pytest.raises(UnknownNameError) as caught:
            read({"item": list("abcde"), "prediction": labels}, scheme=scheme("expressions-7"))
        message = str(caught.value)
        assert "'Angray' (rows 2, 5): did you mean 'anger'?" in message
        assert "'Superise' (row 4): did you mean 'surprise'?" in message

    def test_a_decision_that_no_score_column_has(self) -> None:
        with pytest.raises(UnknownNameError, match="'happiness'"):
            read({"item": ["a"], "prediction": ["happiness"], "p_sad": [0.5], "p_angry": [0.5]}, scheme=FOUR)

    def test_a_score_column_of_another_scheme(self) -> None:
        with pytest.raises(UnknownNameError, match="'calm'") as caught:
            read({"item": ["a"], "p_calm": [0.5], "p_sad": [0.5]}, scheme=FOUR)
        assert "state a mapping" in caught.value.cause

    def test_a_stated_mapping_merges_probabilities(self) -> None:
        mapping = StatedMapping.parse("calm=neutral")
        frame = {"item": ["a"], "prediction": ["calm"], "p_calm": [0.5], "p_neutral": [0.25], "p_sad": [0.25]}
        made = read(frame, scheme=FOUR, mapping=mapping)
        assert made.frame.rows() == [("a", "neutral", 0.75, 0.25)]
        with pytest.raises(InputError, match="mean one label: neutral"):
            read(frame, scheme=FOUR, mapping=mapping, output="score")

    def test_a_label_mapped_to_nothing_has_no_prediction(self) -> None:
        frame = {"item": ["a", "b", "c"], "prediction": ["calm", "sad", None]}
        made = read(frame, scheme=FOUR, mapping=StatedMapping.parse("calm="))
        assert made.items.to_list() == ["b"]
        assert [(f.item, f.kind) for f in made.faults] == [("a", "no prediction"), ("c", "no prediction")]

    def test_numeric_codes_need_a_table(self) -> None:
        frame = {"item": ["a", "b"], "prediction": ["0", "1"]}
        with pytest.raises(InputError, match="numeric class codes 0, 1 without a code table"):
            read(frame)
        with pytest.raises(UnknownNameError):
            read(frame, scheme=FOUR)
        made = read(frame, scheme=FOUR, mapping=StatedMapping.parse("0=neutral,1=anger"))
        assert made.frame["prediction"].to_list() == ["neutral", "anger"]
        coded = CategoryScheme("coded", ("x", "y"), codes={0: "y", 1: "x"})
        assert read({"item": ["a", "b"], "prediction": [0, 1]}, scheme=coded).frame["prediction"].to_list() == [
            "y",
            "x",
        ]
        assert read(frame, mapping=StatedMapping.parse("0=x,1=y")).parts == ("x", "y")


class TestScores:
    @pytest.mark.parametrize(
        ("row", "message"),
        [
            ([0.5, 0.4], "sum to 0.9"),
            ([2.0, -1.0], "outside 0 to 1"),
            (["0,5", "0.5"], "no finite number"),
            (["nan", "0.5"], "no finite number"),
            (["inf", "0.5"], "no finite number"),
            (["1_0", "0.5"], "no finite number"),
            ([None, 0.5], "empty cells in row 1"),
            ([float("nan"), 0.5], "no finite number"),
        ],
    )
    def test_what_is_no_probability_is_refused_with_its_rows(self, row: list[object], message: str) -> None:
        with pytest.raises(InputError, match=message) as caught:
            read({"item": ["a"], "p_x": [row[0]], "p_y": [row[1]]})
        assert "row 1" in str(caught.value)

    def test_six_decimals_still_sum_to_one(self) -> None:
        assert read({"item": ["a"], "p_x": [0.333333], "p_y": [0.333333], "p_z": [0.333333]}).height == 1

    def test_the_kind_is_declared_and_never_guessed(self) -> None:
        frame: dict[str, list[object]] = {"item": ["r1", "r2"], "AU1": [2.0, -1.0]}
        units = UnitScheme("u", ("AU1",))
        with pytest.raises(InputError, match="not 0 and 1 only"):
            read(frame, scheme=units)
        with pytest.raises(InputError, match="outside 0 to 1"):
            read(frame, scheme=units, output="probability")
        assert read(frame, scheme=units, output="logit").frame["AU1"].to_list() == [2.0, -1.0]


class TestDimensions:
    AFFECT = DimensionScheme("va", ("valence", "arousal"), -1.0, 1.0)

    def test_by_name_or_stated_column(self) -> None:
        frame: dict[str, list[object]] = {"item": ["a"], "v": ["0.5"], "arousal": ["-0.25"]}
        made = read(frame, scheme=self.AFFECT, parts={"valence": "v"})
        assert made.frame.rows() == [("a", 0.5, -0.25)]
        assert (made.card.low, made.card.high, made.card.output) == (-1.0, 1.0, "value")

    def test_an_empty_cell_is_an_item_without_prediction(self) -> None:
        made = read({"item": ["a", "b"], "valence": [0.5, None], "arousal": [0.5, 0.5]}, scheme=self.AFFECT)
        assert made.items.to_list() == ["a"]
        assert [fault.item for fault in made.faults] == ["b"]

    def test_a_missing_column_is_named(self) -> None:
        with pytest.raises(UnknownNameError, match="'arousal'"):
            read({"item": ["a"], "valence": [0.5]}, scheme=self.AFFECT)

    def test_without_a_scheme_there_is_no_telling(self) -> None:
        with pytest.raises(UnknownNameError, match="column of predictions"):
            read({"item": ["a"], "valence": [0.5]})


class TestKeys:
    def test_duplicates_are_listed_by_whether_they_agree(self) -> None:
        frame = {"item": ["u1", "u2", "u2", "u3", "u3"], "prediction": ["sad", "sad", "happy", "sad", "sad"]}
        with pytest.raises(InputError) as caught:
            read(frame, scheme=FOUR)
        assert "with conflicting values: 'u2'" in str(caught.value)
        assert "with identical values: 'u3'" in str(caught.value)

    def test_empty_keys_and_missing_columns(self) -> None:
        with pytest.raises(InputError, match="row 2"):
            read({"item": ["a", None], "prediction": ["sad", "sad"]})
        with pytest.raises(UnknownNameError, match="'clip'"):
            read({"item": ["a"], "prediction": ["sad"]}, item="clip")
        with pytest.raises(UnknownNameError, match="item keys"):
            read({"name": ["a"], "prediction": ["sad"]})
        with pytest.raises(UnknownNameError, match="'guess'"):
            read({"item": ["a"], "p_x": [0.5], "p_y": [0.5]}, prediction="guess")
        with pytest.raises(UnknownNameError, match="prefix"):
            read({"item": ["a"], "prediction": ["sad"]}, scores="s_")
        with pytest.raises(UnknownNameError, match="'prediction'"):
            read({"item": ["a"], "guess": ["sad"]}, scheme=FOUR)
        with pytest.raises(InputError, match="no predictions"):
            read({"item": [], "prediction": []})

    def test_segments_are_keyed_in_microseconds(self) -> None:
        frame = {
            "file": ["a.wav", "a.wav"],
            "start": ["0.30000000000000004", "2.0"],
            "end": ["1.0", "2.5224999"],
            "prediction": ["sad", "sad"],
        }
        made = read(frame, start="start", end="end", scheme=FOUR)
        assert made.items.to_list() == ["a.wav#300000-1000000", "a.wav#2000000-2522500"]


class TestFiles:
    def table(self) -> PredictionTable:
        return read({"item": ["a,1", "b"], "p_x": [1 / 3, 0.1], "p_y": [2 / 3, 0.9]})

    def test_csv_there_and_back(self, tmp_path: Path) -> None:
        made = self.table()
        write_predictions(made, tmp_path / "out" / "p.csv")
        again = read_predictions(tmp_path / "out" / "p.csv", columns=PredictionColumns(output="probability"))
        assert again.frame.equals(made.frame)
        assert again.card.name == "p"

    def test_parquet_carries_the_card(self, tmp_path: Path) -> None:
        made = self.table()
        card = ModelCard("m", "categories", ("x", "y"), "probability", digest="d", notes=("n",), parameters=3)
        whole = PredictionTable(made.frame, card, "corpus")
        write_predictions(whole, tmp_path / "p.parquet")
        again = read_predictions(tmp_path / "p.parquet")
        assert again.card == card
        assert again.data == "corpus"
        assert again.digest == whole.digest
        named = read_predictions(tmp_path / "p.parquet", columns=PredictionColumns(name="other"))
        assert named.card.name == "other"
        other = read_predictions(
            tmp_path / "p.parquet", columns=PredictionColumns(scheme=CategoryScheme("xyz", ("y", "x")))
        )
        assert other.parts == ("y", "x")

    @pytest.mark.parametrize("kind", ["dimensions", "units"])
    def test_parquet_of_other_kinds(self, kind: str, tmp_path: Path) -> None:
        card = ModelCard("m", kind, ("u", "v"), "value" if kind == "dimensions" else "label", low=-1.0, high=1.0)  # type: ignore[arg-type]
        whole = PredictionTable(pl.DataFrame({"item": ["a"], "u": [1.0], "v": [0.0]}), card)
        write_predictions(whole, tmp_path / "p.parquet")
        again = read_predictions(tmp_path / "p.parquet")
        assert again.card == card
        assert again.frame.equals(whole.frame)

    def test_a_foreign_parquet_file(self, tmp_path: Path) -> None:
        pl.DataFrame({"item": ["a"], "prediction": ["sad"]}).write_parquet(tmp_path / "p.parquet")
        assert read_predictions(tmp_path / "p.parquet", columns=PredictionColumns(scheme=FOUR)).height == 1

    def test_bad_files(self, tmp_path: Path) -> None:
        with pytest.raises(MissingPathError):
            read_predictions(tmp_path / "none.csv")
        (tmp_path / "bad.parquet").write_bytes(b"no parquet")
        with pytest.raises(InputError, match="not a Parquet file"):
            read_predictions(tmp_path / "bad.parquet")
        with pytest.raises(InputError, match=r"'\.xlsx'"):
            write_predictions(self.table(), tmp_path / "p.xlsx")

    def test_pandas_and_arrow_come_in_by_the_same_door(self) -> None:
        import pandas as pd

        frame = {"item": ["a"], "prediction": ["sad"]}
        expected = read(frame, scheme=FOUR).frame
        columns = PredictionColumns(scheme=FOUR)
        assert predictions_from_frame(pd.DataFrame(frame), columns=columns).frame.equals(expected)
        assert predictions_from_frame(pl.DataFrame(frame).to_arrow(), columns=columns).frame.equals(expected)

    def test_select_keeps_faults_of_the_kept(self) -> None:
        made = read({"item": ["a", "b", "c"], "prediction": ["sad", None, None]}, scheme=FOUR)
        kept = made.select(["a", "b"])
        assert kept.items.to_list() == ["a"]
        assert [fault.item for fault in kept.faults] == ["b"]


@pytest.mark.shared
@pytest.mark.parametrize(("name", "rows", "classes"), [("emodb", 231, 7), ("ravdess-speech", 240, 8)])
def test_predictions_of_a_real_classifier(name: str, rows: int, classes: int, shared_data: Path) -> None:
    path = shared_data / "data" / "baseline-predictions" / f"{name}.csv"
    made = read_predictions(path)
    assert (made.height, len(made.parts), made.card.output) == (rows, classes, "probability")
    decided = made.frame.select(pl.concat_list(pl.selectors.starts_with("score_")).list.arg_max()).to_series()
    assert [made.parts[code] for code in decided] == made.frame["prediction"].to_list()


class TestFileColumns:
    def test_an_error_names_the_column_and_row_of_the_file(self) -> None:
        frame = {"item": ["a", "b", "c"], "v": ["", "0.5", "nan"]}
        va = DimensionScheme("v", ("valence",))
        with pytest.raises(InputError, match=r"column 'v' .*\n  'nan' \(row 3\)"):
            predictions_from_frame(
                pl.DataFrame(frame).with_columns(pl.col("v").replace("", None)),
                columns=PredictionColumns(parts={"valence": "v"}, scheme=va),
            )

    def test_one_column_is_not_taken_twice(self) -> None:
        va = DimensionScheme("va", ("valence", "arousal"))
        with pytest.raises(InputError, match="'v' named for more than one"):
            read({"item": ["a"], "v": [0.1]}, parts={"valence": "v", "arousal": "v"}, scheme=va)

    @pytest.mark.parametrize("value", ["0.731", "-.5", "1e3", "NaN", "-inf"])
    def test_numbers_are_no_labels(self, value: str) -> None:
        with pytest.raises(InputError, match="where labels belong"):
            read({"item": ["a"], "prediction": [value]})

    def test_a_number_with_a_stated_meaning_is_a_label(self) -> None:
        made = read({"item": ["a"], "prediction": ["1.0"]}, mapping=StatedMapping({"1.0": "sad"}))
        assert made.frame["prediction"].to_list() == ["sad"]
