"""Submissions from files, and scores of single videos."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.challenges.board_file import read_entries
from affectcheck.challenges.by_video import video_scores
from affectcheck.challenges.checking import check
from affectcheck.challenges.labels import read_labels
from affectcheck.challenges.ranking import ranking
from affectcheck.challenges.wanted import wanted_of
from affectcheck.errors import InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.challenges.track import Track

    Write = Callable[[str, str | bytes], Path]


def test_a_file_without_times_keeps_the_order_of_its_rows(write: Write) -> None:
    path = write("b.csv", "team,f1\nb,0.5\na,0.5\nc,\n")
    rows = ranking(read_entries(path, score="f1"), higher_is_better=True)
    assert [(row.place, row.team) for row in rows] == [(1, "b"), (1, "a"), (None, "c")]
    assert rows[2].reason == "no valid score: 3 is failed"


@pytest.mark.shared
def test_scores_that_no_json_has_are_read_and_rank_nowhere(cases: Path) -> None:
    found = read_entries(cases / "A25_submissions.json")
    assert [one.key for one in found] == [str(number) for number in range(1, 10)]
    assert np.isnan(found[2].score or 0.0)


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("b.json", "{}", "no list of objects"),
        ("b.json", "[1]", "no list of objects"),
        ("b.json", "[", "not JSON"),
        ("b.json", "[" * 100_000, "not JSON"),
        ("b.json", "[]", "no submissions"),
        ("b.csv", "team,score\n", "no submissions"),
        ("b.csv", "team,f1\na,1\n", "unknown column 'score'"),
        ("b.csv", "name,score\na,1\n", "unknown column 'team'"),
        ("b.csv", "team,score\n,1\nb,1\n", "row 1: no team"),
        ("b.csv", "team,score\na,high\n", "row 1: a score of 'high'"),
        ("b.csv", "team,score,status\na,1,done\n", "row 1: unknown state of a submission 'done'"),
        ("b.csv", "team,score,time\na,1,noon\n", "row 1: a time of 'noon'"),
        ("b.csv", "team,score,id\na,1,s\nb,1,t\na,1,s\n", "row 3: the submission 's' is in row 1 too"),
        ("b.csv", "team,score,time\na,1,2024-03-01T10:00:00\n", "row 1: a time without a zone"),
    ],
)
def test_what_is_no_list_of_submissions(write: Write, name: str, text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read_entries(write(name, text))


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError):
        read_entries(tmp_path / "gone.csv")


def test_names_of_columns_that_mean_the_same(write: Write) -> None:
    (found,) = read_entries(
        write("b.csv", "team,score,submission,received,state\na,1,s9,2024-03-01T10:00:00Z,withdrawn\n")
    )
    assert (found.key, found.received.year, found.state) == ("s9", 2024, "withdrawn")


def test_scores_of_single_videos(write: Write, va: Track, au: Track, expr: Track) -> None:
    write("va/a.txt", "valence,arousal\n0,0\n1,1\n-5,-5\n")
    write("va/b.txt", "valence,arousal\n0.5,0\n0.5,1\n")
    write("va/c.txt", "valence,arousal\n-5,0\n")
    labels = read_labels(write("va/d.txt", "valence,arousal\n-1,0\n1,1\n").parent, va)
    rows = ["a/1.jpg,0,0", "a/2.jpg,1,1", "a/3.jpg,0,0", "b/1,0.5,0", "b/2,0.5,1", "c/1,0,0", "d/1,1,1", "d/2,-1,0"]
    sent = write("p.csv", "image_location,valence,arousal\n" + "\n".join(rows))
    found = video_scores(check(sent, va, wanted=wanted_of(labels, va)), labels, va)
    assert found.rows() == [("a", 2, 1.0), ("b", 2, None), ("d", 2, pytest.approx(-1.0))]
    head = ",".join(au.columns)
    labels = read_labels(write("au/a.txt", f"{head}\n{'1,' * 11}1\n"), au)
    sent = write("p.csv", f"image_location,{head}\na/1{',1' * 6}{',0' * 6}\n")
    assert video_scores(check(sent, au, wanted=wanted_of(labels, au)), labels, au).rows() == [("a", 1, 0.5)]
    head = ",".join(expr.columns)
    labels = read_labels(write("e/a.txt", f"{head}\n0\n1\n"), expr)
    sent = write("p.csv", f"image_location,{head}\na/1,1{',0' * 7}\na/2,0,1{',0' * 6}\n")
    assert video_scores(check(sent, expr, wanted=wanted_of(labels, expr)), labels, expr).rows() == [("a", 2, 0.25)]
    with pytest.raises(UnknownNameError):
        labels.target("affect")
