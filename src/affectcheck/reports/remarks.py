"""What must be read with scores: how their intervals were made, why there is none, and cautions, each said once."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from affectcheck.records import Score
from affectcheck.reports.wording import count_text, method_text, place_text, score_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from affectcheck.records import Interval, Scored

NAMED: Final = 3  # scores named beside a sentence that is about many
_NO_INTERVAL: Final = "no interval: "
_CERTAINTY: Final = (_NO_INTERVAL, "no noise floor: ")
NOT_ASKED: Final = "none was asked for"


def methods(scores: Iterable[Scored]) -> str:
    """How the intervals of some scores were made, each way once; empty where none has one."""
    found: dict[tuple[float, str, str], list[Interval]] = defaultdict(list)
    for score in scores:
        if isinstance(score, Score) and score.interval is not None:
            found[score.interval.level, score.interval.method, score.interval.unit].append(score.interval)
    return "; ".join(method_text(*intervals) for intervals in found.values())


def why_no_interval(score: Scored) -> str:
    """Why a score has no interval; empty where it has one, where none is due, or where nobody says."""
    if not isinstance(score, Score) or score.interval is not None or score.floor is not None:
        return ""
    told = next((note.removeprefix(_NO_INTERVAL) for note in score.notes if note.startswith(_NO_INTERVAL)), "")
    return told or ("" if score.signature.resamples not in ("", "0") else NOT_ASKED)


def briefly(reason: str) -> str:
    """The first words of a reason, for a cell."""
    return reason.partition(";")[0].partition(":")[0]


def undefined_cells(score: Scored) -> tuple[str, ...]:
    """Sentences on what was undefined within a score, one a cell."""
    return tuple(note for note in score.notes if not note.startswith(_CERTAINTY))


def without_cells(score: Scored) -> Scored:
    """The score with no other notes than those on its uncertainty."""
    notes = tuple(note for note in score.notes if note.startswith(_CERTAINTY))
    return replace(score, notes=notes, undefined_parts=0) if isinstance(score, Score) else replace(score, notes=notes)


def notes(scores: Iterable[Scored], name: Callable[[Scored], str] = score_title) -> tuple[str, ...]:
    """Sentences that belong to some scores: each once, with the scores that it is about."""
    about: dict[str, dict[str, None]] = {}
    lost: dict[str, int] = {}
    for score in scores:
        label = ", ".join(filter(None, (name(score), place_text(score.place))))
        for sentence in _said(score):
            about.setdefault(sentence, {})[label] = None
        if isinstance(score, Score) and score.interval and score.interval.undefined_resamples:
            lost[label] = score.interval.undefined_resamples
    said = [f"{sentence[:1].upper()}{sentence[1:]} ({_some(tuple(labels))})" for sentence, labels in about.items()]
    return (*said, *([_lost(lost)] if lost else []))


def _said(score: Scored) -> tuple[str, ...]:
    if not isinstance(score, Score):
        return score.notes
    said = list(score.notes)
    if score.undefined_parts:
        said.append(f"{count_text(score.undefined_parts, 'undefined part')}, treated as the signature says")
    if score.interval and score.interval.note:
        said.append(score.interval.note)
    return tuple(said)


def _lost(lost: dict[str, int]) -> str:
    """Resamples in which a score was undefined."""
    low, high = min(lost.values()), max(lost.values())
    number = count_text(high, "resample") if low == high else f"{low:,} to {count_text(high, 'resample')}"
    return f"Undefined in {number}, which are left out of the interval ({_some(tuple(lost))})"


def _some(labels: tuple[str, ...]) -> str:
    rest = len(labels) - NAMED
    shown = labels if rest <= 1 else labels[:NAMED]
    return "; ".join(shown) + (f"; and {rest} more" if rest > 1 else "")
