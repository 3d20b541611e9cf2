"""Samples at another rate and in 16 bits."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError
from affectcheck.media.samples import resampled, to_pcm


def test_rounding_is_to_the_even_step_and_clips() -> None:
    steps = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49, 32767.5, 40000.0, -32768.0, -40000.0])
    assert to_pcm(steps / 32768).tolist() == [-2, -2, 0, 0, 2, 2, 0, 32767, 32767, -32768, -32768]
    assert to_pcm(np.float32([0.1, -0.3])).tolist() == [3277, -9830]
    assert to_pcm(np.empty(0)).dtype == np.int16


def test_samples_of_the_wanted_rate_stay_as_they_are() -> None:
    samples = np.ones(4, np.float32)
    assert resampled(samples, 8_000, 8_000) is samples


def test_another_rate_keeps_type_and_length_in_seconds() -> None:
    pytest.importorskip("soxr")
    tone = np.sin(2 * np.pi * 440 * np.arange(16_000) / 16_000).astype(np.float32)
    slow = resampled(tone, 16_000, 8_000)
    assert (slow.dtype, len(slow)) == (np.float32, 8_000)
    assert slow[100:-100] == pytest.approx(tone[::2][100:-100], abs=1e-3)


def test_the_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "soxr", None)
    with pytest.raises(ExtraMissingError, match="soxr"):
        resampled(np.ones(4), 16_000, 8_000)
