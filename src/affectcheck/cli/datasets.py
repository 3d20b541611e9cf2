"""``affectcheck datasets``: the data sets that can be read."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from affectcheck.cli.output import Json, columns, emit


def register(app: typer.Typer) -> None:
    """Add the noun."""
    noun = typer.Typer(help="Data sets that can be read, with their cards.", no_args_is_help=True)
    app.add_typer(noun, name="datasets")

    @noun.command("list")
    def list_(json: Json = False) -> None:
        """List the data sets."""
        from affectcheck.datasets import DATASETS  # noqa: PLC0415

        cards = [dataset.card for _, dataset in DATASETS.items()]
        rows = [(card.name, card.items or "", card.speakers or "", card.licence, card.title) for card in cards]
        head = ("data set", "items", "subjects", "licence", "title")
        emit([asdict(card) for card in cards], columns(rows, head=head), as_json=json)

    @noun.command()
    def show(name: Annotated[str, typer.Argument(help="Name of the data set.")], json: Json = False) -> None:
        """Show the card of a data set: what it is, what it can and cannot show, how to name it."""
        from affectcheck.datasets import DATASETS  # noqa: PLC0415

        card = DATASETS.get(name).card
        rows = [
            (key.replace("_", " "), _cell(value)) for key, value in asdict(card).items() if value not in ("", (), None)
        ]
        emit(asdict(card), columns(rows), as_json=json)


def _cell(value: object) -> object:
    if isinstance(value, tuple | list):
        return "; ".join(str(v.get("name", v) if isinstance(v, dict) else v) for v in value)
    return value
