"""What a training run did, as plain records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affectcheck.models import Baseline
    from affectcheck.records import Fault
    from affectcheck.training.selection import Choice


@dataclass(frozen=True)
class Counts:
    """Items of one part of the data.

    Attributes:
        items: in the part.
        used: fitted on, or chosen by.
        unlabelled: left out since they have no label.
        faulty: left out since they have no features.
    """

    items: int
    used: int
    unlabelled: int
    faulty: int


@dataclass(frozen=True)
class TrainReport:
    """What a training run did.

    Attributes:
        recipe: its name.
        target: what was learned.
        seed: of the run.
        train, validation: items of the parts.
        choice: the strength, and how it was chosen.
        fitted_on: parts that the final model was fitted on.
        absent: classes without a training item.
        faults: items without features, and cautions.
    """

    recipe: str
    target: str
    seed: int
    train: Counts
    validation: Counts
    choice: Choice
    fitted_on: tuple[str, ...]
    absent: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values, for a run record."""
        from dataclasses import asdict  # noqa: PLC0415  # the name is of no other use here

        return asdict(self)


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained model and how it came about.

    Attributes:
        model: the model.
        report: what was done.
    """

    model: Baseline
    report: TrainReport
