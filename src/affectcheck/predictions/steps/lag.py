"""Compensation of the delay with which people annotate what they see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Literal, Self, get_args

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.predictions.steps.registry import STEPS
from affectcheck.predictions.steps.step import Step, Told

if TYPE_CHECKING:
    from affectcheck.predictions.steps.signal import Signal

Edges = Literal["hold", "drop"]
EDGES: Final[tuple[str, ...]] = get_args(Edges)


@STEPS.register("lag")
@dataclass(frozen=True)
class Lag(Step):
    """Score the prediction made at frame t against the annotation of frame t + k of the same person and recording.

    A positive k is the delay of the annotation: people mark what they saw some frames ago. So the prediction that
    stands at frame t afterwards is that of frame t - k; a negative k shifts the other way.

    Attributes:
        frames: k, not 0.
        edges: what stands at a frame whose source t - k has no prediction, as at the first k frames of a recording:
            ``hold`` the nearest prediction from before t - k (from after it for a negative k), or where there is none
            the first (last) of the recording; or ``drop`` the frame. Both are counted.
    """

    frames: int
    edges: Edges = "hold"

    NAME: ClassVar[str] = "lag"

    def __post_init__(self) -> None:
        """A delay is some frames long."""
        if self.frames == 0:
            raise InputError("a lag of 0 frames", expected="a whole number of frames, such as lag:5 or lag:-3")
        if self.edges not in EDGES:
            raise UnknownNameError.of("rule for the edges of a lag", self.edges, EDGES)

    @classmethod
    def read(cls, told: Told) -> Self:
        """From ``FRAMES`` or ``FRAMES,EDGES``."""
        frames, *rest = told.require(1, 2, "lag:FRAMES or lag:FRAMES,drop, such as lag:5")
        told.take()
        edges: Edges = rest[0] if rest else "hold"  # type: ignore[assignment]  # checked when it is made
        return cls(told.whole(frames, "number of frames"), edges, fitted=told.fitted)

    def words(self) -> tuple[str, ...]:
        """``FRAMES``, and the edges where they are not held."""
        return (str(self.frames), *(() if self.edges == "hold" else (self.edges,)))

    def apply(self, signal: Signal) -> Signal:
        """Shifted numbers; of dropped frames none."""
        order = signal.timeline.sequences("frame", self.NAME)
        first = np.repeat(order.bounds[:-1], np.diff(order.bounds))
        last = np.repeat(order.bounds[1:] - 1, np.diff(order.bounds))
        reach = int(order.places.max(initial=0) - order.places.min(initial=0)) + 1
        wanted = order.keys - int(np.clip(self.frames, -reach, reach))
        if self.frames > 0:
            source = np.searchsorted(order.keys, wanted, side="right") - 1
        else:
            source = np.searchsorted(order.keys, wanted, side="left")
        source = np.clip(source, first, last)
        exact = order.keys[source] == wanted
        values, known = np.empty_like(signal.values), np.empty(exact.size, bool)
        values[order.rows] = signal.values[order.rows[source]]
        known[order.rows] = exact
        done = "left out" if self.edges == "drop" else "the nearest prediction is held"
        told = f"the step {self}: {plural(int((~exact).sum()), 'frame')} whose source has no prediction: {done}"
        shifted = signal.changed(values, note=told)
        return shifted.only(known) if self.edges == "drop" else shifted
