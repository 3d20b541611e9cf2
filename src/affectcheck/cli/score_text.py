"""What ``affectcheck score`` prints."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from affectcheck.cli.output import columns
from affectcheck.cli.score_votes import beside, humans_text, shown_beside

if TYPE_CHECKING:
    from affectcheck.evaluation import Evaluation
    from affectcheck.records import Scored


def score_text(found: Evaluation, *, parts: bool = False) -> str:
    """The scores as a table, then the signatures of those over all items and of the disparities.

    Args:
        found: the evaluation.
        parts: whether the disparities of single units and dimensions are shown.
    """
    rows: list[tuple[object, ...]] = [_row(score) for score in found]
    head: tuple[str, ...] = ("metric", "of", "value", "interval", "n", "reading")
    if found.before:
        before = {_what(score): score for score in found.before}
        rows = [(*row[:2], _value(before.get(_what(score))), *row[2:]) for row, score in zip(rows, found, strict=True)]
        head = ("metric", "of", "before", "after", *head[3:])
    if found.ceiling:
        place = head.index("interval")
        rows, head = beside(found, rows, place), (*head[:place], *shown_beside(found), *head[place:])
    shown = [parts or not _is_part_of_disparity(score) for score in found]
    rows = [row for row, kept in zip(rows, shown, strict=True) if kept]
    signatures = [str(score.signature) for score in found if not score.place.part and not score.place.group]
    table = columns(rows, head=head)
    humans = ("", humans_text(found)) if found.ceiling else ()
    return "\n".join((table, "", *signatures, *humans))


def _is_part_of_disparity(score: Scored) -> bool:
    return bool(score.place.attribute and score.place.part and not score.place.group)


def _what(score: Scored) -> tuple[object, ...]:
    return score.metric, score.place, score.signature.convention


def _value(score: Scored | None) -> str:
    """A value, nothing where there is no such score."""
    if score is None:
        return ""
    return f"{score.value:.3f}" if score.defined else "undefined"  # type: ignore[union-attr]  # defined


def cautions(found: Evaluation) -> list[str]:
    """Who is in no group, and what stands beside the scores, each sentence once with the number of its scores."""
    from affectcheck.annotations.listing import plural  # noqa: PLC0415

    lines = [
        f"{plural(sum(left.values()), 'item')} in no group of {attribute!r}: "
        + ", ".join(f"{value} {count}" for value, count in left.items() if count)
        for attribute, left in found.counts["excluded"].items()
        if sum(left.values())
    ]
    said = Counter(note for score in found for note in score.notes)
    return lines + [f"{text} ({plural(count, 'score')})" for text, count in said.items()]


def _row(score: Scored) -> tuple[object, ...]:
    from affectcheck.reports.remarks import NOT_ASKED, briefly, why_no_interval  # noqa: PLC0415

    place = score.place.words
    name = score.metric + (f" ({score.signature.convention})" if score.signature.convention else "")
    if not score.defined:
        return (name, place, "undefined", "", score.support, score.reason)  # type: ignore[union-attr]  # undefined
    interval, floor = score.interval, score.floor  # type: ignore[union-attr]  # defined
    shown = f"[{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
    toward = "down" if floor and floor.quantile < floor.mean else "up"
    shown = f"noise {toward} to {floor.quantile:.3f}" if floor else shown
    decided = score.decision.outcome if score.decision else ""  # type: ignore[union-attr]  # defined
    decided = score.notes[0] if score.metric.endswith("_worst") else decided
    reason = why_no_interval(score)
    shown, decided = (shown, f"no interval: {briefly(reason)}") if reason not in ("", NOT_ASKED) else (shown, decided)
    return (name, place, f"{score.value:.3f}", shown, score.support, decided)  # type: ignore[union-attr]  # defined
