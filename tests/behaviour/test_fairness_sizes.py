"""Dealt groups count as many items as the real ones where those were drawn to have equal truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour.fairness_sizes import at_sizes
from affectcheck.behaviour.totals import Totals
from affectcheck.metrics import METRICS
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion, Moments, Units


def test_every_class_has_its_real_number_of_items_and_keeps_its_recall() -> None:
    dealt = Confusion(np.array([[[[6, 2], [0, 0]], [[1, 1], [3, 1]]]]), np.array([[[0, 0], [2, 0]]]))
    real = Confusion.of_counts([[[4, 0], [1, 1]], [[2, 2], [4, 4]]])
    weighted = at_sizes(dealt, real)
    assert weighted.truth_totals.tolist() == [[[4.0, 0.0], [4.0, 8.0]]]
    assert weighted.counts[0, 0].tolist() == [[3.0, 1.0], [0.0, 0.0]]
    assert weighted.unanswered[0, 1].tolist() == [2.0, 0.0]
    recall = METRICS.get("recall").compute
    np.testing.assert_array_equal(recall(weighted), recall(dealt))


def test_values_count_as_many_items_and_keep_their_moments() -> None:
    draw = rng(1, "sizes")
    truth, values = draw.random((60, 1)), draw.random((60, 1))
    cells = np.repeat([0, 1], [40, 20])
    dealt = Moments.of(truth, values, cells=cells, n_cells=(1, 2))
    real = Moments.of(truth, values, cells=1 - cells, n_cells=(2,))
    weighted = at_sizes(dealt, real)
    assert weighted.n.ravel().tolist() == [20.0, 40.0]
    for metric in ("ccc", "mae", "mde"):
        compute = METRICS.get(metric).compute
        np.testing.assert_allclose(compute(weighted), compute(dealt), rtol=1e-12)
    together = METRICS.get("mae").compute(weighted.pooled(-1)).ravel()
    apart = METRICS.get("mae").compute(dealt).ravel()
    assert float(together[0]) == pytest.approx(float(apart @ [1 / 3, 2 / 3]))


def test_shares_count_as_many_predictions() -> None:
    dealt = Totals(np.array([[8, 0]]), np.array([[[6.0, 2.0], [0.0, 0.0]]]))
    weighted = at_sizes(dealt, Totals(np.array([4, 4]), np.zeros((2, 2))))
    assert weighted.items.tolist() == [[4.0, 0.0]]
    assert weighted.means()[0, 0].tolist() == [0.75, 0.25]


def test_units_are_weighted_by_their_own_rule() -> None:
    dealt = Units.zero(2, (1, 2))
    assert at_sizes(dealt, dealt.pooled(0)) is dealt


def _floor(verdict: Any) -> float:
    (told,) = [note for note in verdict.notes if note.startswith("noise floor")]
    return float(told.split()[2])


def test_two_groups_of_equal_sets_lie_equally_far_from_both(speech: Any, outcome: Any) -> None:
    """Whatever their numbers of subjects, they are halves of the set: so are they in every deal."""
    subject = np.arange(speech.table.height) // 40
    race = pl.Series("race", np.where(subject % 5 == 0, "black", "white"))
    people = speech.with_frame(speech.table.frame.with_columns(race), groups=("race",))
    draw, n = rng(4, "alike"), len(people.truth)
    codes = np.where(draw.random(n) < 0.7, people.truth, (people.truth + draw.integers(1, 4, n)) % 4)
    found = outcome("face-fairness-race-balanced", people, people.predictions(codes, media=("image",)))
    black, white = (_floor(found.one("uap_difference", group=one)) for one in ("black", "white"))
    assert white == pytest.approx(black, rel=0.2)
