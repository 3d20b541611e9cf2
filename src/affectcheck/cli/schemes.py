"""``affectcheck schemes``: the label schemes that a table may name."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from affectcheck.cli.output import Json, columns, emit


def register(app: typer.Typer) -> None:
    """Add the noun."""
    noun = typer.Typer(help="Label schemes: expressions, action units, dimensions, demographics.", no_args_is_help=True)
    app.add_typer(noun, name="schemes")

    @noun.command("list")
    def list_(json: Json = False) -> None:
        """List the schemes with their labels."""
        from affectcheck.schemes import parts, scheme, scheme_names  # noqa: PLC0415

        found = [scheme(name) for name in scheme_names()]
        rows = [(s.name, s.kind, ", ".join(parts(s))) for s in found]
        emit([asdict(s) for s in found], columns(rows, head=("scheme", "kind", "labels")), as_json=json)

    @noun.command()
    def show(name: Annotated[str, typer.Argument(help="Name of the scheme.")], json: Json = False) -> None:
        """Show one scheme whole."""
        from affectcheck.schemes import scheme  # noqa: PLC0415

        found = asdict(scheme(name))
        emit(found, columns([(key, value) for key, value in found.items() if value]), as_json=json)
