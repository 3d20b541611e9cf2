"""Scores for boards are those of ``score``, number for number, whatever the kind, markers, groups and clusters."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from affectcheck.challenges.board_score import BoardOptions, score_for_board
from affectcheck.challenges.by_video import video_scores
from affectcheck.challenges.catalogue import load_track, parse_track
from affectcheck.challenges.checking import check
from affectcheck.challenges.kept_labels import keep_labels, wanted_of_kept
from affectcheck.challenges.labels import read_labels
from affectcheck.challenges.result import SCORER, BoardScore, BoardValue
from affectcheck.challenges.scoring import ScoringOptions, score
from affectcheck.challenges.wanted import wanted_of
from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.records import Score
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.challenges.track import Track
    from affectcheck.evaluation import Evaluation
    from affectcheck.records import Scored

    Write = Callable[[str, str | bytes], Path]
    Emotions = Callable[..., Track]

ABAW = ("abaw6-va", "abaw6-expr", "abaw6-au", "abaw6-ce", "abaw6-emi")


def sent_and_labels(
    track: Track, folder: Path, *, videos: int = 26, frames: int = 12, seed: int = 5
) -> tuple[Path, Path]:
    """A table of labels with markers, subjects and groups, and predictions in another order."""
    draw = rng(seed, "board", track.name)
    number, parts = videos * frames, len(track.parts)
    if track.kind == "dimensions":
        low = 0.0 if track.name == "abaw6-emi" else -1.0
        truth = draw.uniform(low, 1, (number, parts)).round(3)
        sent = np.clip(0.5 * truth + draw.uniform(low, 1, (number, parts)) / 2, low, 1).round(3)
        truth[draw.random(number) < 0.1] = -5
    elif track.kind == "units":
        truth = (draw.random((number, parts)) < 0.3).astype(int)
        sent = np.where(draw.random((number, parts)) < 0.2, 1 - truth, truth)
        truth[draw.random((number, parts)) < 0.1] = -1
        truth[:5] = -1
    else:
        codes = draw.integers(-1, parts, number)
        told = np.where(draw.random(number) < 0.5, codes.clip(0), draw.integers(0, parts, number))
        sent, truth = np.eye(parts, dtype=int)[told], np.eye(parts, dtype=int)[codes.clip(0)]
        truth[codes < 0] = -1
    of_frame = track.file.unit == "frame"
    keys = [
        f"v{n // frames:02}{('', '_left')[n // frames % 2]}/{n % frames + 1}.jpg" if of_frame else f"{n:05}"
        for n in range(number)
    ]
    subjects = [f"s{n // frames // 2}" if n // frames > 3 else None for n in range(number)]
    groups = {
        "gender": [("female", "male", "unsure", None)[n // frames % 4] for n in range(number)],
        "age": [("20-29", "30-39", "60+")[n % 3 if n > 8 else 2] for n in range(number)],
    }
    columns = {name: truth[:, place] for place, name in enumerate(track.columns)}
    labels, answers = folder / "labels.parquet", folder / "sent.csv"
    frame = pl.DataFrame({track.file.item: keys, "subject": subjects, **groups, **columns})
    marker = -5 if track.kind == "dimensions" else -1
    frame = frame.with_columns(pl.when(pl.col(name) != marker).then(name) for name in track.columns)
    frame.write_parquet(labels)
    columns = {name: sent[:, place] for place, name in enumerate(track.columns)}
    pl.DataFrame({track.file.item: keys, **columns}).sample(fraction=1.0, shuffle=True, seed=seed).write_csv(answers)
    return answers, labels


def both(answers: Path, labels: Path, track: Track, **options: Any) -> tuple[BoardScore, Evaluation, pl.DataFrame]:
    """The score for a board, and what ``score`` says."""
    kept = keep_labels(labels, track, answers.parent / "kept" / "l.parquet")
    board = score_for_board(
        check(answers, track, wanted=wanted_of_kept(kept, track)), kept, track, BoardOptions(resamples=200, **options)
    )
    table = read_labels(labels, track)
    checked = check(answers, track, wanted=wanted_of(table, track))
    by = options.get("by", table.groups)
    found = score(checked, table, track, ScoringOptions(by, 200))
    by_video = track.file.unit == "frame" and track.metric.startswith("p_")
    videos = video_scores(checked, table, track) if by_video else pl.DataFrame()
    return board, found, videos


def require_same(told: BoardValue, found: Scored) -> None:
    """Every number is the same, to the last bit."""
    assert (told.metric, told.support) == (found.metric, found.support)
    assert (told.attribute, told.group, told.part) == (found.place.attribute, found.place.group, found.place.part)
    assert told == BoardValue.of(found)
    if isinstance(found, Score):
        assert told.value == found.value
        assert (told.low, told.high) == ((found.interval.low, found.interval.high) if found.interval else (None, None))
    else:
        assert (told.value, told.reason) == (None, found.reason)


def require_all_same(board: BoardScore, found: Evaluation, track: Track) -> None:
    """All that a board tells is told by ``score`` too."""
    require_same(board.headline, found[track.metric])
    assert board.signature == str(found[track.metric].signature)
    known = {(one.metric, one.place.attribute, one.place.group, one.place.part): one for one in reversed(found.scores)}
    for told in (*board.parts, *board.others, *board.groups, *board.disparities):
        require_same(told, known[told.metric, told.attribute, told.group, told.part])
    assert [told.part for told in board.parts] == list(track.parts)
    assert (board.items, board.labelled) == (found.counts["items"], found.counts["scored"])
    assert board.unlabelled == found.counts["left_out"]
    assert board.scorer == SCORER


@pytest.mark.parametrize("name", ABAW)
def test_numbers_are_those_of_score(name: str, tmp_path: Path) -> None:
    track = load_track(name)
    board, found, videos = both(*sent_and_labels(track, tmp_path), track)
    require_all_same(board, found, track)
    assert isinstance(found[track.metric], Score)
    assert board.headline.low is not None
    assert {one.attribute for one in board.disparities} == {"age", "gender"}
    assert [(one.attribute, one.group) for one in board.groups] == [
        (attribute, group) for attribute in found.attributes for group in found.attributes[attribute]
    ]
    assert any(one.floor is not None for one in board.disparities)
    if track.file.unit == "frame":
        assert [one.video for one in board.videos] == videos["video"].to_list()
        assert [one.frames for one in board.videos] == videos["frames"].to_list()
        assert [one.score for one in board.videos] == pytest.approx(videos["score"].to_list(), abs=1e-12, nan_ok=True)
    else:
        assert board.videos == ()


@pytest.mark.parametrize("name", ["abaw6-va", "abaw6-au"])
def test_numbers_of_labels_in_a_folder_of_files(name: str, tmp_path: Path) -> None:
    track = load_track(name)
    answers, labels = sent_and_labels(track, tmp_path)
    frame = pl.read_parquet(labels).with_columns(pl.col(track.file.item).str.extract("^(.*)/").alias("video"))
    (tmp_path / "labels").mkdir()
    for (video,), rows in frame.group_by("video"):
        cells = rows.select(pl.col(track.columns).fill_null(-5 if name == "abaw6-va" else -1))
        cells.write_csv(tmp_path / "labels" / f"{video}.txt")
    board, found, _ = both(answers, tmp_path / "labels", track)
    require_all_same(board, found, track)
    assert board.groups == board.disparities == ()
    assert board.headline.clusters == 26  # the recordings
    assert any("not annotated" in note for note in board.notes)


def test_crossed_groups_and_chosen_ones(tmp_path: Path) -> None:
    track = load_track("abaw6-expr")
    answers, labels = sent_and_labels(track, tmp_path)
    board, found, _ = both(answers, labels, track, by=("gender*age", "age"))
    require_all_same(board, found, track)
    assert {one.attribute for one in board.groups} == {"gender*age", "age"}
    kept = keep_labels(labels, track, tmp_path / "k.parquet")
    checked = check(answers, track, wanted=wanted_of_kept(kept, track))
    assert score_for_board(checked, kept, track, BoardOptions(by=(), resamples=0)).groups == ()
    with pytest.raises(UnknownNameError, match="group column 'race'"):
        score_for_board(checked, kept, track, BoardOptions(by=("race",)))


@pytest.mark.parametrize("metric", ["uar", "uap", "accuracy", "f1_macro"])
def test_items_without_clusters(metric: str, write: Write, emotions: Emotions, tmp_path: Path) -> None:
    track = emotions().model_copy(update={"metric": metric})
    draw = rng(1, metric)
    truth, sent = draw.integers(0, 4, 90), draw.integers(0, 4, 90)
    labels = write(
        "l.csv", "id,emotion,sex\n" + "\n".join(f"u{n},{track.parts[c]},{'fm'[n % 2]}" for n, c in enumerate(truth))
    )
    answers = write("p.csv", "id,emotion\n" + "\n".join(f"u{n},{track.parts[c]}" for n, c in enumerate(sent)))
    board, found, _ = both(answers, labels, track)
    require_all_same(board, found, track)
    assert board.parts[0].metric == {"f1_macro": "f1", "uap": "precision"}.get(metric, "recall")
    assert board.headline.clusters == 90
    assert not board.headline.small


def test_items_without_clusters_of_which_some_have_no_label(write: Write, emotions: Emotions) -> None:
    track = emotions()
    rows = [f"u{n},{('', 'sad', 'joy')[n % 3]}" for n in range(60)]
    labels = write("l.csv", "id,emotion\n" + "\n".join(rows))
    answers = write("p.csv", "id,emotion\n" + "\n".join(f"u{n},{('sad', 'joy')[n % 2]}" for n in range(60)))
    board, found, _ = both(answers, labels, track)
    require_all_same(board, found, track)
    assert (board.items, board.labelled, board.headline.clusters) == (60, 40, 40)


def test_a_metric_of_scores_takes_the_decisions_as_they_are(tmp_path: Path) -> None:
    track = load_track("abaw6-au").model_copy(update={"metric": "unit_auc"})
    board, found, _ = both(*sent_and_labels(track, tmp_path, videos=8), track)
    require_all_same(board, found, track)
    assert board.shares == b""


def test_an_undefined_score_has_its_reason(write: Write, va: Track) -> None:
    labels = write("l.csv", "image_location,valence,arousal\na/1.jpg,0.5,0.1\na/2.jpg,0.5,0.2\n")
    answers = write("p.csv", "image_location,valence,arousal\na/1.jpg,0.5,0.1\na/2.jpg,0.5,0.2\n")
    board, found, _ = both(answers, labels, va)
    assert board.headline.value is None
    assert "constant" in board.headline.reason or board.headline.reason
    require_same(board.headline, found["p_va"])
    assert board.videos[0].score is None
    assert board.headline.small
    assert BoardScore.from_plain(json.loads(json.dumps(board.plain(), allow_nan=False))) == board


def test_plain_values_hold_everything_but_bytes(tmp_path: Path) -> None:
    track = load_track("abaw6-expr")
    board, _, _ = both(*sent_and_labels(track, tmp_path), track)
    plain = board.plain()
    assert "shares" not in plain
    assert BoardScore.from_plain(json.loads(json.dumps(plain, allow_nan=False))) == board
    del plain["labels"]
    with pytest.raises(InputError, match="not a score of a board: 'labels'"):
        BoardScore.from_plain(plain)
    with pytest.raises(InputError, match="not a score of a board"):
        BoardScore.from_plain({**board.plain(), "headline": {"other": 1}})


def test_progress_counts_to_its_end(tmp_path: Path, au: Track) -> None:
    answers, labels = sent_and_labels(au, tmp_path, videos=4)
    seen: list[tuple[int, int]] = []
    both(answers, labels, au, progress=lambda done, total: seen.append((done, total)))
    totals = {total for _, total in seen}
    assert [done for done, _ in seen] == list(range(1, totals.pop() + 1))
    assert not totals


def test_a_submission_in_another_order_is_put_in_that_of_the_labels(tmp_path: Path, au: Track) -> None:
    answers, labels = sent_and_labels(au, tmp_path)
    kept = keep_labels(labels, au, tmp_path / "k.parquet")
    wanted = wanted_of_kept(kept, au)
    turned = check(answers, au, wanted=replace(wanted, items=wanted.items.reverse()))
    straight = check(answers, au, wanted=wanted)
    few = BoardOptions(resamples=0)
    assert score_for_board(turned, kept, au, few).headline == score_for_board(straight, kept, au, few).headline
    short = replace(straight, items=straight.items.head(9), values=straight.values[:9])
    with pytest.raises(InputError, match="prediction") as told:
        score_for_board(short, kept, au, few)
    assert "checked without the list" in told.value.cause


def test_the_scorer_has_another_name_when_numbers_change(tmp_path: Path) -> None:
    """If this fails because numbers were meant to change, SCORER is to change with them."""
    told = []
    for name in ABAW:
        track = load_track(name)
        board, _, _ = both(*sent_and_labels(track, tmp_path), track)
        values = (board.headline, *board.parts, *board.groups, *board.disparities)
        told += [f"{one.metric} {one.value and round(one.value, 9)} {one.low and round(one.low, 9)}" for one in values]
    assert (SCORER, digest_bytes(*told)) == ("affectcheck-board-1", "c253a1703bc1853384fc7f64dae380ad")


def test_own_tracks_of_many_classes(write: Write, tmp_path: Path) -> None:
    labels = [f"c{n:03}" for n in range(300)]
    track = parse_track(
        {
            "format": 1,
            "name": "many",
            "title": "Many",
            "scheme": "many",
            "own": {"labels": labels},
            "metric": "accuracy",
            "file": {"item": "id", "coding": "label"},
        }
    )
    table = "id,label\n" + "\n".join(f"i{n},{one}" for n, one in enumerate(labels))
    kept = keep_labels(write("l.csv", table), track, tmp_path / "k.parquet")
    checked = check(write("p.csv", table.replace("i7,c007", "i7,c008")), track, wanted=wanted_of_kept(kept, track))
    board = score_for_board(checked, kept, track, BoardOptions(resamples=0))
    assert board.headline.value == 299 / 300
    assert board.parts[7].value == 0.0
