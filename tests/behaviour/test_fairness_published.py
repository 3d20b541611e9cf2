"""Published mode of labelled tests, against plain formulas on groups of 1000 items and equal truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations.table import AnnotationTable
from affectcheck.schemes import Target, scheme
from affectcheck.seeds import rng
from unlabelled_items import BIN_NAMES, DIMENSIONS, LABELS, by_place, codes, values_of, verdicts

HERTZ = {"low": 120.0, "medium": 170.0, "high": 230.0}
EACH = 1000


def table_of(kind: str) -> tuple[AnnotationTable, np.ndarray, np.ndarray]:
    """Three groups of 20 speakers with the same truth each, in another order."""
    draw = rng(7, "published", kind)
    group = np.repeat(list(HERTZ), EACH)
    if kind == "categories":
        one = draw.choice(4, EACH, p=(0.1, 0.2, 0.3, 0.4))
        truth = np.concatenate([draw.permutation(one) for _ in HERTZ])
        labels = [pl.Series("expression", [LABELS[t] for t in truth], dtype=pl.Enum(LABELS))]
        target = Target("expression", scheme("expressions-4"))
    else:
        first = np.clip(draw.normal(0.5, 1 / 6, (EACH, 3)), 0, 1)
        truth = np.concatenate([draw.permutation(first) for _ in HERTZ])
        labels = [pl.Series(name, truth[:, d]) for d, name in enumerate(DIMENSIONS)]
        target = Target("affect", scheme("affect-3"))
    columns = [
        pl.Series("item", [f"i{i}" for i in range(3 * EACH)]),
        pl.Series("subject", [f"s{i // 50}" for i in range(3 * EACH)]),
        pl.Series("f0_hz", [HERTZ[one] for one in group]),
        *labels,
    ]
    return AnnotationTable(pl.DataFrame(columns), {target.name: target}, (), "made"), truth, group


def rates(truth: np.ndarray, prediction: np.ndarray, number: int) -> dict[str, np.ndarray]:
    hits = np.array([((truth == c) & (prediction == c)).sum() for c in range(number)])
    true, said = (np.bincount(one, minlength=number) for one in (truth, prediction))
    found = {"recall": hits / np.maximum(true, 1), "precision": hits / np.maximum(said, 1)}
    return found | {"uar": found["recall"].mean(), "uap": found["precision"].mean()}


def agreement(truth: np.ndarray, prediction: np.ndarray) -> dict[str, Any]:
    x, y = truth - truth.mean(), prediction - prediction.mean()
    shift = (truth.mean() - prediction.mean()) ** 2 * len(truth)
    error = prediction - truth
    return {
        "ccc": 2 * (x * y).sum() / ((x * x).sum() + (y * y).sum() + shift),
        "mae": np.abs(error).mean(),
        "mde": error.mean(),
    }


def test_differences_of_classes() -> None:
    table, truth, group = table_of("categories")
    draw = rng(1, "answers")
    predicted = np.where(
        draw.random(len(truth)) < np.where(group == "low", 0.55, 0.7), truth, draw.integers(4, size=len(truth))
    )
    found = verdicts("fairness-pitch", table, codes(table, predicted), mode="published")
    whole = rates(truth, predicted, 4)
    assert len(found) == 3 * 10
    for metric in ("recall", "precision", "uar", "uap"):
        for (name, part), verdict in by_place(found, f"{metric}_difference").items():
            own = rates(truth[group == name], predicted[group == name], 4)
            expected = np.atleast_1d(own[metric] - whole[metric])[LABELS.index(part) if part else 0]
            assert verdict.value == pytest.approx(round(float(expected), 2), abs=1e-9)
            assert verdict.status == ("passed" if abs(verdict.value) < verdict.threshold.value else "failed")
            assert verdict.detectable > verdict.threshold.value
    assert by_place(found, "uar_difference")["low", ""].status == "failed"


def test_differences_of_values_and_bins() -> None:
    table, truth, group = table_of("dimensions")
    noise = rng(1, "answers").normal(0, 0.1, truth.shape) + np.where(group == "high", 0.06, 0.0)[:, None]
    prediction = values_of(table, np.clip(truth + noise, 0, 1))
    found = verdicts("fairness-pitch", table, prediction, mode="published")
    rounded = np.round(prediction.frame.select(DIMENSIONS).to_numpy().astype(np.float32), 2).astype(float)
    assert len(found) == 3 * 33
    for d, dimension in enumerate(DIMENSIONS):
        whole = agreement(truth[:, d], rounded[:, d])
        bins = [np.searchsorted([0.25, 0.5, 0.75], one[:, d]) for one in (truth, rounded)]
        all_bins = rates(*bins, 4)
        for name in HERTZ:
            rows = group == name
            own, own_bins = agreement(truth[rows, d], rounded[rows, d]), rates(bins[0][rows], bins[1][rows], 4)
            for metric in ("ccc", "mae", "mde"):
                verdict = by_place(found, f"{metric}_difference")[name, dimension]
                assert verdict.value == pytest.approx(round(own[metric] - whole[metric], 2), abs=1e-9)
            for metric in ("recall", "precision"):
                for code, label in enumerate(BIN_NAMES):
                    verdict = by_place(found, f"{metric}_difference")[name, f"{dimension} {label}"]
                    support = int((bins[0][rows] == code).sum())
                    assert (verdict.support, verdict.minimum_support) == (support, 67)
                    if support < 67:
                        assert verdict.status == "not applicable"
                    else:
                        assert verdict.value == pytest.approx(
                            round(own_bins[metric][code] - all_bins[metric][code], 2), abs=1e-9
                        )
    assert by_place(found, "mde_difference")["high", "valence"].value == pytest.approx(0.04, abs=0.011)


def test_random_models_fail_nothing() -> None:
    for kind in ("categories", "dimensions"):
        table, truth, _ = table_of(kind)
        for seed in range(4):
            draw = rng(seed, "random")
            if kind == "categories":
                prediction = codes(table, draw.integers(4, size=len(truth)))
            else:
                prediction = values_of(table, np.clip(draw.normal(0.5, 1 / 6, truth.shape), 0, 1))
            found = verdicts("fairness-pitch", table, prediction, mode="published", seed=seed)
            assert {one.status for one in found} <= {"passed", "not applicable"}
