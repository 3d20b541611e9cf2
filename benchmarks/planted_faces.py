"""Are planted gaps between groups found, and is nothing found where there is none? Tests of faces on made predictions.

    python benchmarks/planted_faces.py [--seeds 200] [--subjects 96] [--workers 2] [--parts recall robustness]

Every seed makes subjects of known groups, who differ by chance, and predictions that are right as often as planted.
Without a gap, runs are counted in which any test of fairness fails: at most 5 % are promised. Gaps of fixed size and,
of each run, the gap that its own report calls the smallest detectable one are planted then; found is a gap where the
planted group fails and no group of its attribute differs more. A fault of robustness is planted likewise, as a share
of predictions that a perturbation changes in one group beside what it changes in all. Beside every share stands its
95 % interval (Wilson). Where something is planted, only the test that has to find it is run, with the error that it has
of the whole suite.
"""

# ruff: noqa: E402  # threads are limited before NumPy is imported

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "1")

import numpy as np
import polars as pl

from affectcheck.annotations import make_table
from affectcheck.behaviour import SuiteOptions, load_suite, plan, run
from affectcheck.behaviour.planning import Plan
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.schemes import Target, parts, scheme
from affectcheck.seeds import rng
from affectcheck.uncertainty import wilson

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour import Definition
    from affectcheck.predictions import PredictionTable
    from affectcheck.records import Verdict

LABELS: Final = parts(scheme("expressions-7"))
ATTRIBUTE, GROUP = "race", "black"
GROUPS: Final = {
    "gender": ("female", "male"),
    "age": ("03-09", "20-29", "40-49", "70+"),
    "race": ("asian", "black", "indian", "white"),
}
GAPS: Final = (0.0, 0.05, 0.1, 0.2)
RECALL, CHANGED = 0.7, 0.1
#: Standard deviation of subjects' recall, and of the share that a perturbation changes.
SPREAD, SPREAD_CHANGED = 0.08, 0.03
CARD: Final = ModelCard("made", "categories", LABELS, "probability", media=("image",))
#: Perturbations that stand for all: predictions are made, so that what is done to pictures does not matter.
PERTURBATIONS: Final = ("jpeg", "fog", "mask", "rotation")


@dataclass(frozen=True, eq=False)
class World:
    """Made subjects and the truth of their pictures."""

    table: AnnotationTable
    truth: np.ndarray
    subject: np.ndarray
    member: np.ndarray
    seed: int

    @property
    def share(self) -> float:
        """Of the planted group."""
        return float(self.member.mean())

    def answers(self, recall: np.ndarray, key: str) -> np.ndarray:
        """Codes that are right with the probability of each item, and one of the other classes elsewhere."""
        draw, n = rng(self.seed, "answers", key), len(self.truth)
        other = (self.truth + draw.integers(1, len(LABELS), n)) % len(LABELS)
        return np.where(draw.random(n) < recall, self.truth, other)

    def varied(self, mean: float, spread: float, key: str) -> np.ndarray:
        """A probability of each item that varies with its subject."""
        own = mean + spread * rng(self.seed, "subjects", key).standard_normal(self.subject.max() + 1)
        return np.clip(own, 0, 1)[self.subject]


def make_world(seed: int, subjects: int, each: int) -> World:
    """Subjects of every combination of groups, with all expressions."""
    draw, n = rng(seed, "world"), subjects * each
    subject = np.arange(n) // each
    columns = {
        name: pl.Series(name, np.array(values)[draw.permutation(subjects) % len(values)][subject])
        for name, values in GROUPS.items()
    }
    truth = draw.integers(len(LABELS), size=n)
    frame = pl.DataFrame(
        {
            "item": [f"i{row:05d}" for row in range(n)],
            "media": [f"i{row:05d}.png" for row in range(n)],
            "subject": [f"s{one:03d}" for one in subject],
            "expression": [LABELS[code] for code in truth],
            **columns,
        }
    )
    targets = [Target("expression", scheme("expressions-7"))]
    table = make_table(frame, targets={one.name: one for one in targets}, groups=tuple(GROUPS), name="planted")
    return World(table, truth, subject, (columns[ATTRIBUTE] == GROUP).to_numpy(), seed)


def predicted(world: World, codes: np.ndarray) -> PredictionTable:
    """A table of decisions."""
    return make_predictions(world.table.items, np.eye(len(LABELS))[codes], CARD)


@dataclass(frozen=True)
class Part(Plan):
    """One test of a plan, without crossings, with the part of the error that it has of them all."""

    sharing: int = 1

    @classmethod
    def of(cls, whole: Plan, name: str) -> Part:
        """The test of a name."""
        kept = [
            replace(test, blocks=tuple(block for block in test.blocks if ATTRIBUTE in block))
            for test in whole.tests
            if test.definition.name == name
        ]
        values = {field.name: getattr(whole, field.name) for field in fields(whole)}
        return cls(**{**values, "tests": tuple(kept)}, sharing=whole.families)

    @property
    def families(self) -> int:
        """Of the whole plan."""
        return self.sharing


