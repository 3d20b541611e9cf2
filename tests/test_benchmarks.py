"""Benchmarks of speed run at a small size, so that they do not rot; what they measure is no test."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


def output(script: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / script), *words], capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def results(printed: str) -> dict[str, str]:
    lines = (line.strip().partition(": ") for line in printed.splitlines() if line.startswith("  "))
    return {name: value for name, _, value in lines}


@pytest.mark.slow
@pytest.mark.parametrize("script", ["au_scale.py", "expr_scale.py", "va_scale.py"])
def test_ours_agrees_with_its_peers(script: str) -> None:
    for package in ("fairlearn", "audmetric", "sklearn"):
        pytest.importorskip(package)
    found = results(output(script, "--rows", "3000", "--runs", "1"))
    assert found["enumerations"] == found["text"]
    peers = [found[name] for name in ("audmetric", "scikit-learn") if name in found]
    assert peers
    for peer in peers:
        first = peer.strip("[]").split(", ")[0]
        assert f": {first}" in found["enumerations"]  # the global score, to twelve digits


@pytest.mark.slow
def test_a_stream_of_rows(tmp_path: Path) -> None:
    printed = output("stream.py", "--rows", "20000", "--folder", str(tmp_path))
    ours, polars = (line.strip() for line in reversed(printed.splitlines()[-2:]))
    assert "'scored': 20000" in ours
    assert polars.strip("{}").partition(", ")[0] in ours
    assert not any(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.shared
def test_planted_copies_are_found(shared_data: Path) -> None:
    folders = [str(shared_data / "data" / name) for name in ("fairface-subset/images", "ravdess-speech")]
    printed = output("copies.py", "--images", folders[0], "--sounds", folders[1], "--every", "12")
    found = results(printed)
    shares = {
        name: float(value.split(",")[0].removeprefix("recall ")) for name, value in found.items() if "recall" in value
    }
    assert shares.pop("backwards (no copy)") == 0.0
    assert len(shares) == 28
    assert min(shares.values()) >= 0.95
    kinds = {name: value for name, value in found.items() if "of originals" in value}
    doubles = 2  # one sound of RAVDESS is there twice: its second file is found with the first, and with each copy
    assert all(int(value.split(", ")[1].split()[0]) < doubles for value in kinds.values())
    assert "near copies among originals: []" in printed


@pytest.mark.slow
def test_a_partition_at_scale() -> None:
    found = [results(output("partition_scale.py", "--rows", "20000", "--runs", "1")) for _ in range(2)]
    assert found[0]["partition"] == found[1]["partition"]
    assert "'uncovered': 0" in found[0]["partition"]
    ours, random = (ast.literal_eval(found[0][name])["cost_pp"] for name in ("partition", "restarts"))
    assert ours < random


@pytest.mark.shared
@pytest.mark.slow
def test_whole_subjects_beside_peers(shared_data: Path) -> None:
    folder = str(shared_data / "reference" / "synthetic_databases")
    lines = output("partition_subjects.py", "--databases", folder, "--names", "DISFA").splitlines()
    rows = {line[:34].strip(): line[34:].split() for line in lines[2:]}
    assert rows["affectcheck"][:4] == ["9.742", "18.52", "0", "proven"]
    assert float(rows["10,000 random restarts"][0]) > 9.75
    assert len(rows) >= 10, "an absent peer has a row that says so"


@pytest.mark.slow
def test_the_telephone_line() -> None:
    pytest.importorskip("soxr")
    found = results(output("phone.py", "--clips", "2", "--runs", "1"))
    assert {"compressor", "pink noise"} < set(found)
    assert any(name.startswith("whole line") for name in found)


@pytest.mark.slow
def test_drawn_faces() -> None:
    pytest.importorskip("PIL")
    found = results(output("drawn_faces.py", "--rows", "84", "--runs", "2"))
    assert {"draw 112", "draw 224", "place", "whole", "again"} <= set(found)


@pytest.mark.slow
def test_perturbations_of_pictures() -> None:
    for package in ("cv2", "av"):
        pytest.importorskip(package)
    found = results(output("image_augmentations.py", "--pictures", "6", "--runs", "1"))
    assert {"brightness", "gaussian-noise", "video-compression"} <= set(found)


@pytest.mark.shared
@pytest.mark.slow
def test_crops_of_a_video(shared_data: Path) -> None:
    if not all(map(find_spec, ("cv2", "av", "mtcnn"))):
        pytest.skip("no detector is installed")
    portraits = str(shared_data / "data" / "portraits")
    found = results(output("face_crops.py", "--portraits", portraits, "--seconds", "1", "--runs", "1"))
    assert found["frames"] == "25, crops: 50"
    assert "alignment" in found


@pytest.mark.slow
def test_limits_of_fairness_tests() -> None:
    printed = output("simulate.py", "--seeds", "2", "--rounds", "1", "--repetitions", "50", "--clips", "2")
    found = results(printed)
    assert "CPU" in found["one seed, one round"]
    assert found["published maxima within ours"].endswith("of 27")
    assert any(name.startswith("autocorrelation") for name in found)


@pytest.mark.shared
@pytest.mark.slow
def test_the_overhead_of_a_suite(shared_data: Path) -> None:
    pytest.importorskip("sklearn")
    data = f"ravdess:{shared_data / 'data' / 'ravdess-speech'}"
    printed = output("suite_overhead.py", "--data", data, "--clips", "6", "--workers", "1")
    found = results(printed)
    shares = [float(found[name].split(", ")[1].split("%")[0]) for name in ("decode", "perturb", "model", "overhead")]
    assert sum(shares) == pytest.approx(100, abs=0.3)


@pytest.mark.shared
@pytest.mark.slow
def test_the_equality_of_runs(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFECTCHECK_SHARED", str(shared_data))
    printed = output("suite_equality.py", "--clips", "24", "--kills", "1", "--workers").splitlines()
    assert printed[-1].startswith("killed 1 times: ")
    assert printed[-1].endswith("equal: True")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [[], ["--track", "abaw6-va", "--groups", "--shuffled"], ["--track", "abaw6-expr", "--by-video"]]
)
def test_the_size_of_a_submission(words: list[str]) -> None:
    printed = output("challenge_size.py", "--frames", "2840", *words)
    assert "p_" in printed.split("check and score")[1].splitlines()[0]
    assert "50 submissions" in printed
    assert "49 pairs" in printed
    assert "50 flags" in printed


@pytest.mark.slow
def test_a_submission_through_a_portal() -> None:
    printed = output("server_submission.py", "--frames", "2840")
    assert "the submission is queued" in printed
    assert "the submission is scored" in printed
    assert "after the upload: " in printed
