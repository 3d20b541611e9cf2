"""Labels and scores: markers, frames and groups, and equality with an independent computation of the five scores."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.challenges.catalogue import load_track
from affectcheck.challenges.checking import check
from affectcheck.challenges.labels import read_labels
from affectcheck.challenges.scoring import ScoringOptions, headline, score
from affectcheck.challenges.wanted import wanted_of
from affectcheck.errors import InputError, MissingPathError
from affectcheck.records import Score
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.challenges.track import Track

    Write = Callable[[str, str | bytes], Path]
    Emotions = Callable[..., Track]

FEW = ScoringOptions(resamples=0)


@pytest.mark.shared
def test_artefacts_of_spreadsheets(cases: Path, va: Track) -> None:
    expected = json.loads((cases / "A09.json").read_text(encoding="utf-8"))["expected"]
    found = read_labels(cases / "A09_va_bom_crlf.txt", va).frame
    assert found.height == expected["n_frames"]
    valid = found["valence"].drop_nulls()
    assert len(valid) == expected["n_valid"]
    assert valid.mean() == pytest.approx(expected["mean_valence"]["value"], abs=1e-15)


@pytest.mark.shared
def test_frames_are_counted_from_one_and_markers_are_left_out(cases: Path, va: Track, tmp_path: Path) -> None:
    expected = json.loads((cases / "A13.json").read_text(encoding="utf-8"))["expected"]
    (tmp_path / "clip07.txt").write_bytes((cases / "A13_clip07.txt").read_bytes())
    labels = read_labels(tmp_path, va)
    checked = check(cases / "A13_pred_clip07.csv", va, wanted=wanted_of(labels, va))
    found = score(checked, labels, va, FEW)
    told = headline(found, va)
    assert isinstance(told, Score)
    assert told.value == pytest.approx(expected["CCC"]["value"], abs=1e-12)
    assert found.counts["scored"] == expected["n_valid"]
    assert found.counts["left_out"] == expected["n_invalid"]


def made(track: Track, folder: Path, *, videos: int, frames: int) -> tuple[np.ndarray, np.ndarray, Path]:
    """Labels of videos in a folder, predictions in a table, and both as arrays of all frames."""
    draw = rng(5, "track", track.name)
    n, parts = videos * frames, len(track.parts)
    if track.kind == "dimensions":
        truth = draw.uniform(-1, 1, (n, parts)).round(3)
        prediction = (0.5 * truth + 0.5 * draw.uniform(-1, 1, (n, parts))).round(3)
        marked = draw.random(n) < 0.1
        truth[marked] = -5
    elif track.kind == "units":
        truth = (draw.random((n, parts)) < 0.3).astype(int)
        prediction = np.where(draw.random((n, parts)) < 0.2, 1 - truth, truth)
        truth[draw.random((n, parts)) < 0.1] = -1
    else:
        truth = draw.integers(-1, parts, n)
        prediction = np.where(draw.random(n) < 0.5, truth.clip(0), draw.integers(0, parts, n))
    head = ",".join(track.columns)
    (folder / "labels").mkdir()
    rows = []
    for video in range(videos):
        part = truth[video * frames : (video + 1) * frames].reshape(frames, -1).tolist()
        text = "\n".join(",".join(map(str, row)) for row in part)
        (folder / "labels" / f"v{video:04}.txt").write_text(f"{head}\n{text}\n", encoding="utf-8")
    for place in draw.permutation(n).tolist():
        told = prediction[place] if track.kind != "categories" else np.eye(parts, dtype=int)[prediction[place]]
        rows.append(f"v{place // frames:04}/{place % frames + 1:05}.jpg,{','.join(map(str, told.tolist()))}")
    path = folder / "sent.txt"
    path.write_text(f"image_location,{head}\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return truth, prediction, path


def ccc(truth: np.ndarray, prediction: np.ndarray) -> float:
    cov = ((truth - truth.mean()) * (prediction - prediction.mean())).mean()
    return float(2 * cov / (truth.var() + prediction.var() + (truth.mean() - prediction.mean()) ** 2))


def f1(truth: np.ndarray, prediction: np.ndarray) -> float:
    hits = (truth & prediction).sum()
    return float(2 * hits / (truth.sum() + prediction.sum()))


def by_hand(track: Track, truth: np.ndarray, prediction: np.ndarray) -> float:
    """The five scores of paper 3, Eq. 1 to 7, from their definitions, over all frames."""
    if track.kind == "dimensions":
        known = (truth != -5).all(axis=1)
        return float(np.mean([ccc(truth[known, d], prediction[known, d]) for d in range(truth.shape[1])]))
    if track.kind == "units":
        known = truth != -1
        columns = range(truth.shape[1])
        return float(np.mean([f1(truth[known[:, u], u] == 1, prediction[known[:, u], u] == 1) for u in columns]))
    known = truth != -1
    return float(np.mean([f1(truth[known] == c, prediction[known] == c) for c in range(len(track.parts))]))


@pytest.mark.parametrize(
    ("name", "videos"),
    [
        *((name, 20) for name in ("abaw6-va", "abaw6-expr", "abaw6-au", "abaw6-ce")),
        *(
            pytest.param(name, 1000, marks=pytest.mark.slow)
            for name in ("abaw6-va", "abaw6-expr", "abaw6-au", "abaw6-ce")
        ),
    ],
)
def test_scores_equal_their_definitions(name: str, videos: int, tmp_path: Path) -> None:
    track = load_track(name)
    truth, prediction, path = made(track, tmp_path, videos=videos, frames=30)
    labels = read_labels(tmp_path / "labels", track)
    found = headline(score(check(path, track, wanted=wanted_of(labels, track)), labels, track, FEW), track)
    assert isinstance(found, Score)
    assert found.value == pytest.approx(by_hand(track, truth, prediction), abs=1e-12)


@pytest.mark.parametrize("videos", [50, pytest.param(1000, marks=pytest.mark.slow)])
def test_mimicry_is_a_mean_of_correlations(videos: int, tmp_path: Path) -> None:
    track, draw = load_track("abaw6-emi"), rng(5, "mimicry")
    truth = draw.random((videos, 6)).round(3)
    prediction = (0.5 * truth + 0.5 * draw.random((videos, 6))).round(3)
    for name, values in (("labels.csv", truth), ("sent.csv", prediction)):
        columns = {column: values[:, place] for place, column in enumerate(track.columns)}
        frame = pl.DataFrame({"Filename": [f"{number:05}" for number in range(videos)], **columns})
        frame.sample(fraction=1.0, shuffle=True, seed=len(name)).write_csv(tmp_path / name)
    labels = read_labels(tmp_path / "labels.csv", track)
    assert labels.items.str.len_chars().unique().to_list() == [5]  # 00007 stays what it is
    found = headline(score(check(tmp_path / "sent.csv", track, wanted=wanted_of(labels, track)), labels, track), track)
    expected = np.mean([np.corrcoef(truth[:, d], prediction[:, d])[0, 1] for d in range(6)])
    assert isinstance(found, Score)
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert found.interval is not None


def test_intervals_are_clustered_by_recording(tmp_path: Path, va: Track) -> None:
    _, _, path = made(va, tmp_path, videos=12, frames=30)
    for number, side in enumerate(("left", "right")):
        (tmp_path / "labels" / f"v000{number}.txt").rename(tmp_path / "labels" / f"v0000_{side}.txt")
    text = path.read_text(encoding="utf-8").replace("v0000/", "v0000_left/").replace("v0001/", "v0000_right/")
    path.write_text(text, encoding="utf-8")
    labels = read_labels(tmp_path / "labels", va)
    found = headline(score(check(path, va, wanted=wanted_of(labels, va)), labels, va), va)
    assert isinstance(found, Score)
    assert found.interval is not None
    assert found.interval.clusters == 11  # two persons of one recording are one
    assert found.signature.clusters == "media 11"


def test_labels_in_a_table_with_groups(write: Write, au: Track, va: Track, expr: Track) -> None:
    head = "image_location,valence,arousal,subject,gender"
    path = write("l.csv", f"{head}\na_left/1.jpg,0.5,-5,s1,female\na_left/2.jpg,0.1,0.2,s1,female\nb/1.jpg,,,s2,\n")
    table = read_labels(path, va)
    assert table.frame.select("item", "media", "subject", "gender", "valence", "arousal").rows() == [
        ("a_left/00001.jpg", "a", "s1", "female", None, None),
        ("a_left/00002.jpg", "a", "s1", "female", 0.1, 0.2),
        ("b/00001.jpg", "b", "s2", None, None, None),
    ]
    assert table.groups == ("gender",)
    units = read_labels(write("u.csv", f"image_location,{','.join(au.columns)}\na/1.jpg{',1' * 11},-1\n"), au)
    assert units.frame.select(au.parts).row(0) == (1,) * 11 + (None,)
    classes = f"image_location,media,{','.join(expr.columns)}\n"
    rows = ("a/1.jpg,m,0,1" + ",0" * 6, "a/2.jpg,m" + ",-1" * 8, "a/3.jpg,m" + "," * 8)
    table = read_labels(write("e.csv", classes + "\n".join(rows)), expr)
    assert table.frame.select("media", "label").rows() == [("m", "anger"), ("m", None), ("m", None)]
    with pytest.raises(InputError, match="1 row that names no class or several"):
        read_labels(write("e.csv", f"{classes}a/1.jpg,m,1,1{',0' * 6}\n"), expr)


def test_labels_that_are_not_there(tmp_path: Path, va: Track) -> None:
    with pytest.raises(MissingPathError, match="labels not found") as told:
        read_labels(tmp_path / "gone", va)
    assert told.value.expected.startswith("a folder of annotation files")


def test_labels_as_words(write: Write, emotions: Emotions) -> None:
    track = emotions()
    table = read_labels(write("l.csv", "id,emotion,sex\nu1,sad,f\nu2,,m\nu3,,m\n"), track)
    assert table.frame["label"].to_list() == ["sadness", None, None]
    marked = track.model_copy(update={"labels": load_track("abaw6-au").labels})
    table = read_labels(write("l.csv", "id,emotion\nu1,sad\nu3,-1\n"), marked)
    assert table.frame["label"].to_list() == ["sadness", None]
    checked = check(write("p.csv", "id,emotion\nu3,joy\nu1,sad\n"), marked, wanted=wanted_of(table, marked))
    found = score(checked, table, marked, FEW)
    assert found.counts["scored"] == 1
    assert found.scores[0].signature.data.startswith("emotions@")


def test_groups_of_labels_are_scored(write: Write, emotions: Emotions) -> None:
    rows = [f"u{n},{('sad', 'joy')[n % 2]},{('f', 'm')[n // 2 % 2]}" for n in range(60)]
    labels = read_labels(write("l.csv", "id,emotion,sex\n" + "\n".join(rows)), emotions())
    sent = "id,emotion\n" + "\n".join(f"u{n},{('sad', 'joy')[n % 2 if n % 4 < 2 else 0]}" for n in range(60))
    checked = check(write("p.csv", sent), emotions(), wanted=wanted_of(labels, emotions()))
    found = score(checked, labels, emotions(), ScoringOptions(by=("sex",), resamples=0))
    values = {one.place.group: one.value for one in found.scores if one.metric == "accuracy" and isinstance(one, Score)}
    assert values == {"": 0.75, "f": 1.0, "m": 0.5}


def test_frames_counted_from_nought(write: Write, va: Track) -> None:
    track = va.model_copy(update={"labels": va.labels.model_copy(update={"first_frame": 0})})
    table = read_labels(write("labels/c.txt", "valence,arousal\n0,1\n0,0\n").parent, track)
    assert table.items.to_list() == ["c/00000.jpg", "c/00001.jpg"]
