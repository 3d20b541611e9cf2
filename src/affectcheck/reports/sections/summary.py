"""The first screen: the model, the data, the verdicts beside the random model's, and what was not tested."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from affectcheck.records import STATUSES, Score
from affectcheck.reports.document import Cell, Column, Facts, Lines, Row, Section, Table, Text, Tile, Tiles
from affectcheck.reports.glossary import is_difference
from affectcheck.reports.reading import tally
from affectcheck.reports.sections.disparities import reading_of_difference
from affectcheck.reports.sections.tables import rows_of
from affectcheck.reports.sections.verdicts import family_anchor
from affectcheck.reports.wording import count_text, interval_text, number, percent, plain, score_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from affectcheck.records import Scored
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading, Tally

_FAMILIES = ("correctness", "fairness", "robustness")


def build(reading: Reading) -> Section:
    """The section."""
    blocks: list[Block] = [Facts(identity(reading)), Tiles(tiles(reading))]
    if reading.record.verdicts:
        blocks.append(verdict_table(reading))
    if reading.header.status == "done" and reading.header.message:
        blocks.append(Text(reading.header.message, "note"))
    missing = untested(reading)
    title = "What was not tested, and why"
    blocks.append(Lines(missing, title) if missing else Text("Everything that was planned was tested.", "note"))
    return Section("summary", "At a glance", tuple(blocks))


def identity(reading: Reading) -> tuple[tuple[str, str], ...]:
    """What was tested on what: a line each."""
    header = reading.header
    facts = [("Model", _model(header.model))]
    if header.model.get("training_data"):
        facts.append(("Trained on", plain(header.model["training_data"])))
    facts.extend(("Data", _data(entry)) for entry in header.data)
    if header.partition:
        facts.append(("Partition", _partition(header.partition)))
    if header.suite:
        facts.append(("Tests", _suite(header.suite)))
    facts.extend(("Steps", steps.replace("|", " | ")) for steps in reading.steps)
    facts.append(("Seed", str(header.seed)))
    return tuple(facts)


def _model(model: Mapping[str, Any]) -> str:
    said = [plain(model.get("name"))]
    if model.get("kind"):
        parts = model.get("parts") or ()
        said.append(f"predicts {len(parts)} {model['kind']}: {plain(parts)}" if parts else plain(model["kind"]))
    if model.get("parameters") is not None:
        said.append(f"{count_text(model['parameters'], 'parameter')}")
    if model.get("digest"):
        said.append(f"digest {str(model['digest'])[:12]}")
    return " · ".join(said)


def _data(entry: Mapping[str, Any]) -> str:
    said = [plain(entry.get("title") or entry.get("name"))]
    for key, noun in (("items", "item"), ("subjects", "subject"), ("speakers", "speaker")):
        if isinstance(entry.get(key), int):
            said.append(count_text(entry[key], noun))
    if isinstance(entry.get("used"), int) and entry["used"] != entry.get("items"):
        said.append(f"{entry['used']:,} tested")
    if entry.get("digest"):
        said.append(f"digest {str(entry['digest'])[:12]}")
    return " · ".join(said)


def _partition(partition: Mapping[str, Any]) -> str:
    said = [plain(partition[key]) for key in ("protocol", "name") if partition.get(key)][:1]
    sizes = partition.get("sizes")
    if isinstance(sizes, dict):
        said.append(", ".join(f"{name} {plain(size)}" for name, size in sizes.items()))
    said += [plain(partition["independence"])] if partition.get("independence") else []
    said += [f"seed {partition['seed']}"] if partition.get("seed") is not None else []
    said += [f"digest {str(partition['digest'])[:12]}"] if partition.get("digest") else []
    return " · ".join(said) or plain(dict(partition))


def _suite(suite: Mapping[str, Any]) -> str:
    names = next((suite[key] for key in ("names", "suites", "name") if suite.get(key)), None)
    said = [plain(names)] if names else []
    said += [f"mode {suite['mode']}"] if suite.get("mode") else []
    return " · ".join(said) or plain(dict(suite))


def tiles(reading: Reading) -> tuple[Tile, ...]:
    """Headline scores, verdicts, the largest group difference and the faults."""
    found = [_score_tile(reading, score) for score in reading.headlines[:3]]
    if reading.record.verdicts:
        found.append(_verdict_tile(tally(reading.record.verdicts)))
    # One a view: a few tested subjects may show a difference that all of them, cross-validated, do not.
    widest = [widest_difference(view) for view in reading.views]
    found += [_difference_tile(reading, score) for score in widest if score is not None]
    found.append(_items_tile(reading))
    return tuple(found)


def _score_tile(reading: Reading, score: Scored) -> Tile:
    name = reading.variant(score) + (f", {score.place.part}" if score.place.part else "")
    if not isinstance(score, Score):
        return Tile(name, "undefined", score.reason, reading.link(score.signature))
    base = reading.baseline(score)
    detail = [interval_text(score.interval) or "no interval", count_text(score.support, "item")]
    if base is not None:
        detail.append(f"random model {score_text(base)}")
    return Tile(name, number(score.value), " · ".join(detail), reading.link(score.signature))


def _verdict_tile(counts: Tally) -> Tile:
    states = [f"{counts.counts[status]:,} {status}" for status in STATUSES[1:]]
    if counts.random_made:
        states.append(f"random model passes {counts.random_passed:,} of {counts.random_made:,}")
    value = f"{counts.counts['passed']:,} of {counts.executed:,}"
    return Tile("Comparisons passed", value, " · ".join(states), "verdicts")


def _difference_tile(reading: Reading, score: Score) -> Tile:
    place = score.place
    said = [f"{place.attribute}: {place.group}", interval_text(score.interval, signed=True) or "no interval"]
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


def verdict_table(reading: Reading) -> Table:
    """Verdict counts by family, beside what the random model passes."""
    columns = (
        Column("Family"),
        Column("Share of verdicts", "bar"),
        *(Column(status.capitalize(), "number") for status in STATUSES),
        Column("Passed, of those made", "number"),
        Column("Random model passes", "number"),
    )
    groups = [(family, reading.verdicts_of(family)) for family in reading.families]
    rows = [_verdict_row(Cell(name.capitalize(), family_anchor(name)), tally(group)) for name, group in groups]
    if len(groups) > 1:
        rows.append(_verdict_row(Cell("All"), tally(reading.record.verdicts)))
    return Table("Verdicts of the behaviour tests, by family", columns, tuple(rows))


def _verdict_row(head: Cell, counts: Tally) -> Row:
    share = percent(counts.counts["passed"] / counts.executed) if counts.executed else "\N{EN DASH}"
    random = f"{counts.random_passed:,} of {counts.random_made:,}" if counts.random_made else "not run"
    states = tuple(Cell(f"{counts.counts[status]:,}") for status in STATUSES)
    bar = Cell("", bar=tuple((status, counts.counts[status]) for status in STATUSES))
    return Row((head, bar, *states, Cell(share), Cell(random)))


def untested(reading: Reading) -> tuple[str, ...]:
    """Sentences on what has no result: families not run, comparisons not applicable, undefined scores, faults."""
    record = reading.record
    said = [f"{plain(row.get('what'))}: {plain(row.get('why'))}" for row in rows_of(record.tables.get("not_tested"))]
    if record.verdicts or not record.comparisons:  # models beside each other are not tested for behaviour
        said += _absent_families(reading)
    if record.scores and not reading.attributes:
        said.append("No groups were compared: no score is split by a group attribute.")
    if not reading.has_baseline and record.scores:
        said.append("The random model was not scored, so chance level is not shown beside the scores.")
    skipped = Counter((v.family, v.reason) for v in record.verdicts if v.status == "not applicable")
    said += [
        f"{family.capitalize()}: {count_text(n, 'comparison')} not applicable: {why}"
        for (family, why), n in skipped.items()
    ]
    undefined = Counter(score.reason for score in record.scores if not isinstance(score, Score))
    said += [f"{count_text(n, 'score')} undefined: {why}" for why, n in undefined.items()]
    unequal = Counter(one.reason for one in record.comparisons if one.difference is None)
    said += [f"{count_text(n, 'comparison')} of models undefined: {why}" for why, n in unequal.items()]
    lost = Counter(fault.kind for fault in record.faults if fault.severity == "error")
    said += [f"{count_text(n, 'item')} without a result: {kind}" for kind, n in lost.items()]
    said += _excluded(record.scores)
    return tuple(said)


def _excluded(scores: Iterable[Scored]) -> list[str]:
    """Values that name no group, by attribute; those that no item has are not worth a line."""
    found: dict[str, None] = {}
    for score in scores:
        shown = [name for name in score.signature.excluded.split(",") if name and not name.endswith("=0")]
        if shown:
            found[f"Left out of the scores by {score.place.attribute}: {', '.join(shown)}"] = None
    return list(found)


def _absent_families(reading: Reading) -> list[str]:
    absent = [family for family in _FAMILIES if family not in reading.families]
    if len(absent) == len(_FAMILIES):
        return ["No behaviour tests were run."]
    return [f"No {family} tests were run." for family in absent]
