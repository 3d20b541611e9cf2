"""Training: recipes, the baselines of speech and of faces trained on parts of a table, and cross-validation."""

from affectcheck.training.cross_validation import CrossValidated, Fold, FoldReport, cross_validate
from affectcheck.training.options import TrainOptions
from affectcheck.training.recipe import Recipe, load_recipe, parse_recipe, recipe_names
from affectcheck.training.report import Counts, Trained, TrainReport
from affectcheck.training.selection import Candidate, Choice
from affectcheck.training.trainer import train

__all__ = [
    "Candidate",
    "Choice",
    "Counts",
    "CrossValidated",
    "Fold",
    "FoldReport",
    "Recipe",
    "TrainOptions",
    "TrainReport",
    "Trained",
    "cross_validate",
    "load_recipe",
    "parse_recipe",
    "recipe_names",
    "train",
]
