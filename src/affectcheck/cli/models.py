"""``affectcheck models``: the models and adapters that can be loaded, and the recipes that can be trained."""

from __future__ import annotations

from dataclasses import asdict
from inspect import getdoc, signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.output import Json, columns, emit

if TYPE_CHECKING:
    from collections.abc import Callable


def register(app: typer.Typer) -> None:
    """Add the noun."""
    noun = typer.Typer(
        help="Models and adapters that can be loaded; recipes that can be trained.", no_args_is_help=True
    )
    app.add_typer(noun, name="models")

    @noun.command("list")
    def list_(json: Json = False) -> None:
        """List what --model takes."""
        found = known_models()
        rows = [(m["name"], m["use"], m["summary"]) for m in found]
        emit(found, columns(rows, head=("model", "use", "what it is")), as_json=json)

    @noun.command()
    def show(
        name: Annotated[str, typer.Argument(help="Name of a recipe or adapter, or any model that --model takes.")],
        json: Json = False,
    ) -> None:
        """Show a recipe, an adapter's options, or the card of a saved model."""
        from affectcheck.models import MODELS, load_model  # noqa: PLC0415
        from affectcheck.training import load_recipe, recipe_names  # noqa: PLC0415

        if name in recipe_names():
            found: dict[str, Any] = load_recipe(name).model_dump()
        elif name in MODELS:
            found = _adapter(name, MODELS.get(name))
        else:
            found = asdict(load_model(name).card)
        emit(
            found,
            columns([(k.replace("_", " "), v) for k, v in found.items() if v not in ("", (), None)]),
            as_json=json,
        )


def known_models() -> list[dict[str, str]]:
    """Recipes first, then everything that is loaded."""
    from affectcheck.models import MODELS  # noqa: PLC0415
    from affectcheck.training import load_recipe, recipe_names  # noqa: PLC0415

    recipes = [{"name": name, "use": "trained here", "summary": load_recipe(name).title} for name in recipe_names()]
    loaded = [
        {"name": name, "use": "loaded", "summary": (getdoc(factory) or "").split("\n")[0]}
        for name, factory in MODELS.items()
    ]
    return recipes + loaded


def _adapter(name: str, factory: Callable[..., Any]) -> dict[str, Any]:
    options = {p.name: "needed" if p.default is p.empty else p.default for p in signature(factory).parameters.values()}
    return {"name": name, "description": getdoc(factory) or "", "options": options}
