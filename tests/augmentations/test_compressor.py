"""The compressor has the static curve of sox's ``compand`` and the dynamics of its level follower."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.augmentations.compressor import Compressor, follow
from affectcheck.errors import InputError
from affectcheck.seeds import rng

#: What sox's compand 0.01,0.02 4:-20,-16 makes of steady levels, to two decimals.
SOX = {-60.0: -56.0, -30.0: -26.0, -24.0: -20.0, -22.0: -18.10, -20.0: -16.26, -18.0: -14.50, -16.0: -12.80, 0.0: 0.0}


def bursts(n: int = 8_000, rate_hz: int = 8_000) -> np.ndarray:
    time_s = np.arange(n) / rate_hz
    envelope = 0.9 * np.exp(-4 * (time_s % 0.35))
    return envelope * np.sin(2 * np.pi * 200 * time_s) + 0.01 * rng(1, "bursts").standard_normal(n)


@pytest.mark.parametrize(("level", "expected"), SOX.items())
def test_steady_levels_come_out_as_from_sox(level: float, expected: float) -> None:
    (found,) = Compressor().output_of([level])
    assert found == pytest.approx(expected, abs=0.005)


@given(st.floats(-15.9, 0))
def test_above_the_knee_a_decibel_is_four_fifths_of_one(level: float) -> None:
    (found,) = Compressor().output_of([level])
    assert found == pytest.approx(0.8 * level, abs=1e-9)


@given(st.floats(-120, -24))
def test_below_the_knee_the_gain_is_four_decibels(level: float) -> None:
    (found,) = Compressor().output_of([level])
    assert found == pytest.approx(level + 4, abs=1e-9)


def test_the_curve_has_no_steps() -> None:
    levels = np.linspace(-30, -10, 20_001)
    out = np.array(Compressor().output_of(levels.tolist()))
    assert np.all(np.diff(out) > 0)
    assert np.max(np.abs(np.diff(out))) < 1.01 * 0.001


def test_the_level_rises_by_the_attack_and_falls_by_the_release() -> None:
    risen = follow(np.ones(80), -math.expm1(-1 / 80), 0.5, start=0.0)
    assert risen[-1] == pytest.approx(1 - math.exp(-1))
    fallen = follow(np.zeros(160), 0.5, -math.expm1(-1 / 160))
    assert fallen[-1] == pytest.approx(math.exp(-1))


def test_no_samples_are_compressed_to_none() -> None:
    assert Compressor().apply(np.empty(0), 8_000).shape == (0,)


def test_the_result_is_within_full_scale() -> None:
    loud = Compressor().apply(np.tile([0.0, 0.0, 0.0, 1.0], 2_000), 8_000)
    assert np.max(np.abs(loud)) == 1.0  # a spike above a low level is raised, and clipped


def test_ffmpeg_agrees() -> None:
    av = pytest.importorskip("av")
    samples = bursts()
    graph = av.filter.Graph()
    source = graph.add_abuffer(sample_rate=8_000, format="dblp", layout="mono", time_base="1/8000")
    compand = graph.add("compand", "attacks=0.01:decays=0.02:soft-knee=4:points=-20/-16|0/0")
    sink = graph.add("abuffersink")
    source.link_to(compand)
    compand.link_to(sink)
    graph.configure()
    frame = av.AudioFrame.from_ndarray(samples[None], format="dblp", layout="mono")
    frame.sample_rate, frame.pts = 8_000, 0
    graph.push(frame)
    graph.push(None)
    heard = []
    while True:
        try:
            heard.append(graph.pull().to_ndarray()[0])
        except (av.EOFError, av.BlockingIOError):
            break
    assert np.max(np.abs(np.clip(np.concatenate(heard), -1, 1) - Compressor().apply(samples, 8_000))) < 1e-12


@pytest.mark.parametrize("wrong", [{"threshold_db": -10.0}, {"output_db": 1.0}, {"knee_db": 0.0}, {"attack_s": 0.0}])
def test_settings_must_compress(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        Compressor(**wrong)
