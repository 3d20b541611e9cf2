"""The same numbers from other libraries, where the definitions coincide, and from plain loops, where none does."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from affectcheck.metrics.divergence import jensen_shannon
from affectcheck.tallies import Confusion, Moments, Units

LABELS = 5


@pytest.fixture(params=range(4))
def codes(request):
    random = np.random.default_rng(request.param)
    truth = random.choice(LABELS, 300, p=[0.5, 0.2, 0.15, 0.1, 0.05])
    return truth, np.where(random.random(300) < 0.6, truth, random.integers(0, LABELS, 300))


@pytest.fixture(params=range(4))
def values(request):
    random = np.random.default_rng(request.param)
    truth = random.uniform(0, 1, 300)
    return truth, np.clip(truth + random.normal(0, 0.2, 300), 0, 1)


def test_categories_agree_with_scikit_learn(codes):
    sklearn = pytest.importorskip("sklearn.metrics")
    truth, prediction = codes
    tally = Confusion.count(truth, prediction, labels=LABELS)
    every = {"labels": range(LABELS), "zero_division": 0}
    expected = {
        "accuracy": sklearn.accuracy_score(truth, prediction),
        "uar": sklearn.recall_score(truth, prediction, average="macro", **every),
        "uap": sklearn.precision_score(truth, prediction, average="macro", **every),
        "f1_macro": sklearn.f1_score(truth, prediction, average="macro", **every),
        "f1_weighted": sklearn.f1_score(truth, prediction, average="weighted", **every),
        "cohen_kappa": sklearn.cohen_kappa_score(truth, prediction),
    }
    for name, value in expected.items():
        assert float(METRICS.get(name).compute(tally)) == pytest.approx(value, abs=1e-12), name
    for name, function in (("recall", sklearn.recall_score), ("precision", sklearn.precision_score)):
        reference = function(truth, prediction, average=None, **every)
        np.testing.assert_allclose(METRICS.get(name).compute(tally), reference, atol=1e-12)


@pytest.fixture(params=range(4))
def units(request):
    random = np.random.default_rng(request.param)
    truth = (random.random((300, 5)) < [0.5, 0.3, 0.2, 0.05, 0.0]).astype(int)
    prediction = np.where(random.random(truth.shape) < 0.8, truth, 1 - truth)
    truth[random.random(truth.shape) < 0.2] = -1
    return truth, prediction, random.choice(4, 300, p=[0.5, 0.3, 0.15, 0.05])


def test_units_agree_with_scikit_learn(units):
    sklearn = pytest.importorskip("sklearn.metrics")
    truth, prediction, _ = units
    tally = Units.count(truth, prediction)
    known = [(truth[truth[:, m] >= 0, m], prediction[truth[:, m] >= 0, m]) for m in range(truth.shape[1])]
    f1 = [sklearn.f1_score(t, p, zero_division=0) for t, p in known]
    accuracy = [sklearn.accuracy_score(t, p) for t, p in known]
    expected = {
        "unit_f1": np.mean(f1),
        "unit_accuracy": np.mean(accuracy),
        "unit_matthews": np.mean([sklearn.matthews_corrcoef(t, p) for t, p in known]),
        "emotionet": (np.mean(f1) + np.mean(accuracy)) / 2,
    }
    for name, value in expected.items():
        assert float(METRICS.get(name).compute(tally)) == pytest.approx(value, abs=1e-12), name
    for name, function in (("unit_recall", sklearn.recall_score), ("unit_precision", sklearn.precision_score)):
        reference = [function(t, p, zero_division=np.nan) for t, p in known]
        np.testing.assert_allclose(METRICS.get(name).compute(tally), reference, atol=1e-12)


def test_local_f1_of_units_agrees_with_the_public_rule(units):
    """Each group's score over the labels it has, and the binary one if both labels occur, unit by unit."""
    sklearn = pytest.importorskip("sklearn.metrics")
    truth, prediction, group = units
    by_unit = []
    for m in range(truth.shape[1]):
        rows = truth[:, m] >= 0
        average = "binary" if np.unique(truth[rows, m]).size == 2 else "macro"
        by_unit.append(
            np.mean(
                [
                    sklearn.f1_score(truth[here, m], prediction[here, m], average=average, zero_division=0)
                    for g in range(4)
                    if (here := rows & (group == g)).any()
                ]
            )
        )
    local = METRICS.get("unit_local_f1")
    tally = Units.count(truth, prediction, cells=group, n_cells=4)
    assert float(local.compute(tally, convention="upstream")) == pytest.approx(np.mean(by_unit), abs=1e-12)
    np.testing.assert_allclose(local.parts(tally, convention="upstream"), by_unit, atol=1e-12)


def plain_gaps(units, numerator: str, zero: bool) -> float:
    """Paper 1, Eq. 5 and 6, written out in loops over units, groups and items."""
    truth, prediction, group = units
    gaps = []
    for m in range(truth.shape[1]):
        rates = []
        for g in range(4):
            items = [(t, p) for t, p, h in zip(truth[:, m], prediction[:, m], group, strict=True) if h == g and t >= 0]
            chosen = [(t, p) for t, p in items if t == 1] if numerator == "hits" else items
            if chosen:
                rates.append(sum(p for _, p in chosen) / len(chosen))
            elif items and zero:
                rates.append(0.0)
        if len(rates) > 1:
            gaps.append(max(rates) - min(rates))
    return sum(gaps) / len(gaps)


