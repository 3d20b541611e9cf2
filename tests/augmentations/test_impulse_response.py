"""Impulse responses: the convolution to the sample, laws of length, type and peak, draws, and the readers of databases."""

from __future__ import annotations

import math
import pickle
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

pytest.importorskip("soundfile")
pytest.importorskip("soxr")

from affectcheck.augmentations import Perturbation, make_augmentation, read_sounds, rms
from affectcheck.augmentations.air import read_air, read_response
from affectcheck.augmentations.collection import Collection, Sound, SoundsMissingError
from affectcheck.augmentations.impulse_response import ImpulseResponse, convolve
from affectcheck.augmentations.mardy import POSITIONS, read_mardy
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.media.clip import Clip
from affectcheck.seeds import rng
from recorded_sounds import RATE_HZ, speech

if TYPE_CHECKING:
    from pathlib import Path


def decay(number: int, n: int = 800) -> np.ndarray:
    made = 0.3 * rng(2, "response", number).standard_normal(n) * np.exp(-np.arange(n) / 100)
    made[0] = 1
    return made.astype(np.float32)


def write(path: Path, samples: np.ndarray, rate_hz: int = RATE_HZ) -> Path:
    import soundfile

    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, samples, rate_hz, subtype="FLOAT")
    return path


@pytest.fixture
def places(tmp_path: Path) -> Collection:
    sounds = [Sound(f"place {n}", write(tmp_path / f"place {n}.wav", decay(n))) for n in range(4)]
    return Collection("position", "made", tuple(sounds), "place 0")


def made(collection: Collection, samples: np.ndarray | None = None, key: str = "a", **options: Any) -> Any:
    augmentation = ImpulseResponse("position", collection=collection, **options)
    return Perturbation(augmentation).apply(Clip(speech() if samples is None else samples, RATE_HZ), key)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 50), (50, 1), (200, 50), (50, 200), (333, 77)])
def test_the_convolution_is_the_beginning_of_the_full_one(n: int, m: int) -> None:
    one, other = speech(n), decay(0, m)
    assert convolve(one, other) == pytest.approx(np.convolve(one, other)[:n], abs=1e-6)


def test_the_reference_is_the_same_for_every_item(places: Collection) -> None:
    expected = np.convolve(speech(), decay(0))[:6_000]
    for key in ("a", "b"):
        found = made(places, key=key, response="reference")
        assert found.samples == pytest.approx(expected / np.abs(expected).max(), abs=1e-5)
        assert found.drawn["response"] == "place 0"
    assert ImpulseResponse("position", "reference", collection=places).deterministic


def test_others_are_drawn_for_each_item(places: Collection) -> None:
    drawn = {made(places, key=f"f{n}").drawn["response"] for n in range(40)}
    assert drawn == {f"place {n}" for n in (1, 2, 3)}
    assert not ImpulseResponse("position", collection=places).deterministic
    again = [made(places, key="f1").samples for _ in range(2)]
    assert np.array_equal(*again)


@pytest.mark.parametrize("n", [1, 100, 4_000])
def test_length_type_and_peak(places: Collection, n: int) -> None:
    found = made(places, speech(n))
    assert found.samples.shape == (n,)
    assert found.samples.dtype == np.float32
    assert np.abs(found.samples).max() == pytest.approx(1.0)
    assert found.drawn["level_gain_db"] == pytest.approx(20 * math.log10(rms(found.samples) / rms(speech(n))))


def test_a_response_that_sounds_after_the_clip_leaves_nothing(tmp_path: Path) -> None:
    late = np.zeros(2_000, np.float32)
    late[1_500] = 1
    sounds = (Sound("near", write(tmp_path / "near.wav", decay(0))), Sound("far", write(tmp_path / "far.wav", late)))
    found = made(Collection("position", "made", sounds, "near"), speech(1_000))
    assert not found.changed
    assert "is heard only after the clip" in found.notes[0]
    assert made(Collection("position", "made", sounds, "near"), speech(2_000)).changed


def test_silence(places: Collection, tmp_path: Path) -> None:
    silent = np.zeros(100, np.float32)
    found = made(places, silent)
    assert not found.changed
    assert found.samples is silent
    sounds = (Sound("a", write(tmp_path / "a.wav", decay(0))), Sound("b", write(tmp_path / "b.wav", silent)))
    with pytest.raises(InputError, match="'b' is silent"):
        made(Collection("position", "made", sounds, "a"))


def test_the_name_has_the_content_and_not_the_path(places: Collection, tmp_path: Path) -> None:
    shutil.copytree(tmp_path, tmp_path / "moved", ignore=lambda *_: ["moved"])
    moved = Collection(
        "position",
        "made",
        tuple(Sound(one.key, tmp_path / "moved" / one.path.name) for one in places.sounds),
        "place 0",
    )
    keys = [ImpulseResponse("position", collection=one).key for one in (places, moved)]
    assert keys[0] == keys[1]
    assert str(tmp_path) not in keys[0]
    write(tmp_path / "moved" / "place 3.wav", decay(9))
    changed = Collection("position", "made", moved.sounds, "place 0")
    assert ImpulseResponse("position", collection=changed).key != keys[0]
    assert ImpulseResponse("position", "reference", collection=places).key != keys[0]
    assert pickle.loads(pickle.dumps(ImpulseResponse("position", collection=places))).key == keys[0]


