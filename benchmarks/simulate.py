"""Limits of fairness tests: CPU and wall seconds of all 27 of Table III; and the pitch of speech beside Praat.

    python benchmarks/simulate.py [--seeds 3] [--rounds 4] [--repetitions 1000] [--clips 40]

All 27 limits of one seed and one round of 1000 random models are to take no more than 20 s on two cores.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.behaviour import load_suite
from affectcheck.behaviour.simulating import Simulating, simulate_limits
from affectcheck.behaviour.simulating_table import table_three
from affectcheck.media.clip import Clip
from affectcheck.media.pitch import PITCH_ESTIMATORS, pitch_estimator
from affectcheck.media.pitch_praat import praat_installed
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable

BAR_S = 20.0


def timed(told: str, work: Callable[[], object], *, bar_s: float | None = None) -> object:
    """Run once, and print the seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    bar = f" (bar {bar_s:g} s: {'kept' if wall <= bar_s else 'missed'})" if bar_s else ""
    print(f"  {told}: {cpu:.2f} s CPU, {wall:.2f} s wall{bar}")
    return result


def voice(index: int, seconds: float = 3.0, rate_hz: int = 16_000) -> Clip:
    """A buzz with syllables, a moving pitch and breath."""
    draw = rng(1, "voice", index)
    time_s = np.arange(int(seconds * rate_hz)) / rate_hz
    hertz = draw.uniform(90, 250) * (1 + 0.1 * np.sin(2 * np.pi * draw.uniform(0.3, 1) * time_s))
    phase = 2 * np.pi * np.cumsum(hertz) / rate_hz
    buzz = sum(np.sin(k * phase) / k for k in range(1, 25)) * np.abs(np.sin(2 * np.pi * 3 * time_s))
    return Clip((0.1 * buzz + 0.005 * draw.standard_normal(len(time_s))).astype(np.float32), rate_hz)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--clips", type=int, default=40)
    told = parser.parse_args()
    suite = load_suite("fairness")
    once = Simulating(repetitions=told.repetitions, rounds=1)
    print(f"27 limits, {told.repetitions} random models")
    timed("one seed, one round", lambda: simulate_limits(suite, once), bar_s=BAR_S)
    several = Simulating(repetitions=told.repetitions, rounds=told.rounds)
    timed(f"one seed, {told.rounds} rounds", lambda: simulate_limits(suite, several), bar_s=BAR_S)
    rows = timed(f"{told.seeds} seeds, {told.rounds} rounds", lambda: table_three(several, seeds=told.seeds))
    print(f"  largest disagreement of the 0.99 quantile over seeds: {max(row.disagreement for row in rows):.1%}")
    print(f"  published maxima within ours: {sum(row.explained == 'within ours' for row in rows)} of {len(rows)}")
    print(f"mean pitch of {told.clips} clips of 3 s")
    clips, means = [voice(index) for index in range(told.clips)], {}
    for name in PITCH_ESTIMATORS:
        if name != "praat" or praat_installed():
            found = pitch_estimator(name)
            frames = timed(f"{name} {found.version}", lambda found=found: [found.frames_hz(clip) for clip in clips])
            means[name] = [float(one[one > 0].mean()) for one in frames]
    if len(means) == len(PITCH_ESTIMATORS):
        apart = [abs(a / b - 1) for a, b in zip(*means.values(), strict=True)]
        print(f"  median relative difference of the means: {statistics.median(apart):.1e}, largest {max(apart):.1e}")


if __name__ == "__main__":
    main()
