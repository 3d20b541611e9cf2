from __future__ import annotations

import numpy as np
import pytest

from affectcheck.models.spectra import (
    CEPSTRA,
    HOP,
    MELS,
    RATE_HZ,
    WINDOW,
    cepstra,
    frames_of,
    log_mels,
    shapes,
    spectra,
    white_noise,
)
from affectcheck.seeds import rng


def tone(hertz: float, samples: int = 8_000) -> np.ndarray:
    return np.sin(2 * np.pi * hertz * np.arange(samples) / RATE_HZ)


@pytest.mark.parametrize(("samples", "frames"), [(1, 1), (WINDOW, 1), (WINDOW + HOP - 1, 1), (WINDOW + HOP, 2)])
def test_frames_cover_the_clip(samples: int, frames: int) -> None:
    assert frames_of(np.ones(samples), WINDOW).shape == (frames, WINDOW)


def test_a_short_clip_is_padded_with_zeros() -> None:
    assert frames_of(np.ones(3), WINDOW).sum() == 3.0


def test_power_is_that_of_the_windowed_sine() -> None:
    found = spectra(tone(1_000.0))
    assert found.power == pytest.approx(0.5 * np.square(np.hamming(WINDOW)).mean(), rel=1e-3)


def test_crossings_of_a_sine() -> None:
    assert spectra(tone(1_000.0)).crossings.mean() == pytest.approx(2 * 1_000.0 / RATE_HZ, rel=0.01)


def test_silence_is_active_and_finite() -> None:
    found = spectra(np.zeros(2_000))
    assert found.active.all()
    assert np.isfinite(log_mels(found.bins, 1e-6)).all()


def test_white_noise_measures_what_is_expected() -> None:
    found = spectra(rng(0, "white").normal(size=160_000) * 0.1)
    expected = white_noise(0.01)
    assert found.power.mean() == pytest.approx(expected.a_frame, rel=0.01)
    assert found.bins[:, 1:-1].mean() == pytest.approx(expected.a_bin, rel=0.01)


def test_a_pause_is_not_active() -> None:
    found = spectra(np.concatenate([tone(300.0), np.zeros(8_000)]))
    assert 0.4 < found.active.mean() < 0.6


def test_the_floor_is_that_of_white_noise_in_every_band() -> None:
    noise = spectra(rng(0, "white").normal(size=160_000)).bins.mean(axis=0, keepdims=True)
    assert log_mels(noise, 0.0) == pytest.approx(log_mels(np.zeros((1, 257)), white_noise(1.0).a_bin), abs=0.15)


def test_mel_band_rises_with_frequency() -> None:
    loudest = [log_mels(spectra(tone(hertz)).bins, 1e-9).mean(axis=0).argmax() for hertz in (200, 800, 3_000, 7_000)]
    assert loudest == sorted(loudest)
    assert len(set(loudest)) == 4


def test_cepstra_of_flat_bands_are_their_mean() -> None:
    found = cepstra(np.full((1, MELS), 2.0))
    assert found.shape == (1, CEPSTRA)
    assert found[0, 0] == pytest.approx(2.0 * np.sqrt(MELS))
    assert found[0, 1:] == pytest.approx(0.0, abs=1e-12)


def test_shape_of_a_tone() -> None:
    centroid, bandwidth, rolloff, flatness, flux, ratio = shapes(spectra(tone(2_000.0)).bins, 1e-9).mean(axis=0)
    assert centroid == pytest.approx(2.0, abs=0.02)
    assert bandwidth < 0.1
    assert rolloff == pytest.approx(2.0, abs=0.05)
    assert flatness < -5
    assert flux < 0.05
    assert ratio > 5


def test_silence_has_the_shape_of_white_noise() -> None:
    found = shapes(np.zeros((3, 257)), 1e-6)
    assert found[:, 0] == pytest.approx(4.0, abs=0.05)
    assert found[:, 3] == pytest.approx(0.0, abs=1e-9)
