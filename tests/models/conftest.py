"""Small sounds and a trained model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.media.clip import Clip, Item
from affectcheck.models import features, fit
from affectcheck.schemes import CategoryScheme, DimensionScheme
from affectcheck.seeds import rng
from torch_stand_ins import put_in_place

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.models import Baseline

RATE_HZ = 16_000


def voice(pitch_hz: float, *, duration_s: float = 0.6, seed: int = 0, level: float = 0.1) -> Clip:
    """A buzz with a pitch and a little noise."""
    time = np.arange(int(duration_s * RATE_HZ)) / RATE_HZ
    harmonics = sum(np.sin(2 * np.pi * pitch_hz * k * time) / k for k in range(1, 8))
    noise = rng(seed, "voice", str(pitch_hz)).normal(size=len(time)) * 0.05
    return Clip(((harmonics + noise) * level).astype(np.float32), RATE_HZ)


@pytest.fixture(scope="session")
def make_voice() -> Callable[..., Clip]:
    return voice


@pytest.fixture(scope="session")
def items() -> list[Item]:
    """Six clips of three pitches, and lengths that differ."""
    return [
        Item(f"{pitch}-{take}", {"audio": voice(pitch, seed=take, duration_s=0.3 + 0.1 * take)})
        for pitch in (110.0, 180.0, 300.0)
        for take in (1, 2)
    ]


@pytest.fixture(scope="session")
def scheme() -> CategoryScheme:
    return CategoryScheme("pitches", ("low", "middle", "high"))


@pytest.fixture(scope="session")
def trained(items: list[Item], scheme: CategoryScheme) -> Baseline:
    measured = np.array([features(item.audio) for item in items])
    return fit(measured, np.array([0, 0, 1, 1, 2, 2]), scheme)


@pytest.fixture(scope="session")
def regressor(items: list[Item]) -> Baseline:
    measured = np.array([features(item.audio) for item in items])
    truth = np.array([[0.1, 0.9], [0.2, np.nan], [0.5, 0.5], [0.5, 0.4], [0.9, 0.1], [0.8, np.nan]])
    return fit(measured, truth, DimensionScheme("two", ("up", "down"), 0.0, 1.0))


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Stand-ins of torch and timm; what they are asked for."""
    return put_in_place(monkeypatch)
