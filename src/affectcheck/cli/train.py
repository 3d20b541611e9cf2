"""``affectcheck train``: train a recipe on a partition's training set, and save the model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from affectcheck.cli.choices import Cache, Data, Seed, Strict, Target, Workers
from affectcheck.cli.output import Json, columns, emit, progress, say
from affectcheck.cli.output_file import OverwriteFile, require_new


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def train(
        data: Data,
        output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write (.npz).")],
        recipe: Annotated[str, typer.Option("--recipe", "-r", help="Recipe, or a .toml file.")] = "baseline",
        target: Target = None,
        partition: Annotated[str, typer.Option("--partition", help="make, own, or a manifest's folder.")] = "make",
        subjects: Annotated[str, typer.Option("--subjects", help="column, none, or a regular expression.")] = "column",
        seed: Seed = 0,
        shuffle_labels: Annotated[
            bool, typer.Option("--shuffle-labels", help="Control: train on permuted labels.")
        ] = False,
        workers: Workers = 0,
        cache: Cache = None,
        strict: Strict = False,
        overwrite: OverwriteFile = False,
        json: Json = False,
    ) -> None:
        """Train a recipe on the training set of a partition; the test set is never read."""
        from affectcheck.audits import AuditOptions, faults_text  # noqa: PLC0415
        from affectcheck.audits.division import divide  # noqa: PLC0415
        from affectcheck.audits.subject import is_recipe, prepare  # noqa: PLC0415
        from affectcheck.datasets import Making, load_dataset  # noqa: PLC0415
        from affectcheck.errors import InputError, UnknownNameError  # noqa: PLC0415
        from affectcheck.models import Baseline  # noqa: PLC0415
        from affectcheck.training import recipe_names  # noqa: PLC0415

        if output.suffix != ".npz":
            raise InputError(f"cannot write a model as {output.name!r}", expected="a file that ends in .npz")
        if not is_recipe(recipe) and not recipe.endswith(".toml"):
            raise UnknownNameError.of("recipe", recipe, recipe_names())
        require_new(output, overwrite=overwrite)
        options = AuditOptions(
            data=data, model=recipe, target=target, partition=partition, subjects=subjects, seed=seed,
            shuffle_labels=shuffle_labels, workers=workers, cache=cache, strict=strict,
        )  # fmt: skip
        with progress("data") as update:
            table = load_dataset(data, making=Making(options.cache_folder, update))
        with progress("training") as update:
            subject = prepare(table, divide(table, options).sets, options, update)
        if not isinstance(subject.model, Baseline):
            raise InputError(f"the recipe {recipe!r} made a model that cannot be saved")
        subject.model.save(output)
        if subject.faults:
            say(faults_text(subject.faults))
        emit({"model": str(output), "training": subject.training}, _text(subject.training, output), as_json=json)


def _text(training: dict[str, Any], output: Path) -> str:
    train, validation, choice = training["train"], training["validation"], training["choice"]
    rows = [
        ("recipe", training["recipe"]),
        ("target", training["target"]),
        ("trained on", f"{train['used']} of {train['items']} items"),
        ("chosen on", f"{validation['used']} items by {choice['metric']}"),
        ("fitted on", " and ".join(training["fitted_on"])),
        ("model", output),
    ]
    return columns(rows)
