"""``affectcheck partition published``: the partitions that the papers publish, as data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from affectcheck.cli.output import Json, columns, emit
from affectcheck.cli.partition_stats import plain, text_of


def register(noun: typer.Typer) -> None:
    """Add the verb."""
    noun.command()(published)


def published(
    name: Annotated[str | None, typer.Argument(help="Database; none lists them all.")] = None, json: Json = False
) -> None:
    """List the published partitions, or show one: its counts, its source, and where it does not add up."""
    if name is None:
        _list(json=json)
    else:
        _show(name, json=json)


def _list(*, json: bool) -> None:
    from affectcheck.partitions.published import inconsistencies, published_names  # noqa: PLC0415
    from affectcheck.partitions.published import published as load  # noqa: PLC0415

    entries: list[dict[str, Any]] = []
    for known in published_names():
        found = load(known)
        sets = {one.name: list(one.sets) for one in found.statistics.divisions}
        odd = len(inconsistencies(found.statistics))
        entries.append(
            {"name": known, "title": found.title, "source": found.source, "partitions": sets, "inconsistencies": odd}
        )
    rows = [(e["name"], e["title"], ", ".join(e["partitions"]), e["inconsistencies"], e["source"]) for e in entries]
    head = ("name", "database", "partitions", "do not add up", "source")
    emit(entries, columns(rows, head=head), as_json=json)


def _show(name: str, *, json: bool) -> None:
    from affectcheck.partitions.published import inconsistencies  # noqa: PLC0415
    from affectcheck.partitions.published import published as load  # noqa: PLC0415

    found = load(name)
    odd = inconsistencies(found.statistics)
    value = plain(found.statistics) | {
        "name": name,
        "facts": dict(found.facts),
        "notes": [asdict(note) for note in found.notes],
        "inconsistencies": [asdict(one) | {"key": one.key, "text": str(one)} for one in odd],
    }
    facts = [f"{key}: {told}" for key, told in found.facts]
    parts = [f"{found.title} ({found.source})", *(["\n".join(facts)] if facts else ())]
    parts.append(text_of(found.statistics, shares=True))
    parts.append("\n".join(("Notes:", *(f"- {note.text}" for note in found.notes))))
    if odd:
        parts.append("\n".join(("What does not add up:", *(f"- {one}" for one in odd))))
    emit(value, "\n\n".join(parts), as_json=json)
