"""Backgrounds that are recordings: what is drawn, where it is heard, and what becomes of silence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.augmentations import (
    Babble,
    Collection,
    Cough,
    Environment,
    Music,
    Sneeze,
    Sound,
    Sounds,
    SoundsMissingError,
    WhiteNoise,
    active_rms,
    make_augmentation,
    rms,
)
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.seeds import rng
from recorded_sounds import RATE_HZ, noise, speech, write

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.augmentations import Augmented


@pytest.fixture(autouse=True)
def extra() -> None:
    pytest.importorskip("soundfile")


def collection(folder: Path, role: str, **samples: np.ndarray) -> Collection:
    return Collection(
        role, "own", tuple(Sound(key, write(folder / f"{key}.wav", value)) for key, value in samples.items())
    )


def added(made: Augmented, samples: np.ndarray) -> np.ndarray:
    """The noise as it was before it was scaled."""
    difference = made.samples.astype(np.float64) / 10 ** (float(made.drawn["level_gain_db"]) / 20) - samples
    return difference / float(made.drawn["noise_gain"])


@pytest.mark.parametrize("kind", [Music, Environment])
def test_a_recording_begins_anywhere_and_goes_on_at_its_beginning(kind: Any, sounds: Sounds) -> None:
    augmentation = kind(collection=sounds.get(kind.ROLE), snr_db=0.0)
    for seed in range(10):
        made = augmentation.apply(speech(), RATE_HZ, rng(seed, "a"))
        whole = augmentation.recordings.samples(str(made.drawn["sound"]), RATE_HZ)
        start = int(float(made.drawn["start"]) * len(whole))
        expected = np.resize(np.roll(whole, -start), 6_000)
        assert np.abs(added(made, speech()) - expected).max() < 1e-5


def test_babble_is_the_sum_of_four_to_seven_voices(sounds: Sounds) -> None:
    augmentation = Babble(collection=sounds.get("speech"), snr_db=0.0)
    counts, gains = set(), set()
    for seed in range(60):
        made = augmentation.apply(speech(), RATE_HZ, rng(seed, "a"))
        drawn: Any = made.drawn
        count = int(drawn["voices"])
        expected = np.zeros(6_000)
        for number in range(1, count + 1):
            whole = augmentation.recordings.samples(drawn[f"voice_{number}_sound"], RATE_HZ)
            part = np.resize(np.roll(whole, -int(drawn[f"voice_{number}_start"] * len(whole))), 6_000)
            expected += part * 10 ** (drawn[f"voice_{number}_gain_db"] / 20)
            gains.add(drawn[f"voice_{number}_gain_db"])
        assert f"voice_{count + 1}_sound" not in drawn
        assert np.abs(added(made, speech()) - expected).max() < 1e-5
        counts.add(count)
    assert counts == {4, 5, 6, 7}
    assert gains == set(range(-20, -12))


@pytest.mark.parametrize("kind", [Cough, Sneeze])
def test_one_event_begins_anywhere_and_is_cut_at_the_end(kind: Any, sounds: Sounds) -> None:
    augmentation = kind(collection=sounds.get(kind.ROLE))
    cut = 0
    for seed in range(30):
        made = augmentation.apply(speech(), RATE_HZ, rng(seed, "a"))
        whole = augmentation.recordings.samples(str(made.drawn["sound"]), RATE_HZ)
        begin = round(float(made.drawn["begin_s"]) * RATE_HZ)
        length = round(float(made.drawn["length_s"]) * RATE_HZ)
        assert length == min(len(whole), 6_000 - begin)
        cut += length < len(whole)
        expected = np.zeros(6_000)
        expected[begin : begin + length] = whole[:length]
        assert np.abs(added(made, speech()) - expected).max() < 1e-5
    assert 3 < cut < 27


def test_over_the_whole_clip_a_short_sound_is_louder_than_the_ratio_says(tmp_path: Path) -> None:
    coughs = collection(tmp_path, "cough", a=noise("a", 12_800))  # 0.8 s
    for seconds in (3, 5, 10):
        samples = speech(seconds * RATE_HZ)
        for over, expected in (("clip", 10 - 10 * math.log10(seconds / 0.8)), ("active", 10.0)):
            augmentation = Cough(collection=coughs, snr_over=over)  # type: ignore[arg-type]
            for seed in range(20):
                made = augmentation.apply(samples, RATE_HZ, rng(seed, "a"))
                if made.drawn["length_s"] == 0.8:
                    heard = added(made, samples) * float(made.drawn["noise_gain"])
                    begin = round(float(made.drawn["begin_s"]) * RATE_HZ)
                    local_db = 20 * math.log10(rms(samples) / rms(heard[begin : begin + 12_800]))
                    assert local_db == pytest.approx(expected, abs=0.05)


def test_levels_of_active_frames() -> None:
    sounding = np.tile([0.3, -0.3], 1_600)
    assert active_rms(np.concatenate([np.zeros(777), sounding, np.zeros(999)]), 320) == pytest.approx(0.3)
    assert active_rms(np.concatenate([sounding, 0.001 * sounding, sounding]), 320) == pytest.approx(0.3)
    assert active_rms(np.concatenate([sounding, 0.02 * sounding]), 320) == pytest.approx(0.3 * math.sqrt(0.5002))
    assert active_rms(np.concatenate([sounding, [0.3]]), 320) == pytest.approx(0.3)
    assert active_rms(np.zeros(5), 320) == active_rms(np.zeros(0), 320) == 0.0
    assert active_rms(np.float32([0.5]), 320) == 0.5


def test_a_silent_part_is_drawn_again(tmp_path: Path) -> None:
    half = np.concatenate([noise("a", 30_000), np.zeros(30_000)])
    for kind, role in ((Music, "music"), (Babble, "speech")):
        augmentation: Any = kind(collection=collection(tmp_path / role, role, half=half))
        made = [augmentation.apply(speech(3_000), RATE_HZ, rng(seed, "a")) for seed in range(30)]
        assert all(one.changed for one in made)  # all draws silent: once in 2^25
        if kind is Music:  # of one voice among several, five draws may be silent
            assert all(float(one.drawn["start"]) < 0.5 or float(one.drawn["start"]) > 0.95 for one in made)
    coughs = collection(tmp_path / "cough", "cough", late=np.concatenate([np.zeros(3_000), noise("b", 3_000)]))
    events = [Cough(collection=coughs).apply(speech(), RATE_HZ, rng(seed, "a")) for seed in range(40)]
    assert {one.drawn["attempts"] for one in events if one.changed} >= {1.0, 2.0}
    assert all(float(one.drawn["length_s"]) > 3_000 / RATE_HZ for one in events if one.changed)
    given_up = [one for one in events if not one.changed]
    assert len(given_up) < 8
    assert all("silent noise: 5 draws" in one.notes[0] for one in given_up)


@pytest.mark.parametrize("kind", [Music, Environment, Babble, Cough, Sneeze])
def test_silent_recordings_never_count_as_a_change(kind: Any, tmp_path: Path) -> None:
    silent = collection(tmp_path, kind.ROLE, a=np.zeros(2_000), b=np.zeros(9_000))
    made = kind(collection=silent).apply(speech(), RATE_HZ, rng(1, "a"))
    assert not made.changed
    assert made.notes == ("silent noise: 5 draws had nothing to mix in",)
    assert any(key.endswith("sound") for key in made.drawn)


@pytest.mark.parametrize("kind", [Music, Environment, Babble, Cough, Sneeze])
def test_recordings_are_needed_and_play_the_right_role(kind: Any, sounds: Sounds) -> None:
    with pytest.raises(SoundsMissingError, match=f"{kind.ROLE}=FOLDER"):
        make_augmentation(kind.NAME)
    with pytest.raises(SoundsMissingError):
        kind().apply(speech(), RATE_HZ, rng(1, "a"))
    with pytest.raises(InputError, match="has the role 'room'"):
        kind(collection=sounds.get("room"))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"voices": [4]}, "voices is"),
        ({"voices": [0, 3]}, "voices is"),
        ({"voices": [7, 4]}, "voices is"),
        ({"voices": [4.5, 7]}, "voices is"),
        ({"gain_db": [-13, -20]}, "gain_db is"),
        ({"gain_db": [-20.5, -13]}, "gain_db is"),
        ({"gain_db": -20}, "gain_db is"),
        ({"keep_level": 1}, "keep_level is 1"),
        ({"snr_over": "speech"}, "unknown span of the signal-to-noise ratio 'speech'"),
    ],
)
def test_parameters_of_babble(parameters: dict[str, Any], message: str, sounds: Sounds) -> None:
    with pytest.raises(InputError, match=message):
        make_augmentation("babble", parameters, sounds)
    assert make_augmentation("babble", {"voices": [2.0, 2.0], "gain_db": [0, 0]}, sounds).key.startswith("babble(")


def test_the_negative_peak_counts_too() -> None:
    samples = speech()
    samples[100] = -0.999
    for seed in range(20):
        made = WhiteNoise(snr_db=10.0).apply(samples, RATE_HZ, rng(seed, "a"))
        assert np.abs(made.samples).max() <= 1
        if made.notes:
            assert float(made.drawn["level_gain_db"]) < 0
            assert made.samples.min() == pytest.approx(-1)
            break
    else:
        pytest.fail("no draw exceeded full scale")


def test_noise_is_over_a_level_that_is_known() -> None:
    with pytest.raises(UnknownNameError):
        WhiteNoise(snr_over="peak")  # type: ignore[arg-type]


def test_backgrounds_of_other_packages_say_what_they_draw() -> None:
    from affectcheck.augmentations.background import Background

    with pytest.raises(TypeError, match="abstract"):
        Background().draw(1, RATE_HZ, rng(1, "a"))
