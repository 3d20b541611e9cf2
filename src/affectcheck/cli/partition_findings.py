"""Findings about a partition, as the terminal shows them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from affectcheck.cli.output import columns, emit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.partitions import Finding


def show(findings: Sequence[Finding], *, json: bool) -> None:
    """Print them, and leave with 1 if one failed."""
    rows = [(f.status, f.rule, f.reason) for f in findings]
    offending = [f"\n{f.rule}:\n  " + "\n  ".join(f.items[:20]) for f in findings if f.items]
    more = [f"  … and {len(f.items) - 20} more (--json lists all)" for f in findings if len(f.items) > 20]
    text = "\n".join((columns(rows, head=("verdict", "rule", "reason")), *offending, *more))
    emit([asdict(f) for f in findings], text, as_json=json)
    if any(f.status == "failed" for f in findings):
        raise typer.Exit(1)
