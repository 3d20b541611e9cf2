"""The figures of the first screen."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from affectcheck.records import STATUSES, Score
from affectcheck.reports.document import Tile
from affectcheck.reports.glossary import is_difference
from affectcheck.reports.reading import tally
from affectcheck.reports.remarks import briefly, why_no_interval
from affectcheck.reports.sections.cells import ceiling
from affectcheck.reports.sections.differences import reading_of_difference
from affectcheck.reports.sections.fairness import judged_of
from affectcheck.reports.sections.sorting import sort
from affectcheck.reports.wording import count_text, interval_text, number, score_text

#: Differences that lie no farther apart are equal: of two groups the gap is the size of the difference.
_EQUAL: Final = 1e-12

if TYPE_CHECKING:
    from affectcheck.records import Scored
    from affectcheck.reports.reading import Reading, Tally


def tiles(reading: Reading) -> tuple[Tile, ...]:
    """Headline scores, verdicts, disparities, the largest group difference and the faults."""
    found = [_score_tile(reading, score) for score in reading.headlines[:3]]
    if reading.record.verdicts:
        found.append(_verdict_tile(tally(reading.record.verdicts)))
    found += [tile for view in reading.views if (tile := _disparity_tile(view)) is not None]
    # One a view: a few tested subjects may show a difference that all of them, cross-validated, do not.
    found += [tile for view in reading.views if (tile := _widest_tile(reading, view)) is not None]
    found.append(_items_tile(reading))
    return tuple(found)


def _score_tile(reading: Reading, score: Scored) -> Tile:
    name = reading.variant(score) + (f", {score.place.part}" if score.place.part else "")
    if not isinstance(score, Score):
        return Tile(name, "undefined", score.reason, reading.link(score.signature))
    reason = briefly(why_no_interval(score))
    lacking = f"no interval: {reason}" if reason else "no interval"
    detail = [interval_text(score.interval) or lacking, count_text(score.support, "item")]
    before, base = reading.before(score), reading.baseline(score)
    detail += [f"before the steps {score_text(before)}"] if before is not None else []
    detail += [f"random model {score_text(base)}"] if base is not None else []
    human = ceiling(reading, score)
    detail += [f"human ceiling {number(human[1].value)} ({human[0]})"] if human else []
    return Tile(name, number(score.value), " · ".join(detail), reading.link(score.signature))


def _disparity_tile(view: Reading) -> Tile | None:
    """How many disparities of all attributes exceed limit and null band; nothing where none was judged."""
    found = Counter(
        judged.status
        for name in view.attributes
        for judged in judged_of(view, sort(view.select(lambda place, name=name: place.attribute == name)).disparities)  # type: ignore[misc]
    )
    made = sum(count for status, count in found.items() if status != "not applicable")
    if not made:
        return None
    said = [f"{found['passed']:,} within the limit at this support", f"{found['inconclusive']:,} inconclusive"]
    said += [f"{found['not applicable']:,} not judged"] if found["not applicable"] else []
    by = f"by {', '.join(view.attributes)}"
    detail = " · ".join([by, *said])
    return Tile(
        view.titled("Disparities that fail"), f"{found['failed']:,} of {made:,}", detail, view.anchored("groups")
    )


def _verdict_tile(counts: Tally) -> Tile:
    states = [f"{counts.counts[status]:,} {status}" for status in STATUSES[1:]]
    if counts.random_made:
        states.append(f"random model passes {counts.random_passed:,} of {counts.random_made:,}")
    value = f"{counts.counts['passed']:,} of {counts.executed:,}"
    return Tile("Comparisons passed", value, " · ".join(states), "verdicts")


class _Gap(NamedTuple):
    score: Score
    reason: str

    @property
    def size(self) -> float:
        return self.score.value


def _widest_tile(reading: Reading, view: Reading) -> Tile | None:
    """Of two groups the signed difference, of more the gap: whichever is largest, so that none hides a larger one."""
    difference, gap = widest_difference(view), _widest_gap(view)
    if gap is not None and (difference is None or gap.size > abs(difference.value) + _EQUAL):
        return _gap_tile(reading, view, gap)
    return None if difference is None else _difference_tile(reading, difference)


def _widest_gap(view: Reading) -> _Gap | None:
    """The largest gap of the headline score over the groups of an attribute."""
    found = [
        _Gap(judged.judged, judged.reason)
        for name in view.attributes
        for judged in judged_of(view, sort(view.select(lambda place, name=name: place.attribute == name)).disparities)  # type: ignore[misc]
        if judged.judged.metric == f"{view.headline}_gap" and isinstance(judged.judged, Score)
    ]
    return max(found, key=lambda gap: gap.size, default=None)


def _gap_tile(reading: Reading, view: Reading, gap: _Gap) -> Tile:
    wanted = (view.headline, gap.score.place.attribute, "")
    of_groups = [
        one
        for one in view.record.scores
        if isinstance(one, Score) and (one.metric, one.place.attribute, one.place.part) == wanted and one.place.group
    ]
    named = gap.score.place.attribute
    if of_groups:
        low, high = (pick(of_groups, key=lambda one: one.value) for pick in (min, max))
        named += f": {low.place.group} {score_text(low)} to {high.place.group} {score_text(high)}"
    detail = " · ".join(filter(None, [named, count_text(gap.score.support, "item"), gap.reason]))
    title = f"Largest {reading.variant(gap.score)}"
    return Tile(title, number(gap.size), detail, reading.link(gap.score.signature))


def _difference_tile(reading: Reading, score: Score) -> Tile:
    place = score.place
    said = [f"{place.attribute}: {place.group}", *filter(None, [interval_text(score.interval, signed=True)])]
    said += [count_text(score.support, "item"), reading_of_difference(score)]
    title = f"Largest {reading.variant(score)}"
    return Tile(title, number(score.value, signed=True), " · ".join(said), reading.link(score.signature))


def _items_tile(reading: Reading) -> Tile:
    faults = Counter(fault.severity for fault in reading.record.faults)
    items = reading.header.counts.get("scored", reading.header.counts.get("items"))
    said = f"{count_text(faults['error'], 'item fault')} · {count_text(faults['warning'], 'warning')}"
    return Tile("Items scored", f"{items:,}" if isinstance(items, int) else "\N{EN DASH}", said, "faults")


def widest_difference(reading: Reading) -> Score | None:
    """The signed difference of groups with the largest size: of the headline metric, else of any."""
    found = [s for s in reading.record.scores if isinstance(s, Score) and is_difference(s.metric) and not s.place.part]
    headline = [score for score in found if score.metric == f"{reading.headline}_difference"]
    return max(headline or found, key=lambda score: abs(score.value), default=None)