def test_a_reference_can_be_stated(places: Collection) -> None:
    stated = ImpulseResponse("position", "reference", "place 2", places)
    assert "reference=place 2" in stated.key
    assert "place 0" in stated.others
    with pytest.raises(UnknownNameError, match="unknown impulse response of made 'place 9'"):
        ImpulseResponse("position", reference="place 9", collection=places)
    with pytest.raises(SoundsMissingError, match="have no reference: describe them"):
        ImpulseResponse("position", collection=Collection("position", "made", places.sounds))
    with pytest.raises(SoundsMissingError, match="no impulse response besides"):
        ImpulseResponse("position", collection=Collection("position", "made", places.sounds[:1], "place 0"))


def test_parameters_are_checked(places: Collection) -> None:
    with pytest.raises(UnknownNameError, match="role of impulse responses"):
        ImpulseResponse("kitchen", collection=places)
    with pytest.raises(UnknownNameError, match="response"):
        ImpulseResponse("room", "loudest", collection=places)
    with pytest.raises(InputError, match="without responses"):
        ImpulseResponse("room").apply(speech(), RATE_HZ, rng(0))
    assert ImpulseResponse("room").others == ()


def test_mardy_is_read_by_the_first_microphone(tmp_path: Path) -> None:
    for number, key in enumerate(POSITIONS):
        for microphone in (1, 2):
            write(tmp_path / "MARDY" / f"{key}_{microphone}.wav", decay(10 * number + microphone), 48_000)
    found = read_mardy(tmp_path)
    assert (found.role, found.reference) == ("position", "ir_1_C")
    assert [one.key for one in found.sounds] == list(POSITIONS)
    assert len(POSITIONS) == 9
    assert found.sounds[0].path.name == "ir_1_C_1.wav"
    sounds = read_sounds(f"mardy:{tmp_path}")
    position = make_augmentation("impulse-response", {"role": "position"}, sounds)
    assert set(position.others) == set(POSITIONS[1:])


def test_mardy_in_files_of_eight_channels_is_read_by_the_first(tmp_path: Path) -> None:
    both = np.stack([decay(1), decay(2)], axis=1)
    for key in ("ir_1_C", "ir_2_L"):
        write(tmp_path / f"{key}.wav", both)
    found = read_mardy(tmp_path)
    assert found.samples("ir_2_L", RATE_HZ) == pytest.approx(decay(1), abs=1e-6)
    with pytest.raises(InputError, match="not the responses of the MARDY database"):
        read_mardy(tmp_path / "empty")


def write_air(folder: Path, names: tuple[str, ...], **content: Any) -> None:
    from scipy.io import savemat

    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(names):
        info = {"fs": 48_000.0, "room": name}
        savemat(folder / f"air_binaural_{name}.mat", {"h_air": decay(number)[None, :], "air_info": info} | content)


AIR = ("booth_0_0_3", "lecture_0_0_1", "meeting_0_0_3", "office_0_0_2", "booth_1_0_3", "booth_0_0_1", "office_1_1_2")


def test_air_is_read_from_its_matlab_files(tmp_path: Path) -> None:
    write_air(tmp_path / "AIR_1_4" / "AIR_LIB", AIR)
    found = read_air(tmp_path)
    assert (found.role, found.reference) == ("room", "booth_0_3")
    assert [one.key for one in found.sounds] == ["booth_0_3", "lecture_0_1", "meeting_0_3", "office_0_2"]
    first = read_response(found.sounds[0].path)
    assert first.rate_hz == 48_000
    assert first.samples == pytest.approx(decay(0))
    assert len(found.samples("booth_0_3", RATE_HZ)) == pytest.approx(800 / 3, abs=2)
    room = make_augmentation("impulse-response", {"role": "room"}, read_sounds(f"air:{tmp_path}"))
    assert set(room.others) == {"lecture_0_1", "meeting_0_3", "office_0_2"}
    assert Perturbation(room).apply(Clip(speech(), RATE_HZ), "a").changed


def test_faulty_matlab_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not the responses of the AIR database"):
        read_air(tmp_path)
    write_air(tmp_path, AIR[1:4])
    with pytest.raises(InputError, match=r"air_binaural_booth_0_0_3\.mat"):
        read_air(tmp_path)
    with pytest.raises(InputError, match="no variable 'h'; there are: air_info, h_air"):
        read_response(tmp_path / "air_binaural_office_0_0_2.mat", "h")
    wrong = tmp_path / "wrong.mat"
    wrong.write_bytes(b"no matlab file")
    with pytest.raises(InputError, match="cannot be read as a MATLAB file"):
        read_response(wrong)


def test_a_response_without_a_rate_has_that_of_the_database(tmp_path: Path) -> None:
    from scipy.io import savemat

    savemat(tmp_path / "x.mat", {"h_air": np.stack([decay(0), decay(1)])})
    found = read_response(tmp_path / "x.mat")
    assert found.rate_hz == 48_000
    assert found.samples == pytest.approx(decay(0))


@pytest.mark.shared
def test_measured_rooms(shared_data: Path) -> None:
    folder = shared_data / "data" / "rir" / "surrey_roomA"
    sounds = read_sounds(f"position={folder}")
    keys = [one.key for one in sounds.get("position").sounds]
    front = next(key for key in keys if "az+00" in key)
    for response in ("reference", "drawn"):
        parameters = {"role": "position", "response": response, "reference": front}
        found = make_augmentation("impulse-response", parameters, sounds)
        samples = Perturbation(found).apply(Clip(speech(48_000), RATE_HZ), "a").samples
        assert np.abs(samples).max() == pytest.approx(1.0)
        assert np.isfinite(samples).all()
