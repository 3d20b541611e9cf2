"""Gold labels by a rule, disagreements to decide, and decisions: what is taken, and what is named and refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.annotations import (
    RatingColumns,
    Settling,
    adjudicate,
    disagreements,
    merged,
    read_csv,
    read_ratings,
    settle,
    with_model,
)
from affectcheck.annotations.gold_file import write_labels
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

LABELS = ("joy", "sad", "none")
COUNTS = {
    "item": ["alike", "most", "tie", "one", "nobody", "empty"],
    "joy": [3, 2, 1, 1, 0, 0],
    "sad": [0, 1, 1, 0, 0, 0],
    "none": [0, 0, 0, 0, 2, 0],
}


def rated(**columns: object):
    return read_ratings(COUNTS, RatingColumns(counts=LABELS, target="mood", **columns))


def hows(settled) -> dict[str, str]:
    return dict(settled.frame.select("item", "how").iter_rows())


def labels(settled) -> dict[str, str | None]:
    return dict(settled.frame.select("item", "mood").iter_rows())


class TestRules:
    def test_a_majority_says_how_it_came(self):
        settled = settle(rated(), Settling(abstentions=("none",)))
        assert hows(settled) == {
            "alike": "unanimous",
            "most": "majority",
            "tie": "undecided: tie",
            "one": "single",
            "nobody": "undecided: raters name no class",
            "empty": "undecided: no votes",
        }
        assert labels(settled) == {
            "alike": "joy", "most": "joy", "tie": None, "one": "joy", "nobody": None, "empty": None
        }  # fmt: skip
        assert settled.frame["mood"].dtype == pl.Enum(["joy", "sad"])
        assert settled.frame["agreement"].to_list() == [1.0, 2 / 3, 0.5, 1.0, 1.0, None]
        assert settled.counts["undecided: tie"] == 1
        assert "1 item without a label: raters name no class" in settled.notes

    def test_agreed_judgments_alone_are_gold(self):
        settled = settle(rated(), Settling("unanimous"))
        assert hows(settled)["most"] == "undecided: not unanimous"
        assert hows(settled)["one"] == "undecided: one vote"
        assert labels(settled)["nobody"] == "none"

    def test_a_majority_may_have_to_be_a_large_one(self):
        assert hows(settle(rated(), Settling(minimum_share=0.7)))["most"] == "undecided: low agreement"

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"rule": "plurality"}, "plurality"),
            ({"minimum_share": 2.0}, "minimum share"),
            ({"abstentions": ("nun",)}, "unknown label of observed 'nun'"),
            ({"abstentions": LABELS}, "every label"),
        ],
    )
    def test_what_is_no_rule(self, options, message):
        with pytest.raises(InputError, match=message):
            settle(rated(), Settling(**options))

    def test_values_have_a_mean(self):
        ratings = read_ratings({"item": ["a"], "v": [1.0]}, RatingColumns(dimensions=("v",)))
        with pytest.raises(InputError, match="mean or ewe"):
            settle(ratings)

    @given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=20))
    def test_every_label_has_most_votes_and_unanimous_ones_all(self, counts):
        frame = pl.DataFrame(counts, schema=["joy", "sad", "none"], orient="row").with_row_index("item")
        if not sum(map(sum, counts)):
            return
        ratings = read_ratings(frame, RatingColumns(counts=LABELS))
        for row, label, how in settle(ratings).frame.select(pl.struct("votes"), "expression", "how").iter_rows():
            assert (label is None) == how.startswith("undecided")
            assert row["votes"] or label is None
        strict = settle(ratings, Settling("unanimous")).frame
        both = settle(ratings).frame.filter(pl.col("how") == "unanimous")
        assert strict.filter(pl.col("expression").is_not_null())["item"].to_list() == both["item"].to_list()


class TestDisagreements:
    def test_what_is_to_be_decided(self):
        listed = disagreements([settle(rated(), Settling("unanimous"))])
        assert listed["item"].to_list() == ["most", "tie", "one"]
        assert listed["votes"].to_list() == ["joy 2, sad 1", "joy 1, sad 1", "joy 1"]
        assert listed["reason"].to_list() == ["not unanimous", "tie", "one vote"]
        assert listed["raters"].null_count() == listed["decision"].null_count() == 3
        assert set(listed["attribute"]) == {"mood"}

    def test_named_raters_are_named(self):
        rows = [("a", f"r{k:02d}", "sad" if k % 2 else "joy") for k in range(24)]
        ratings = read_ratings(pl.DataFrame(rows, schema=["item", "rater", "label"], orient="row"))
        told = disagreements([settle(ratings)])["raters"][0]
        assert told.startswith("r00 joy, r01 sad, ")
        assert told.endswith(" and 4 more")


class TestDecisions:
    settled = settle(rated(), Settling(abstentions=("none",)))

    def test_decisions_enter(self):
        given_ = {"item": ["tie", "empty", "alike", "most"], "decision": [" SAD ", None, "joy", "sad"]}
        done = adjudicate(self.settled, given_)
        assert labels(done) | {"tie": "sad", "most": "sad"} == labels(done)
        assert hows(done)["tie"] == hows(done)["most"] == "adjudicated"
        assert hows(done)["alike"] == "unanimous"
        assert done.notes[:3] == ("2 labels by decision", "1 decision against a majority", "1 row without a decision")

    def test_a_decision_may_be_that_there_is_no_class(self):
        done = adjudicate(self.settled, {"file": ["tie"], "decision": ["none"]})
        assert labels(done)["tie"] is None
        assert hows(done)["tie"] == "adjudicated"

    def test_the_filled_in_list_is_what_is_read(self, tmp_path: Path):
        listed = disagreements([self.settled]).with_columns(decision=pl.lit("joy"))
        other = listed.with_columns(attribute=pl.lit("race"), decision=pl.lit("elsewhere"))
        pl.concat([other, listed]).write_csv(tmp_path / "d.csv")
        assert labels(adjudicate(self.settled, read_csv(tmp_path / "d.csv")))["tie"] == "joy"

    @pytest.mark.parametrize(
        ("decisions", "message"),
        [
            ({"item": ["tie"]}, "unknown column of decisions 'decision'"),
            ({"id": ["tie"], "decision": ["joy"]}, "unknown column of decisions 'item'"),
            ({"item": ["tye"], "decision": ["joy"]}, "not rated: 'tye': did you mean 'tie'"),
            ({"item": ["tie"], "decision": ["happy"]}, r"no label of the scheme.*\n.*'happy' \(row 1\)"),
            ({"item": ["tie", "tie"], "decision": ["joy", "sad"]}, "other decisions for one item: 'tie'"),
            (
                {"item": ["most", "alike"], "decision": ["joy", "sad"]},
                r"alike: decided sad, all 3 raters say joy.*row 2",
            ),
            ({"item": ["nobody"], "decision": ["joy"]}, "all 2 raters say none"),
            ({"item": [None], "decision": ["joy"]}, "without an item in row 1"),
        ],
    )
    def test_a_slip_is_named(self, decisions, message):
        with pytest.raises((InputError, UnknownNameError), match=message):
            adjudicate(self.settled, decisions)

    def test_the_same_decision_twice_is_one(self):
        assert hows(adjudicate(self.settled, {"item": ["tie"] * 2, "decision": ["joy"] * 2}))["tie"] == "adjudicated"


class TestModel:
    settled = settle(rated())

    def test_items_that_nobody_rated(self):
        done = with_model(self.settled, {"item": ["tie", "empty", "new", "bare"], "mood": ["sad", "sad", "joy", None]})
        assert hows(done)["empty"] == hows(done)["new"] == "model"
        assert hows(done)["tie"] == "undecided: tie"
        assert "bare" not in hows(done)
        assert done.frame["item"].to_list()[-2:] == ["empty", "new"]
        assert dict(done.frame.select("item", "mood_provenance").iter_rows()) == {
            "alike": "manual",
            "most": "manual",
            "tie": None,
            "one": "manual",
            "nobody": "manual",
            "empty": "automatic",
            "new": "automatic",
        }
        assert done.told == ("2 items that nobody rated: labelled by a model",)

    def test_another_name_of_the_column(self):
        assert hows(with_model(self.settled, {"file": ["new"], "prediction": ["joy"]}))["new"] == "model"

    @pytest.mark.parametrize(
        ("table", "message"),
        [
            ({"item": ["new"]}, "unknown column of a model's labels 'mood'"),
            ({"item": ["new", "new"], "mood": ["joy", "joy"]}, "with two labels of a model: 'new'"),
            ({"item": ["new"], "mood": ["happy"]}, "no label of the scheme"),
        ],
    )
    def test_what_is_no_such_table(self, table, message):
        with pytest.raises(InputError, match=message):
            with_model(self.settled, table)


def test_several_things_stand_in_one_table():
    other = settle(read_ratings({"item": ["tie", "x"], "label": ["a", "b"]}, RatingColumns(target="race")))
    table = merged([settle(rated()), other])
    assert table.columns[:5] == ["item", "mood", "mood_votes", "mood_agreement", "mood_how"]
    assert table["item"].to_list() == [*COUNTS["item"], "x"]
    assert table.filter(pl.col("item") == "tie")["race_how"].item() == "single"


@pytest.mark.parametrize("name", ["g.csv", "g.parquet"])
def test_a_file_of_something_else_is_never_lost(tmp_path: Path, name: str):
    frame = pl.DataFrame({"item": ["a"], "mood": ["joy"]})
    write_labels(frame, tmp_path / name)
    before = (tmp_path / name).stat().st_mtime_ns
    write_labels(frame, tmp_path / name)
    assert (tmp_path / name).stat().st_mtime_ns == before
    other = frame.with_columns(mood=pl.lit("sad"))
    with pytest.raises(InputError, match="--overwrite"):
        write_labels(other, tmp_path / name)
    write_labels(other, tmp_path / name, overwrite=True)
    (tmp_path / "broken.parquet").write_bytes(b"x")
    with pytest.raises(InputError, match="--overwrite"):
        write_labels(frame, tmp_path / "broken.parquet")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="--overwrite"):
        write_labels(frame, tmp_path / "folder.csv")


class TestFaultyRows:
    table = pl.DataFrame(
        {"item": ["a", None, "b", "b", "c", "c", "d"], "joy": [1, 9, 2, 2, 1, 2, 3], "sad": [0, 9, 1, 1, 1, 1, 0]}
    )

    def test_they_are_an_error(self):
        with pytest.raises(InputError, match="no item in row 2"):
            read_ratings(self.table, RatingColumns(counts=("joy", "sad")))
        with pytest.raises(InputError, match=r"no item in rows 1, 2 \(2 rows\)"):
            read_ratings({"item": [None, None, "a"], "label": ["sad"] * 3})
        with pytest.raises(UnknownNameError, match="drop"):
            RatingColumns(faulty="drop")

    def test_or_left_out_and_told(self):
        found = read_ratings(self.table, RatingColumns(counts=("joy", "sad"), faulty="leave out"))
        assert found.items.to_list() == ["a", "b", "d"]
        assert found.notes[:3] == (
            "without the key of an item and left out: row 2 (1 in all)",
            "1 row that say the same again, taken once: 'b'",
            "2 rows that contradict one another, left out: 'c'",
        )
        sound = read_ratings({"item": ["a"], "joy": [1]}, RatingColumns(counts=("joy",), faulty="leave out"))
        assert sound.notes == read_ratings({"item": ["a"], "joy": [1]}, RatingColumns(counts=("joy",))).notes

    def test_a_rater_who_answers_twice(self):
        table = {"item": ["a"] * 4, "rater": ["r", "r", "s", "s"], "label": ["x", "x", "x", "y"]}
        found = read_ratings(table, RatingColumns(faulty="leave out"))
        assert found.item.size == 1
        with pytest.raises(InputError, match="no rater in row 1"):
            read_ratings(table | {"rater": [None, "r", "s", "t"]}, RatingColumns(faulty="leave out"))

    def test_ratings_of_nobody_may_repeat(self):
        found = read_ratings({"item": ["a", "a", None], "label": ["x", "x", "y"]}, RatingColumns(faulty="leave out"))
        assert found.item.size == 2

    def test_columns_of_raters(self):
        table = {"item": ["a", "a", "b"], "r1": ["x", "x", "y"], "r2": ["x", "y", "y"]}
        found = read_ratings(table, RatingColumns(raters=("r1", "r2"), faulty="leave out"))
        assert found.items.to_list() == ["b"]


@pytest.mark.shared
class TestFerPlus:
    LABELS = ("neutral", "happiness", "surprise", "sadness", "anger", "disgust", "fear", "contempt", "unknown", "NF")

    @pytest.fixture
    def table(self, shared_data: Path) -> pl.DataFrame:
        return read_csv(shared_data / "data" / "ferplus-votes" / "fer2013new.csv.gz")

    def test_the_pictures_without_a_name_are_named(self, table: pl.DataFrame):
        with pytest.raises(InputError, match=r"rows 18, 24, 60, 171, 502 and 168 more \(173 rows\)"):
            read_ratings(table, RatingColumns(item="Image name", counts=self.LABELS))

    def test_ten_annotators(self, table: pl.DataFrame):
        columns = RatingColumns(item="Image name", counts=self.LABELS, faulty="leave out")
        ratings = read_ratings(table, columns)
        assert ratings.height == 35_887 - 173 - 3 - 2
        settled = settle(ratings, Settling(abstentions=("unknown", "NF")))
        assert settled.counts == {
            "majority": 25_764,
            "unanimous": 7_944,
            "undecided: tie": 1_776,
            "undecided: raters name no class": 225,
        }
        # The same by counting: a class alone in the first place, and no vote for "unknown" or "not a face" above it.
        votes = ratings.votes
        alone = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) == 1
        assert int((alone & (votes.argmax(axis=1) < 8)).sum()) == 25_764 + 7_944
        assert disagreements([settled]).height == 1_776


@pytest.mark.shared
def test_crema_d_by_both_rules(shared_data: Path):
    """Ties are those of the published table; one clip in nine is called alike by all who judged it."""
    table = read_csv(shared_data / "data" / "crema-d-ratings" / "tabulatedVotes.csv.gz")
    ratings = read_ratings(table, RatingColumns(item="column_1", counts=tuple("ADFHNS")))
    assert settle(ratings).counts == {"majority": 18_282, "unanimous": 2_510, "undecided: tie": 1_534}
    assert table["emoVote"].str.contains(":").sum() == 1_534
    strict = settle(ratings, Settling("unanimous"))
    assert strict.counts["unanimous"] == 2_510
    assert disagreements([strict]).height == 22_326 - 2_510
