"""Gold labels from votes: a majority or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.annotations import read_csv
from affectcheck.annotations.raters import count_votes, gold_by_majority
from affectcheck.errors import InputError
from affectcheck.schemes import CategoryScheme

if TYPE_CHECKING:
    from pathlib import Path

THREE = CategoryScheme("three", ("sad", "joy", "calm"), {"happy": "joy"})
VOTES = {"item": ["a", "b", "c", "d"], "sad": [3, 2, 0, "1"], "joy": [1, 2, 0, "2"], "calm": [0, 1, 0, "1"]}


def test_majority_ties_and_items_without_votes() -> None:
    votes = {name: [str(cell) for cell in cells] for name, cells in VOTES.items()}
    gold = gold_by_majority(votes, THREE, name="mood")
    assert gold.frame.rows() == [
        ("a", "sad", 4, 0.75),
        ("b", None, 5, 0.4),
        ("c", None, 0, None),
        ("d", "joy", 4, 0.5),
    ]
    assert gold.notes == ("1 item with a tie of votes: no label", "1 item without votes: no label")
    strict = gold_by_majority(votes, THREE, minimum_share=0.6)
    assert strict.frame["expression"].to_list() == ["sad", None, None, None]
    assert (strict.ties, strict.unvoted, strict.short) == (1, 1, 1)
    assert strict.notes[-1] == "1 item of low agreement: no label"


def test_columns_by_other_names() -> None:
    gold = gold_by_majority({"item": ["a"], "S": [1], "H": [2]}, THREE, columns={"sad": "S", "Happy": "H"})
    assert gold.frame["expression"].to_list() == ["joy"]


@pytest.mark.parametrize(
    ("votes", "columns", "message"),
    [
        ({"item": ["a"], "S": [1]}, None, "lacks a column for every label"),
        ({"id": ["a"], "sad": [1]}, None, "lacks 'item'"),
        ({"item": ["a"], "sadd": [1]}, {"sad": "sad"}, "lacks 'sad': did you mean 'sadd'"),
        ({"item": ["a"], "S": [1]}, {"sadd": "S"}, "did you mean 'sad'"),
        ({"item": ["a"], "S": [1]}, {"sad": "S", "joy": "S"}, "columns = "),
        ({"item": ["a"], "S": [1], "T": [1]}, {"sad": "S", "SAD": "T"}, "columns = "),
        ({"item": ["a"], "sad": [-1]}, None, "has -1 in row 1"),
        ({"item": ["a"], "sad": [None]}, None, "has None in row 1"),
        ({"item": ["a"], "sad": [0.5]}, None, "no whole numbers"),
        ({"item": ["a", "a"], "sad": [1, 1]}, None, "more than once"),
    ],
)
def test_votes_that_cannot_be_counted(votes: dict, columns: dict | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        gold_by_majority(votes, THREE, columns=columns)


def test_answers_become_votes() -> None:
    answers = {"item": ["b", "a", "b", "b"], "rater": [1, 1, 2, 3], "label": ["Sad", "HAPPY ", "joy", None]}
    votes = count_votes(answers, THREE)
    assert votes.rows() == [("b", 1, 1, 0), ("a", 0, 1, 0)]
    assert gold_by_majority(votes, THREE).ties == 1


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"item": ["a"], "rater": ["r"]}, "unknown column of answers 'label'"),
        ({"item": ["a"], "rater": [None], "label": ["sad"]}, "no rater in row 1"),
        ({"item": [""], "rater": ["r"], "label": ["sad"]}, "no item in row 1"),
        (
            {"item": ["a", "a"], "rater": ["r", "r"], "label": ["sad", "joy"]},
            "rows 1, 2: rater 'r' rates item 'a' more than once",
        ),
        ({"item": ["a"], "rater": ["r"], "label": ["sda"]}, "did you mean 'sad'"),
    ],
)
def test_answers_that_cannot_be_counted(answers: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        count_votes(answers, THREE)


@given(st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=1))
def test_the_winner_has_strictly_most_votes(counts: list[tuple[int, int, int]]) -> None:
    frame = pl.DataFrame(counts, schema=list(THREE.labels), orient="row").with_row_index("item")
    gold = gold_by_majority(frame, THREE)
    for row, label in zip(counts, gold.frame["expression"], strict=True):
        best = [name for name, count in zip(THREE.labels, row, strict=True) if count == max(row) > 0]
        assert label == (best[0] if len(best) == 1 else None)


@pytest.mark.shared
def test_votes_of_crema_d_give_its_own_summary(shared_data: Path) -> None:
    """The published vote of a clip is its label, and the letters of a published tie are ours to refuse."""
    folder = shared_data / "data" / "crema-d-ratings"
    table = read_csv(folder / "tabulatedVotes.csv.gz")
    letters = {"anger": "A", "disgust": "D", "fear": "F", "happiness": "H", "neutral": "N", "sadness": "S"}
    scheme = CategoryScheme("crema-d", tuple(letters))
    gold = gold_by_majority(table.rename({"column_1": "item"}), scheme, columns=letters)
    assert gold.frame.height == 22_326
    assert gold.unvoted == 0
    assert gold.frame["votes"].to_list() == table["numResponses"].cast(int).to_list()
    published = table["emoVote"]
    assert gold.ties == published.str.contains(":").sum()
    ours = gold.frame["expression"].cast(pl.String).replace_strict(letters, default=None)
    assert ours.drop_nulls().to_list() == published.filter(ours.is_not_null()).to_list()
    assert published.filter(ours.is_null()).str.contains(":").all()
    agreement = table["agreement"].cast(float)
    assert (gold.frame["agreement"] - agreement).abs().max() < 1e-12
