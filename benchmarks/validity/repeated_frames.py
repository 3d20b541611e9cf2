"""Videos of few subjects: an interval from subjects holds, one from frames does not.

An action unit in 29 subjects of 1,375 frames each, as in a test set of paper 1 (9 subjects in another), with subjects
that differ in how often they show it and in how well the model sees it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics import METRICS
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion
from affectcheck.uncertainty import Intervals, Resampling, resample, resample_items
from validity.claim import Bar, Claim

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

FRAMES, RESAMPLES = 1375, 1000
#: Mean and deviation on the logit scale over subjects: of showing the unit, of its being seen, of a false alarm.
EFFECTS = {"shown": (-0.8, 0.8), "seen": (0.7, 0.9), "false": (-1.9, 0.8)}


def f1(tally: Confusion) -> NDArray[np.float64]:
    return np.asarray(METRICS.get("f1").compute(tally)[..., 1])


def rates(random: np.random.Generator, subjects: int) -> NDArray[np.float64]:
    """(subjects, 2, 2) probabilities of truth and prediction."""
    shown, seen, false = (1.0 / (1.0 + np.exp(-random.normal(*EFFECTS[name], subjects))) for name in EFFECTS)
    cells = [(1 - shown) * (1 - false), (1 - shown) * false, shown * (1 - seen), shown * seen]
    return np.stack(cells, axis=-1).reshape(-1, 2, 2)


def true_f1() -> float:
    """Of the population of subjects."""
    expected = rates(rng(0, "validity", "frames", "population"), 1_000_000).mean(axis=0)
    return float(f1(Confusion(expected, np.zeros(2))))


TRUE = true_f1()


def draw(seed: int, *, subjects: int) -> Mapping[str, float]:
    random = rng(seed, "validity", "frames", subjects)
    counts = random.multinomial(FRAMES, rates(random, subjects).reshape(-1, 4)).reshape(-1, 2, 2)
    tally = Confusion.of_counts(counts)
    by_subject = {
        name: resample(tally, Resampling(RESAMPLES, seed, method=name)).intervals(f1)
        for name in ("percentile-t", "bca")
    }
    frames = resample_items(tally.pooled(0), Resampling(RESAMPLES // 2, seed)).intervals(f1)
    return {
        "subjects": covers(by_subject["percentile-t"]),
        "bca": covers(by_subject["bca"]),
        "frames": covers(frames),
        "width": width(by_subject["percentile-t"]),
        "frame_width": width(frames),
    }


def covers(found: Intervals, true: float | None = None) -> float:
    value = TRUE if true is None else true
    return float(found.low <= value <= found.high)


def width(found: Intervals) -> float:
    return float(found.high - found.low)


def claim(subjects: int) -> Claim:
    described: dict[str, Any] = {
        "name": f"frames-{subjects}",
        "title": f"F1 of an action unit, {subjects} subjects x {FRAMES:,} frames: a 95 % interval covers the true value",
    }
    bars = (
        Bar("subjects", "from subjects (percentile-t)", 0.92, 0.97),
        Bar("bca", "from subjects (bca)", 0.90, 0.98),
        Bar("frames", "from frames, wrongly", high=0.25),
        Bar("width", "width, from subjects"),
        Bar("frame_width", "width, from frames"),
    )
    return Claim(**described, draw=partial(draw, subjects=subjects), bars=bars)


CLAIMS = (claim(29), claim(9))
