"""What a training run is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class TrainOptions:
    """How a model is trained.

    Attributes:
        recipe: name of a recipe, or path of a ``.toml`` file.
        target: what is learned; the table's first target by default.
        seed: of the run. The linear models draw nothing: it is recorded, and changes no number.
        cache: folder of features; a killed run resumes from it, and prediction uses it too.
        workers: processes that measure features.
        max_fault_share: largest share of items without features that the run goes on with.
        progress: called with (done, total) items while features are measured; None shows a bar on a terminal's
            stderr.
    """

    recipe: str | Path = "baseline"
    target: str | None = None
    seed: int = 0
    cache: Path | None = None
    workers: int = 1
    max_fault_share: float = 0.05
    progress: Callable[[int, int], None] | None = None
