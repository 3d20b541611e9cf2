"""Telephone codecs: which is found, what it is given to the last bit, and how much comes back."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from affectcheck.augmentations import codecs
from affectcheck.augmentations.codecs import AMR_NB, GSM, ImageioFFmpeg, PyAV, SoundFile, encoder_of, transmit
from affectcheck.errors import ExtraMissingError, InputError, UnknownNameError
from affectcheck.seeds import rng

ENCODERS = (PyAV, ImageioFFmpeg, SoundFile)


def voice(n: int = 8_000) -> np.ndarray:
    """Noise of the first formants, which rises and falls like syllables."""
    spectrum = np.fft.rfft(rng(1, "voice").standard_normal(8_000))
    frequency_hz = np.fft.rfftfreq(8_000, 1 / 8_000)
    noise = np.fft.irfft(spectrum * ((frequency_hz > 300) & (frequency_hz < 1_200)))
    syllables = 0.2 + np.abs(np.sin(2 * np.pi * 3 * np.arange(8_000) / 8_000))
    return (0.4 * noise * syllables)[:n]


def working(make: type) -> codecs.Encoder:
    found = codecs._working(make)
    if found is None:
        pytest.skip(f"{make.__name__} does not encode here")
    return found


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch):
    """Pretend that no other packages than these are installed."""

    def keep(*kept: str) -> None:
        codecs._working.cache_clear()
        codecs._av.cache_clear()
        for name in {"av", "av.codec", "imageio_ffmpeg", "soundfile"} - set(kept):
            monkeypatch.setitem(sys.modules, name, None)

    yield keep
    codecs._working.cache_clear()
    codecs._av.cache_clear()


@pytest.mark.parametrize("make", ENCODERS)
@pytest.mark.parametrize("n", [0, 1, 159, 160, 161, 4_000])
def test_as_many_samples_come_out_as_went_in(make: type, n: int) -> None:
    heard = transmit(voice(n), working(make))
    assert heard.shape == (n,)
    assert heard.dtype == np.float32
    assert np.all(np.abs(heard) <= 1)


@pytest.mark.parametrize("make", ENCODERS)
def test_speech_is_still_speech_and_the_same_every_time(make: type) -> None:
    encoder, sent = working(make), voice()
    heard = transmit(sent, encoder)
    correlations = [np.corrcoef(sent[: len(sent) - lag], heard[lag:])[0, 1] for lag in range(60)]
    assert max(correlations) > 0.7
    assert not np.allclose(heard, sent, atol=0.01)
    assert np.array_equal(transmit(sent, encoder), heard)


def test_encoders_of_amr_make_the_same_samples() -> None:
    one, other = working(PyAV), working(ImageioFFmpeg)
    assert np.array_equal(transmit(voice(), one), transmit(voice(), other))


def test_the_delay_of_amr_is_left_as_it_is() -> None:
    encoder, sent = working(PyAV), voice()
    heard = transmit(sent, encoder)
    correlations = [np.corrcoef(sent[: len(sent) - lag], heard[lag:])[0, 1] for lag in range(60)]
    assert int(np.argmax(correlations)) == pytest.approx(39, abs=3)


def test_codecs_are_tried_in_the_declared_order(only) -> None:
    working(SoundFile)
    found = [one.library for one in codecs.available()]
    assert found == [one for one in ("PyAV", "imageio-ffmpeg", "soundfile") if one in found]
    only("soundfile")
    assert encoder_of().codec == GSM
    assert encoder_of().library == "soundfile"
    with pytest.raises(ExtraMissingError, match="phone"):
        encoder_of(AMR_NB)
    only()
    with pytest.raises(ExtraMissingError, match="speech"):
        encoder_of(GSM)


def test_a_library_without_the_encoder_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def without() -> codecs.Encoder:
        raise ValueError("no codec libopencore_amrnb")  # as PyAV from version 19 on

    monkeypatch.setattr(codecs, "KNOWN", (without, SoundFile))
    working(SoundFile)
    assert encoder_of().codec == GSM


def test_what_a_codec_lacks_at_the_end_is_silence() -> None:
    assert codecs._exactly(np.ones(3), 5).tolist() == [1, 1, 1, 0, 0]


def test_a_failing_program_is_told() -> None:
    encoder = working(ImageioFFmpeg)
    with pytest.raises(InputError, match="ffmpeg failed"):
        encoder._ffmpeg(["-i", "no such file", "-f", "null", "-"], b"")


def test_unknown_codecs_are_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean 'amr-nb-7\.4'"):
        encoder_of("amr-nb-7.5")