@dataclass(frozen=True, eq=False)
class Said:
    """What the tests say of one world.

    Attributes:
        tests: of the suite.
        asked: the one that has to find what is planted.
    """

    world: World
    tests: tuple[Definition, ...]
    asked: str

    def of(self, clean: np.ndarray, changed: dict[str, np.ndarray], *, every: bool) -> tuple[Verdict, ...]:
        """Verdicts of every test, or of the one; ``changed`` are codes under a perturbation, by its test's name."""
        world = self.world
        options = SuiteOptions(seed=world.seed, baseline=False)
        planned = plan(self.tests, CARD, world.table, options=options)
        made = {
            test.perturbation.key: predicted(world, changed[test.definition.name])
            for test in planned.tests
            if test.perturbation is not None
        }
        given = replace(options, perturbed=made)
        whole = plan(self.tests, CARD, world.table, options=given)
        return run(whole if every else Part.of(whole, self.asked), None, world.table, predicted(world, clean), given)


def found(said: tuple[Verdict, ...], metric: str) -> bool:
    """Whether the planted group fails, and no other of its attribute differs more."""
    rows = [one for one in said if one.metric == metric and one.place.attribute == ATTRIBUTE and one.value is not None]
    largest = max(rows, key=lambda one: abs(one.value or 0.0), default=None)
    return largest is not None and largest.place.group == GROUP and largest.status == "failed"


def detectable(said: tuple[Verdict, ...], metric: str) -> float:
    """The smallest difference of the planted group that a report says it would find."""
    return next(one.detectable or 1.0 for one in said if one.metric == metric and one.place.group == GROUP)


def recall_run(seed: int, subjects: int, each: int) -> dict[str, Any]:
    """Gaps in recall."""
    world = make_world(seed, subjects, each)
    tests = tuple(t for t in load_suite("faces") if t.family == "fairness" and t.kind != "group perturbation")
    said = Said(world, tests, f"face-fairness-{ATTRIBUTE}")

    def at(gap: float) -> tuple[Verdict, ...]:
        recall = world.varied(RECALL, SPREAD, "recall") - gap * world.member
        return said.of(world.answers(np.clip(recall, 0, 1), "model"), {}, every=not gap)

    return _run(at, "uar_difference", said)


def robustness_run(seed: int, subjects: int, each: int) -> dict[str, Any]:
    """Shares of predictions that a perturbation changes."""
    world = make_world(seed, subjects, each)
    names = [f"face-fairness-under-{name}" for name in PERTURBATIONS]
    said = Said(world, tuple(test for test in load_suite("faces") if test.name in names), names[0])
    clean = world.answers(world.varied(RECALL, SPREAD, "recall"), "model")

    def at(gap: float) -> tuple[Verdict, ...]:
        changed = {}
        for name in names:
            share = world.varied(CHANGED, SPREAD_CHANGED, name)
            share = share + gap * world.member * (name == names[0])
            draw = rng(seed, "changed", name)
            moved = draw.random(len(clean)) < np.clip(share, 0, 1)
            other = (clean + draw.integers(1, len(LABELS), len(clean))) % len(LABELS)
            changed[name] = np.where(moved, other, clean)
        return said.of(clean, changed, every=not gap)

    return _run(at, "unchanged_difference", said)


def _run(at: Any, metric: str, said: Said) -> dict[str, Any]:
    """What is found at every gap, and at the one that the report of this run calls detectable."""
    before = time.process_time()
    none = at(0.0)
    seconds = time.process_time() - before
    smallest = detectable(tuple(one for one in none if one.test == said.asked), metric)
    gap = smallest / (1 - said.world.share)  # a group is compared with all, itself among them
    told = {f"{one:g}": found(at(one), metric) for one in GAPS[1:]}
    failed = sorted(
        {f"{one.test} {one.metric} {one.place.group} {one.place.part}" for one in none if one.status == "failed"}
    )
    return {
        "failed at 0": failed,
        "detectable": smallest,
        "gap": gap,
        "at detectable": found(at(gap), metric),
        **told,
        "comparisons": sum(one.value is not None for one in none),
        "seconds": seconds,
    }


def share_of(hits: list[bool]) -> dict[str, float | int]:
    """A share with its interval."""
    told = wilson(sum(hits), len(hits))
    return {
        "share": round(float(told.value), 4),
        "low": round(float(told.low), 4),
        "high": round(float(told.high), 4),
        "of": len(hits),
    }


RUNS: Final = {"recall": recall_run, "robustness": robustness_run}


def main() -> None:
    """Run, and exit with 1 if a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--subjects", type=int, default=96)
    parser.add_argument("--each", type=int, default=42, help="pictures of each subject")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--parts", nargs="+", choices=RUNS, default=list(RUNS))
    given = parser.parse_args()
    kept = True
    for part in given.parts:
        one = partial(RUNS[part], subjects=given.subjects, each=given.each)
        seeds = range(given.first, given.first + given.seeds)
        with ProcessPoolExecutor(given.workers) as pool:
            runs = list(pool.map(one, seeds))
        false = [run["failed at 0"] for run in runs if run["failed at 0"]]
        power = float(np.mean([run["at detectable"] for run in runs]))
        told = {
            "part": part,
            "comparisons (median)": int(np.median([run["comparisons"] for run in runs])),
            "runs with a failure at 0": share_of([bool(run["failed at 0"]) for run in runs]),
            "failures at 0": false,
            "detectable (median)": float(np.median([run["detectable"] for run in runs])),
            "gap planted for it (median)": float(np.median([run["gap"] for run in runs])),
            "found at detectable": share_of([run["at detectable"] for run in runs]),
            **{f"found at {gap:g}": share_of([run[f"{gap:g}"] for run in runs]) for gap in GAPS[1:]},
            "CPU seconds of a run (median)": float(np.median([run["seconds"] for run in runs])),
        }
        print(json.dumps(told, indent=2))
        kept &= len(false) <= 0.05 * len(runs) and power >= 0.8
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
