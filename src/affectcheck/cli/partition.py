"""``affectcheck partition``: the verbs about partitions, one file each."""

from __future__ import annotations

import importlib

import typer

#: In the order of the help.
VERBS = ("make", "verify", "audit", "stats", "published", "ranks")


def register(app: typer.Typer) -> None:
    """Add the noun and its verbs."""
    noun = typer.Typer(help="Subject-independent partitions: make, verify, audit, count.", no_args_is_help=True)
    app.add_typer(noun, name="partition")
    for verb in VERBS:
        importlib.import_module(f"affectcheck.cli.partition_{verb}").register(noun)
