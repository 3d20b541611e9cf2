"""Sightings without a detector: faces at stated places, each person with a look of their own."""

from __future__ import annotations

import numpy as np

from affectcheck.media.faces.detector import Face
from affectcheck.media.faces.sighting import Sighting
from affectcheck.media.faces.template import template
from affectcheck.seeds import rng

SIZE = 60.0


def look(person: str, *, noise: float = 0.0, seed: int = 0) -> np.ndarray:
    """How somebody looks, a little different each time."""
    base = rng(0, "look", person).uniform(40, 220, 432)
    shaken = base + noise * rng(seed, "shaken", person).normal(0, 1, 432)
    return shaken.clip(0, 255).astype(np.uint8)


def sighting(person: str, across: float, down: float = 100.0, *, noise: float = 8.0, seed: int = 0) -> Sighting:
    """A face of 60 pixels around a place."""
    points = template() * (SIZE / 112) + (across - SIZE / 2, down - SIZE / 2)
    box = (across - SIZE / 2, down - SIZE / 2, across + SIZE / 2, down + SIZE / 2)
    return Sighting(Face.of(box, points, 0.99), 0.3, look(person, noise=noise, seed=seed))
