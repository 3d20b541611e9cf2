"""What a prediction run is told, and the hook that changes what a model hears and sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, get_args, runtime_checkable

from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.media.clip import Media

Engine: TypeAlias = Literal["local", "ray"]

ENGINES: Final[tuple[Engine, ...]] = get_args(Engine)


@runtime_checkable
class Perturbation(Protocol):
    """A change of the sound or of the pictures before the model gets them.

    With ``workers`` above 1 it travels to other processes, so it must be picklable.
    """

    @property
    def key(self) -> str:
        """All that the changed medium depends on besides the medium and the item: name, parameters, seed."""

    @property
    def media(self) -> tuple[str, ...]:
        """Names of the media that it changes: ``audio``, ``image``, ``frames``."""

    def __call__(self, medium: Any, item_key: str) -> Media | None:
        """The changed medium, or None where the change makes no sense, such as noise at an SNR on digital silence."""


def key_of(perturbation: Perturbation | None) -> str:
    """The key of a set of predictions: that of what changes its media; empty for media as recorded."""
    return "" if perturbation is None else perturbation.key


@dataclass(frozen=True)
class PredictOptions:
    """How a model is run over a table.

    Attributes:
        cache: folder of finished predictions; None keeps none. A killed run that is started again with the same
            folder computes only what is missing.
        workers: processes; above 1, and on a cluster, the model must be picklable.
        batch: items a call. A kill loses the batch in flight, so 1 loses at most one item a worker.
        strict: any item without a prediction stops the run.
        max_fault_share: largest share of items without a prediction that the run goes on with.
        perturbation: changes the media of every item first; ``predict_sets`` takes several.
        progress: called with (done, total) predictions after every batch; None shows a bar on a terminal's stderr.
        repeated: items that are predicted twice more, each alone, to see whether the model answers the same; where it
            does not, the predictions have a caution. 0 does not look.
        engine: ``local`` processes, or ``ray``: actors of Ray, one a worker, in the cluster that this process is
            connected to or that RAY_ADDRESS names, and on this machine where there is none.
    """

    cache: Path | None = None
    workers: int = 1
    batch: int = 1
    strict: bool = False
    max_fault_share: float = 0.05
    perturbation: Perturbation | None = None
    progress: Callable[[int, int], None] | None = None
    repeated: int = 0
    engine: Engine = "local"

    def __post_init__(self) -> None:
        """Counts are positive, the share is a fraction, the engine is known."""
        if self.engine not in ENGINES:
            raise UnknownNameError.of("engine", self.engine, ENGINES)
        if self.workers < 1 or self.batch < 1:
            raise InputError(f"workers {self.workers} and batch {self.batch}", expected="whole numbers from 1 on")
        if self.repeated < 0:
            raise InputError(f"{self.repeated} repeated items", expected="a whole number from 0 on")
        if not 0.0 <= self.max_fault_share <= 1.0:
            raise InputError(
                f"a share of {self.max_fault_share} faulty items",
                expected="a fraction from 0 to 1",
                cause="a percentage",
            )


def no_progress(done: int, total: int) -> None:
    """Show nothing; give it as ``progress`` to keep a terminal quiet."""
