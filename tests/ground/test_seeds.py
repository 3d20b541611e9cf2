from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.seeds import Key, entropy, item_rng, rng


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


def test_generators_of_items_are_pinned_and_are_others_than_those_of_the_same_keys() -> None:
    drawn = item_rng((0, "purpose"), "item").integers(0, 2**32, 3).tolist()
    assert drawn == [1087818322, 2746389577, 613120822]
    assert drawn != rng(0, "purpose", "item").integers(0, 2**32, 3).tolist()


def test_generators_of_items_depend_on_every_key_wherever_the_shared_ones_end() -> None:
    def first(shared: tuple[Key, ...], *keys: Key) -> int:
        return int(item_rng(shared, *keys).integers(2**63))

    assert first((0, "a"), "b", 1) == first((0, "a", "b"), 1)
    assert len({first((0, "a"), key) for key in (1, "1", b"1", "", "11")} | {first((1, "a"), 1)}) == 6
    assert first((0, "ab"), "c") != first((0, "a"), "bc")


@pytest.mark.parametrize("shared", [(0, True), (0, 1.5)])
def test_shared_keys_of_other_types_are_refused(shared: tuple[Key, ...]) -> None:
    item_rng((0, 1), "what is remembered of 1 is not taken for True")
    with pytest.raises(TypeError, match="seed key"):
        item_rng(shared, "item")


def test_a_generator_of_an_item_can_be_sent_to_another_process() -> None:
    generator = item_rng((0, "purpose"), "item")
    generator.random(5)
    assert pickle.loads(pickle.dumps(generator)).random() == generator.random()


def test_first_draws_of_neighbouring_items_are_uniform_and_independent() -> None:
    generators = [item_rng((3, "noise"), f"clip {number}") for number in range(20_000)]
    words = np.array([generator.integers(16, size=2) for generator in generators])
    for first, second in ((words[:-1, 0], words[1:, 0]), (words[:-1, 1], words[1:, 0]), (words[:, 0], words[:, 1])):
        counts = np.bincount(16 * first + second, minlength=256)
        expected = counts.sum() / 256
        # chi-square of 255 degrees of freedom lies between these but once in 100,000
        assert 167 < ((counts - expected) ** 2 / expected).sum() < 368


def test_streams_of_neighbouring_items_are_independent() -> None:
    streams = np.stack([item_rng((3, "noise"), number).standard_normal(2_000) for number in range(60)])
    alike = np.corrcoef(streams)[np.triu_indices(60, 1)] * np.sqrt(2_000)
    assert abs(alike).max() < 5
    assert 0.9 < alike.std() < 1.1
