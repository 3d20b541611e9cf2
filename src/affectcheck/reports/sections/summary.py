"""The first screen: the model, the data, the verdicts beside the random model's, and what was not tested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.records import STATUSES
from affectcheck.reports.document import Cell, Column, Facts, Lines, Row, Section, Table, Text, Tiles
from affectcheck.reports.reading import tally
from affectcheck.reports.sections.shares import shares
from affectcheck.reports.sections.tiles import tiles
from affectcheck.reports.sections.untested import untested
from affectcheck.reports.sections.verdicts import DASH, family_anchor
from affectcheck.reports.wording import count_text, percent, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading, Tally


def build(reading: Reading) -> Section:
    """The section."""
    blocks: list[Block] = [Facts(identity(reading)), Tiles(tiles(reading))]
    if reading.record.verdicts:
        blocks += [verdict_table(reading), share_table(reading)]
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


def share_table(reading: Reading) -> Table:
    """Shares of the comparisons, pooled and as a mean over tests, beside those of the random model."""
    heads = ("Pooled", "Mean over tests", "Random model, pooled", "Random model, mean over tests")
    columns = (Column("Comparisons"), *(Column(head, "number") for head in heads))
    rows = []
    for one in shares(reading.record.verdicts):
        values = (one.pooled, one.over_tests, one.random_pooled, one.random_over_tests)
        told = (Cell(DASH if value is None else percent(value)) for value in values)
        rows.append(Row((Cell(one.name[:1].upper() + one.name[1:]), *told)))
    return Table("Shares of the comparisons, pooled and averaged over tests", columns, tuple(rows))


def _verdict_row(head: Cell, counts: Tally) -> Row:
    share = percent(counts.counts["passed"] / counts.executed) if counts.executed else "\N{EN DASH}"
    random = f"{counts.random_passed:,} of {counts.random_made:,}" if counts.random_made else "not run"
    states = tuple(Cell(f"{counts.counts[status]:,}") for status in STATUSES)
    bar = Cell("", bar=tuple((status, counts.counts[status]) for status in STATUSES))
    return Row((head, bar, *states, Cell(share), Cell(random)))
