"""What an organiser sets of a track beside its rules: what is shown of scores, to whom, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, model_validator

from affectcheck.challenges.labels import GROUPS
from affectcheck.challenges.ranking import MOST_DIGITS
from affectcheck.strict import Strict, parsed

if TYPE_CHECKING:
    from collections.abc import Mapping

Counting: TypeAlias = Literal["best", "chosen"]
Feedback: TypeAlias = Literal["score", "none"]
Showing: TypeAlias = Literal["phase", "public", "hidden"]
Paragraph: TypeAlias = Annotated[str, Field(min_length=1, max_length=4000)]
#: Draws of intervals: more say nothing new, and each board would wait for them.
MOST_RESAMPLES: Final = 10_000


class TrackSettings(Strict):
    """Settings of a track.

    Attributes:
        digits: behind the point, to which scores are shown and ranked; None for all that scores have.
        counting: what counts for a team: its best submission, or the one that it chose.
        feedback: whether a team is told its own score before the last phase has ended.
        board: who sees the ranking: as each ``phase`` says, everyone (``public``), or organisers alone (``hidden``).
        groups: columns of the labels whose groups are shown, such as ``sex``; none for no group.
        fairness_shown: whether disparities between these groups stand beside scores.
        parts_shown: whether scores of classes, units or dimensions are shown once the last phase has ended.
        resamples: of intervals; 0 for none.
        seed: of the resampling.
        uploads_a_day: of a team within 24 hours; None for what the portal allows.
        text: paragraphs of the organiser's, shown with the rules.
    """

    digits: Annotated[int, Field(ge=1, le=MOST_DIGITS)] | None = 3
    counting: Counting = "best"
    feedback: Feedback = "score"
    board: Showing = "phase"
    groups: tuple[str, ...] = ()
    fairness_shown: bool = False
    parts_shown: bool = True
    resamples: Annotated[int, Field(ge=0, le=MOST_RESAMPLES)] = 1000
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    uploads_a_day: Annotated[int, Field(ge=1, le=10_000)] | None = None
    text: Annotated[tuple[Paragraph, ...], Field(max_length=50)] = ()

    @model_validator(mode="after")
    def _fits_together(self) -> TrackSettings:
        for fault in (self._group_fault(), self._showing_fault()):
            if fault:
                raise ValueError(fault)
        return self

    def _group_fault(self) -> str:
        unknown = [name for name in self.groups if name not in GROUPS]
        if unknown:
            return f"groups: unknown column {unknown[0]!r}; one of {', '.join(GROUPS)}"
        if len(set(self.groups)) < len(self.groups):
            return "groups: a column that is named twice"
        if self.fairness_shown and not self.groups:
            return "fairness_shown: disparities of no group; name columns of the labels in groups"
        return ""

    def _showing_fault(self) -> str:
        if self.feedback == "none" and self.board == "public":
            return (
                "feedback 'none' with a public board, which tells every team its score; hide the board, or tell scores"
            )
        return ""


def settings_of(values: Mapping[str, Any]) -> TrackSettings:
    """Settings from plain values.

    Raises:
        InputError: an unknown key or a value that is refused; all faults are in one message.
    """
    return parsed(TrackSettings, values, kind="track's settings")


def plain_settings(settings: TrackSettings) -> dict[str, Any]:
    """Values as the database holds them."""
    return settings.model_dump(mode="json", exclude_unset=True)
