"""``affectcheck suites``: the behaviour tests, listed and explained in plain words."""

from __future__ import annotations

from typing import Annotated

import typer

from affectcheck.cli import suites_judge, suites_raters
from affectcheck.cli.output import Json, columns, emit


def register(app: typer.Typer) -> None:
    """Add the noun."""
    noun = typer.Typer(help="Behaviour tests: correctness, fairness, robustness.", no_args_is_help=True)
    app.add_typer(noun, name="suites")
    suites_judge.register(noun)
    suites_raters.register(noun)

    @noun.command("list")
    def list_(json: Json = False) -> None:
        """List the suites and their tests."""
        from affectcheck.behaviour import load_suite, suite_names  # noqa: PLC0415

        found = [
            {"suite": suite, "name": test.name, "title": test.title, "source": test.source}
            for suite in suite_names()
            for test in load_suite(suite)
        ]
        rows = [(test["suite"], test["name"], test["title"]) for test in found]  # sources are longer than a line
        emit(found, columns(rows, head=("suite", "test", "title")), as_json=json)

    @noun.command()
    def show(
        name: Annotated[str, typer.Argument(help="Name of a suite or test, or a .toml file.")], json: Json = False
    ) -> None:
        """Explain a test in plain words: what it asks, on what, with which limits, and where they are from."""
        from affectcheck.behaviour import explain, load_suites  # noqa: PLC0415

        tests = load_suites([name])
        emit([t.model_dump(mode="json") for t in tests], "\n\n".join(explain(test) for test in tests), as_json=json)
