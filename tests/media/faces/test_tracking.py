"""People keep their numbers: while they pass each other, are hidden, leave and come back."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from affectcheck.media.faces.sighting import Sighting, from_record, likeness, to_record
from affectcheck.media.faces.tracking import follow
from media.faces.fake_faces import look, sighting

STEP_US = 40_000


def numbered(frames: list[dict[str, float]], **options: float) -> dict[str, set[int]]:
    """The numbers that each person gets, from where everybody is in each frame."""
    seen: list[list[Sighting]] = []
    names: list[list[str]] = []
    for number, frame in enumerate(frames):
        # The surest first is no order of people: it changes from frame to frame.
        people = sorted(frame, reverse=number % 2 == 1)
        names.append(people)
        seen.append([sighting(name, frame[name], seed=number, **options) for name in people])
    found: dict[str, set[int]] = defaultdict(set)
    for people, numbers in zip(names, follow(seen, [STEP_US * n for n in range(len(frames))]), strict=True):
        for name, one in zip(people, numbers, strict=True):
            found[name].add(one)
    return dict(found)


def test_who_stays_keeps_a_number_in_the_order_of_appearance_from_left_to_right() -> None:
    found = numbered([{"b": 300, "a": 80}] * 5 + [{"b": 300, "a": 80, "c": 500}] * 5)
    assert found == {"a": {0}, "b": {1}, "c": {2}}


def test_people_who_pass_each_other_are_not_mixed_up() -> None:
    frames = [{"a": 100 + 6 * n, "b": 400 - 6 * n} for n in range(50)]
    assert numbered(frames) == {"a": {0}, "b": {1}}


def test_nor_if_one_is_hidden_by_the_other_meanwhile() -> None:
    frames: list[dict[str, float]] = [{"a": 100 + 6 * n, "b": 400 - 6 * n} for n in range(50)]
    for frame in frames:
        if abs(frame["a"] - frame["b"]) < 70:
            del frame["b"]
    assert numbered(frames) == {"a": {0}, "b": {1}}


def test_nor_if_both_turn_back_where_they_meet() -> None:
    frames = [{"a": 100 + 6 * min(n, 50 - n), "b": 260 - 3 * min(n, 50 - n)} for n in range(50)]
    assert numbered(frames) == {"a": {0}, "b": {1}}


def test_who_leaves_comes_back_as_the_same_person_elsewhere() -> None:
    frames = [{"a": 100.0, "b": 300.0}] * 20 + [{"a": 100.0}] * 50 + [{"a": 100.0, "b": 500.0}] * 20
    assert numbered(frames) == {"a": {0}, "b": {1}}


def test_somebody_new_at_the_place_of_who_left_is_somebody_new() -> None:
    frames = [{"a": 100.0, "b": 300.0}] * 20 + [{"a": 100.0, "c": 300.0}] * 20
    assert numbered(frames) == {"a": {0}, "b": {1}, "c": {2}}


def test_frames_that_are_far_apart_are_followed_by_looks() -> None:
    seen = [[sighting("a", 100 + 9 * n, seed=n), sighting("b", 400 - 9 * n, seed=n)] for n in range(12)]
    assert follow(seen, [2_000_000 * n for n in range(12)]) == [[0, 1]] * 12


def test_two_are_not_exchanged_because_one_is_half_hidden() -> None:
    """One does not look like himself in one frame, and both look a little like each other."""
    one, other = look("a").astype(float), look("b").astype(float)
    first, second = (0.6 * one + 0.4 * other, 0.6 * other + 0.4 * one)
    spoiled = 0.3 * first + 0.7 * look("c")
    frames = []
    for number in range(21):
        looks = (first, spoiled if number == 10 else second)
        seen = [sighting("a", 100 + 40 * place) for place in (0, 1)]
        frames.append([replace(one, look=values.astype(np.uint8)) for one, values in zip(seen, looks, strict=True)])
    numbers = follow(frames, [STEP_US * 15 * n for n in range(21)])
    assert all(found[0] == 0 for found in numbers)
    assert {found[1] for n, found in enumerate(numbers) if n != 10} == {1}


def test_of_two_who_might_both_be_the_one_who_left_neither_is() -> None:
    """Twins: looks cannot say which of them has come back."""
    frames = [[sighting("a", 100), sighting("a", 400)]] * 10 + [[]] * 50 + [[sighting("a", 250)]] * 10
    numbers = follow(frames, [STEP_US * n for n in range(70)])
    assert numbers[0] == [0, 1]
    assert numbers[-1] == [2]


def test_forty_people_are_forty_people() -> None:
    frames = [{f"p{n:02}": 70.0 * n + shift for n in range(40)} for shift in range(10)]
    found = numbered(frames)
    assert {number for numbers in found.values() for number in numbers} == set(range(40))
    assert all(len(numbers) == 1 for numbers in found.values())


@pytest.mark.parametrize("frames", [[], [[]], [[], [], []]])
def test_nobody_is_followed_where_nobody_is(frames: list[list[Sighting]]) -> None:
    assert follow(frames, list(range(len(frames)))) == [[] for _ in frames]


def test_likeness_is_that_of_faces_in_any_light() -> None:
    one = look("a")
    darker = (one * 0.6 + 10).astype(one.dtype)
    assert likeness(one, darker) > 0.99
    assert likeness(one, look("b")) < 0.5
    assert likeness(one * 0, one) == 0


def test_sightings_come_back_from_their_record_to_the_last_bit() -> None:
    seen = [sighting("a", 100 / 3), sighting("b", 200 / 7)]
    back = from_record(to_record(seen))
    for one, other in zip(seen, back, strict=True):
        assert one.face.box == other.face.box
        assert (one.face.landmarks == other.face.landmarks).all()
        assert (one.face.score, one.blur) == (other.face.score, other.blur)
        assert (one.look == other.look).all()
