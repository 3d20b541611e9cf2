from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.training import load_recipe, parse_recipe, recipe_names

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """
title = "mine"
[categories]
strength = 0.1
strengths = [0.1]
metric = "uar"
[dimensions]
strength = 0.1
strengths = [0.1]
metric = "ccc"
"""


def test_the_recipes_of_the_package() -> None:
    assert {"baseline", "baseline-level-sensitive"} <= set(recipe_names())
    for name in recipe_names():
        recipe = load_recipe(name)
        assert (recipe.name, bool(recipe.title), bool(recipe.description)) == (name, True, True)
        for kind in ("categories", "dimensions"):
            search = recipe.search(kind)  # type: ignore[arg-type]
            assert search.strength in search.strengths
    assert load_recipe("baseline").level == "normalised"
    assert load_recipe("baseline-level-sensitive").level == "sensitive"


def test_a_recipe_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(WHOLE)
    recipe = load_recipe(path)
    assert (recipe.name, recipe.title, recipe.level, recipe.final_fit) == (
        "my",
        "mine",
        "normalised",
        "train+validation",
    )
    assert load_recipe(str(path)) == recipe


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("title", "tilte", "did you mean 'title'"),
        (
            "metric",
            "metrik",
            "mine.toml: 2 faults[\\s\\S]*categories.metrik: unknown key[\\s\\S]*did you mean 'metric'",
        ),
        ("[categories]", 'name = "x"\n[categories]', "key of a recipe 'name'"),
        ("strength = 0.1", "strength = -1", "categories.strength: .*greater than 0"),
        ("strength = 0.1", "strength = inf", "categories.strength: .*finite"),
        ("[0.1]", "[]", "categories.strengths: .*at least 1"),
        ('title = "mine"', 'title = "mine"\nlevel = "loud"', "level: .*'normalised' or 'sensitive'"),
        ('title = "mine"', "title = mine", "not TOML"),
        ('title = "mine"', "", "title: Field required"),
    ],
)
def test_what_is_no_recipe_says_why(old: str, new: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_recipe(WHOLE.replace(old, new, 1), name="mine", where="mine.toml")


def test_no_such_recipe(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'baseline'"):
        load_recipe("baselin")
    with pytest.raises(MissingPathError, match="recipe not found"):
        load_recipe(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'title = "\xe9"')
    with pytest.raises(InputError, match="UTF-8"):
        load_recipe(tmp_path / "latin.toml")
