"""The telephone line, part by part: CPU seconds per 1000 clips of 3 s at 16 kHz; the whole is to stay within 30.

    python benchmarks/phone.py [--clips 40] [--runs 5]

The parts take turns, and the median of the runs counts. Time of child processes counts too.
"""

from __future__ import annotations

import argparse
import resource
import statistics
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.augmentations import Perturbation, Phone, codecs
from affectcheck.augmentations.compressor import Compressor
from affectcheck.augmentations.phone import pink_noise
from affectcheck.media.clip import Clip
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable

RATE_HZ, SECONDS, BAR_S = 16_000, 3, 30


def voice(index: int) -> np.ndarray:
    """A buzz with syllables and breath."""
    draw = rng(1, "voice", index)
    time_s = np.arange(SECONDS * RATE_HZ) / RATE_HZ
    pitch_hz = draw.uniform(90, 250)
    buzz = sum(np.sin(2 * np.pi * pitch_hz * k * time_s) / k for k in range(1, 30))
    syllables = np.abs(np.sin(2 * np.pi * draw.uniform(2, 5) * time_s))
    return (0.1 * buzz * syllables + 0.005 * draw.standard_normal(len(time_s))).astype(np.float32)


def cpu_s() -> float:
    """Seconds that this process and its children have computed."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clips", type=int, default=40)
    parser.add_argument("--runs", type=int, default=5)
    told = parser.parse_args()
    clips = [Clip(voice(index), RATE_HZ) for index in range(told.clips)]
    narrow = [clip.samples[::2].astype(np.float64) for clip in clips]
    perturbation, noise = Perturbation(Phone()), rng(1, "noise")
    parts: dict[str, Callable[[int], object]] = {
        f"whole line ({Phone().codec})": lambda index: perturbation(clips[index], f"clip {index}"),
        "compressor": lambda index: Compressor().apply(narrow[index], codecs.RATE_HZ),
        "pink noise": lambda index: pink_noise(SECONDS * RATE_HZ, noise),
    }
    for encoder in codecs.available():
        parts[f"{encoder.codec} by {encoder.library}"] = lambda index, one=encoder: codecs.transmit(narrow[index], one)
    spent: dict[str, list[float]] = {name: [] for name in parts}
    for run in range(told.runs + 1):
        for name, part in parts.items():
            before = cpu_s()
            for index in range(told.clips):
                part(index)
            if run:  # the first warms up
                spent[name].append((cpu_s() - before) * 1000 / told.clips)
    print(f"CPU seconds per 1000 clips of {SECONDS} s, median of {told.runs} runs of {told.clips} clips; bar {BAR_S}")
    for name, seconds in spent.items():
        print(f"  {name}: {statistics.median(seconds):.2f} ({min(seconds):.2f} to {max(seconds):.2f})")


if __name__ == "__main__":
    main()
