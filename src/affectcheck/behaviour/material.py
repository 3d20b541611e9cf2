"""What a test works on: truth, prediction, clusters and group columns of the items that it may use, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.schemes import CategoryScheme, DimensionScheme, fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Rules, Task
    from affectcheck.schemes import Scheme

UNKNOWN: Final = -1  # code of a truth that is not tested
PREDICTED: Final = "predicted "  # before the name of every column of predictions, so that none meets an annotation's


@dataclass(frozen=True, eq=False)
class Material:
    """Items with truth and prediction, in the order of the table.

    Attributes:
        frame: the rows of the annotation table.
        truth: (n,) codes of the tested classes, -1 where unknown; or (n, D) values on [0, 1], NaN where unknown; or
            (n, M) units, 1 present, 0 absent, -1 unknown.
        prediction: (n,) codes of the tested classes, then of the model's other classes; or (n, D) values on [0, 1]; or
            (n, M) units, 1 present, 0 absent.
        parts: the tested classes, dimensions or units.
        others: number of the model's classes that are not tested.
        clusters: (n,) codes of what is resampled.
        unit: what a cluster is: ``subject``, ``media`` or ``item``.
        notes: what was left out, and why.
        categories: for values that are expected to follow an annotated class: the classes, which ``truth`` has the
            codes of, while ``prediction`` has (n, D) values of the dimensions in ``parts``.
    """

    frame: pl.DataFrame
    truth: NDArray[Any]
    prediction: NDArray[Any]
    parts: tuple[str, ...]
    others: int = 0
    clusters: NDArray[np.int64] = None  # type: ignore[assignment]  # made from the frame, below
    unit: str = ""
    notes: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Clusters follow from the rows, so that they are always numbered without gaps."""
        codes, unit = _clusters(self.frame)
        object.__setattr__(self, "clusters", codes)
        object.__setattr__(self, "unit", unit)

    @property
    def items(self) -> tuple[str, ...]:
        """Keys of the items."""
        return tuple(self.frame.get_column("item"))

    @property
    def size(self) -> int:
        """Number of items."""
        return self.frame.height

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return int(self.clusters.max(initial=-1)) + 1

    def take(self, rows: NDArray[Any]) -> Material:
        """The items at these places, or where a mask is true."""
        places = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return replace(self, frame=self.frame[places], truth=self.truth[places], prediction=self.prediction[places])

    def with_frame(self, frame: pl.DataFrame) -> Material:
        """The same items with other columns."""
        return replace(self, frame=frame)

    def noted(self, *notes: str) -> Material:
        """With further notes; those that are empty are none."""
        return replace(self, notes=(*self.notes, *filter(None, notes)))

    def without(self, rows: NDArray[np.bool_], what: str) -> Material:
        """All but the items where the mask is true; how many are left out is said.

        Args:
            rows: (n,) mask.
            what: the items that are left out, in words.
        """
        left_out = int(np.sum(rows))
        return self.take(~rows).noted(f"{left_out} {what} are left out" if left_out else "")

    def labelled(self) -> Material:
        """The items whose class is tested; the others are counted in the notes."""
        return self.without(self.truth == UNKNOWN, "items without a label of the tested classes")

    def only(self, classes: tuple[str, ...]) -> Material:
        """The items of some of the tested classes; predictions of the others count as outside."""
        kept = [self.parts.index(one) for one in classes]
        dropped = [code for code in range(len(self.parts) + self.others) if code not in kept]
        new = np.empty(len(self.parts) + self.others, np.int64)
        new[kept + dropped] = np.arange(len(new))
        truth = np.where(self.truth == UNKNOWN, UNKNOWN, new[self.truth])
        truth = np.where(truth < len(classes), truth, UNKNOWN)
        return replace(self, truth=truth, prediction=new[self.prediction], parts=classes, others=len(dropped))

    def dimension(self, index: int) -> Material:
        """One dimension as (n,) arrays."""
        return replace(
            self, truth=self.truth[:, index], prediction=self.prediction[:, index], parts=(self.parts[index],)
        )

    def known(self) -> Material:
        """The items whose value is known, of one dimension; the others are counted in the notes."""
        return self.without(np.isnan(self.truth), f"items without a value of {self.parts[0]}")


def tested_parts(scheme: Scheme, model: tuple[str, ...], task: Task, rules: Rules) -> tuple[str, ...]:
    """Classes or dimensions of the target that the model also has; in published mode, of those only the paper's."""
    if isinstance(scheme, CategoryScheme):
        spellings, declared, paper = scheme.spellings(), scheme.labels, task.classes
    elif isinstance(scheme, DimensionScheme):
        declared, paper = scheme.dimensions, task.dimensions
        spellings = {fold(one): one for one in declared}
    else:
        declared, paper = scheme.units, task.units
        spellings = {fold(one): one for one in declared}
    known = {spellings.get(fold(part)) for part in model}
    wanted = {spellings.get(fold(part)) for part in paper} if rules.classes == "paper" else set(declared)
    return tuple(part for part in declared if part in known and part in wanted)


def round_predictions(values: NDArray[Any], rules: Rules) -> NDArray[Any]:
    """Predictions as the mode takes them: in published mode float32 of two decimals, as the published results."""
    kept = values.astype(np.float32) if rules.prediction_float32 else values
    return kept if rules.prediction_decimals is None else np.round(kept, rules.prediction_decimals)


def _clusters(frame: pl.DataFrame) -> tuple[NDArray[np.int64], str]:
    """Codes of the subjects; of the media files, then of the items, where not every subject is known."""
    for unit in ("subject", "media"):
        if unit in frame.columns and frame.get_column(unit).null_count() == 0:
            _, codes = np.unique(frame.get_column(unit).cast(pl.String).to_numpy(), return_inverse=True)
            return codes.astype(np.int64), unit
    return np.arange(frame.height, dtype=np.int64), "item"
