"""Tables to divide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.schemes import Target, scheme
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from affectcheck.annotations import AnnotationTable

LABELS = ("anger", "happiness", "neutral", "sadness")


@pytest.fixture
def corpus() -> Callable[..., AnnotationTable]:
    """Factory: a corpus of so many subjects with unequal numbers of items, two groups and four expressions."""

    def make(subjects: int = 16, items: int = 12, seed: int = 0) -> AnnotationTable:
        draw = rng(seed, "test corpus")
        rows = [
            {
                "item": f"s{subject:03d}-{number:03d}",
                "media": f"s{subject:03d}-{number:03d}.wav",
                "subject": f"s{subject:03d}",
                "sex": "female" if subject % 2 else "male",
                "age": ("20-29", "30-39", "40-49")[subject % 3] if subject % 7 else None,
                "expression": LABELS[int(draw.integers(4))],
            }
            for subject in range(subjects)
            for number in range(items + int(draw.integers(5)))
        ]
        return make_table(
            pl.DataFrame(rows),
            targets=[Target("expression", scheme("expressions-4"))],
            groups=("sex", "age"),
            name="corpus",
        )

    return make


@pytest.fixture
def portraits() -> Callable[..., AnnotationTable]:
    """Factory: so many portraits of different people, without subjects."""

    def make(items: int = 900, seed: int = 0) -> AnnotationTable:
        draw = rng(seed, "test portraits")
        frame = pl.DataFrame(
            {
                "item": [f"{number:05d}.jpg" for number in range(items)],
                "sex": draw.choice(["female", "male", "other/uncertain"], items, p=[0.5, 0.45, 0.05]).tolist(),
                "expression": draw.choice(LABELS, items, p=[0.1, 0.5, 0.35, 0.05]).tolist(),
            }
        )
        return make_table(
            frame, targets=[Target("expression", scheme("expressions-4"))], groups=("sex",), name="portraits"
        )

    return make


def dimensions(values: np.ndarray, name: str = "valence-arousal") -> AnnotationTable:
    """A table of dimensions, one subject an item."""
    declared = scheme(name)
    columns = {part: values[:, place] for place, part in enumerate(declared.dimensions)}
    frame = pl.DataFrame({"item": [f"{row:04d}" for row in range(len(values))], **columns}, nan_to_null=True)
    return make_table(frame, targets=[Target("affect", declared)], name="affect")


@pytest.fixture
def affect() -> Callable[..., AnnotationTable]:
    """Factory: a table of dimensions from an array of values."""
    return dimensions
