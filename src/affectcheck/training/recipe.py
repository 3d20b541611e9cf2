"""Training recipes: plain TOML, one file a recipe, found by its name."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, ValidationError

from affectcheck.errors import InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    from affectcheck.models import FeatureSetName
    from affectcheck.schemes import Kind

Strength = Annotated[PositiveFloat, Field(allow_inf_nan=False)]


class Search(BaseModel):
    """How the regularisation is chosen for one kind of prediction.

    Attributes:
        strength: inverse strength of the regularisation where there is no validation set to choose by.
        strengths: what is tried on a validation set.
        metric: by which it is chosen.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    strength: Strength
    strengths: tuple[Strength, ...] = Field(min_length=1)
    metric: str


class Recipe(BaseModel):
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

    model_config = ConfigDict(frozen=True, extra="forbid")

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
        UnknownNameError: no such recipe, or a key that recipes do not have.
        MissingPathError: no such file.
        InputError: the file is not TOML, or a value is not what its key needs.
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
    try:
        content = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError("not a text in UTF-8", where=str(path), cause=str(error)) from error
    return parse_recipe(content, name=path.stem, where=str(path))


def parse_recipe(text: str, *, name: str, where: str) -> Recipe:
    """A recipe from TOML.

    Raises:
        UnknownNameError: a key that recipes do not have.
        InputError: not TOML, or a value is not what its key needs.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {error}", where=where) from error
    known = [key for key in Recipe.model_fields if key != "name"]
    if "level" in content and content.get("features") == "face":
        raise InputError("level: features of a face have none", where=where, expected="level with features of speech")
    if "name" in content:
        raise UnknownNameError.of("key of a recipe", "name", known, where=f"{where}: its file gives the name")
    try:
        return Recipe.model_validate({**content, "name": name})
    except ValidationError as error:
        raise _explained(error, where) from error


def _explained(error: ValidationError, where: str) -> InputError:
    """The first thing wrong, with its key; an unknown key with the nearest known one."""
    first = min(error.errors(), key=lambda found: found["type"] != "extra_forbidden")
    place: tuple[Any, ...] = first["loc"]
    key = ".".join(str(step) for step in place)
    if first["type"] == "extra_forbidden":
        inside = Search if len(place) > 1 else Recipe
        return UnknownNameError.of("key of a recipe", str(place[-1]), inside.model_fields, where=f"{where}, {key}")
    return InputError(
        f"{key}: {first['msg']}", where=where, cause="" if first["type"] == "missing" else f"it is {first['input']!r}"
    )


def _built_in() -> dict[str, str]:
    folder = resources.files("affectcheck.training") / "recipes"
    return {
        file.name.removesuffix(".toml"): file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    }
