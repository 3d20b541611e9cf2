"""A track: what is predicted, how it is scored and ranked, what a submission looks like, and what a method may use.

One TOML file a track; those that come with the package are the five of the 6th ABAW competition (paper 3) and the boards
of paper 1. A track holds no label and no list of items: those are an organiser's.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from affectcheck.annotations.described_schemes import target_of
from affectcheck.annotations.description import TargetDescription
from affectcheck.challenges.header import folded_name
from affectcheck.challenges.track_parts import (
    CODINGS,
    Baseline,
    Count,
    Labels,
    OwnLabels,
    Phase,
    SubmissionFile,
    Title,
    Use,
)
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.metrics import METRICS
from affectcheck.schemes import parts, scheme
from affectcheck.strict import Strict

if TYPE_CHECKING:
    from datetime import datetime

    from affectcheck.schemes import Kind, Scheme

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError(f"{text[:80]!r} is no name: lower-case letters of a to z, digits and hyphens, at most 64")
    return text


Name: TypeAlias = Annotated[str, AfterValidator(_name)]


class Track(Strict):
    """One track of a challenge.

    Attributes:
        format: version of the format.
        name: by which commands take it.
        event: what it is a part of.
        title, description: for people.
        source: where its rules stand.
        notes: what the source says that does not add up.
        scheme: name of the label set.
        own: the label set, where no built-in scheme has it.
        metric: by which it ranks.
        submissions: valid submissions that a team has.
        file, labels, use: see there.
        phases: when submissions are taken; none for always.
        baselines: scores of reference.
        data: videos or items of each part of the data, as published.
    """

    format: Literal[1]
    name: Name
    event: str = ""
    title: Title
    description: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()
    scheme: str
    own: OwnLabels | None = None
    metric: str
    submissions: Annotated[int, Field(ge=1)] = 5
    file: SubmissionFile
    labels: Labels = Field(default_factory=Labels)
    use: Use = Field(default_factory=Use)
    phases: tuple[Phase, ...] = ()
    baselines: tuple[Baseline, ...] = ()
    data: dict[str, Count] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits_together(self) -> Track:
        for fault in (self._metric_fault(), self._column_fault(), self._phase_fault()):
            if fault:
                raise ValueError(fault)
        return self

    def _metric_fault(self) -> str:
        metric = METRICS.get(self.metric)
        if metric.higher_is_better is None:
            return f"metric {self.metric!r} has no direction to rank by"
        if metric.kind != self.kind:
            return f"metric {self.metric!r} scores {metric.kind}, the scheme {self.scheme!r} is of {self.kind}"
        if metric.level != "overall":
            return f"metric {self.metric!r} is of each {metric.level}; a ranking needs one number"
        if metric.number_of_parts not in (0, len(self.parts)):
            return f"metric {self.metric!r} is of {metric.number_of_parts} parts, {self.scheme!r} has {len(self.parts)}"
        return ""

    def _column_fault(self) -> str:
        coding, columns = self.file.coding, self.file.columns
        if coding not in CODINGS[self.kind]:
            return f"coding {coding!r} is not of {self.kind}: {' or '.join(CODINGS[self.kind])}"
        needed = 1 if coding == "label" else len(self.parts)
        if columns and len(columns) != needed:
            return f"{len(columns)} columns for {needed}"
        headers = [folded_name(name) for name in (self.file.item, *self.columns)]
        if len(set(headers)) < len(headers):
            return f"two columns of one name: {', '.join((self.file.item, *self.columns))}"
        if self.file.unit == "frame" and self.file.numbers:
            return "keys that are numbers, but its rows are frames of videos"
        if self.file.by_video and self.file.unit != "frame":
            return "a file a video, but its rows are no frames"
        return ""

    def _phase_fault(self) -> str:
        names = [phase.name for phase in self.phases]
        return "" if len(set(names)) == len(names) else f"two phases of one name: {', '.join(names)}"

    @cached_property
    def declared(self) -> Scheme:
        """The label set."""
        try:
            if self.own is None:
                return scheme(self.scheme)
            return target_of(self.scheme, TargetDescription(scheme=self.scheme, **_stated(self.own))).scheme
        except UnknownNameError as error:
            error.cause = error.cause or "labels of one's own, which are stated in [own]"
            raise
        except InputError as error:
            error.where = "[own]"
            raise

    @property
    def kind(self) -> Kind:
        """Categories, units or dimensions."""
        return self.declared.kind

    @property
    def parts(self) -> tuple[str, ...]:
        """Classes, units or dimensions."""
        return parts(self.declared)

    @property
    def columns(self) -> tuple[str, ...]:
        """Headers of the columns behind that of the keys."""
        if self.file.columns:
            return self.file.columns
        return ("label",) if self.file.coding == "label" else self.parts

    @property
    def higher_is_better(self) -> bool:
        """Direction of the ranking, which is the metric's."""
        return bool(METRICS.get(self.metric).higher_is_better)

    def phase(self, now: datetime) -> Phase | None:
        """The phase that is open at a moment; None where none is, or the track has none."""
        return next((phase for phase in self.phases if phase.state(now) == "open"), None)


def plain(track: Track) -> dict[str, Any]:
    """The values of a track as a file would hold them, without those that are not stated."""
    return track.model_dump(mode="json", exclude_unset=True)


def _stated(own: OwnLabels) -> dict[str, Any]:
    return own.model_dump(exclude_unset=True)
