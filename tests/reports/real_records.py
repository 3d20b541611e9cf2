"""Records of real evaluations of made data, one of each kind, with groups, crossed groups, votes, steps and thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck import seeds
from affectcheck.evaluation import EvaluationOptions, ScoredColumns, evaluate_frames
from affectcheck.records import Header, RunRecord
from affectcheck.schemes import scheme

if TYPE_CHECKING:
    from affectcheck.evaluation import Evaluation

ITEMS = 360
SUBJECTS = 30
BY = ("sex", "age", "sex*age")
UNITS = scheme("au-12-affwild2").units  # type: ignore[union-attr]  # a scheme of units


def _people(random: np.random.Generator) -> dict[str, list[str | None]]:
    """Subject, sex and age of each item; some sexes unsure, some ages missing, few people above 70."""
    subject = [i % SUBJECTS for i in range(ITEMS)]
    sexes: list[str | None] = [*["female", "male"] * 14, "Unsure", "male"]
    ages: list[str | None] = [*["20-39"] * 16, *["40-69"] * 12, None, "70+"]
    random.shuffle(ages)
    return {
        "item": [f"i{i:03d}" for i in range(ITEMS)],
        "subject": [f"s{s:02d}" for s in subject],
        "sex": [sexes[s] for s in subject],
        "age": [ages[s] for s in subject],
    }


def _record(found: Evaluation, kind: str, model: str = "made") -> RunRecord:
    header = Header(
        command="score",
        model={"name": model, "kind": kind, "parts": list(found.labels)},
        data=[{"name": "made-data", "items": ITEMS}],
        counts={"items": ITEMS, "scored": ITEMS},
        message="; ".join(found.notes),
    )
    return RunRecord(header, found.scores, tables=found.tables, before_scores=found.before)


def _options(**changes: Any) -> EvaluationOptions:
    values: dict[str, Any] = {"by": BY, "resamples": 40, "minimum_support": 40, "shifts": "all"}
    return EvaluationOptions(**(values | changes))


def expressions(model: str = "made", skill: float = 0.7) -> RunRecord:
    """Seven expressions; the eldest are served worse."""
    random = seeds.rng(1, "expressions")
    labels = scheme("expressions-7").labels  # type: ignore[union-attr]  # a scheme of classes
    frame = _people(random)
    truth = random.integers(0, 7, ITEMS)
    rate = np.where(np.array(frame["age"]) == "70+", 0.2, skill)
    made = np.where(seeds.rng(2, model).random(ITEMS) < rate, truth, random.integers(0, 7, ITEMS))
    columns = {"truth": [labels[t] for t in truth], "prediction": [labels[p] for p in made]}
    told = ScoredColumns(labels=scheme("expressions-7"), model=model)
    return _record(evaluate_frames(frame | columns, columns=told, options=_options()), "categories", model)


def action_units() -> RunRecord:
    """Twelve action units of probabilities, some of them unknown."""
    random = seeds.rng(3, "units")
    frame: dict[str, list[Any]] = dict(_people(random))
    latent = random.standard_normal((ITEMS, len(UNITS)))
    scores = 1.0 / (1.0 + np.exp(-2.0 * (latent + 0.5 * random.standard_normal(latent.shape))))
    unknown = random.random(latent.shape) < 0.05
    for m, unit in enumerate(UNITS):
        present = latent[:, m] > (0.5 if m else 2.2)
        frame[unit] = [None if gone else int(yes) for gone, yes in zip(unknown[:, m], present, strict=True)]
    guessed = {"item": frame["item"]} | {f"p_{unit}": scores[:, m].tolist() for m, unit in enumerate(UNITS)}
    told = ScoredColumns(labels=scheme("au-12-affwild2"), scores="p_")
    options = _options(thresholds={unit: 0.4 + 0.05 * (m % 3) for m, unit in enumerate(UNITS)})
    return _record(evaluate_frames(frame, guessed, columns=told, options=options), "units")


def affect() -> RunRecord:
    """Valence and arousal after a step."""
    random = seeds.rng(4, "affect")
    frame: dict[str, list[Any]] = dict(_people(random))
    truth = np.clip(0.4 * random.standard_normal((ITEMS, 2)), -1, 1)
    made = np.clip(0.7 * truth + 0.2 * random.standard_normal((ITEMS, 2)), -1, 1)
    frame |= {"valence": truth[:, 0].tolist(), "arousal": truth[:, 1].tolist()}
    guessed = {"item": frame["item"], "valence": made[:, 0].tolist(), "arousal": made[:, 1].tolist()}
    told = ScoredColumns(labels=scheme("valence-arousal"))
    options = _options(steps="scale:valence=1.2x,arousal=1.1x|clip:-1,1")
    return _record(evaluate_frames(frame, guessed, columns=told, options=options), "dimensions")
