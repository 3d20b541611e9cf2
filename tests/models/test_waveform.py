from __future__ import annotations

import io
import wave

import numpy as np
import pytest

from affectcheck.media.clip import Clip
from affectcheck.models.waveform import normalised, softmax, wav_bytes


def test_sixteen_bits_as_the_standard_library_reads_them() -> None:
    clip = Clip(np.array([0.0, 0.5, -1.0, 1.0, 1.5, -2.0, 1 / 65536 * 1.1], np.float32), 8_000)
    with wave.open(io.BytesIO(wav_bytes(clip))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 8_000)
        found = np.frombuffer(file.readframes(file.getnframes()), "<i2").tolist()
    assert found == [0, 16_384, -32_768, 32_767, 32_767, -32_768, 1]


@pytest.mark.parametrize("encoding", ["pcm16", "float32"])
def test_a_wav_file_is_read_back(encoding: str) -> None:
    soundfile = pytest.importorskip("soundfile")
    samples = np.array([0.1, -0.7, 1.25], np.float32)
    found, rate = soundfile.read(io.BytesIO(wav_bytes(Clip(samples, 16_000), encoding)), dtype="float32")
    assert rate == 16_000
    wanted = samples if encoding == "float32" else samples.clip(-1, 32_767 / 32_768)
    assert np.abs(found - wanted).max() <= (0 if encoding == "float32" else 0.5 / 32_768)


def test_a_normalised_clip_has_mean_zero_and_variance_one() -> None:
    found = normalised(np.array([0.1, 0.2, 0.9], np.float32), "zscore")
    assert found.dtype == np.float32
    assert abs(float(found.mean())) < 1e-6
    assert abs(float(found.var()) - 1) < 1e-5
    assert normalised(np.zeros(4, np.float32), "zscore").tolist() == [0.0] * 4
    assert normalised(np.zeros(0, np.float32), "zscore").shape == (0,)
    assert normalised(np.ones(2), "none").dtype == np.float32


def test_a_softmax_of_large_numbers_is_finite() -> None:
    assert softmax(np.array([1e4, 1e4])).tolist() == [0.5, 0.5]
