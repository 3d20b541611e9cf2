"""What an audit is asked to do."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from affectcheck.cache import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from affectcheck.behaviour.definition import Mode
    from affectcheck.metrics.rules import Convention
    from affectcheck.predictions.options import Engine


@dataclass(frozen=True)
class AuditOptions:
    """One audit.

    Attributes:
        data: data set, as ``name``, ``name:root`` or ``name:root?option=value``.
        model: a training recipe such as ``baseline`` (trained here on the partition's training set), or any model
            that ``load_model`` takes.
        by: group attributes; ``a*b`` is their intersection; None for every group column of the data set, empty for none.
        tests_columns: whether each column of ``by`` gets a fairness test, whatever the suites; else only where the
            suites test fairness.
        target: what is predicted; None for the data set's first target.
        suites: behaviour suites or single tests; empty for none, None for those of the media that the model takes.
        tests: patterns of names, such as ``robustness-noise-*``, that a test of the suites must match; empty for all.
        only: metrics that comparisons are restricted to; empty for all.
        sounds: where noises, voices and rooms are, as ``read_sounds`` takes them.
        reruns: how often random perturbations are drawn again; see ``SuiteOptions``.
        mode: ``corrected`` or ``published`` rules of the behaviour tests.
        partition: ``make`` (55/15/30 by subject), ``own`` (the data set's own), ``none`` (every item is tested; for a
            model that was trained elsewhere), or the folder of a manifest.
        tested: the set that is tested.
        subjects: ``column``, ``none``, or a regular expression that finds the subject in an item's key.
        cross_validation: ``subject`` to predict every item with a model never trained on its subject; empty for none.
        repeats: further partition seeds, each trained and scored by the headline metric alone.
        shuffle_labels: train on permuted labels, a control that must end at chance.
        convention: ``paper``, ``tables`` or ``upstream``.
        seed: seed of partition, training, noise and resampling.
        resamples: resamples of each interval.
        workers: processes; 0 for one a core.
        engine: ``local`` processes, or ``ray`` actors on a cluster.
        cache: folder of the cache.
        fresh: predict anew, whatever the cache holds: for Python code whose weights or imports have changed, which the
            digest of its own file does not show.
        strict: stop at the first faulty item, and count inconclusive as failed.
        max_fault_share: share of faulty items above which a run stops.
    """

    data: str
    model: str = "baseline"
    by: tuple[str, ...] | None = None
    tests_columns: bool = False
    target: str | None = None
    suites: tuple[str, ...] | None = None
    tests: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    sounds: tuple[str, ...] = ()
    reruns: int = 1
    mode: Mode = "corrected"
    partition: str = "make"
    tested: str = "test"
    subjects: str = "column"
    cross_validation: str = ""
    repeats: tuple[int, ...] = ()
    shuffle_labels: bool = False
    convention: Convention = "paper"
    seed: int = 0
    resamples: int = 1000
    workers: int = 0
    engine: Engine = "local"
    cache: Path | None = None
    fresh: bool = False
    strict: bool = False
    max_fault_share: float = 0.05

    @property
    def processes(self) -> int:
        """Number of worker processes."""
        return self.workers or os.cpu_count() or 1

    @property
    def cache_folder(self) -> Path:
        """The cache that is used."""
        return self.cache or cache_folder()

    @property
    def predictions_folder(self) -> Path | None:
        """Where finished predictions are kept; none where they are to be made anew."""
        return None if self.fresh else self.cache_folder / "predictions"

    def plain(self) -> dict[str, Any]:
        """What can change a result, as plain values; where and how fast it runs is left out."""
        values = asdict(self)
        for name in ("cache", "engine", "fresh", "workers"):
            values.pop(name)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


class Progress(Protocol):
    """Shows how far a long stage is."""

    def __call__(self, label: str) -> AbstractContextManager[Callable[[int, int], None]]:
        """Begin a stage; the block gets a function of (done, total)."""
