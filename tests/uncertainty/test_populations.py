"""Do simulated subjects have the score and the deviations that a plan takes them to have?"""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.seeds import rng
from affectcheck.uncertainty import Answers, LeftOut, Population, Values, spread_of
from affectcheck.uncertainty.answers import joint_rows
from affectcheck.uncertainty.populations import Sizes

UNEQUAL = (0.4, 0.3, 0.2, 0.1)
MATRIX = np.array([[30, 5, 5, 0], [10, 20, 10, 0], [2, 3, 25, 0], [0, 0, 0, 0]])


def compute(name: str):
    return METRICS.get(name).compute


POPULATIONS = {
    "accuracy": Answers.even(compute("accuracy"), UNEQUAL).at(0.6),
    "uar": Answers.even(compute("uar"), UNEQUAL).at(0.6),
    "macro F1": Answers.even(compute("f1_macro"), UNEQUAL).at(0.6),
    "uneven": Answers.of_counts(compute("accuracy"), MATRIX).at(0.6),
    "CCC": Values(compute("ccc")).at(0.6),
    "CCC off": Values(compute("ccc"), ratio=0.6, offset=0.3).at(0.5),
    "PCC": Values(compute("pcc"), ratio=0.6, offset=0.3, scaled=False).at(0.5),
}


@pytest.mark.parametrize("name", POPULATIONS)
def test_contributions_of_subjects_have_the_planned_deviations(name):
    first = POPULATIONS[name].with_between(0.08)
    second = first.at(first.score - 0.1)
    items, agreement, drawn = 20, 0.5, []
    for seed in range(12):
        random = rng(seed, "populations", name)
        alone = first.draw(random, 150, items)
        pair = first.draw_pair(second, random, Sizes(150, items), agreement)
        one, two = (LeftOut.of(tally).pseudo_values(first.statistic).ravel() for tally in pair)
        single = LeftOut.of(alone).pseudo_values(first.statistic).ravel()
        drawn.append((float(first.statistic(alone.pooled(0))), single.var(ddof=1), (one - two).var(ddof=1)))
    score, variance, of_difference = np.mean(drawn, axis=0)
    between = first.between_of_difference(second, agreement)
    within = first.within_of_difference(second, agreement)
    assert score == pytest.approx(first.score, abs=0.015)
    assert variance == pytest.approx(first.between**2 + first.within**2 / items, rel=0.12)
    assert of_difference == pytest.approx(between**2 + within**2 / items, rel=0.14)


@pytest.mark.parametrize("name", ["accuracy", "CCC off"])
def test_an_intra_class_correlation_says_the_deviation(name):
    assert POPULATIONS[name].with_icc(0.1).icc == pytest.approx(0.1, rel=1e-6)


def test_items_of_a_subject_correlate_as_stated():
    """The hits themselves, by analysis of variance."""
    population = Answers.even(compute("accuracy"), (1, 1, 1)).at(0.7).with_icc(0.15)
    tally = population.draw(rng(0, "icc"), 3000, 10)
    hits = np.concatenate([np.repeat([1.0, 0.0], [h, 10 - h]) for h in tally.hits.sum(axis=-1)])
    assert spread_of(hits, np.repeat(np.arange(3000), 10)).icc == pytest.approx(0.15, abs=0.015)


@pytest.mark.parametrize("name", POPULATIONS)
def test_a_moved_population_has_the_score(name):
    found = POPULATIONS[name].at(0.45)
    assert found.score == pytest.approx(0.45, abs=1e-9)


def test_answers_of_a_confusion_matrix_are_its_own():
    population = Answers.of_counts(compute("accuracy"), MATRIX)
    assert population.cells == pytest.approx(MATRIX / MATRIX.sum())
    assert population.at(population.score).scale == pytest.approx(1.0)


def test_hits_of_two_models_correlate_as_far_as_they_can():
    first, second = (np.array([[p, 1 - p], [1 - p, p]]) for p in (0.6, 0.7))
    joint = joint_rows(first, second, 0.5)
    assert joint.sum(axis=-1) == pytest.approx(first)
    assert joint.sum(axis=-2) == pytest.approx(second)
    assert (joint[0, 0, 0] - 0.42) / np.sqrt(0.24 * 0.21) == pytest.approx(0.5)
    assert joint_rows(first, second, 0.99)[0, 0, 0] == pytest.approx(0.6)  # the weaker one hits only with the other


@pytest.mark.parametrize(
    ("population", "score"),
    [
        (Answers.even(compute("uar"), (1, 1)), 1.0),
        (Answers.of_counts(compute("uar"), np.eye(2)), 0.5),
        (Values(compute("ccc"), ratio=0.5), 0.9),
    ],
)
def test_scores_that_no_population_has_are_refused(population: Population, score: float):
    with pytest.raises(InputError, match="a score of"):
        population.at(score)


@pytest.mark.parametrize("name", ["accuracy", "CCC"])
@pytest.mark.parametrize("between", [-0.1, 1.5])
def test_deviations_that_subjects_cannot_have_are_refused(name, between):
    with pytest.raises(InputError, match="a deviation between subjects of"):
        POPULATIONS[name].with_between(between)


def test_an_intra_class_correlation_that_cannot_be_is_refused():
    with pytest.raises(InputError, match=r"an intra-class correlation of 0\.9"):
        Values(compute("ccc")).at(0.2).with_icc(0.9)


def test_subjects_without_deviation_are_all_alike():
    population = Answers.even(compute("accuracy"), (1, 1)).at(0.75)
    assert population.between == 0.0
    assert population.draw(rng(0, "alike"), 4, 5).support.tolist() == [5] * 4
