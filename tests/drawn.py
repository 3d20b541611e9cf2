"""Pictures and sounds drawn for tests of copies: each seed another one, with detail as photographs and voices have."""

from __future__ import annotations

import numpy as np

from affectcheck.seeds import rng


def picture(seed: int, height: int = 96, width: int = 80) -> np.ndarray:
    """(height, width, 3) uint8: a few soft blobs of colour over a slope."""
    draw = rng(seed, "drawn picture")
    down, across = np.mgrid[:height, :width] / max(height, width)
    pixels = np.full((height, width, 3), 90.0) + 60 * (down * draw.uniform(-1, 1))[:, :, None]
    for _ in range(14):
        centre, size = draw.uniform(0, 1, 2), draw.uniform(0.04, 0.2)
        blob = np.exp(-((down - centre[0]) ** 2 + (across - centre[1]) ** 2) / (2 * size**2))
        pixels += blob[:, :, None] * draw.uniform(-110, 110, 3)
    return np.clip(pixels, 0, 255).astype(np.uint8)


def voice(seed: int, rate_hz: int = 16_000, duration_s: float = 1.5) -> np.ndarray:
    """(n,) float32: a gliding buzz that swells and fades, over some noise."""
    draw = rng(seed, "drawn voice")
    time_s = np.arange(round(rate_hz * duration_s)) / rate_hz
    knots = np.linspace(0, duration_s, 6)
    pitch_hz = np.interp(time_s, knots, draw.uniform(110, 240, 6))
    phase = 2 * np.pi * np.cumsum(pitch_hz) / rate_hz
    loudness = np.interp(time_s, np.linspace(0, duration_s, 12), draw.uniform(0, 1, 12))
    buzz = sum(np.sin(number * phase + draw.uniform(0, 6)) / number for number in range(1, 9))
    sound = loudness * buzz + 0.01 * draw.standard_normal(len(time_s))
    return (0.4 * sound / np.abs(sound).max()).astype(np.float32)
