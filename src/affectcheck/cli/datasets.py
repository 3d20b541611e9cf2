"""``affectcheck datasets``: the data sets that can be read."""

from __future__ import annotations

from dataclasses import asdict
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from affectcheck.cli.output import Json, columns, emit

if TYPE_CHECKING:
    from affectcheck.datasets import Card
    from affectcheck.schemes import Target

_WIDTH = 100  # of the second column of a card
_KINDS = {"categories": "classes", "units": "units", "dimensions": "dimensions"}


def register(app: typer.Typer) -> None:
    """Add the noun."""
    noun = typer.Typer(help="Data sets that can be read, with their cards.", no_args_is_help=True)
    app.add_typer(noun, name="datasets")

    @noun.command("list")
    def list_(json: Json = False) -> None:
        """List the data sets: how large, what is annotated, how to get them."""
        from affectcheck.datasets import DATASETS  # noqa: PLC0415

        cards = [dataset.card for _, dataset in DATASETS.items()]
        rows = [
            (
                card.name,
                card.items or "",
                _subjects(card),
                _labels(card),
                ", ".join(card.groups),
                card.access,
                card.title,
            )
            for card in cards
        ]
        head = ("data set", "items", "subjects", "labels", "groups", "access", "title")
        emit([asdict(card) for card in cards], columns(rows, head=head), as_json=json)

    @noun.command()
    def show(name: Annotated[str, typer.Argument(help="Name of the data set.")], json: Json = False) -> None:
        """Show the card of a data set: what it is, what it can and cannot show, how to name it."""
        from affectcheck.datasets import DATASETS  # noqa: PLC0415

        card = DATASETS.get(name).card
        emit(asdict(card), columns(_card_rows(card)), as_json=json)


def _subjects(card: Card) -> object:
    if card.speakers is not None:
        return card.speakers
    return "not known" if card.items is not None else ""


def _labels(card: Card) -> str:
    """What is annotated, in short; a set whose labels depend on the user's copy has none here."""
    from affectcheck.schemes import parts  # noqa: PLC0415

    short = [f"{target.name} ({len(parts(target.scheme))} {_KINDS[target.scheme.kind]})" for target in card.targets]
    return ", ".join(short) or ("no affect" if card.items is not None else "")


def _default(value: object) -> str:
    words = {True: "yes", False: "no"}
    shown = words[value] if isinstance(value, bool) else value
    return "" if shown == "" else f" [{shown}]"


def _card_rows(card: Card) -> list[tuple[str, str]]:
    """Field and value, a value of several lines as several rows with the field named once."""
    rows: list[tuple[str, str]] = []
    fields = asdict(card) | {
        "subjects": _subjects(card),
        "targets": [_target(target) for target in card.targets],
        "options": [f"{option.name}: {option.description}{_default(option.default)}" for option in card.options],
        "groups": ", ".join(card.groups),
        "notes": list(card.notes),
    }
    for key in _ORDER:
        value = fields[key]
        entries = value if isinstance(value, list) else [str(value)]
        lines = [line for entry in entries if entry not in ("", "None") for line in _wrapped(entry, listed=entries)]
        rows += [(key.replace("_", " ") if place == 0 else "", line) for place, line in enumerate(lines)]
    return rows


_ORDER = (
    *("name", "title", "description", "items", "subjects", "targets", "groups", "provenance"),
    *("can_show", "cannot_show", "access", "licence", "citation", "url", "layout", "options", "notes"),
)


def _target(target: Target) -> str:
    from affectcheck.schemes import parts  # noqa: PLC0415

    return f"{target.name} ({target.scheme.name}): {', '.join(parts(target.scheme))}"


def _wrapped(text: str, *, listed: list[str]) -> list[str]:
    """Lines of a readable width; entries of a list begin with a dash."""
    dash = "- " if len(listed) > 1 else ""
    return wrap(
        text,
        _WIDTH,
        initial_indent=dash,
        subsequent_indent=" " * len(dash),
        break_long_words=False,
        break_on_hyphens=False,
    )
