"""The process that speaks clips: ``python -m affectcheck.datasets.synthetic_worker FOLDER DESIGN SHARE SHARES``.

Writes one line of JSON a clip to standard output. Clips that are there already are read instead of spoken, so a
run that was killed goes on where it stopped.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from affectcheck.datasets.espeak import Engine
from affectcheck.datasets.speech_files import read_speech, whole_samples, write_speech
from affectcheck.datasets.speech_processes import run_worker, say
from affectcheck.datasets.synthetic_design import Design, PlannedClip, plan
from affectcheck.digest import digest_array

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np


@dataclass(frozen=True)
class Spoken:
    """One finished clip.

    Attributes:
        item: its key.
        digest: of its samples (int16).
        samples: how many.
    """

    item: str
    digest: str
    samples: int


def clip_path(folder: Path, item: str) -> Path:
    """Where a clip lies."""
    return folder / "clips" / f"{item}.flac"


def samples_of(engine: Engine, clip: PlannedClip) -> np.ndarray:
    """Speak one clip: (n,) int16 at 16 kHz."""
    speech = engine.speak(clip.utterance)
    # taken as if sampled faster or slower by the tract's factor, which moves every resonance by it
    return whole_samples(speech.samples / 32_768.0, speech.rate_hz * clip.tract)


def speak_clips(folder: Path, clips: tuple[PlannedClip, ...]) -> Iterator[Spoken]:
    """Make the clips that are missing; yield each as soon as it is there."""
    with Engine() as engine:
        for clip in clips:
            path = clip_path(folder, clip.item)
            samples = read_speech(path)
            if samples is None:
                samples = samples_of(engine, clip)
                write_speech(path, samples)
            yield Spoken(clip.item, digest_array(samples), len(samples))


def main(arguments: list[str]) -> int:
    """Speak this process's share of a design's clips."""
    folder, text, share, shares = arguments
    fields = json.loads(text)
    design = Design(**{**fields, "languages": tuple(fields["languages"])})
    say(speak_clips(Path(folder), plan(design)[int(share) :: int(shares)]))
    return 0


if __name__ == "__main__":
    run_worker(main)
