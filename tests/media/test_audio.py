"""Decoding: channels, rates, segments, levels, and files that are no sound."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from waves import chunk, pcm16, sine, wav, write

from affectcheck.errors import ExtraMissingError, InputError, MediaError
from affectcheck.media import Clip, decode_audio
from affectcheck.media.audio import _frame, _soundfile


def kinds(clip: Clip) -> list[str]:
    return [note.partition(":")[0] for note in clip.notes]


@pytest.mark.parametrize(
    ("suffix", "subtype", "tolerance"),
    [
        (".wav", "PCM_16", 1e-4),
        (".wav", "PCM_24", 1e-6),
        (".wav", "FLOAT", 0.0),
        (".wav", "ULAW", 0.05),
        (".flac", "PCM_16", 1e-4),
        (".aiff", "PCM_16", 1e-4),
        (".ogg", "VORBIS", 0.1),
        (".mp3", "MPEG_LAYER_III", 0.1),
    ],
)
def test_formats(tmp_path, suffix, subtype, tolerance):
    path = tmp_path / f"a{suffix}"
    soundfile.write(path, sine(16_000), 16_000, subtype=subtype)
    clip = decode_audio(path)
    assert clip.samples.dtype == np.float32
    assert clip.notes == ()
    assert abs(len(clip.samples) - 16_000) <= (1200 if suffix == ".mp3" else 0)
    assert np.abs(clip.samples[4000:12_000]).max() == pytest.approx(0.5, abs=tolerance + 1e-6)


@pytest.mark.parametrize("rate_hz", [8000, 22_050, 44_100, 48_000])
def test_resampling_keeps_pitch_level_and_duration(tmp_path, rate_hz):
    path = tmp_path / "a.wav"
    soundfile.write(path, sine(rate_hz, rate_hz=rate_hz), rate_hz, subtype="FLOAT")
    clip = decode_audio(path)
    assert clip.rate_hz == 16_000
    assert abs(len(clip.samples) - 16_000) <= 1
    inner = slice(2000, 14_000)
    np.testing.assert_allclose(clip.samples[inner], sine(16_000)[inner], atol=2e-4)


def test_none_keeps_the_rate(tmp_path):
    path = tmp_path / "a.wav"
    soundfile.write(path, sine(4410, rate_hz=44_100), 44_100)
    clip = decode_audio(path, rate_hz=None)
    assert (clip.rate_hz, len(clip.samples)) == (44_100, 4410)


def test_decoding_twice_gives_equal_digests_whatever_the_container(tmp_path):
    numbers = np.frombuffer(pcm16(sine()), "<i2")  # from floats, libsndfile rounds differently for each container
    for name in ("a.wav", "a.flac"):
        soundfile.write(tmp_path / name, numbers, 16_000, subtype="PCM_16")
    first, again, other = (decode_audio(tmp_path / name) for name in ("a.wav", "a.wav", "a.flac"))
    assert first.digest == again.digest == other.digest
    assert first.digest != decode_audio(tmp_path / "a.wav", rate_hz=8000).digest


def test_one_sample_cannot_be_resampled(tmp_path):
    path = write(tmp_path / "a.wav", wav(pcm16(np.array([0.5])), rate_hz=48_000))
    with pytest.raises(MediaError, match="too short to resample: 1 samples at 48000 Hz"):
        decode_audio(path)


# --- channels


def stereo(tmp_path, left, right):
    path = tmp_path / "stereo.wav"
    soundfile.write(path, np.stack([left, right], axis=1), 16_000, subtype="FLOAT")
    return path


def test_nearly_cancelling_channels_get_a_note(tmp_path):
    clip = decode_audio(stereo(tmp_path, sine(), -0.99 * sine()))
    assert kinds(clip) == ["channels cancel"]
    assert "46 dB below" in clip.notes[0]


def test_channels_that_cancel_but_for_the_rounding_of_integers_stop(tmp_path):
    path = tmp_path / "stereo.wav"
    numbers = np.frombuffer(pcm16(sine()), "<i2")
    soundfile.write(path, np.stack([numbers, -1 - numbers], axis=1), 16_000, subtype="PCM_16")
    with pytest.raises(MediaError, match="channels cancel"):
        decode_audio(path)


def test_partly_cancelling_channels_do_not(tmp_path):
    assert decode_audio(stereo(tmp_path, sine(), -0.9 * sine())).notes == ()  # 26 dB below


def test_silent_stereo_is_silence_not_cancellation(tmp_path):
    assert kinds(decode_audio(stereo(tmp_path, np.zeros(800), np.zeros(800)))) == ["digital silence"]


@pytest.mark.parametrize("channel", [2, -1])
def test_a_channel_that_is_not_there(tmp_path, channel):
    with pytest.raises(MediaError, match=f"no channel {channel}") as caught:
        decode_audio(stereo(tmp_path, sine(), sine()), channel=channel)
    assert "0 to 1" in str(caught.value)


def test_the_only_channel_may_be_chosen(tmp_path):
    path = write(tmp_path / "a.wav", wav(pcm16(sine())))
    np.testing.assert_array_equal(decode_audio(path, channel=0).samples, decode_audio(path).samples)


# --- segments


@given(
    time_us=st.integers(0, 10**11),
    rate_hz=st.sampled_from([8000, 11_025, 16_000, 22_050, 44_100, 48_000]),
)
def test_frames_are_the_nearest_whatever_the_time(time_us, rate_hz):
    frame = _frame(time_us, rate_hz)
    assert abs(frame * 1_000_000 - time_us * rate_hz) * 2 <= 1_000_000


@pytest.mark.parametrize("suffix", [".wav", ".flac", ".ogg"])
def test_segment_equals_a_slice(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    soundfile.write(path, sine(pitch_hz=333.3), 16_000)
    whole = decode_audio(path).samples
    for start_us, end_us in ((0, 250_000), (100_000, 500_000), (62_500, None)):
        part = decode_audio(path, start_us=start_us, end_us=end_us).samples
        stop = None if end_us is None else _frame(end_us, 16_000)
        np.testing.assert_array_equal(part, whole[_frame(start_us, 16_000) : stop])


@pytest.mark.parametrize(
    ("start_us", "end_us"), [(500_000, None), (600_000, 700_000), (0, 502_000), (499_000, 600_000)]
)
def test_segment_outside(tmp_path, start_us, end_us):
    path = write(tmp_path / "a.wav", wav(pcm16(sine())))
    with pytest.raises(MediaError, match=r"not within the sound, which lasts 0.5 s"):
        decode_audio(path, start_us=start_us, end_us=end_us)


@pytest.mark.parametrize(("start_us", "end_us"), [(-1, None), (200_000, 200_000), (300_000, 200_000)])
def test_segment_backwards(tmp_path, start_us, end_us):
    path = write(tmp_path / "a.wav", wav(pcm16(sine())))
    with pytest.raises(MediaError, match="empty or runs backwards"):
        decode_audio(path, start_us=start_us, end_us=end_us)


def test_a_rounded_end_is_told_not_padded(tmp_path):
    path = write(tmp_path / "a.wav", wav(pcm16(sine())))
    clip = decode_audio(path, start_us=250_000, end_us=500_500)
    assert len(clip.samples) == 4000
    assert kinds(clip) == ["segment end"]
    assert decode_audio(path, end_us=500_020).notes == ()  # less than half a sample


# --- levels


def test_very_quiet_speech_is_no_silence(tmp_path):
    path = tmp_path / "a.wav"
    soundfile.write(path, sine(peak=10 ** (-63.8 / 20)), 16_000, subtype="PCM_16")
    assert decode_audio(path).notes == ()


@pytest.mark.parametrize("value", [0.0, 0.25])
def test_digital_silence_is_told(tmp_path, value):
    path = tmp_path / "a.wav"
    soundfile.write(path, np.full(100, value), 16_000, subtype="FLOAT")
    assert decode_audio(path).notes == (f"digital silence: every sample is {value:g}",)


def test_integers_stored_as_floats_are_told(tmp_path):
    path = tmp_path / "a.wav"
    soundfile.write(path, sine() * 32_768, 16_000, subtype="FLOAT")
    assert kinds(decode_audio(path)) == ["full scale"]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_samples_that_are_no_numbers(tmp_path, bad):
    path = tmp_path / "a.wav"
    samples = sine(100)
    samples[[7, 9]] = bad
    soundfile.write(path, samples, 16_000, subtype="FLOAT")
    with pytest.raises(MediaError, match="2 of 100 samples are no finite numbers, the first at 7"):
        decode_audio(path)


# --- headers, beyond the collected case


def test_a_size_of_zero_with_chunks_after_it_is_really_empty(tmp_path):
    path = write(tmp_path / "a.wav", wav(b"", after=chunk(b"LIST", b"INFOISFT")))
    with pytest.raises(MediaError, match="no samples"):
        decode_audio(path)


def test_a_header_alone_is_empty(tmp_path):
    with pytest.raises(MediaError, match="no samples"):
        decode_audio(write(tmp_path / "a.wav", wav(b"")))


def test_chunks_before_the_data_and_no_riff_size(tmp_path):
    content = wav(pcm16(sine()), claimed=0, riff=0, before=chunk(b"LIST", b"INFOodd"))
    clip = decode_audio(write(tmp_path / "a.wav", content))
    assert len(clip.samples) == 8000
    assert kinds(clip) == ["header length"]


def test_size_zero_stereo_with_a_broken_last_frame(tmp_path):
    data = pcm16(np.stack([sine(), sine()], axis=1)) + b"\x01\x02\x03"
    clip = decode_audio(write(tmp_path / "a.wav", wav(data, claimed=0, channels=2)))
    assert len(clip.samples) == 8000
    assert kinds(clip) == ["header length", "stray bytes"]


def test_bytes_after_the_data_that_are_no_chunks(tmp_path):
    clip = decode_audio(write(tmp_path / "a.wav", wav(pcm16(sine()), after=b"\x00\x01" * 50)))
    assert len(clip.samples) == 8000
    assert clip.notes == ("stray bytes: 100 bytes after the samples are not part of the sound and were left out",)


def test_float_and_big_claims(tmp_path):
    data = sine().astype("<f4").tobytes()
    clip = decode_audio(write(tmp_path / "a.wav", wav(data, claimed=0x7FFFFFFF - 44, coding=3, bits=32)))
    assert len(clip.samples) == 8000
    assert "gives no length" in clip.notes[0]


def test_headers_for_more_than_four_gibibytes(tmp_path):
    """Truncated, and never finished: the length stands in the chunk ds64."""
    for claimed, note in ((16_000, ""), (32_000, "header 1.0 s, data 0.5 s"), (0, "header says 0 samples")):
        sizes = chunk(b"ds64", (claimed + 72).to_bytes(8, "little") + claimed.to_bytes(8, "little") + bytes(12))
        content = wav(pcm16(sine()), claimed=0xFFFFFFFF, riff=0xFFFFFFFF)
        content = b"RF64" + content[4:12] + sizes + content[12:]
        clip = decode_audio(write(tmp_path / "a.wav", content))
        assert len(clip.samples) == 8000
        assert note in " ".join(clip.notes)
        assert bool(note) == bool(clip.notes)


@pytest.mark.parametrize("subtype", ["IMA_ADPCM", "MS_ADPCM", "GSM610"])
def test_packed_codings_are_left_to_the_decoder(tmp_path, subtype):
    path = tmp_path / "a.wav"
    soundfile.write(path, sine(), 16_000 if "ADPCM" in subtype else 8000, subtype=subtype)
    assert len(decode_audio(path, rate_hz=None).samples) >= 8000


def test_flac_without_a_length(tmp_path):
    path = tmp_path / "a.flac"
    soundfile.write(path, sine(), 16_000)
    raw = bytearray(path.read_bytes())
    raw[21] &= 0xF0  # STREAMINFO: the 36 bits of the number of samples
    raw[22:26] = bytes(4)
    path.write_bytes(raw)
    assert len(decode_audio(path).samples) == 8000
    np.testing.assert_array_equal(
        decode_audio(path, start_us=100_000, end_us=200_000).samples, decode_audio(path).samples[1600:3200]
    )


def test_flac_that_claims_more_than_it_has(tmp_path):
    path = tmp_path / "a.flac"
    soundfile.write(path, sine(), 16_000)
    raw = bytearray(path.read_bytes())
    raw[22:26] = (16_000).to_bytes(4, "big")
    clip = decode_audio(write(path, raw))
    assert len(clip.samples) == 8000
    assert clip.notes == ("header length: header 1.000 s, data 0.500 s (truncated download?)",)


def test_damaged_flac(tmp_path):
    path = tmp_path / "a.flac"
    soundfile.write(path, sine(16_000), 16_000)
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(MediaError, match="cannot decode"):
        decode_audio(path)


def test_segments_of_mp3_are_exact_and_nothing_is_printed(tmp_path, capfd):
    path = tmp_path / "a.mp3"
    samples = np.random.Generator(np.random.PCG64(0)).standard_normal(48_000) * 0.2
    soundfile.write(path, samples * np.hanning(48_000), 16_000)
    whole = decode_audio(path).samples
    for start in (0.5, 1.0001, 2.2):
        piece = decode_audio(path, start_us=int(start * 1e6), end_us=int((start + 0.5) * 1e6)).samples
        first = round(start * 16_000)
        np.testing.assert_array_equal(piece, whole[first : first + len(piece)])
        assert len(piece) == 8_000
    assert capfd.readouterr().err == ""


# --- optional packages


@pytest.mark.parametrize("package", ["soundfile", "soxr"])
def test_missing_package_names_its_extra(tmp_path, monkeypatch, package):
    path = write(tmp_path / "a.wav", wav(pcm16(sine()), rate_hz=8000))
    monkeypatch.setitem(sys.modules, package, None)
    _soundfile.cache_clear()
    try:
        with pytest.raises(ExtraMissingError, match=package) as caught:
            decode_audio(path)
    finally:
        _soundfile.cache_clear()
    assert "affectcheck[speech]" in str(caught.value)
    assert isinstance(caught.value, InputError)
