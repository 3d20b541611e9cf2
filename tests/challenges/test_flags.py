"""What an organiser should look at: constant predictions, and predictions that another submission has too."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.challenges.checking import Checked
from affectcheck.challenges.flags import SKETCHED, constant_flags, duplicate_flags, flags_of, likeness, sketch
from affectcheck.errors import InputError
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.challenges.track import Track

ITEMS = 20_000


def submission(values: np.ndarray) -> Checked:
    return Checked(pl.Series("item", np.arange(len(values)).astype(str)), values, (), "", ())


def units(seed: int = 1, items: int = ITEMS) -> np.ndarray:
    return rng(seed, "flags").integers(0, 2, (items, 12)).astype(np.int8)


def test_a_sketch_is_small_and_the_same_twice(au: Track) -> None:
    one = sketch(submission(units()))
    assert one == sketch(submission(units()))
    assert len(one) < 60_000
    with np.load(BytesIO(one), allow_pickle=False) as found:
        assert found["values"].shape == (SKETCHED, 12)
    assert likeness(one, one, au) == 1.0


def test_likeness_of_units_and_classes(au: Track, expr: Track) -> None:
    one = units()
    other = one.copy()
    other[:: ITEMS // 4000] ^= 1  # a fifth of the rows
    alike = likeness(sketch(submission(one)), sketch(submission(other)), au)
    assert alike == pytest.approx(0.8, abs=0.03)
    assert likeness(sketch(submission(one)), sketch(submission(units(2))), au) < 0.01
    codes = rng(3, "flags").integers(0, 8, 100).astype(np.int16)
    changed = codes.copy()
    changed[:7] = (changed[:7] + 1) % 8
    assert likeness(sketch(submission(codes)), sketch(submission(changed)), expr) == 0.93


def test_likeness_of_values(va: Track) -> None:
    one = rng(4, "flags").uniform(-1, 1, (ITEMS, 2))
    assert likeness(sketch(submission(one)), sketch(submission(0.5 * one)), va) == pytest.approx(1.0)  # a copy, shrunk
    noisy = one + np.array([0.0, 1.0]) * rng(5, "flags").normal(size=one.shape)
    expected = np.corrcoef(one[:, 1], noisy[:, 1])[0, 1]
    assert likeness(sketch(submission(one)), sketch(submission(noisy)), va) == pytest.approx(expected, abs=0.03)
    assert likeness(sketch(submission(one)), sketch(submission(-one)), va) == 0.0
    flat = np.zeros_like(one)
    assert likeness(sketch(submission(one)), sketch(submission(flat)), va) == 0.0
    half = np.column_stack([flat[:, 0], one[:, 1]])
    other = np.column_stack([flat[:, 0], 0.9 * one[:, 1]])
    assert likeness(sketch(submission(half)), sketch(submission(other)), va) == pytest.approx(1.0)


def test_equal_and_near_submissions_are_flagged(au: Track, va: Track) -> None:
    one = units()
    near, far = one.copy(), one.copy()
    near[17] ^= 1
    far[::100] ^= 1
    others = {"Ann's": sketch(submission(one)), "Bo's": sketch(submission(near)), "Cy's": sketch(submission(far))}
    found = duplicate_flags(sketch(submission(one.copy())), others, au)
    assert [(flag.kind, flag.other) for flag in found] == [("equal", "Ann's"), ("near", "Bo's")]
    assert found[0].text == "the same predictions as Ann's"
    assert found[1].text.startswith("nearly the predictions of Bo's: share of items that agree ")
    assert found[1].likeness > 0.999
    values = rng(6, "flags").uniform(-1, 1, (500, 2))
    (flag,) = flags_of(submission(values), va, {"other": sketch(submission(0.99 * values))})
    assert (flag.kind, "correlation of each dimension 1.00000" in flag.text) == ("near", True)


def test_constant_predictions_are_flagged(au: Track, expr: Track, va: Track) -> None:
    (flag,) = constant_flags(submission(np.full(9, 2, np.int16)), expr)
    assert (flag.kind, flag.text) == ("constant", f"every item is predicted as {expr.parts[2]!r}")
    assert constant_flags(submission(np.array([1, 1, 2], np.int16)), expr) == ()
    some = units(items=50)
    assert flags_of(submission(some), au) == ()
    some[:, [0, 3]] = 0
    (flag,) = flags_of(submission(some), au)
    assert flag.text == f"2 units with one value for all items: {au.parts[0]}, {au.parts[3]}"
    (flag,) = constant_flags(submission(np.column_stack([np.full(5, 0.1), np.arange(5.0)])), va)
    assert flag.text == "1 dimension with one value for all items: valence"
    assert constant_flags(submission(np.zeros((1, 2))), va) == ()  # one item says nothing


def test_sketches_of_other_lists_are_refused(au: Track) -> None:
    one = sketch(submission(units(items=50)))
    with pytest.raises(InputError, match="sketches of 50 and of 51 items"):
        likeness(one, sketch(submission(units(items=51))), au)
    for wrong in (b"", b"text", one[:-30]):
        with pytest.raises(InputError, match="not a sketch of a submission"):
            likeness(one, wrong, au)
