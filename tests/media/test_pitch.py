"""Our estimator of the fundamental frequency against known pitch, and against Praat where it is installed."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError, UnknownNameError
from affectcheck.media import pitch as module
from affectcheck.media.clip import Clip
from affectcheck.media.pitch import PITCH_ESTIMATORS, mean_pitch, pitch_estimator
from affectcheck.media.pitch_autocorrelation import Autocorrelation
from affectcheck.media.pitch_praat import Praat, praat_installed
from affectcheck.seeds import rng

needs_praat = pytest.mark.skipif(not praat_installed(), reason="praat-parselmouth is not installed")


def buzz(hertz: float | np.ndarray, *, seconds: float = 1.0, rate_hz: int = 16_000, noise: float = 0.0) -> Clip:
    """A voice-like tone whose pitch may move."""
    phase = 2 * np.pi * np.cumsum(np.broadcast_to(hertz, int(seconds * rate_hz))) / rate_hz
    wave = 0.2 * sum(np.sin(k * phase) / k for k in range(1, 15))
    wave = wave + noise * rng(1, "breath").standard_normal(len(phase))
    return Clip(wave.astype(np.float32), rate_hz)


@pytest.mark.parametrize("hertz", [80.0, 110.0, 145.0, 190.0, 300.0, 450.0])
@pytest.mark.parametrize("rate_hz", [16_000, 44_100])
def test_a_steady_pitch_is_found(hertz: float, rate_hz: int) -> None:
    found = Autocorrelation().frames_hz(buzz(hertz, rate_hz=rate_hz))
    assert len(found) == 97  # a window of 40 ms every 10 ms
    assert (found > 0).all()
    assert mean_pitch(buzz(hertz, rate_hz=rate_hz), Autocorrelation()) == pytest.approx(hertz, rel=2e-3)


def test_a_moving_pitch_is_followed() -> None:
    hertz = np.linspace(120, 240, 32_000)
    found = Autocorrelation().frames_hz(buzz(hertz, seconds=2.0))
    assert found[5] < found[100] < found[-5]
    assert found.mean() == pytest.approx(180, rel=0.01)


def test_noise_and_silence_have_no_pitch() -> None:
    hiss = Clip(0.1 * rng(2, "hiss").standard_normal(16_000).astype(np.float32), 16_000)
    assert (Autocorrelation().frames_hz(hiss) > 0).mean() < 0.1
    silence = Clip(np.zeros(16_000, np.float32), 16_000)
    assert not Autocorrelation().frames_hz(silence).any()
    assert mean_pitch(silence, Autocorrelation()) is None
    voiced = np.concatenate([buzz(200.0).samples, np.zeros(16_000, np.float32), hiss.samples * 0.02])
    frames = Autocorrelation().frames_hz(Clip(voiced.astype(np.float32), 16_000))
    assert (frames[:95] > 0).all()
    assert not frames[102:195].any()


def test_a_clip_too_short_or_too_coarse_has_no_frames() -> None:
    assert mean_pitch(Clip(np.ones(500, np.float32), 16_000), Autocorrelation()) is None
    assert Autocorrelation().frames_hz(buzz(200.0, rate_hz=2000)).size == 0
    assert Autocorrelation().frames_hz(Clip(np.zeros(0, np.float32), 16_000)).size == 0


def test_long_clips_are_measured_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Autocorrelation().frames_hz(buzz(200.0, noise=0.05))
    monkeypatch.setattr("affectcheck.media.pitch_autocorrelation._FRAMES", 7)
    assert np.array_equal(Autocorrelation().frames_hz(buzz(200.0, noise=0.05)), whole)


def test_estimators_are_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownNameError, match="yin"):
        pitch_estimator("yin")
    assert pitch_estimator("auto").name in PITCH_ESTIMATORS
    monkeypatch.setattr(module, "praat_installed", lambda: False)
    assert pitch_estimator("auto").name == "autocorrelation"
    with pytest.raises(ExtraMissingError, match="praat"):
        pitch_estimator("praat")
    monkeypatch.setattr(module, "praat_installed", lambda: True)
    assert pitch_estimator("auto").name == pitch_estimator("praat").name == "praat"


def test_praat_is_asked_with_its_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    class Sound:
        def __init__(self, samples: np.ndarray, rate_hz: float) -> None:
            assert samples.dtype == np.float64
            assert rate_hz == 16_000.0
            self.short = len(samples) < 640

        def to_pitch(self) -> SimpleNamespace:
            if self.short:
                raise RuntimeError
            return SimpleNamespace(selected_array={"frequency": [0.0, 100.0, 200.0]})

    stand_in = SimpleNamespace(Sound=Sound, PraatError=RuntimeError, VERSION="0.4.7", PRAAT_VERSION="6.1")
    monkeypatch.setitem(sys.modules, "parselmouth", stand_in)
    assert mean_pitch(buzz(100.0), Praat()) == 150.0
    assert mean_pitch(Clip(np.zeros(10, np.float32), 16_000), Praat()) is None
    assert Praat().version == "parselmouth 0.4.7, Praat 6.1"


@needs_praat
@pytest.mark.parametrize("noise", [0.0, 0.02, 0.1])
def test_ours_agrees_with_praat(noise: float) -> None:
    for low, high in ((90, 130), (150, 300), (420, 180)):
        clip = buzz(np.linspace(low, high, 24_000), seconds=1.5, noise=noise)
        ours, praat = Autocorrelation().frames_hz(clip), Praat().frames_hz(clip)
        assert len(ours) == len(praat)
        assert ((ours > 0) == (praat > 0)).mean() > 0.97
        both = (ours > 0) & (praat > 0)
        assert np.quantile(np.abs(ours[both] / praat[both] - 1), 0.9) < 2e-3
    assert "Praat" in Praat().version
    assert Praat().frames_hz(Clip(np.zeros(10, np.float32), 16_000)).size == 0


@needs_praat
@pytest.mark.shared
@pytest.mark.slow
def test_ours_agrees_with_praat_on_speech(shared_data) -> None:  # type: ignore[no-untyped-def]
    from affectcheck.media import decode_audio

    files = sorted((shared_data / "data" / "ravdess-speech").rglob("*.flac"))[::40]
    means = []
    for path in files:
        clip = decode_audio(path)
        means.append((mean_pitch(clip, Autocorrelation()), mean_pitch(clip, Praat())))
    ours, praat = np.array(means, float).T
    assert np.quantile(np.abs(ours / praat - 1), 0.9) < 0.01
    assert np.abs(ours / praat - 1).max() < 0.05
