"""The scores of an audit: the tested set, cross-validation, and the random model beside both."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

from affectcheck.audits.division import divide
from affectcheck.audits.subject import is_recipe, prepare, train_options
from affectcheck.errors import InputError
from affectcheck.evaluation import EvaluationOptions, evaluate
from affectcheck.models import random_model
from affectcheck.partitions import VARIED_PP, PartitionOptions, folds
from affectcheck.predictions import PredictOptions, no_progress, predict
from affectcheck.records import Score
from affectcheck.schemes import task_of
from affectcheck.training import cross_validate

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.audits.options import AuditOptions, Progress
    from affectcheck.evaluation import Evaluation, ScoredItems
    from affectcheck.models import Predictor
    from affectcheck.predictions import PredictionTable
    from affectcheck.records import Fault, Scored

CROSS_VALIDATED = "cross-validation by {}"


@dataclass(frozen=True)
class Scores:
    """What was scored.

    Attributes:
        model: scores of the model under test.
        random: the same of the random model.
        faults: items without a result.
        tables: plain values for figures.
        notes: sentences about what was left out.
        values: what a header says of it.
        items: the scored items, one table a set.
    """

    model: tuple[Scored, ...] = ()
    random: tuple[Scored, ...] = ()
    faults: tuple[Fault, ...] = ()
    tables: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    values: dict[str, Any] = field(default_factory=dict)
    items: tuple[ScoredItems, ...] = ()

    def __add__(self, other: Scores) -> Scores:
        """Both; of two tables of one name, the first is kept."""
        return Scores(
            self.model + other.model,
            self.random + other.random,
            self.faults + other.faults,
            {**other.tables, **self.tables},
            self.notes + other.notes,
            {**self.values, **other.values},
            self.items + other.items,
        )


def predict_options(options: AuditOptions, update: Callable[[int, int], None] | None = None) -> PredictOptions:
    """The audit's options, as prediction takes them."""
    return PredictOptions(
        cache=options.predictions_folder,
        workers=options.processes,
        engine=options.engine,
        strict=options.strict,
        max_fault_share=options.max_fault_share,
        progress=update or no_progress,
    )


def score(table: AnnotationTable, predictions: PredictionTable, options: AuditOptions, *, part: str) -> Scores:
    """Score predictions of a table, with the random model beside them.

    Items that could not be predicted are left out and counted: they are among the faults.
    """
    wanted = EvaluationOptions(
        target=options.target,
        by=table.groups if options.by is None else options.by,
        resamples=options.resamples,
        seed=options.seed,
        convention=options.convention,
        missing="leave out" if _lost(predictions) else "error",
        part=part,
    )
    found = evaluate(table, predictions, options=wanted)
    chance = random_model(table.target(options.target).scheme, seed=options.seed)
    guessed = predict(chance, table.select(predictions.items), options=PredictOptions(progress=no_progress))
    beside = evaluate(table, guessed, options=replace(wanted, resamples=0))
    faults = _faults(found, predictions)
    return Scores(found.scores, beside.scores, faults, found.tables, found.notes, items=(found.scored_items,))


def cross_validated(
    table: AnnotationTable, options: AuditOptions, progress: Progress
) -> tuple[Scores, PredictionTable]:
    """Predict every item by a model never trained on its subject, and score all of them.

    Raises:
        InputError: the model is not trained here, so nothing can be left out of its training.
    """
    if not is_recipe(options.model):
        raise InputError(
            f"--cv needs a model that is trained here, not {options.model!r}", expected="a recipe, such as baseline"
        )
    with progress("cross-validation") as update:
        done = cross_validate(table, _divisions(table, options), options=train_options(options, update))
    scores = score(table, done.predictions, options, part=CROSS_VALIDATED.format(options.cross_validation))
    values = {"cross_validation": {"by": options.cross_validation, "folds": len(done.folds), "strength": done.strength}}
    return replace(scores, values=values), done.predictions


def repeated(table: AnnotationTable, options: AuditOptions, progress: Progress) -> Scores:
    """The headline score on the test sets of further partitions, each with a model trained for it."""
    metric = task_of(table.target(options.target).scheme).headline
    rows: list[list[Any]] = []
    with progress("further partitions") as update:
        for place, seed in enumerate(options.repeats):
            again = replace(options, seed=seed)
            division = divide(table, again, tolerance_pp=VARIED_PP)
            subject = prepare(table, division.sets, again, no_progress)
            rows.append([seed, metric, _headline(table.select(division.test_items), subject.model, again, metric)])
            update(place + 1, len(options.repeats))
    values = [row[2] for row in rows if row[2] is not None]
    spread = stdev(values) if len(values) > 1 else None
    summary = {
        "metric": metric,
        "n": len(values),
        "mean": mean(values) if values else None,
        "standard_deviation": spread,
    }
    tables: dict[str, dict[str, list[Any]]] = {"partitions": {"columns": ["seed", "metric", "value"], "rows": rows}}
    return Scores(tables=tables, values={"repeats": summary})


def _headline(tested: AnnotationTable, model: Predictor, options: AuditOptions, metric: str) -> float | None:
    predictions = predict(model, tested, options=predict_options(options))
    wanted = EvaluationOptions(
        target=options.target,
        metrics=(metric,),
        resamples=0,
        missing="leave out" if _lost(predictions) else "error",
    )
    found = evaluate(tested, predictions, options=wanted)[metric]
    return found.value if isinstance(found, Score) else None


def _lost(predictions: PredictionTable) -> bool:
    """Whether an item has no prediction; a caution, such as a value outside the declared range, loses none."""
    return any(fault.severity == "error" for fault in predictions.faults)


def _divisions(table: AnnotationTable, options: AuditOptions) -> list[tuple[list[str], list[str]]]:
    wanted = PartitionOptions(subjects=options.subjects)
    made = folds(table, by=options.cross_validation, options=wanted)
    return [(fold.train.to_list(), fold.test.to_list()) for fold in made]


def _faults(found: Evaluation, predictions: PredictionTable) -> tuple[Fault, ...]:
    return tuple(dict.fromkeys((*predictions.faults, *found.faults)))