def test_distances_of_units_agree_with_plain_loops(units):
    tally = Units.count(units[0], units[1], cells=units[2], n_cells=4)
    eod, dpd = METRICS.get("eod").compute, METRICS.get("dpd").compute
    assert float(eod(tally)) == pytest.approx(plain_gaps(units, "hits", zero=False), abs=1e-12)
    assert float(eod(tally, convention="tables")) == pytest.approx(plain_gaps(units, "hits", zero=True), abs=1e-12)
    assert float(dpd(tally)) == pytest.approx(plain_gaps(units, "predicted", zero=False), abs=1e-12)


def test_the_labels_seen_agree_with_scikit_learn():
    sklearn = pytest.importorskip("sklearn.metrics")
    truth, prediction = np.array([0, 0, 1, 3]), np.array([0, 1, 1, 1])
    tally = Confusion.count(truth, prediction, labels=LABELS)
    for name, function in (
        ("f1_macro", sklearn.f1_score),
        ("uar", sklearn.recall_score),
        ("uap", sklearn.precision_score),
    ):
        value = METRICS.get(name).compute(tally, convention="upstream")
        assert float(value) == pytest.approx(function(truth, prediction, average="macro", zero_division=0), abs=1e-12)


def test_dimensions_agree_with_scipy_and_scikit_learn(values):
    stats, sklearn = pytest.importorskip("scipy.stats"), pytest.importorskip("sklearn.metrics")
    distance = pytest.importorskip("scipy.spatial.distance")
    truth, prediction = values
    tally = Moments.of(truth, prediction)
    expected = {
        "pcc": stats.pearsonr(truth, prediction).statistic,
        "mae": sklearn.mean_absolute_error(truth, prediction),
        "mse": sklearn.mean_squared_error(truth, prediction),
        "rmse": sklearn.mean_squared_error(truth, prediction) ** 0.5,
        "mde": (prediction - truth).mean(),
    }
    for name, value in expected.items():
        assert float(METRICS.get(name).compute(tally)) == pytest.approx(value, abs=1e-12), name
    p, q = np.histogram(truth, 10, (0, 1))[0], np.histogram(prediction, 10, (0, 1))[0]
    assert float(jensen_shannon(p, q)) == pytest.approx(distance.jensenshannon(p, q, base=2), abs=1e-12)


def test_concordance_and_rates_agree_with_audmetric(codes, values):
    audmetric = pytest.importorskip("audmetric")
    truth, prediction = values
    ccc = audmetric.concordance_cc(truth, prediction)
    assert float(METRICS.get("ccc").compute(Moments.of(truth, prediction))) == pytest.approx(ccc, abs=1e-12)
    tally = Confusion.count(*codes, labels=LABELS)
    uar = audmetric.unweighted_average_recall(*codes)
    uap = audmetric.unweighted_average_precision(*codes)
    assert float(METRICS.get("uar").compute(tally, convention="upstream")) == pytest.approx(uar, abs=1e-12)
    assert float(METRICS.get("uap").compute(tally, convention="upstream")) == pytest.approx(uap, abs=1e-12)


def plain_eop(tally: Confusion) -> float:
    """Paper 1, Eq. 3, written out in loops over pairs, rows and columns."""
    groups, classes = tally.counts.shape[:2]
    distances = []
    for g in range(groups):
        for h in range(g):
            cells = []
            for c in range(classes):
                totals = tally.counts[g, c].sum(), tally.counts[h, c].sum()
                if 0 in totals:
                    continue
                cells += [
                    abs(tally.counts[g, c, j] / totals[0] - tally.counts[h, c, j] / totals[1]) for j in range(classes)
                ]
            if cells:
                distances.append(sum(cells) / len(cells))
    return sum(distances) / len(distances)


def plain_sp(tally: Confusion) -> float:
    """Paper 1, Eq. 4, written out in loops over pairs and classes."""
    shares = [
        [tally.counts[g, :, c].sum() / tally.counts[g].sum() for c in range(tally.labels)]
        for g in range(len(tally.counts))
    ]
    pairs = [
        sum(abs(a - b) for a, b in zip(shares[g], shares[h], strict=True)) / tally.labels
        for g in range(len(shares))
        for h in range(g)
    ]
    return sum(pairs) / len(pairs)


@pytest.mark.parametrize("seed", range(5))
def test_distances_agree_with_plain_loops(seed):
    random = np.random.default_rng(seed)
    counts = random.integers(0, 4, (4, 3, 3)) + np.eye(3, dtype=int) * (seed > 1)
    tally = Confusion.of_counts(counts)
    assert float(METRICS.get("eop").compute(tally)) == pytest.approx(plain_eop(tally), abs=1e-12)
    assert float(METRICS.get("sp").compute(tally)) == pytest.approx(plain_sp(tally), abs=1e-12)


@pytest.mark.parametrize("classes", [2, 4, 7, 8])
def test_the_two_scalings_differ_by_half_the_number_of_classes(classes):
    random = np.random.default_rng(classes)
    tally = Confusion.of_counts(random.integers(1, 9, (3, classes, classes)))
    for name in ("eop", "sp"):
        paper, tables = (float(METRICS.get(name).compute(tally, convention=c)) for c in ("paper", "tables"))
        assert tables == pytest.approx(paper * classes / 2)
        assert paper <= 2 / classes
