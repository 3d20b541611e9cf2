"""Ratings from the three forms in which they are kept, and what is refused."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import RatingColumns, read_csv, read_ratings
from affectcheck.annotations.gold_file import write_gold
from affectcheck.annotations.mean_rating import gold_by_mean
from affectcheck.annotations.raters import Gold
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, DimensionScheme, UnitScheme, scheme

if TYPE_CHECKING:
    from pathlib import Path

LONG = {
    "item": ["a", "a", "b", "b", "c"],
    "rater": ["r1", "r2", "r2", "r1", "r1"],
    "label": ["sad", "joy", "sad", "sad", "Joy "],
}
WIDE = {"item": ["a", "b", "c"], "r1": ["sad", "sad", "joy"], "r2": ["joy", "sad", ""]}
COUNTS = {"item": ["a", "b", "c"], "joy": [1, 0, 1], "sad": [1, 2, 0]}
AFFECT = {
    "item": ["a", "a", "b"],
    "rater": ["r1", "r2", "r1"],
    "valence": ["0.5", "", "-1"],
    "arousal": ["0.1", "0.2", "0.3"],
}


class TestForms:
    def test_the_three_forms_hold_the_same_votes(self):
        long = read_ratings(LONG)
        wide = read_ratings(WIDE, RatingColumns(raters=("r1", "r2")))
        counts = read_ratings(COUNTS, RatingColumns(counts=("joy", "sad")))
        for found in (long, wide, counts):
            assert found.parts == ("joy", "sad")
            assert found.votes.tolist() == [[1, 1], [0, 2], [1, 0]]
            assert found.items.to_list() == ["a", "b", "c"]
            assert found.numbers.tolist() == [2, 2, 1]
        assert long.raters == wide.raters == ("r1", "r2")
        assert long.digest == wide.digest
        assert not counts.named
        assert (counts.rater == -1).all()
        assert any("not known" in note for note in counts.notes)
        assert any("what occurs" in note for note in long.notes)
        assert not any("what occurs" in note for note in counts.notes)

    def test_dimensions_in_the_long_form(self):
        found = read_ratings(AFFECT, RatingColumns(dimensions={"V": "valence", "A": "arousal"}))
        assert found.parts == ("V", "A")
        np.testing.assert_array_equal(found.values, [[0.5, 0.1], [np.nan, 0.2], [-1.0, 0.3]])
        assert isinstance(found.target.scheme, DimensionScheme)
        assert (found.target.scheme.low, found.target.scheme.high) == (-1.0, 0.5)
        assert found.dimension(0).values.tolist() == [0.5, -1.0]
        assert found.dimension(1).item.tolist() == [0, 0, 1]

    def test_one_dimension_in_the_wide_form(self):
        found = read_ratings(
            {"item": ["a", "b"], "r1": [0.5, None], "r2": [0.25, 1.0]},
            RatingColumns(raters=("r1", "r2"), dimensions=("valence",)),
        )
        assert found.values.tolist() == [[0.5], [0.25], [1.0]]
        assert found.rater.tolist() == [0, 1, 1]

    def test_dimensions_of_a_declared_scheme_need_no_names(self):
        found = read_ratings(AFFECT, RatingColumns(labels=scheme("valence-arousal")))
        assert found.parts == ("valence", "arousal")
        assert found.target.scheme.low == -1.0

    def test_a_constant_dimension_has_some_range(self):
        found = read_ratings({"item": ["a"], "v": [2.0]}, RatingColumns(dimensions=("v",)))
        assert (found.target.scheme.low, found.target.scheme.high) == (2.0, 3.0)

    def test_raters_may_be_unnamed_in_the_long_form(self):
        found = read_ratings({"item": ["a", "a"], "label": ["sad", "sad"]})
        assert found.votes.tolist() == [[2]]
        assert not found.named

    def test_empty_cells_are_no_rating_and_are_counted(self):
        found = read_ratings({"item": ["a", "b"], "rater": ["r", "r"], "label": ["sad", " "]})
        assert found.notes[-2:] == ("1 row without a rating", "1 item without a rating")
        assert found.height == 2

    def test_declared_labels_aliases_and_codes(self):
        declared = CategoryScheme("two", ("joy", "sad"), aliases={"happy": "joy"}, codes={0: "joy", 1: "sad"})
        found = read_ratings({"item": ["a", "b"], "label": ["Happy", "1"]}, RatingColumns(labels=declared))
        assert found.values.tolist() == [0, 1]
        assert not any("what occurs" in note for note in found.notes)
        assert read_ratings(LONG, RatingColumns(labels=("sad", "joy"))).parts == ("sad", "joy")

    @pytest.mark.parametrize("labels", [None, ("sad", "happy")])
    def test_a_stated_mapping_renames_and_leaves_out(self, labels):
        table = {"item": ["a", "b", "c"], "label": ["joy", "none", "sad"]}
        found = read_ratings(table, RatingColumns(mapping="joy=happy,none=", labels=labels))
        assert set(found.parts) == {"sad", "happy"}
        assert [found.parts[code] for code in found.values] == ["happy", "sad"]
        assert "1 rating of labels that the mapping leaves out" in found.notes

    def test_a_mapping_of_one_declared_label_onto_another(self):
        found = read_ratings(LONG, RatingColumns(mapping="joy=sad", labels=("sad", "joy")))
        assert found.votes.tolist() == [[2, 0], [2, 0], [1, 0]]
        counted = read_ratings(COUNTS, RatingColumns(counts={"joy": "joy", "sad": "sad"}, mapping="joy="))
        three = read_ratings(
            COUNTS, RatingColumns(counts=("joy", "sad"), labels=("joy", "sad", "calm"), mapping="joy=")
        )
        assert "no column of votes for calm: as if nobody had voted so" in three.notes
        assert not any("no column" in note for note in counted.notes)
        assert counted.votes.tolist() == [[1], [2], [0]]
        assert "2 ratings of labels that the mapping leaves out" in counted.notes

    def test_subjects(self):
        found = read_ratings(LONG | {"subject": ["s1", "s1", "s2", "s2", None]})
        assert found.subjects is not None
        assert found.subjects.to_list() == ["s1", "s2", None]
        counted = read_ratings(COUNTS | {"who": ["x", "x", "y"]}, RatingColumns(counts=("joy", "sad"), subject="who"))
        assert counted.subjects is not None
        assert counted.subjects.to_list() == ["x", "x", "y"]

    def test_items_of_another_table(self):
        found = read_ratings(LONG).of_items(pl.Series(["b", "x", "a"]))
        assert found.votes.tolist() == [[0, 2], [0, 0], [1, 1]]
        empty = read_ratings(LONG).select(np.zeros(5, bool)).of_items(pl.Series([], dtype=pl.String))
        assert empty.height == 0


@pytest.mark.parametrize(
    ("table", "columns", "message"),
    [
        ({"item": []}, {}, "no ratings"),
        ({"id": ["a"], "label": ["sad"]}, {}, "unknown column of item keys 'item'"),
        ({"item": ["a"], "labels": ["sad"]}, {}, "no column 'label'"),
        ({"item": ["a", None], "label": ["sad", "sad"]}, {}, "no item in row 2"),
        ({"item": ["a"], "rater": [None], "label": ["sad"]}, {}, "no rater in row 1"),
        ({"item": ["a", "a"], "rater": ["r", "r"], "label": ["sad", "joy"]}, {}, "more than once"),
        ({"item": ["a"], "label": [""]}, {}, "no rating is left"),
        (LONG, {"labels": ("sad", "calm")}, "no label of the scheme"),
        (LONG, {"labels": scheme("valence-arousal")}, "unknown column 'valence'"),
        (LONG, {"labels": UnitScheme("au", ("AU1",))}, "scheme of categories"),
        (LONG, {"rater": "who"}, "unknown column 'who'"),
        (WIDE, {"raters": ("r1", "r3")}, "unknown column 'r3'"),
        (WIDE, {"raters": ("r1",), "counts": ("r2",)}, "one of the two forms"),
        (WIDE, {"raters": ("r1", "r2"), "dimensions": ("v", "a")}, "2 dimensions"),
        (WIDE, {"raters": ("r1", "r2"), "dimensions": ("v",)}, "no numbers"),
        (COUNTS, {"counts": ("joy", "calm")}, "unknown column 'calm'"),
        (COUNTS, {"counts": ("joy",), "dimensions": ("v",)}, "counts of dimensions"),
        (COUNTS | {"joy": [1, -1, 0]}, {"counts": ("joy", "sad")}, r"'-1' \(row 2\)"),
        (COUNTS | {"joy": [1, None, 0]}, {"counts": ("joy", "sad")}, "no number of votes"),
        (COUNTS | {"joy": [1, 10**11, 0]}, {"counts": ("joy", "sad")}, "most of them in column 'joy'"),
        (WIDE | {"r1": [0.1, math.inf, 0.2]}, {"raters": ("r1",), "dimensions": ("v",)}, "'r1' has inf in row 2"),
        (COUNTS | {"item": ["a", "a", "b"]}, {"counts": ("joy", "sad")}, "more than once"),
        (AFFECT | {"valence": ["inf", "1", "0"]}, {"dimensions": ("valence",)}, "no numbers"),
        (AFFECT | {"valence": [1.0, float("inf"), 0.0]}, {"dimensions": ("valence",)}, "has inf in row 2"),
        (AFFECT | {"valence": ["3", "1", "0"]}, {"labels": scheme("valence-arousal")}, r"outside \[-1, 1\], such as 3"),
        (AFFECT, {"dimensions": ("valence",), "labels": CategoryScheme("c", ("x",))}, "scheme of dimensions"),
        (AFFECT, {"dimensions": {"pleasure": "valence"}, "labels": scheme("valence-arousal")}, "dimension of valence"),
        (LONG | {"subject": ["s", "t", "s", "s", "s"]}, {}, "item 'a' has the subjects 's', 't'"),
        (LONG | {"item": [" a", "a", "b", "b", "c"]}, {}, r"item keys with surrounding blanks:\n  ' a' \(row 1\)"),
        (LONG | {"rater": ["r1", "r2 ", "r1", "r2", "r1"]}, {}, r"raters with surrounding blanks:\n  'r2 ' \(row 2\)"),
    ],
)
def test_what_is_no_table_of_ratings(table: dict, columns: dict, message: str):
    with pytest.raises(InputError, match=message):
        read_ratings(table, RatingColumns(**columns), where="votes.csv")


class TestMeans:
    def ratings(self):
        return read_ratings(AFFECT, RatingColumns(dimensions=("valence", "arousal")))

    def test_of_all_raters(self):
        gold = gold_by_mean(self.ratings())
        assert gold.frame["valence"].to_list() == [0.5, -1.0]
        assert gold.frame["arousal"].round(9).to_list() == [0.15, 0.3]
        assert gold.frame["ratings"].to_list() == [2, 1]
        assert gold.notes == ()

    def test_weights_and_what_has_none(self):
        gold = gold_by_mean(self.ratings(), np.array([[0.0, 1.0], [5.0, 3.0]]))
        assert gold.frame["valence"].to_list() == [None, None]
        assert gold.frame["arousal"].round(9).to_list() == [0.175, 0.3]
        assert gold.notes == ("2 items whose raters all have the weight 0: no label",)

    def test_what_nobody_rates(self):
        table = {"item": ["a", "b"], "v": ["", "1"], "w": ["1", "1"]}
        gold = gold_by_mean(read_ratings(table, RatingColumns(dimensions=("v", "w"))))
        assert (gold.unvoted, gold.frame["v"].to_list()) == (1, [None, 1.0])

    def test_equal_ratings_keep_their_value_to_the_last_digit(self):
        table = {"item": ["a"] * 3, "rater": ["1", "2", "3"], "v": [0.1, 0.1, 0.1]}
        ratings = read_ratings(table, RatingColumns(dimensions=("v",)))
        assert gold_by_mean(ratings, np.array([[0.3], [0.2], [0.7]])).frame["v"].to_list() == [0.1]

    def test_refused(self):
        with pytest.raises(InputError, match="mean of classes"):
            gold_by_mean(read_ratings(LONG))
        unnamed = read_ratings({"item": ["a"], "v": [1.0]}, RatingColumns(dimensions=("v",)))
        with pytest.raises(InputError, match="without names"):
            gold_by_mean(unnamed, np.ones((1, 1)))


@pytest.mark.parametrize("name", ["gold.csv", "gold.parquet"])
def test_a_gold_standard_as_a_file(tmp_path: Path, name: str):
    frame = pl.DataFrame({"item": ["a", "b"], "mood": ["sad", None]})
    write_gold(Gold(frame), tmp_path / name)
    read = read_csv if name.endswith("csv") else pl.read_parquet
    assert read(tmp_path / name).rows() == frame.rows()
    with pytest.raises(InputError, match=r"'\.txt'"):
        write_gold(Gold(frame), tmp_path / "gold.txt")


def test_votes_of_dimensions_are_refused():
    with pytest.raises(InputError, match="votes for values"):
        _ = read_ratings(AFFECT, RatingColumns(dimensions=("valence",))).votes


def test_an_unknown_label_is_suggested():
    with pytest.raises(UnknownNameError, match="did you mean 'sad'"):
        read_ratings({"item": ["a"], "label": ["sadd"]}, RatingColumns(labels=("sad", "joy")))


def test_the_digest_is_that_of_the_ratings_not_of_the_order_of_rows():
    shuffled = {name: [cells[i] for i in (4, 1, 3, 2, 0)] for name, cells in LONG.items()}
    declared = RatingColumns(labels=("joy", "sad"))
    assert read_ratings(shuffled, declared).digest == read_ratings(LONG, declared).digest
    assert read_ratings(LONG).digest != read_ratings(LONG | {"label": ["sad", "joy", "joy", "sad", "joy"]}).digest
    dimensions = read_ratings(AFFECT, RatingColumns(dimensions=("valence", "arousal")))
    assert dimensions.digest == read_ratings(AFFECT, RatingColumns(dimensions=("valence", "arousal"))).digest
