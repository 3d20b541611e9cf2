from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.models.pitch import pitch
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.media.clip import Clip


@pytest.mark.parametrize("hertz", [75.0, 110.0, 220.0, 330.0, 450.0])
def test_pitch_of_a_buzz(make_voice: Callable[..., Clip], hertz: float) -> None:
    found = pitch(make_voice(hertz).samples.astype(np.float64))
    assert found.voiced.all()
    assert 100.0 * 2.0 ** np.median(found.octaves) == pytest.approx(hertz, rel=0.01)


def test_noise_is_not_voiced() -> None:
    assert pitch(rng(1, "noise").normal(size=16_000)).voiced.mean() < 0.05


def test_silence_is_not_voiced_and_finite() -> None:
    found = pitch(np.zeros(5))
    assert not found.voiced.any()
    assert np.isfinite(found.octaves).all()
    assert found.strength.tolist() == [0.0]


def test_what_lies_far_below_the_noise_is_not_voiced(make_voice: Callable[..., Clip]) -> None:
    faint = make_voice(200.0).samples.astype(np.float64) * 1e-6
    assert pitch(faint).voiced.all()
    assert not pitch(faint, noise=1e-4).voiced.any()
