"""A tiny speech corpus made on the spot: tones whose loudness and pitch tell the class, with subjects and sexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

LABELS = ("anger", "neutral", "sadness")
RATE_HZ = 16_000


def write_corpus(root: Path, *, subjects: int = 10, repetitions: int = 4, seconds: float = 0.4) -> Path:
    """Write clips, ``labels.csv`` and ``labels.toml``.

    Returns:
        The path of the TOML file, as ``table:PATH`` takes it.
    """
    import soundfile

    root.mkdir(parents=True, exist_ok=True)
    rows = ["file,speaker,sex,emotion"]
    for subject in range(subjects):
        sex = "female" if subject % 2 else "male"
        for code, label in enumerate(LABELS):
            for repetition in range(repetitions):
                name = f"s{subject:02d}_{label}_{repetition}.wav"
                soundfile.write(root / name, clip(subject, code, repetition, seconds), RATE_HZ)
                rows.append(f"{name},s{subject:02d},{sex},{label}")
    (root / "labels.csv").write_text("\n".join(rows) + "\n")
    path = root / "labels.toml"
    path.write_text(
        'file = "labels.csv"\nname = "tones"\nitem = "file"\nmedia = "file"\nsubject = "speaker"\ngroups = ["sex"]\n\n'
        '[targets.emotion]\nlabels = ["anger", "neutral", "sadness"]\n'
    )
    return path


def clip(subject: int, code: int, repetition: int, seconds: float) -> np.ndarray:
    """A tone with vibrato and noise; the class is in its pitch and roughness, the subject in its base pitch."""
    draw = rng(0, "tone", subject, code, repetition)
    time = np.arange(int(seconds * RATE_HZ)) / RATE_HZ
    pitch_hz = (110.0 + 9.0 * subject) * (1.0 + 0.45 * code) * (1 + 0.05 * draw.standard_normal())
    wave = sum(np.sin(2 * np.pi * pitch_hz * k * time) / k for k in range(1, 6 - code))
    noise = 0.02 * (1 + 2 * code) * draw.standard_normal(time.size)
    return (0.1 * (wave + noise)).astype(np.float32)
