"""Pieces of people are joined as by the plain rule, which looks at the whole table before every step."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.media.faces.joining import joined

LEAST, MARGIN = 0.85, 0.05


def plainly(alike: np.ndarray, met: np.ndarray) -> list[list[int]]:
    """The rule as it reads: of all pairs that may be joined the most alike, unless a rival is nearly as alike."""
    people = [[place] for place in range(len(alike))]
    while True:
        pairs = sorted(
            (
                (-alike[a, b], a, b)
                for a in range(len(people))
                for b in range(a + 1, len(people))
                if not met[a, b] and alike[a, b] >= LEAST
            ),
        )
        for likeness, a, b in pairs:
            rivals = [alike[a, k] for k in range(len(people)) if met[b, k] and k != b]
            rivals += [alike[b, k] for k in range(len(people)) if met[a, k] and k != a]
            if -likeness >= max(rivals, default=-1.0) + MARGIN:
                break
        else:
            return people
        people[a] += people.pop(b)
        alike[a] = alike[:, a] = np.maximum(alike[a], alike[b])
        met[a] |= met[b]
        met[:, a] = met[a]
        alike, met = (np.delete(np.delete(table, b, axis=0), b, axis=1) for table in (alike, met))


def tables(seed: int, size: int, share_met: float) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    looks = np.eye(3)[random.integers(0, 3, size)] + random.normal(0, 0.25, (size, 3))
    looks /= np.linalg.norm(looks, axis=1, keepdims=True)
    alike = (looks @ looks.T).round(2)  # with ties
    met = np.triu(random.uniform(size=(size, size)) < share_met, 1)
    return alike, met | met.T | np.eye(size, dtype=bool)


@given(seed=st.integers(0, 10**6), size=st.integers(0, 14), share_met=st.sampled_from([0.0, 0.1, 0.4]))
@settings(max_examples=150, deadline=None)
def test_it_joins_as_the_plain_rule_does(seed: int, size: int, share_met: float) -> None:
    alike, met = tables(seed, size, share_met)
    assert joined(alike, met, least=LEAST, margin=MARGIN) == plainly(alike.copy(), met.copy())


def test_what_it_is_given_is_not_written_to() -> None:
    alike, met = tables(3, 12, 0.2)
    before = alike.copy(), met.copy()
    joined(alike, met, least=LEAST, margin=MARGIN)
    np.testing.assert_array_equal(alike, before[0])
    np.testing.assert_array_equal(met, before[1])


@pytest.mark.slow
def test_thousands_of_pieces_take_seconds() -> None:
    alike, met = tables(1, 2000, 0.0)
    begin = time.process_time()
    joined(alike, met, least=LEAST, margin=MARGIN)
    assert time.process_time() - begin < 20
