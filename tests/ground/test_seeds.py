from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.seeds import entropy, rng


def test_same_seed_and_keys_give_the_same_numbers_whatever_was_drawn_before() -> None:
    first = rng(7, "noise", "a.wav").standard_normal(5)
    rng(7, "noise", "b.wav").standard_normal(100)
    assert np.array_equal(first, rng(7, "noise", "a.wav").standard_normal(5))


def test_another_process_draws_the_same() -> None:
    code = "from affectcheck.seeds import rng; print(rng(3, 'x', 5).integers(0, 2**62))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(output) == rng(3, "x", 5).integers(0, 2**62)


def test_the_numbers_are_pinned_so_that_a_change_of_the_stream_is_seen() -> None:
    assert entropy(0, "purpose") == 0xD6356B0F2FD9983EDF39486E18AC0BCD
    assert rng(0, "purpose").integers(0, 2**32, 3).tolist() == [1970886225, 1284790938, 84958715]


@given(st.lists(st.text(max_size=5), max_size=4), st.lists(st.text(max_size=5), max_size=4))
def test_different_keys_differ(a: list[str], b: list[str]) -> None:
    assert (entropy(0, *a) == entropy(0, *b)) == (a == b)


def test_types_and_borders_of_keys_count() -> None:
    assert len({entropy(0, 1), entropy(0, "1"), entropy(0, b"1"), entropy(1, 0)}) == 4
    assert entropy(0, "ab", "c") != entropy(0, "a", "bc")


@pytest.mark.parametrize("key", [1.5, None, True])
def test_keys_of_other_types_are_refused(key: object) -> None:
    with pytest.raises(TypeError, match="seed key"):
        entropy(0, key)  # type: ignore[arg-type]
