"""The collected cases A21 (headers that lie) and A22 (stereo), on their own files and made anew."""

from __future__ import annotations

import json

import numpy as np
import pytest
from waves import chunk, pcm16, sine, wav, write

from affectcheck.errors import MediaError
from affectcheck.media import decode_audio

PCM = pcm16(sine())
A21 = {
    "A21_size_zero.wav": wav(PCM, claimed=0, riff=36),
    "A21_size_ffffffff.wav": wav(PCM, claimed=0xFFFFFFFF, riff=0xFFFFFFFF),
    "A21_claims_1s_has_half.wav": wav(PCM, claimed=32_000, riff=32_036),
    "A21_odd_byte.wav": wav(PCM + b"\x07"),
    "A21_junk_after_data.wav": wav(PCM, after=chunk(b"junk", b"abcdef")),
}
A21_NOTES = {
    "A21_size_zero.wav": "header says 0 samples, 16000 bytes follow",
    "A21_size_ffffffff.wav": "header gives no length",
    "A21_claims_1s_has_half.wav": "header 1.0 s, data 0.5 s (truncated download?)",
    "A21_odd_byte.wav": "stray bytes: 1 after the last whole sample",
}
A22 = {
    "A22_left_only.wav": wav(pcm16(np.stack([sine(), np.zeros(8000)], axis=1)), channels=2),
    "A22_antiphase.wav": wav(pcm16(np.stack([sine(), -sine()], axis=1)), channels=2),
    "A22_one_frame_stereo.wav": wav(pcm16(np.array([[0.5, 0.0]])), channels=2),
}


@pytest.fixture(params=["made anew", pytest.param("collected", marks=pytest.mark.shared)])
def audio(request, tmp_path):
    if request.param == "collected":
        return request.getfixturevalue("cases") / "audio"
    for name, content in (A21 | A22).items():
        write(tmp_path / name, content)
    return tmp_path


@pytest.mark.parametrize("name", A21)
def test_a21_length_is_that_of_the_samples(audio, name):
    clip = decode_audio(audio / name)
    assert len(clip.samples) == 8000
    assert clip.duration_s == 0.5
    assert np.abs(clip.samples - sine()).max() < 1e-4
    if name in A21_NOTES:
        assert A21_NOTES[name] in " ".join(clip.notes)
    else:
        assert clip.notes == ()


def test_a21_segment_beyond_the_data_is_refused_not_padded(audio):
    path = audio / "A21_claims_1s_has_half.wav"
    with pytest.raises(MediaError, match=r"segment 0.4 to 0.9 s is not within the sound, which lasts 0.5 s"):
        decode_audio(path, start_us=400_000, end_us=900_000)
    assert len(decode_audio(path, start_us=400_000, end_us=500_000).samples) == 1600


@pytest.mark.parametrize("name", A21)
def test_a21_segments_of_every_file_are_cut_from_the_data(audio, name):
    whole = decode_audio(audio / name).samples
    part = decode_audio(audio / name, start_us=100_000, end_us=300_000).samples
    np.testing.assert_array_equal(part, whole[1600:4800])


def test_a22_mean_over_channels_not_over_time(audio):
    clip = decode_audio(audio / "A22_left_only.wav")
    assert len(clip.samples) == 8000
    assert np.sqrt(np.mean(clip.samples.astype(float) ** 2)) == pytest.approx(0.1767766953, abs=2e-6)
    assert np.abs(clip.samples).max() == pytest.approx(0.25, abs=1e-4)
    assert clip.notes == ()


def test_a22_channels_that_cancel_stop_unless_one_is_chosen(audio):
    path = audio / "A22_antiphase.wav"
    with pytest.raises(MediaError, match="channels cancel") as caught:
        decode_audio(path)
    assert "choose a channel" in str(caught.value)
    left, right = (decode_audio(path, channel=channel).samples for channel in (0, 1))
    assert np.sqrt(np.mean(left.astype(float) ** 2)) == pytest.approx(0.3535533906, abs=2e-6)
    np.testing.assert_array_equal(left, -right)


def test_a22_one_stereo_frame_is_one_sample(audio):
    assert decode_audio(audio / "A22_one_frame_stereo.wav").samples.tolist() == [0.25]


@pytest.mark.shared
def test_case_files_expect_what_is_tested_here(cases):
    a21, a22 = (json.loads((cases / f"{name}.json").read_text()) for name in ("A21", "A22"))
    assert a21["expected"] == {"samples": 8000, "duration_s": 0.5}
    assert sorted(a21["files"]) == sorted(f"audio/{name}" for name in A21)
    assert a22["expected"]["n_one_frame"] == 1
    assert sorted(a22["files"]) == sorted(f"audio/{name}" for name in A22)
