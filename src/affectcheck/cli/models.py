"""``affectcheck models``: the models and adapters that can be loaded, and the recipes that can be trained."""

from __future__ import annotations

from dataclasses import asdict
from inspect import getdoc
from pathlib import Path
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

    @noun.command("try")
    def try_(
        model: Annotated[str, typer.Argument(help="A model of pictures, as --model takes it.")],
        picture: Annotated[Path | None, typer.Argument(help="A picture; one of four colours by default.")] = None,
        output: Annotated[
            Path | None, typer.Option("--output", "-o", help="Write what the network receives as a picture (.png).")
        ] = None,
        json: Json = False,
    ) -> None:
        """Predict one picture, and show what the network receives of it: size, part, channels, range."""
        from affectcheck.atomic import write_bytes  # noqa: PLC0415
        from affectcheck.errors import InputError  # noqa: PLC0415
        from affectcheck.media import decode_image  # noqa: PLC0415
        from affectcheck.models import known_picture, load_model, png_bytes, try_picture  # noqa: PLC0415
        from affectcheck.predictions.checks import require_output  # noqa: PLC0415

        if output is not None and output.suffix != ".png":
            raise InputError(f"cannot write a picture as {output.name!r}", expected="a file that ends in .png")
        loaded = load_model(model)
        trial = try_picture(loaded, decode_image(picture) if picture else known_picture())
        require_output([list(trial.answer.values())], loaded.card, ["picture"])
        if output is not None:
            if trial.view is None:
                raise InputError(f"the model {loaded.card.name!r} does not show what it receives")
            write_bytes(output, png_bytes(trial.view))
        found = {key: value for key, value in asdict(trial).items() if key != "view"}
        found |= {"model": loaded.card.name, "notes": loaded.card.notes}
        emit(found, _trial_text(found), as_json=json)


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


def _trial_text(found: dict[str, Any]) -> str:
    """What goes in, place by place, and what comes out."""
    head = [("model", found["model"]), *(("note", note) for note in found["notes"])]
    head += [("caution", caution) for caution in found["cautions"]]
    if found["shape"]:
        shape = "×".join(map(str, found["shape"]))
        head.append(("receives", f"{shape} {found['dtype']}, from {found['low']:.4g} to {found['high']:.4g}"))
    rows = [
        (one["name"], ", ".join(map(str, one["pixel"])), ", ".join(f"{value:.4g}" for value in one["numbers"]))
        for one in found["places"]
    ]
    places = columns(rows, head=("place", "red, green, blue", "what it receives, channel by channel")) if rows else ""
    answers = columns([(part, f"{value:.4f}") for part, value in found["answer"].items()], head=("answer", "number"))
    return "\n\n".join(text for text in (columns(head), places, answers) if text)


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
