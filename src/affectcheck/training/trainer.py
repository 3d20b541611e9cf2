"""Train a model on the training part of a table, its regularisation chosen on the validation part."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.models import FitOptions, fit
from affectcheck.schemes import CategoryScheme
from affectcheck.training.extraction import material
from affectcheck.training.options import TrainOptions
from affectcheck.training.recipe import load_recipe
from affectcheck.training.report import Counts, Trained, TrainReport
from affectcheck.training.selection import Halves, choose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.models import Baseline
    from affectcheck.schemes import Target
    from affectcheck.training.extraction import Material
    from affectcheck.training.recipe import Recipe
    from affectcheck.training.selection import Choice

TRAIN, VALIDATION = "train", "validation"
_UNUSED = ("test",)


def train(
    table: AnnotationTable, parts: Mapping[str, Sequence[str]], *, options: TrainOptions | None = None
) -> Trained:
    """Train a model.

    The strength of the regularisation is the one whose model, fitted on the training part, does best on the
    validation part; then the model is fitted once more, on both parts if the recipe says so. The test part is never
    read: it may be in ``parts``.

    Args:
        table: the items, their media and labels.
        parts: item keys of ``train`` and, if there is one, ``validation``.
        options: recipe, target, cache, processes.

    Returns:
        The model and what was done.

    Raises:
        InputError: parts that overlap or hold nothing to learn from, too many items that cannot be read, or a kind of
            target that the recipe does not learn.
        UnknownNameError: an unknown part, recipe or target.
        ExtraMissingError: scikit-learn or the audio decoder is not installed.
    """
    options = options or TrainOptions()
    recipe = load_recipe(options.recipe)
    target = learnable(table.target(options.target), recipe)
    train_items, validation_items = _checked(parts)
    found = material(table.select([*train_items, *validation_items]), target, measured=recipe.measured, options=options)
    halves = Halves(labelled(found, train_items), labelled(found, validation_items))
    choice = choose(found, halves, recipe)
    both = recipe.final_fit == "train+validation" and len(halves.validation) > 0
    rows = np.concatenate([halves.train, halves.validation]) if both else halves.train
    model = fitted(found, rows, choice, recipe).with_cache(options.cache)
    report = TrainReport(
        recipe=recipe.name,
        target=target.name,
        seed=options.seed,
        train=_counts(found, train_items),
        validation=_counts(found, validation_items),
        choice=choice,
        fitted_on=(TRAIN, VALIDATION) if both else (TRAIN,),
        absent=absent_classes(found, rows),
        faults=found.faults,
    )
    notes = (*model.card.notes, f"fitted on {' and '.join(report.fitted_on)}; strength {_how(choice)}")
    return Trained(replace(model, card=replace(model.card, notes=notes)), report)


def learnable(target: Target, recipe: Recipe) -> Target:
    """The target itself, if the recipe can learn it.

    Raises:
        InputError: it is units, and the recipe does not learn any; known before anything is measured.
    """
    recipe.search(target.scheme.kind)
    return target


def labelled(found: Material, items: Sequence[str]) -> np.ndarray:
    """Rows of the items that have features and a label."""
    rows = found.rows(items)
    return np.asarray(rows[found.known[rows]])


def fitted(found: Material, rows: np.ndarray, choice: Choice, recipe: Recipe) -> Baseline:
    """A model fitted on rows with the chosen strength.

    Raises:
        InputError: there is nothing to learn from.
    """
    if not len(rows):
        raise InputError(
            f"no training item has a label of {found.target.name!r}",
            expected="labelled items in the training part",
            cause="a target whose labels belong to another part of the data",
        )
    words = f"{len(rows)} items of {found.data}, target {found.target.name!r}"
    options = FitOptions(recipe.measured, choice.strength, words, (f"recipe {recipe.name!r}",))
    return fit(found.features[rows], found.truth[rows], found.target.scheme, options=options)


def absent_classes(found: Material, rows: np.ndarray) -> tuple[str, ...]:
    """Declared classes without an item among the rows."""
    scheme = found.target.scheme
    if not isinstance(scheme, CategoryScheme):
        return ()
    seen = set(found.truth[rows].tolist())
    return tuple(label for code, label in enumerate(scheme.labels) if code not in seen)


def _checked(parts: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    known = (TRAIN, VALIDATION, *_UNUSED)
    for name in parts:
        if name not in known:
            raise UnknownNameError.of("part to train with", name, known)
    if TRAIN not in parts or not len(parts[TRAIN]):
        raise InputError("no items to train on", expected=f"item keys under {TRAIN!r}")
    train_items, validation_items = list(parts[TRAIN]), list(parts.get(VALIDATION, ()))
    shared = sorted(set(train_items) & set(validation_items))
    if shared:
        raise InputError(
            f"{len(shared)} items are in both train and validation: {', '.join(shared[:5])}",
            expected="parts that do not overlap",
            cause="parts of two partitions mixed up",
        )
    return train_items, validation_items


def _counts(found: Material, items: Sequence[str]) -> Counts:
    rows = found.rows(items)
    used = int(found.known[rows].sum())
    return Counts(len(items), used, len(rows) - used, len(items) - len(rows))


def _how(choice: Choice) -> str:
    return choice.reason or f"chosen by {choice.metric} on the validation part, of {len(choice.candidates)}"
