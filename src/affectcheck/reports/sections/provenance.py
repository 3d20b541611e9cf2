"""Where the numbers come from: signatures, cards, arguments, versions, digests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.reports.document import Code, Details, Facts, Section, Text
from affectcheck.reports.wording import count_text, plain

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from typing import Any

    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading


def signatures(reading: Reading, wanted: Container[str] | None = None) -> Section:
    """Every signature, or those of one page, with the anchor that its numbers link to."""
    found = ((line, index) for line, index in reading.signatures.items() if wanted is None or line in wanted)
    lines = tuple((f"sig-{index}", line) for line, index in found)
    if not lines:
        return Section("signatures", "Signatures", (Text("No number was made, so there is no signature."),))
    lead = "Each number links to its line here. Two numbers may be compared where nothing but the model differs."
    return Section(
        "signatures", "Signatures", (Details(f"All {count_text(len(lines), 'signature')}", (Code(lines),)),), lead
    )


def provenance(reading: Reading) -> Section:
    """Everything needed to make the run again."""
    header = reading.header
    blocks: list[Block] = [Facts(_run(reading))]
    named: list[tuple[str, Mapping[str, Any]]] = [("Model", header.model)]
    named += [(f"Data: {plain(entry.get('name'))}", entry) for entry in header.data]
    named += [("Partition", header.partition), ("Tests", header.suite)]
    named += [(f"Arguments, {name}", value) for name, value in header.arguments.items() if isinstance(value, dict)]
    loose = {name: value for name, value in header.arguments.items() if not isinstance(value, dict)}
    named += [("Arguments", loose), ("Versions", header.versions), ("Counts", header.counts), ("Times", header.times)]
    blocks += [Details(title, (Facts(_facts(values)),)) for title, values in named if values]
    return Section("provenance", "Provenance", tuple(blocks))


def _run(reading: Reading) -> tuple[tuple[str, str], ...]:
    header = reading.header
    git = header.git
    state = (
        f"{plain(git.get('commit'))}{', with uncommitted changes' if git.get('dirty') else ''}"
        if git
        else "outside git"
    )
    facts = [
        ("Status", header.status),
        ("Command", header.command or "\N{EN DASH}"),
        ("Seed", str(header.seed)),
        ("Digest of the run", header.digest or "\N{EN DASH}"),
        ("Git", state),
        ("affectcheck", header.versions.get("affectcheck", "\N{EN DASH}")),
    ]
    return (*facts, ("Message", header.message)) if header.message else tuple(facts)


def _facts(values: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((str(name).replace("_", " "), plain(value)) for name, value in values.items())
