"""Parts of a test definition: what it needs, whom it compares, and with what."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from affectcheck.strict import Strict

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class Data(Strict):
    """What a data set must offer, which sets the paper used, and which of its items are taken.

    ``media`` are those of which a model takes one. ``labels`` tells whether they are needed (true), not looked at (false),
    taken ``where known``, or whether the test is for what is annotated nowhere (``where unknown``).
    """

    media: tuple[Literal["audio", "image", "frames"], ...] = ()
    labels: bool | Literal["where known", "where unknown"] = True
    columns: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    minimum_items: Count = 1
    minimum_segments: Count = 1
    maximum_items: Count | None = None
    maximum_items_per: str = ""
    duration_s: tuple[float, float] | None = None


class ColumnBins(Strict):
    """Groups by a number: bins of a column's mean over a subject or of the item's own value, closed on the right."""

    column: str
    edges: tuple[float, ...]
    names: tuple[str, ...]
    mean_over: Literal["item", "subject"] = "item"
    valid: tuple[float, float] | None = None
    minimum_items: Count = 1

    @model_validator(mode="after")
    def _named(self) -> ColumnBins:
        if len(self.names) != len(self.edges) - 1 or list(self.edges) != sorted(set(self.edges)):
            raise ValueError("edges rise, and there is one name for each bin between them")
        return self


class Groups(Strict):
    """Who is compared: the values of the first of these columns that a table has, or bins of a number.

    ``crossed`` are further columns, whose values divide each group: every combination of them is a group. ``pairs``, under
    a perturbation, compares every column that the table has, and every two of them crossed.

    ``minimum_subjects`` states for a column, such as ``sex``, and values of it how many subjects of each a group takes,
    where column and subjects are known.
    """

    columns: tuple[str, ...] = ()
    crossed: tuple[str, ...] = ()
    pairs: bool = False
    values: tuple[str, ...] = ()
    merged: dict[str, str] = Field(default_factory=dict)
    bins: ColumnBins | None = None
    within: str = ""
    minimum_subjects: dict[str, dict[str, Count]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_rule(self) -> Groups:
        if bool(self.columns) == (self.bins is not None):
            raise ValueError("groups are given by columns or by bins, not by both")
        if (self.crossed or self.pairs) and (self.bins is not None or self.values or self.merged):
            raise ValueError("only whole columns are crossed, without chosen or merged values")
        return self


class Balance(Strict):
    """What is made equal in every group: the truth, of the same class or the nearest value, drawn without replacement."""

    by: Literal["truth"]


class PerturbationSpec(Strict):
    """A registered augmentation with its parameters."""

    augmentation: str
    parameters: dict[str, Any] = Field(default_factory=dict)


class Reference(Strict):
    """What is compared with; ``column``, ``value`` and ``join`` pair the recordings of one utterance."""

    kind: Literal["truth", "combined", "mean over groups", "clean", "perturbed", "recording"]
    perturbation: PerturbationSpec | None = None
    column: str = ""
    value: str = ""
    join: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _complete(self) -> Reference:
        if (self.kind == "perturbed") != (self.perturbation is not None):
            raise ValueError("a perturbed reference, and no other, names its perturbation")
        if (self.kind == "recording") != bool(self.column and self.value and self.join):
            raise ValueError("a recording as reference, and no other, names column, value and join")
        return self


class Speakers(Strict):
    """Which speakers, or recordings in their place, count, and how their quantiles are cut."""

    unit: Literal["subject", "recording"] = "subject"
    minimum_items: Count = 1
    minimum_items_per_class: Count = 0
    minimum_speakers: Count = 1
    quantile: Share = 0.25
    quantile_rounding: Literal["half even", "half up", "floor"] = "half even"


class Simulation(Strict):
    """How many groups of how many items the random models have that the published limits were taken from."""

    groups: Count
    items_per_group: Count
