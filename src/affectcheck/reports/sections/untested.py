"""What has no result, and why."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from affectcheck.records import Score
from affectcheck.reports.sections.sizes import NAMED, small_groups
from affectcheck.reports.sections.tables import rows_of
from affectcheck.reports.wording import count_text, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.records import Scored, Verdict
    from affectcheck.reports.reading import Reading

_FAMILIES: Final = ("correctness", "fairness", "robustness")


def untested(reading: Reading) -> tuple[str, ...]:
    """Sentences on what has no result: families not run, comparisons not applicable, undefined scores, faults."""
    record = reading.record
    said = [f"{plain(row.get('what'))}: {plain(row.get('why'))}" for row in rows_of(record.tables.get("not_tested"))]
    compared = record.comparisons or record.tables.get("behaviour_passes")
    if record.verdicts or not compared:  # models beside each other are not tested for behaviour
        said += _absent_families(reading)
    if record.scores and not reading.attributes:
        said.append("No groups were compared: no score is split by a group attribute.")
    if not reading.has_baseline and record.scores:
        said.append("The random model was not scored, so chance level is not shown beside the scores.")
    said += _skipped(record.verdicts)
    said += _undefined(reading)
    unequal = Counter(one.reason for one in record.comparisons if one.difference is None)
    said += [f"{count_text(n, 'comparison')} of models undefined: {why}" for why, n in unequal.items()]
    lost = Counter(fault.kind for fault in record.faults if fault.severity == "error")
    said += [f"{count_text(n, 'item')} without a result: {kind}" for kind, n in lost.items()]
    said += _excluded(record.scores)
    return tuple(said)


def _skipped(verdicts: Iterable[Verdict]) -> list[str]:
    """Comparisons that are not applicable, by their reason; parts that have one reason stand in one line."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in verdicts:
        if one.status == "not applicable":
            part = one.place.part
            own = part and one.reason.startswith(f"{part}: ")
            why = one.reason.removeprefix(f"{part}: ") if own else one.reason
            found.setdefault((one.family, why), []).append(part if own else "")
    said = []
    for (family, why), parts in found.items():
        named = ", ".join(dict.fromkeys(filter(None, parts)))
        told = f"{family.capitalize()}: {count_text(len(parts), 'comparison')} not applicable"
        said.append(f"{told}: {f'{named}: ' if named else ''}{why}")
    return said


def _undefined(reading: Reading) -> list[str]:
    """Undefined scores: those over all parts one reason a line; those of single groups and parts by the gist of it."""
    record = reading.record
    small = {name: small_groups([s for s in record.scores if s.place.attribute == name]) for name in reading.attributes}
    whole: Counter[str] = Counter()
    single: Counter[str] = Counter()
    crossed: Counter[str] = Counter()
    for score in record.scores:
        if isinstance(score, Score):
            continue
        place = score.place
        if place.group in small.get(place.attribute, ()):
            crossed[place.attribute] += 1
        elif place.part or place.group:
            single[score.reason.rpartition(": ")[2]] += 1
        else:
            whole[score.reason] += 1
    said = [f"{count_text(n, 'score')} undefined: {why}" for why, n in whole.items()]
    said += [f"{count_text(n, 'score')} of single groups or parts undefined: {why}" for why, n in single.items()]
    return said + [
        f"{count_text(n, 'score')} undefined: {count_text(len(small[name]), 'group')} of {name} below the minimum support"
        for name, n in crossed.items()
    ]


def _excluded(scores: Iterable[Scored]) -> list[str]:
    """Values that name no group, by attribute; those that no item has are not worth a line."""
    found: dict[str, None] = {}
    for score in scores:
        shown = [name for name in score.signature.excluded.split(",") if name and not name.endswith("=0")]
        counts = [name.rpartition("=")[2] for name in shown]
        told = ", ".join(shown)
        if len(shown) > NAMED and all(count.isdigit() for count in counts):
            told = f"{len(shown)} combinations, {count_text(sum(map(int, counts)), 'item')}"
        if shown:
            found[f"Left out of the scores by {score.place.attribute}: {told}"] = None
    return list(found)


def _absent_families(reading: Reading) -> list[str]:
    absent = [family for family in _FAMILIES if family not in reading.families]
    if len(absent) == len(_FAMILIES):
        return ["No behaviour tests were run."]
    return [f"No {family} tests were run." for family in absent]
