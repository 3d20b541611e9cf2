"""What a server keeps of a score: values with their supports and reasons, as plain values and back.

Every number is one that ``affectcheck challenge score`` gives for the same submission, labels, seed and resamples.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

from affectcheck.challenges.flags import Flag
from affectcheck.errors import InputError
from affectcheck.records import Score
from affectcheck.uncertainty import FEW

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.records import Scored

#: Changes whenever numbers may change: scores under two of them are not put on one board.
SCORER: Final[str] = "affectcheck-board-1"

Record = TypeVar("Record")


@dataclass(frozen=True)
class BoardValue:
    """A score of something, or why there is none.

    Attributes:
        metric: registered name.
        value: unrounded; None where it is undefined.
        support: items that entered.
        clusters: subjects, recordings or items that they belong to.
        attribute: of groups; empty for the whole set.
        group: of the attribute; empty for a disparity over its groups.
        part: class, unit or dimension; empty for all.
        reason: why it is undefined; empty where it is not.
        low, high: bounds of the 95 % interval; None where there is none.
        floor: of a disparity, what groups that are dealt out at random reach in 95 % of draws (of the score of the worst
            group, what they fall to); None where there is none.
        outcome: of a disparity to which a limit applies: ``exceeds``, ``within`` or ``inconclusive``.
        notes: sentences for the reader, such as why there is no interval.
    """

    metric: str
    value: float | None
    support: int
    clusters: int = 0
    attribute: str = ""
    group: str = ""
    part: str = ""
    reason: str = ""
    low: float | None = None
    high: float | None = None
    floor: float | None = None
    outcome: str = ""
    notes: tuple[str, ...] = ()

    @property
    def small(self) -> bool:
        """Whether fewer clusters enter than an interval should have, 20: to be said beside the value."""
        return self.clusters < FEW

    @classmethod
    def of(cls, found: Scored) -> BoardValue:
        """From a score of an evaluation."""
        place = asdict(found.place)
        clusters = int(found.signature.clusters.rpartition(" ")[2])
        if not isinstance(found, Score):
            return cls(
                found.metric, None, found.support, clusters, reason=found.reason, notes=tuple(found.notes), **place
            )
        interval, notes = found.interval, found.notes
        return cls(
            found.metric,
            found.value,
            found.support,
            clusters,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            floor=found.floor.quantile if found.floor else None,
            outcome=found.decision.outcome if found.decision else "",
            notes=(*notes, interval.note) if interval and interval.note else tuple(notes),
            **place,
        )


@dataclass(frozen=True)
class VideoScore:
    """The track's metric of one video by itself, for an organiser only: their mean is another number than the score.

    Attributes:
        video: its name.
        frames: those with a label.
        score: None where it is undefined.
    """

    video: str
    frames: int
    score: float | None


@dataclass(frozen=True)
class BoardScore:
    """A submission's score.

    Attributes:
        track: its name.
        headline: the score by which the track ranks.
        parts: what the headline is made of, for each class, unit or dimension: such as CCC of the score of valence and
            arousal, F1 of those of expressions and units, recall of UAR.
        others: the other scores of the task over the whole set.
        groups: the headline's metric in each group of each attribute.
        disparities: over the groups of each attribute: EOP, SP and others of categories, EOD, DPD and others of units,
            distances and the worst group of dimensions.
        items: of the labels.
        labelled: items that have a label; only these are scored.
        videos: of frames, the score of each video by itself, by name.
        flags: what an organiser should look at.
        notes: sentences about the submission and the labels.
        signature: of the headline.
        labels: digest of the labels.
        submission: digest of what was sent.
        scorer: version of what computed it.
        shares: tallies by cluster, which intervals of places are made of; kept beside, not in ``plain``.
        sketch: some of the predictions, which likeness is told by; kept beside, not in ``plain``.
    """

    track: str
    headline: BoardValue
    parts: tuple[BoardValue, ...]
    others: tuple[BoardValue, ...]
    groups: tuple[BoardValue, ...]
    disparities: tuple[BoardValue, ...]
    items: int
    labelled: int
    videos: tuple[VideoScore, ...]
    flags: tuple[Flag, ...]
    notes: tuple[str, ...]
    signature: str
    labels: str
    submission: str
    scorer: str = SCORER
    shares: bytes = field(default=b"", repr=False, compare=False)
    sketch: bytes = field(default=b"", repr=False, compare=False)

    @property
    def unlabelled(self) -> int:
        """Items without any label, which are not scored."""
        return self.items - self.labelled

    def plain(self) -> dict[str, Any]:
        """Values that JSON holds, without ``shares`` and ``sketch``; an undefined score is null with its reason."""
        found = asdict(self)
        return {name: found[name] for name in found if name not in _BESIDE}

    @classmethod
    def from_plain(cls, values: Mapping[str, Any]) -> BoardScore:
        """What ``plain`` gave, after JSON too.

        Raises:
            InputError: something is lacking or of another form.
        """
        try:
            read: dict[str, Any] = {name: values[name] for name in _SINGLE}
            for name, kind in _LISTED.items():
                read[name] = tuple(_record(kind, one) for one in values[name])
            read |= {"headline": _record(BoardValue, values["headline"]), "notes": tuple(values["notes"])}
            return cls(**read)
        except (KeyError, TypeError) as error:
            raise InputError(
                f"not a score of a board: {error}",
                expected="the values that BoardScore.plain gives",
                cause="another version, or values that were changed",
            ) from error


_BESIDE: Final = frozenset({"shares", "sketch"})
_LISTED: Final[dict[str, Any]] = {
    "parts": BoardValue,
    "others": BoardValue,
    "groups": BoardValue,
    "disparities": BoardValue,
    "videos": VideoScore,
    "flags": Flag,
}
_SINGLE: Final = tuple(
    one.name for one in fields(BoardScore) if one.name not in {*_BESIDE, *_LISTED, "headline", "notes"}
)


def _record(kind: type[Record], values: Mapping[str, Any]) -> Record:
    read: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return kind(**read)
