"""``affectcheck models``: the models and adapters that can be loaded, and the recipes that can be trained."""

from __future__ import annotations

from dataclasses import asdict
from inspect import getdoc
from typing import Annotated, Any

import typer

from affectcheck.cli.output import Json, columns, emit


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
            found = _adapter(name)
            emit(found, _adapter_text(found), as_json=json)
            return
        else:
            found = asdict(load_model(name).card)
        emit(found, columns([(k.replace("_", " "), _told(v)) for k, v in found.items() if _says(v)]), as_json=json)


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


def _adapter(name: str) -> dict[str, Any]:
    from affectcheck.models import MODELS, options_of  # noqa: PLC0415

    described = (getdoc(MODELS.get(name)) or "").split("\n\n")[0].replace("\n", " ")
    return {"name": name, "description": described, "options": [asdict(option) for option in options_of(name)]}


def _adapter_text(found: dict[str, Any]) -> str:
    """Name and description, then a line an option; what stands behind the colon comes first."""
    options = found["options"]
    source = ":SOURCE" if any(option["name"] == "source" for option in options) else ""
    form = f"{found['name']}{source}?OPTION=VALUE&OPTION=VALUE"
    head = columns([("name", found["name"]), ("description", found["description"]), ("named as", form)])
    rows = [(_spelt(one["name"]), one["needed"], one["default"] or "-", one["meaning"]) for one in options]
    return f"{head}\n\n{columns(rows, head=('option', 'needed', 'default', 'meaning'))}"


def _spelt(name: str) -> str:
    return "SOURCE" if name == "source" else name


def _says(value: object) -> bool:
    return value not in ("", (), None)


def _told(value: object) -> str:
    """A value of a recipe or card, without Python's marks."""
    if isinstance(value, dict):
        return "; ".join(f"{key.replace('_', ' ')} {_told(one)}" for key, one in value.items())
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
