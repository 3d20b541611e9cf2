"""The same claims for ``compare`` itself, from tables of items to the printed interval and p-value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from affectcheck.evaluation import CompareOptions, Entrant, EvaluationOptions, ScoredColumns, compare, evaluate_frames
from affectcheck.schemes import CategoryScheme, DimensionScheme
from affectcheck.seeds import rng
from validity.claim import Bar, Claim
from validity.comparing import BY_GROUP, DRAWS, NAMES, OVERALL, RESAMPLES, Drawn, classified, rated, true_difference

if TYPE_CHECKING:
    from collections.abc import Mapping

CLASSES = CategoryScheme("seven", tuple("abcdefg"))
VALUES = DimensionScheme("one", ("valence",), -20.0, 20.0)


def compared(drawn: Drawn, scheme: Any, metrics: tuple[str, ...], options: CompareOptions) -> dict[str, Any]:
    """Comparison by metric, over the whole set and over the groups."""
    classes = isinstance(scheme, CategoryScheme)
    of = (lambda codes: [CLASSES.labels[code] for code in codes]) if classes else (lambda values: values)
    name = "truth" if classes else {"valence": "truth"}
    guess = "prediction" if classes else {"valence": "prediction"}
    told = EvaluationOptions(by=("group",) if classes else (), metrics=metrics, resamples=0)
    entrants = []
    for model, answer in zip(("first", "second"), drawn.answers, strict=True):
        frame = pl.DataFrame(
            {
                "subject": [f"s{code}" for code in drawn.subject],
                "group": [f"g{code}" for code in drawn.group],
                "truth": of(drawn.truth),
                "prediction": of(answer),
            }
        )
        columns = ScoredColumns(name, guess, scheme, subject="subject", model=model)
        entrants.append(Entrant.of(evaluate_frames(frame, columns=columns, options=told)))
    found = compare(entrants, options).comparisons
    wanted = {one.metric: one for one in found if not one.place.group and not one.place.part}
    return {name: wanted[name] for name in metrics}


def draw(seed: int, models: tuple[int, int], name: str) -> dict[str, Any]:
    random = rng(seed, "validity", name)
    options = CompareOptions(by=("group",), resamples=RESAMPLES, draws=DRAWS, seed=seed)
    found = compared(classified(random, models), CLASSES, (*OVERALL, *BY_GROUP), options)
    return found | compared(
        rated(random, models), VALUES, ("ccc",), CompareOptions(resamples=RESAMPLES, draws=DRAWS, seed=seed)
    )


def draw_unlike(seed: int) -> Mapping[str, float]:
    found = draw(seed, (0, 1), "compare verb")
    return {name: float(one.interval.low <= true_difference(name) <= one.interval.high) for name, one in found.items()}


def draw_alike(seed: int) -> Mapping[str, float]:
    return {name: float(one.p_value < 0.05) for name, one in draw(seed, (0, 0), "compare verb null").items()}


def _covered(name: str) -> Bar:
    low, high = (0.92, 1.0) if name == "local_f1" else (0.935, 0.97)
    return Bar(name, f"{name}, true difference {true_difference(name):.3f}: covered", low, high)


CLAIMS = (
    Claim("compare-verb", "affectcheck.compare: 95 % intervals", draw_unlike, tuple(_covered(name) for name in NAMES)),
    Claim(
        "compare-verb-null",
        "affectcheck.compare of exchangeable models: rejected",
        draw_alike,
        tuple(Bar(name, f"{name}: rejected at .05", 0.035, 0.065) for name in NAMES),
    ),
)
