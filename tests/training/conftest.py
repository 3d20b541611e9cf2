"""A small corpus of buzzes: four subjects, three pitches as classes, and two dimensions."""

from __future__ import annotations

import wave
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.annotations import make_table
from affectcheck.schemes import CategoryScheme, DimensionScheme, Target, UnitScheme
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

RATE_HZ = 16_000
PITCHES = {"low": 110.0, "middle": 180.0, "high": 300.0}
SUBJECTS = ("s1", "s2", "s3", "s4")
TARGETS = (
    Target("pitch", CategoryScheme("pitches", (*PITCHES, "shrill"))),
    Target("affect", DimensionScheme("two", ("up", "down"), 0.0, 1.0)),
    Target("aus", UnitScheme("one", ("AU1",))),
)


def write(path: Path, pitch_hz: float, seed: int) -> None:
    time = np.arange(RATE_HZ // 3) / RATE_HZ
    buzz = sum(np.sin(2 * np.pi * pitch_hz * k * time) / k for k in range(1, 8))
    samples = 0.1 * (buzz + rng(seed, "corpus").normal(size=len(time)) * 0.05)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE_HZ, 0, "NONE", ""))
        file.writeframes(np.round(samples * 32_767).astype("<i2").tobytes())


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> AnnotationTable:
    root = tmp_path_factory.mktemp("corpus")
    rows = []
    for place, subject in enumerate(SUBJECTS):
        for label, pitch_hz in PITCHES.items():
            for take in (1, 2):
                name = f"{subject}-{label}-{take}.wav"
                write(root / name, pitch_hz * (1 + 0.02 * place), seed=len(rows))
                height = (pitch_hz - 100.0) / 250.0
                rows.append((name, name, subject, label, height, 1.0 - height if take == 1 else None, 1))
    columns = ("item", "media", "subject", "pitch", "up", "down", "AU1")
    frame = {column: [row[place] for row in rows] for place, column in enumerate(columns)}
    return make_table(frame, targets=TARGETS, name="buzzes", root=root)


@pytest.fixture(scope="session")
def parts(corpus: AnnotationTable) -> dict[str, list[str]]:
    return {
        "train": [key for key in corpus.items if key[:2] in ("s1", "s2")],
        "validation": [key for key in corpus.items if key[:2] == "s3"],
        "test": [key for key in corpus.items if key[:2] == "s4"],
    }


@pytest.fixture(scope="session")
def folds(corpus: AnnotationTable) -> list[tuple[list[str], list[str]]]:
    return [
        ([key for key in corpus.items if key[:2] != subject], [key for key in corpus.items if key[:2] == subject])
        for subject in SUBJECTS
    ]
