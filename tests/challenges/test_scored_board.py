"""Submissions scored and ranked from their files, without a portal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.challenges import (
    BoardOptions,
    ScoredOptions,
    check_submission,
    keep_labels,
    parse_track,
    rank_intervals,
    score_for_board,
    scored_board,
    wanted_of_kept,
)
from affectcheck.errors import InputError, MissingPathError
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.challenges.track import Track

    Write = Callable[[str, str | bytes], Path]

CLASSES = ("anger", "happiness", "neutral", "sadness")
ITEMS = 120


@pytest.fixture
def track(emotions: Callable[..., Track]) -> Track:
    return emotions()


@pytest.fixture
def labels(write: Write) -> Path:
    rows = [f"i{n},{CLASSES[n % 4]},s{n // 4},{'female' if n % 8 < 4 else 'male'}" for n in range(ITEMS)]
    return write("labels.csv", "id,emotion,subject,gender\n" + "\n".join(rows) + "\n")


@pytest.fixture
def send(write: Write) -> Callable[[str, float], Path]:
    def made(name: str, wrong: float) -> Path:
        flips = rng(1, name).random(ITEMS) < wrong
        rows = [f"i{n},{CLASSES[(n + flips[n]) % 4]}" for n in range(ITEMS)]
        return write(f"{name}.csv", "id,emotion\n" + "\n".join(rows) + "\n")

    return made


def test_scores_places_and_intervals_are_those_of_their_parts(
    track: Track, labels: Path, send: Callable[[str, float], Path], tmp_path: Path
) -> None:
    files = [send("weak", 0.6), send("fine", 0.2), send("good", 0.1)]
    told: list[tuple[int, int]] = []
    found = scored_board(
        files, track, labels, ScoredOptions(resamples=200, seed=5, progress=lambda *at: told.append(at))
    )
    assert told == [(1, 3), (2, 3), (3, 3)]
    kept = keep_labels(labels, track, tmp_path / "kept.parquet")
    wanted = wanted_of_kept(kept, track)
    by_hand = {
        path.stem: score_for_board(
            check_submission(path, track, wanted=wanted),
            kept,
            track,
            BoardOptions(resamples=200, seed=5, name=path.stem),
        )
        for path in files
    }
    order = sorted(by_hand, key=lambda name: -(by_hand[name].headline.value or 0))
    assert [row.name for row in found.rows] == order
    assert [row.place for row in found.rows] == [1, 2, 3]
    for row in found.rows:
        assert row.score.plain() == by_hand[row.name].plain()
    drawn = rank_intervals([by_hand[name].shares for name in order], track, resamples=200, seed=5)
    assert [row.interval for row in found.rows] == drawn
    assert [(one.ahead, one.behind) for one in found.differences] == [(0, 1), (1, 2)]
    assert found.differences[1].apart
    assert json.loads(json.dumps(found.rows[0].plain()))["place_low"] == drawn[0].low


def test_equal_ones_share_a_place_and_are_flagged(
    track: Track, labels: Path, send: Callable[[str, float], Path], write: Write
) -> None:
    first = send("first", 0.2)
    copy = write("copy.csv", first.read_bytes())
    found = scored_board([send("last", 0.7), first, copy], track, labels, ScoredOptions(by=(), resamples=50))
    assert [(row.place, row.name) for row in found.rows] == [(1, "first"), (1, "copy"), (3, "last")]
    assert [flag.other for row in found.rows for flag in row.score.flags] == ["first"]
    assert found.rows[0].score.groups == ()


def test_without_draws_there_are_no_intervals(track: Track, labels: Path, send: Callable[[str, float], Path]) -> None:
    found = scored_board([send("a", 0.2), send("b", 0.4)], track, labels, ScoredOptions(resamples=0))
    assert found.differences == ()
    assert [(row.place, row.interval.low, row.interval.reason) for row in found.rows] == [
        (1, None, "no draws were asked for"),
        (2, None, "no draws were asked for"),
    ]


def test_a_score_that_is_undefined_stands_behind_all_others(write: Write) -> None:
    values = {
        "format": 1, "name": "tone", "title": "Tone", "scheme": "tone", "metric": "pcc",
        "own": {"dimensions": ["tension"], "low": -1, "high": 1}, "file": {"item": "id", "coding": "value"},
    }  # fmt: skip
    track = parse_track(values)
    labels = write("labels.csv", "id,tension\n" + "".join(f"i{n},{(-n) ** 3 / 64}\n" for n in range(4)))
    flat = write("flat.csv", "id,tension\n" + "".join(f"i{n},0.5\n" for n in range(4)))
    some = write("some.csv", "id,tension\n" + "".join(f"i{n},{n / 10}\n" for n in range(4)))
    found = scored_board([flat, some], track, labels, ScoredOptions(resamples=10))
    assert [(row.place, row.name) for row in found.rows] == [(1, "some"), (None, "flat")]
    assert found.rows[1].score.headline.reason


def test_what_cannot_be_ranked(track: Track, labels: Path, send: Callable[[str, float], Path], tmp_path: Path) -> None:
    mine = send("mine", 0.1)
    (tmp_path / "other").mkdir()
    twin = tmp_path / "other" / "mine.csv"
    twin.write_bytes(mine.read_bytes())
    with pytest.raises(InputError, match="two submissions are called 'mine'"):
        scored_board([mine, twin], track, labels)
    with pytest.raises(MissingPathError):
        scored_board([mine, tmp_path / "gone.csv"], track, labels)
    with pytest.raises(InputError, match="no submission"):
        scored_board([], track, labels)
