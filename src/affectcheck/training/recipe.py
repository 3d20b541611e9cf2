"""Training recipes: plain TOML, one file a recipe, found by its name."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, PositiveFloat

from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.strict import Strict, parsed, read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.models import FeatureSetName
    from affectcheck.schemes import Kind

Strength = Annotated[PositiveFloat, Field(allow_inf_nan=False)]


class Search(Strict):
    """How the regularisation is chosen for one kind of prediction.

    Attributes:
        strength: inverse strength of the regularisation where there is no validation set to choose by.
        strengths: what is tried on a validation set.
        metric: by which it is chosen.
    """

    strength: Strength
    strengths: tuple[Strength, ...] = Field(min_length=1)
    metric: str


class Recipe(Strict):
    """How a model is trained.

    Attributes:
        name: what it is called: the name of its file.
        title: what it is, in a line.
        description: for a reader of a report.
        model: ``linear`` is the only kind: logistic or ridge regression on features.
        features: of ``speech`` or of a ``face``.
        level: for speech, whether the level of a recording is taken out first.
        final_fit: what the model is fitted on once the regularisation is chosen.
        categories, dimensions, units: how it is chosen; units are learned where the recipe says how.
    """

    name: str = ""
    title: str
    description: str = ""
    model: Literal["linear"] = "linear"
    features: Literal["speech", "face"] = "speech"
    level: Literal["normalised", "sensitive"] = "normalised"
    final_fit: Literal["train", "train+validation"] = "train+validation"
    categories: Search
    dimensions: Search
    units: Search | None = None

    @property
    def measured(self) -> FeatureSetName:
        """Which features of the models it learns from."""
        return "face" if self.features == "face" else self.level

    def search(self, kind: Kind) -> Search:
        """How the regularisation is chosen for a kind of prediction.

        Raises:
            InputError: the recipe does not say how units are learned.
        """
        found = {"categories": self.categories, "dimensions": self.dimensions, "units": self.units}[kind]
        if found is None:
            raise InputError(
                f"the recipe {self.name!r} learns no {kind}",
                expected="another target, or a recipe such as face-baseline",
            )
        return found


def recipe_names() -> tuple[str, ...]:
    """Names of the recipes that come with the package, sorted."""
    return tuple(sorted(_built_in()))


def load_recipe(name: str | Path) -> Recipe:
    """A recipe by name, or from the path of a ``.toml`` file.

    Raises:
        UnknownNameError: no such recipe.
        MissingPathError: no such file.
        InputError: the file is not TOML, has a key that recipes do not have, or a value is not what its key needs.
    """
    text = str(name)
    if not text.endswith(".toml"):
        known = _built_in()
        if text not in known:
            raise UnknownNameError.of("recipe", text, known)
        return parse_recipe(known[text], name=text, where=f"recipe {text}")
    path = Path(name).expanduser()
    if not path.is_file():
        raise MissingPathError.of("recipe", path, expected=f"a .toml file, or one of {', '.join(recipe_names())}")
    return recipe_of(read_toml(path, "recipe"), name=path.stem, where=str(path))


def parse_recipe(text: str, *, name: str, where: str) -> Recipe:
    """A recipe from TOML.

    Raises:
        InputError: not TOML, a key that recipes do not have, or a value that is not what its key needs.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {error}", where=where) from error
    return recipe_of(content, name=name, where=where)


def recipe_of(content: Mapping[str, Any], *, name: str, where: str) -> Recipe:
    """A recipe from the plain values of its file, which gives its name.

    Raises:
        InputError: a key that recipes do not have, or a value that is not what its key needs; all faults are told.
    """
    known = [key for key in Recipe.model_fields if key != "name"]
    if "level" in content and content.get("features") == "face":
        raise InputError("level: features of a face have none", where=where, expected="level with features of speech")
    if "name" in content:
        raise UnknownNameError.of("key of a recipe", "name", known, where=f"{where}: its file gives the name")
    return parsed(Recipe, {**content, "name": name}, kind="recipe", where=where)


def _built_in() -> dict[str, str]:
    folder = resources.files("affectcheck.training") / "recipes"
    return {
        file.name.removesuffix(".toml"): file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    }
