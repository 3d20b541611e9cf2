"""``affectcheck metrics``: every metric with its definition."""

from __future__ import annotations

from inspect import getdoc
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.output import Json, columns, emit

if TYPE_CHECKING:
    from affectcheck.metrics import Metric


def register(app: typer.Typer) -> None:
    """Add the noun."""
    noun = typer.Typer(help="Metrics with formula, range, undefined rule and source.", no_args_is_help=True)
    app.add_typer(noun, name="metrics")

    @noun.command("list")
    def list_(json: Json = False) -> None:
        """List the metrics."""
        from affectcheck.metrics import METRICS  # noqa: PLC0415

        found = [plain(metric) for _, metric in METRICS.items()]
        rows = [(m["name"], m["kind"], m["level"], m["direction"], m["title"]) for m in found]
        emit(found, columns(rows, head=("metric", "kind", "level", "better", "title")), as_json=json)

    @noun.command()
    def show(name: Annotated[str, typer.Argument(help="Name of the metric.")], json: Json = False) -> None:
        """Show a metric's definition: formula, range, when it is undefined, source, example."""
        from affectcheck.metrics import METRICS  # noqa: PLC0415

        metric = METRICS.get(name)
        found = plain(metric) | {"definition": getdoc(metric.compute) or ""}
        text = "\n\n".join(
            (f"{metric.title} ({name})", str(found["definition"]), f"Conventions: {found['conventions']}")
        )
        emit(found, text, as_json=json)


def plain(metric: Metric) -> dict[str, Any]:
    """A metric as plain values; an open end of the range is null."""
    from math import isfinite  # noqa: PLC0415

    better = {True: "higher", False: "lower", None: "nearer to 0"}[metric.higher_is_better]
    return {
        "name": metric.name,
        "title": metric.title,
        "kind": metric.kind,
        "level": metric.level,
        "low": metric.low if isfinite(metric.low) else None,
        "high": metric.high if isfinite(metric.high) else None,
        "direction": better,
        "conventions": ", ".join(metric.conventions),
        "undefined": metric.undefined,
        "source": metric.source,
    }
