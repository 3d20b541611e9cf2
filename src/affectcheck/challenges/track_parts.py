"""Parts of a track: what a submission and annotations look like, when it is open, what may be used, scores of reference."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # pydantic resolves the annotation at run time
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from affectcheck.challenges.characters import JOINERS, character_fault
from affectcheck.strict import Strict

#: How a cell says what is predicted: a number; 1 or 0 for each unit; 1 for one class and 0 for the others; a class.
Coding: TypeAlias = Literal["value", "indicator", "one-hot", "label"]
CODINGS: Final[dict[str, tuple[Coding, ...]]] = {
    "dimensions": ("value",),
    "units": ("indicator",),
    "categories": ("one-hot", "label"),
}
Count: TypeAlias = Annotated[int, Field(ge=0)]


def _seen(text: str) -> str:
    fault = character_fault(text, allowed=JOINERS)
    if fault:
        raise ValueError(f"{text[:40]!r} {fault}")
    return text


#: A name and a title: one line of characters that are seen.
Word: TypeAlias = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_seen)]
Title: TypeAlias = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_seen)]


class SubmissionFile(Strict):
    """What a submission looks like.

    Attributes:
        unit: what a row is about: a ``frame`` of a video, whose key is ``<video>/<number>.jpg``, or an ``item``.
        item: header of the column of keys.
        coding: how cells say what is predicted.
        columns: headers of the other columns where they are not the names of the classes, units or dimensions, in the
            order of the scheme; of the coding ``label`` the one header.
        names: what the file may be called in an archive; none for any table.
        by_video: whether a text file a video, with a header and a line a frame, is taken too.
        numbers: whether keys are numbers, of which neither zeros in front nor an ending such as ``.mp4`` count.
    """

    unit: Literal["frame", "item"] = "item"
    item: str = "item"
    coding: Coding
    columns: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    by_video: bool = False
    numbers: bool = False


class Labels(Strict):
    """What annotations look like.

    Attributes:
        marker: the number of a frame or unit that was not annotated; None where there is none.
        first_frame: the number of a video's first frame.
        tolerance: frames at the end of a video by which counts of decoders may differ: so many missing ones take the
            prediction of the frame before, so many surplus ones are left out, both with a note.
    """

    marker: float | None = None
    first_frame: Count = 1
    tolerance: Count = 0


class Phase(Strict):
    """A time in which submissions are taken: from ``opens`` until just before ``closes``, both with their time zone.

    Attributes:
        name: what it is called.
        split: the part of the data that is predicted.
        opens, closes: None where it is open from the beginning, or without an end.
        board: who sees the ranking while it is open; it is public afterwards unless the organiser says otherwise.
    """

    name: Word
    split: Word = "test"
    opens: datetime | None = None
    closes: datetime | None = None
    board: Literal["public", "hidden"] = "public"

    @model_validator(mode="after")
    def _in_order(self) -> Phase:
        for moment in (self.opens, self.closes):
            if moment is not None and moment.tzinfo is None:
                raise ValueError("a time without a zone; write 2024-03-13T23:59:59Z or 2024-03-13T23:59:59-12:00")
        if self.opens and self.closes and not self.opens < self.closes:
            raise ValueError(f"it closes at {self.closes} and opens at {self.opens}")
        return self

    def state(self, now: datetime) -> Literal["before", "open", "after"]:
        """Where a moment lies; the end is not part of the phase."""
        if self.opens is not None and now < self.opens:
            return "before"
        return "after" if self.closes is not None and now >= self.closes else "open"


class Use(Strict):
    """What a method may use.

    Attributes:
        uni_task: whether other annotations than those of this track are ruled out when a method is made.
        pretraining: what models may have been trained on before.
        annotations: what annotations may be used.
        text: further rules, a sentence each.
    """

    uni_task: bool = False
    pretraining: str = ""
    annotations: str = ""
    text: tuple[str, ...] = ()


class Baseline(Strict):
    """A score that is shown beside those of teams.

    Attributes:
        name: of the method.
        split: the part of the data it is of.
        score: as published.
        parts: scores of parts, as published.
        source: where.
    """

    name: str
    split: str
    score: float
    parts: dict[str, float] = Field(default_factory=dict)
    source: str


class OwnLabels(Strict):
    """A label set that no built-in scheme has: classes, units, or dimensions with their range.

    Attributes:
        labels, units, dimensions: one of the three, in order.
        low, high: range of the dimensions.
        aliases: other spelling to class.
        codes: whole number to class.
    """

    labels: tuple[str, ...] | None = None
    units: tuple[str, ...] | None = None
    dimensions: tuple[str, ...] | None = None
    low: float | None = None
    high: float | None = None
    aliases: dict[str, str] = Field(default_factory=dict)
    codes: dict[str, str] = Field(default_factory=dict)
