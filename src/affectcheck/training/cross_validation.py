"""Cross-validation: every item predicted by a model that never saw it, nor anybody in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np
import polars as pl

from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError
from affectcheck.predictions import make_predictions
from affectcheck.training.extraction import material
from affectcheck.training.options import TrainOptions
from affectcheck.training.recipe import load_recipe
from affectcheck.training.selection import Choice
from affectcheck.training.trainer import absent_classes, fitted, labelled, learnable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.models import ModelCard
    from affectcheck.predictions import PredictionTable
    from affectcheck.training.recipe import Recipe

    Pair: TypeAlias = tuple[Iterable[str], Iterable[str]]


class Fold(NamedTuple):
    """One division of the items.

    Attributes:
        train: item keys that the fold's model is fitted on.
        test: item keys that it predicts.
    """

    train: Sequence[str]
    test: Sequence[str]


class Divided(Protocol):
    """Anything that divides the items, such as a fold of ``partitions``."""

    @property
    def train(self) -> Iterable[str]:
        """Item keys to fit on."""

    @property
    def test(self) -> Iterable[str]:
        """Item keys to predict."""


@dataclass(frozen=True)
class FoldReport:
    """What one fold did.

    Attributes:
        trained: items that its model was fitted on.
        tested: items that it predicted.
        subjects: subjects it was tested on, sorted; empty without subjects.
        absent: classes without a training item.
        digest: of its model.
    """

    trained: int
    tested: int
    subjects: tuple[str, ...]
    absent: tuple[str, ...]
    digest: str


@dataclass(frozen=True)
class CrossValidated:
    """Predictions of all folds, and what each did.

    Attributes:
        predictions: one row an item, in table order.
        folds: one a fold.
        strength: inverse strength of the regularisation, fixed by the recipe before anything was seen.
    """

    predictions: PredictionTable
    folds: tuple[FoldReport, ...]
    strength: float


def cross_validate(
    table: AnnotationTable, folds: Iterable[Divided | Pair], *, options: TrainOptions | None = None
) -> CrossValidated:
    """Predict every item by a model that was trained without its subject.

    The strength is the recipe's own, so that no fold chooses by what it is tested on. Items without a label are
    predicted, but not learned from.

    Args:
        table: the items, their media and labels.
        folds: item keys as (train, test) or as the attributes ``train`` and ``test``, such as ``partitions.folds``
            makes; every item of the table is tested once.
        options: recipe, target, cache, processes.

    Returns:
        The predictions and a report a fold.

    Raises:
        InputError: an item tested twice or never, or a subject on both sides of a fold; too many items that cannot
            be read; a fold with nothing to learn from.
    """
    options = options or TrainOptions()
    recipe = load_recipe(options.recipe)
    target = learnable(table.target(options.target), recipe)
    divisions = [_fold(division) for division in folds]
    subjects = _subjects(table)
    _check(table, divisions, subjects)
    found = material(table, target, measured=recipe.measured, options=options)
    choice = Choice(recipe.search(target.scheme.kind).strength, reason="the recipe's own strength")
    reports, values, card = [], {}, None
    for fold in divisions:
        rows, tested = labelled(found, fold.train), found.rows(fold.test)
        model = fitted(found, rows, choice, recipe)
        card = card or model.card
        for row, prediction in zip(tested, model.predict_features(found.features[tested]), strict=True):
            values[found.keys[row]] = prediction
        who = tuple(sorted({subjects[key] for key in fold.test if key in subjects}))
        reports.append(FoldReport(len(rows), len(tested), who, absent_classes(found, rows), model.card.digest))
    keys = [key for key in found.keys if key in values]
    about = _card(card, reports, recipe)
    made = make_predictions(keys, np.array([values[key] for key in keys]), about, data=table.name, faults=found.faults)
    return CrossValidated(made, tuple(reports), choice.strength)


def _card(card: ModelCard | None, reports: Sequence[FoldReport], recipe: Recipe) -> ModelCard:
    if card is None:
        raise InputError("no folds", expected="at least two folds")
    return replace(
        card,
        name=f"{card.name} (cross-validated)",
        training_data=f"{len(reports)} folds: {card.training_data.partition(' items of ')[2]}",
        digest=digest_bytes("cross-validated", *(report.digest for report in reports)),
        notes=(f"recipe {recipe.name!r}; each item predicted by a model that was trained without its fold",),
    )


def _fold(division: Divided | Pair) -> Fold:
    train, test = division if isinstance(division, tuple) else (division.train, division.test)
    return Fold(tuple(train), tuple(test))


def _subjects(table: AnnotationTable) -> dict[str, str]:
    """Item to subject, where it is known."""
    if not table.has_subjects:
        return {}
    known = table.frame.filter(pl.col("subject").is_not_null())
    return dict(zip(known.get_column("item"), known.get_column("subject"), strict=True))


def _check(table: AnnotationTable, folds: Sequence[Fold], subjects: dict[str, str]) -> None:
    tested = [key for fold in folds for key in fold.test]
    twice = sorted({key for key in tested if tested.count(key) > 1}) if len(set(tested)) < len(tested) else []
    never = sorted(set(table.items) - set(tested))
    if twice or never:
        named = ", ".join([*twice, *never][:5])
        raise InputError(
            f"{len(twice)} items are tested more than once and {len(never)} never: {named}",
            expected="folds in which every item of the table is tested once",
        )
    for number, fold in enumerate(folds, 1):
        shared = set(fold.train) & set(fold.test)
        known = {subjects[key] for key in fold.train if key in subjects}
        leaked = sorted(shared | (known & {subjects[key] for key in fold.test if key in subjects}))
        if leaked:
            raise InputError(
                f"on both sides of fold {number}: {', '.join(leaked[:5])}",
                expected="folds that share neither items nor subjects",
                cause="folds drawn by item where they should be drawn by subject",
            )
