"""Places drawn from stored tallies: the same clusters for all, ties, undefined draws, and what may not be put together."""

from __future__ import annotations

import time
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.challenges.catalogue import load_track
from affectcheck.challenges.shares import differences, rank_intervals, shares_of
from affectcheck.errors import InputError
from affectcheck.evaluation.grouping import Clusters
from affectcheck.evaluation.tallied import Tallied
from affectcheck.metrics import METRICS
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion, Moments, Units
from affectcheck.uncertainty import Resampling, resample

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.challenges.track import Track
    from affectcheck.tallies import Tally

CLUSTERS = 30


def stored(tally: Tally, track: Track, *, labels: str = "one", unit: str = "media") -> bytes:
    """The shares of one tally by cluster."""
    number = tally.shape[0]
    clusters = Clusters(unit, np.arange(number), number)
    return shares_of(Tallied(track.parts, {type(tally): tally}, {}, number, clusters), track, labels)


def values(seed: int, noise: float, clusters: int = CLUSTERS, items: int = 40) -> Moments:
    """Moments of two dimensions, of which the truth is the same for all."""
    truth = rng(0, "truth").normal(size=(clusters * items, 2))
    sent = truth + noise * rng(seed, "prediction").normal(size=truth.shape)
    return Moments.of(truth, sent, cells=np.arange(len(truth)) // items)


def test_intervals_of_places_are_those_of_the_draws(va: Track) -> None:
    tallies = [values(1, 0.5), values(2, 0.52), values(3, 2.0), values(1, 0.5)]
    found = rank_intervals([stored(tally, va) for tally in tallies], va, resamples=400, seed=3)
    assert [one.place for one in found] == [1, 3, 4, 1]  # equal scores share a place
    assert (found[2].low, found[2].high, found[2].reason) == (4, 4, "")
    assert found[0] == found[3]
    assert found[1].low is not None
    assert found[0].low == 1
    assert found[0].high is not None
    assert found[1].low <= 3 <= (found[1].high or 0)
    # By hand: the same weights for all, places among the others in each draw.
    compute = METRICS.get("p_va").compute
    drawn = np.stack([resample(t, Resampling(400, 3, unit="media")).evaluated(compute).values for t in tallies])
    places = 1 + (drawn[None] > drawn[:, None]).sum(axis=1)
    assert set(places[1].tolist()) <= {1, 3}
    assert (found[1].low, found[1].high) == (places[1].min(), places[1].max())


def test_neighbours_are_told_apart_by_paired_draws(va: Track) -> None:
    tallies = [values(1, 2.0), values(2, 0.5), values(3, 0.5)]
    found = differences([stored(tally, va) for tally in tallies], va, resamples=400)
    compute = METRICS.get("p_va").compute
    points = [float(compute(tally.pooled(0))) for tally in tallies]
    order = sorted(range(3), key=lambda n: -points[n])
    assert [(one.ahead, one.behind) for one in found] == [(order[0], order[1]), (order[1], order[2])]
    assert found[0].value == points[order[0]] - points[order[1]]
    assert not found[0].apart
    assert found[1].apart
    assert found[1].low is not None
    assert found[1].low > 0.0
    one, two = (resample(tallies[n], Resampling(400, unit="media")).evaluated(compute) for n in order[:2])
    assert (found[0].low, found[0].high) == ((one - two).intervals().low, (one - two).intervals().high)


def test_lower_may_be_better(va: Track) -> None:
    track = va.model_copy(update={"metric": "mae"})
    shares = [stored(values(1, 2.0), track), stored(values(2, 0.1), track)]
    assert [one.place for one in rank_intervals(shares, track, resamples=50)] == [2, 1]
    (pair,) = differences(shares, track, resamples=50)
    assert (pair.ahead, pair.behind, pair.apart) == (1, 0, True)
    assert pair.value < 0.0


def test_counts_and_units_are_stored_in_four_bytes(expr: Track, au: Track) -> None:
    draw = rng(1, "counts")
    classes = Confusion.count(draw.integers(0, 8, 900), draw.integers(0, 8, 900), labels=8, cells=np.arange(900) % 9)
    units = Units.count(draw.integers(-1, 2, (900, 12)), draw.integers(0, 2, (900, 12)), cells=np.arange(900) % 9)
    for tally, track in ((classes, expr), (units, au)):
        (found,) = rank_intervals([stored(tally, track)], track, resamples=20)
        assert (found.low, found.high, found.place) == (1, 1, 1)
        with np.load(BytesIO(stored(tally, track)), allow_pickle=False) as arrays:
            assert arrays["counts"].dtype == np.int32
    many = Units.of_counts(np.full((6, 12, 2, 2), 1 << 40))
    assert rank_intervals([stored(many, au)], au, resamples=20)[0].place == 1


def test_scores_that_are_undefined_have_no_place(va: Track) -> None:
    truth = rng(0, "truth").normal(size=(CLUSTERS * 40, 2))
    flat = Moments.of(np.zeros_like(truth), np.zeros_like(truth), cells=np.arange(len(truth)) // 40)
    none, other = rank_intervals([stored(flat, va), stored(values(1, 1.0), va)], va, resamples=50)
    assert (none.low, none.high, none.place) == (None, None, None)
    assert "undefined" in none.reason
    assert other.place == 1
    assert differences([stored(flat, va), stored(values(1, 1.0), va)], va, resamples=50) == []


def test_few_clusters_have_no_interval(va: Track) -> None:
    shares = [stored(values(n, 1.0, clusters=3), va) for n in (1, 2)]
    found = rank_intervals(shares, va, resamples=50)
    assert {one.place for one in found} == {1, 2}
    assert {(one.low, one.high) for one in found} == {(None, None)}
    assert all("3 media clusters" in one.reason for one in found)
    (pair,) = differences(shares, va, resamples=50)
    assert (pair.low, pair.apart) == (None, False)
    assert "3 media clusters" in pair.reason


def test_metrics_that_are_no_function_of_counts(au: Track, va: Track) -> None:
    track = au.model_copy(update={"metric": "unit_auc"})
    assert stored(Units.zero(12, (6,)), track) == b""
    (found,) = rank_intervals([b""], track)
    assert (found.place, found.reason) == (None, "unit_auc is no function of tallies that are stored")
    assert differences([b""], track) == []
    some = rank_intervals([stored(values(1, 1.0), va), b""], va)
    assert [(one.low, one.reason) for one in some] == [(None, "no tallies are stored of submission number 2")] * 2
    assert rank_intervals([], va) == []
    assert differences([], va) == []


def test_shares_that_do_not_belong_together_are_refused(va: Track, expr: Track) -> None:
    one = stored(values(1, 1.0), va)
    with pytest.raises(InputError, match="shares number 1 and 2 are of other labels"):
        rank_intervals([one, stored(values(1, 1.0), va, labels="two")], va)
    with pytest.raises(InputError, match="shares number 1 and 2"):
        rank_intervals([one, stored(values(1, 1.0, clusters=29), va)], va)
    with pytest.raises(InputError, match="shares of p_va"):
        rank_intervals([one], expr)
    for wrong in (b"text", one[:-40], b"PK\x03\x04"):
        with pytest.raises(InputError, match="no shares of a score"):
            rank_intervals([wrong], va)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["abaw6-au", "abaw6-va", "abaw6-expr"])
def test_fifty_submissions_are_drawn_within_two_seconds(name: str) -> None:
    track, draw, frames = load_track(name), rng(2, "fifty"), 142 * 50
    cells = np.arange(frames) // 50
    made: dict[str, Callable[[], Tally]] = {
        "units": lambda: Units.count(truth, draw.integers(0, 2, (frames, 12)), cells=cells),
        "categories": lambda: Confusion.count(truth, draw.integers(0, 8, frames), labels=8, cells=cells),
        "dimensions": lambda: Moments.of(truth, draw.normal(size=(frames, 2)), cells=cells),
    }
    drawn = {"units": draw.integers(0, 2, (frames, 12)), "categories": draw.integers(0, 8, frames)}
    truth = drawn.get(track.kind, draw.normal(size=(frames, 2)))
    shares = [stored(made[track.kind](), track) for _ in range(50)]
    start = time.process_time()
    assert len(rank_intervals(shares, track)) == 50
    assert time.process_time() - start < 2.0
