from __future__ import annotations

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion, Moments
from affectcheck.uncertainty import influences, spread_of


@pytest.mark.parametrize("name", ["accuracy", "uar", "f1_macro"])
def test_influences_average_to_nothing_and_tell_the_variance_of_a_score(name):
    """The variance of a score over data sets is that of the influences over the number of items."""
    random = np.random.default_rng(0)
    cells = np.array([[0.30, 0.05, 0.05], [0.05, 0.25, 0.05], [0.05, 0.05, 0.15]])
    compute = METRICS.get(name).compute
    kinds = Confusion.of_counts(np.eye(9, dtype=int).reshape(9, 3, 3))
    whole = Confusion.of_counts(np.round(cells * 10**6))
    found = influences(whole, kinds, compute).reshape(3, 3)
    assert float((cells * found).sum()) == pytest.approx(0.0, abs=1e-4)
    drawn = compute(Confusion.of_counts(random.multinomial(500, cells.ravel(), size=4000).reshape(-1, 3, 3)))
    assert drawn.var() == pytest.approx(float((cells * found**2).sum()) / 500, rel=0.08)


def test_influences_on_ccc_tell_its_variance():
    random = np.random.default_rng(1)
    compute = METRICS.get("ccc").compute
    truth = random.normal(size=(3000, 200))
    value = 0.6 * truth + 0.5 * random.normal(size=truth.shape) + 0.2
    drawn = [float(compute(Moments.of(t, v))) for t, v in zip(truth[:1500], value[:1500], strict=True)]
    t, v = truth.ravel()[:20_000], value.ravel()[:20_000]
    items = Moments.of(t, v, cells=np.arange(t.size), n_cells=t.size)
    assert influences(Moments.of(t, v), items, compute).var() / 200 == pytest.approx(np.var(drawn), rel=0.12)


def test_deviations_are_those_of_the_subjects_and_of_the_items():
    random = np.random.default_rng(2)
    subject = np.repeat(np.arange(400), random.integers(5, 30, 400))
    values = random.normal(0, 0.3, 400)[subject] + random.normal(0, 0.9, subject.size)
    found = spread_of(values, subject)
    assert found.between == pytest.approx(0.3, abs=0.04)
    assert found.within == pytest.approx(0.9, abs=0.02)
    assert found.between_high > found.between
    assert (found.subjects, found.items) == (400, pytest.approx(subject.size / 400))
    assert found.icc == pytest.approx(0.1, abs=0.03)


def test_the_upper_bound_holds_in_four_of_five_pilots():
    random = np.random.default_rng(3)
    held = []
    for _ in range(600):
        subject = np.repeat(np.arange(8), 20)
        held.append(
            spread_of(random.normal(0, 0.3, 8)[subject] + random.normal(0, 0.6, 160), subject).between_high >= 0.3
        )
    assert 0.75 <= np.mean(held) <= 0.85


def test_groups_may_differ_in_their_means():
    random = np.random.default_rng(4)
    subject = np.repeat(np.arange(200), 10)
    group = subject % 2
    values = 2.0 * group + random.normal(0, 0.3, 200)[subject] + random.normal(0, 0.9, subject.size)
    assert spread_of(values, subject, group).between == pytest.approx(0.3, abs=0.07)
    assert spread_of(values, subject).between > 0.9


def test_equal_subjects_deviate_by_nothing():
    found = spread_of(np.tile([0.0, 1.0], 10), np.repeat(np.arange(5), 4))
    assert (found.between, found.icc) == (0.0, 0.0)
    assert spread_of(np.zeros(20), np.repeat(np.arange(5), 4)).icc == 0.0


@pytest.mark.parametrize("subject", [[0, 0, 1, 1], [0, 1, 2, 3]])
def test_too_few_subjects_or_items_tell_nothing(subject):
    with pytest.raises(InputError, match="do not tell how subjects differ"):
        spread_of([0.0, 1.0, 0.0, 1.0], subject)
