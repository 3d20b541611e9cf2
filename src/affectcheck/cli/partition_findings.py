"""Findings about a partition, as the terminal shows them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from affectcheck.cli.output import columns, emit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.partitions import Audit, Finding

_ITEMS_SHOWN = 20


def show(findings: Sequence[Finding], *, json: bool) -> None:
    """Print them, and leave with 1 if one failed."""
    rows = [(f.status, f.rule, f.reason) for f in findings]
    text = "\n".join((columns(rows, head=("verdict", "rule", "reason")), *_items(findings)))
    emit([asdict(f) for f in findings], text, as_json=json)
    leave(findings)


def show_audit(found: Audit, *, json: bool) -> None:
    """Print an audit: the points of the protocol, the rules, what offends. ``leave`` gives the exit code."""
    from affectcheck.partitions.findings import POINTS, counted  # noqa: PLC0415

    rows = [(f.point, f.status, f.rule, f.reason) for f in found.findings]
    points = [(point, status, POINTS[point]) for point, status in found.points.items()]
    units = ", ".join(counted(number, noun) for noun, number in found.units.items())
    text = "\n".join(
        (
            f"{found.data or 'data'}: {', '.join(found.names)}; {units}",
            "",
            columns(rows, head=("point", "verdict", "rule", "reason")),
            *_items(found.findings),
            "",
            columns(points, head=("point", "verdict", "the protocol asks for")),
        )
    )
    emit(found.plain(), text, as_json=json)


def leave(findings: Sequence[Finding]) -> None:
    """Leave with 1 if one failed."""
    if any(f.status == "failed" for f in findings):
        raise typer.Exit(1)


def _items(findings: Sequence[Finding]) -> list[str]:
    """The first items that offend each rule."""
    lines = []
    for finding in findings:
        if finding.items:
            more = len(finding.items) - _ITEMS_SHOWN
            lines += [f"\n{finding.rule}:", *(f"  {item}" for item in finding.items[:_ITEMS_SHOWN])]
            lines += [f"  … and {more} more (--json lists all)"] if more > 0 else []
    return lines
