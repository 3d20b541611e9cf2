"""The audit: data, partition, model, scores, behaviour tests, record, report. Each stage is one call of its room."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck import behaviour
from affectcheck.audits.division import Division, divide
from affectcheck.audits.header import Clock, begun, counts_of, data_values, model_values
from affectcheck.audits.scoring import Scores, cross_validated, predict_options, repeated, score
from affectcheck.audits.spectra import spectra_table
from affectcheck.audits.subject import Subject, prepare, require_labels
from affectcheck.audits.suite import (
    definitions_of,
    is_labelled,
    require_groups,
    sounds_of,
    suite_options,
    suite_values,
    with_suites,
)
from affectcheck.audits.thresholds import thresholds_table
from affectcheck.datasets import Making, load_dataset
from affectcheck.evaluation.labels import label_table
from affectcheck.models import Baseline
from affectcheck.predictions import REPEATED, predict
from affectcheck.records import RunRecord, count
from affectcheck.schemes import StatedMapping

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.audits.options import AuditOptions, Progress
    from affectcheck.augmentations import Sounds
    from affectcheck.evaluation import ScoredItems
    from affectcheck.models.card import Predictor
    from affectcheck.predictions import PredictionTable
    from affectcheck.records import Fault, Header


#: Said of a data set that has no labels, of which groups are compared in what is predicted for them.
UNLABELLED: Final = "Nothing is annotated that the model could be scored on: there are behaviour tests, and no scores."


@contextmanager
def quiet(label: str) -> Iterator[Callable[[int, int], None]]:
    """Progress that shows nothing."""
    del label
    yield lambda done, total: None


@dataclass(frozen=True, eq=False)
class Audit:
    """What an audit made.

    Attributes:
        record: the run.
        table: the data set.
        division: which items were learned from and which tested.
        subject: the model.
        predictions: of the tested items; None where nothing was predicted.
        cross_validated: of all items, by models never trained on their subject; None without cross-validation.
        strict: whether inconclusive counts as failed.
        items: the scored items of the tested set, then of cross-validation, as far as there are any.
        plan: what the suites were to do; None without any.
        examined: the behaviour tests with the predictions that their verdicts rest on.
    """

    record: RunRecord
    table: AnnotationTable
    division: Division
    subject: Subject
    predictions: PredictionTable | None = None
    cross_validated: PredictionTable | None = None
    strict: bool = False
    items: tuple[ScoredItems, ...] = ()
    plan: behaviour.Plan | None = None
    examined: behaviour.Examined = field(default_factory=lambda: behaviour.Examined(()))

    @property
    def failed(self) -> bool:
        """Whether a verdict failed; under ``strict`` also whether one is inconclusive."""
        found = count(self.record.verdicts)
        return bool(found["failed"] or (self.strict and found["inconclusive"]))


def audit(
    options: AuditOptions,
    *,
    progress: Progress = quiet,
    command: str = "audit",
    passed: dict[str, Any] | None = None,
    scored: bool = True,
) -> Audit:
    """Audit a model on a data set.

    Args:
        options: what to do.
        progress: shows how far each stage is.
        command: the verb, for the record.
        passed: the arguments as they were given, for the record.
        scored: whether scores are wanted; behaviour tests alone otherwise, and where nothing is annotated.

    Returns:
        The record, and what it was made from.

    Raises:
        AffectcheckError: the data, the model or the options are not usable; nothing is left half-done.
    """
    clock = Clock()
    header = begun(command, seed=options.seed, passed=passed or {}, effective=options.plain())
    exam = _prepared(options, progress, clock, scored=scored)
    found, everywhere = exam.scores() if exam.scored else (Scores(notes=(UNLABELLED,) if scored else ()), None)
    clock.stage("scores")
    examined = exam.examined()
    verdicts = examined.verdicts
    clock.stage("behaviour tests")
    record = replace(
        exam.record(header, found, examined),
        scores=found.model,
        baseline_scores=found.random,
        verdicts=verdicts,
    ).with_header(times=clock.plain())
    made = (exam.table, exam.division, exam.subject, exam.predictions, everywhere)
    return Audit(record, *made, strict=options.strict, items=found.items, plan=exam.plan, examined=examined)


def _prepared(options: AuditOptions, progress: Progress, clock: Clock, *, scored: bool) -> _Exam:
    """Data, partition, model and predictions; what cannot be audited is refused before the long stages."""
    definitions_of(options)  # names that are not known are refused before anything is read
    sounds = sounds_of(options)
    with progress("data") as update:
        table = load_dataset(options.data, making=Making(options.cache_folder, update))
    require_groups(options, table)
    division = divide(table, options)
    clock.stage("data and partition")
    with progress("training") as update:
        subject = prepare(table, division.sets, options, update)
    # Without labels there are tests alone; without either there is nothing to do, which is refused below.
    scored = scored and bool(table.targets or options.target or not definitions_of(options))
    if scored:  # what cannot be scored is refused before it is predicted
        require_labels(subject.model, table.target(options.target).scheme)
        label_table(table.target(options.target), subject.model.card.parts, StatedMapping())
    clock.stage("model")
    tested = table.select(division.test_items)
    card = subject.model.card
    options = with_suites(options, card, tested)
    definitions = definitions_of(options, labelled=is_labelled(options, card, table))
    plan = behaviour.plan(definitions, card, tested, options=suite_options(options, sounds)) if definitions else None
    with progress(f"predicting {division.tested}") as update:
        predictions = predict(
            subject.model, tested, options=replace(predict_options(options, update), repeated=REPEATED)
        )
    clock.stage("prediction")
    return _Exam(table, tested, division, subject, predictions, plan, options, progress, sounds, scored)


@dataclass(frozen=True, eq=False)
class _Exam:
    """Everything that is scored and tested."""

    table: AnnotationTable
    tested: AnnotationTable
    division: Division
    subject: Subject
    predictions: PredictionTable
    plan: behaviour.Plan | None
    options: AuditOptions
    progress: Progress
    sounds: Sounds | None = None
    scored: bool = True

    def scores(self) -> tuple[Scores, PredictionTable | None]:
        """Scores of the tested set, then of cross-validation and of further partitions, as asked for."""
        found = score(self.tested, self.predictions, self.options, part=self.division.tested)
        everywhere = None
        if self.options.cross_validation:
            more, everywhere = cross_validated(self.table, self.options, self.progress)
            found += more
        if self.options.repeats:
            found += repeated(self.table, self.options, self.progress)
        return found, everywhere

    def examined(self) -> behaviour.Examined:
        """Every comparison of the suites, and what they rest on."""
        if self.plan is None:
            return behaviour.Examined(())
        tested = self.tested
        if self.plan.measures_pitch:
            with self.progress("pitch") as update:
                made = predict_options(self.options, update)
                tested = behaviour.add_pitch(tested, cache=made.cache, workers=made.workers, progress=update)
        with self.progress("behaviour tests") as update:
            options = suite_options(self.options, self.sounds, update)
            return behaviour.examine(self.plan, _uncached(self.subject.model), tested, self.predictions, options)

    def record(self, header: Header, found: Scores, examined: behaviour.Examined) -> RunRecord:
        """What is known besides scores and verdicts."""
        verdicts = examined.verdicts
        faults = tuple(
            dict.fromkeys((*self.subject.faults, *self.predictions.faults, *found.faults, *examined.cautions))
        )
        told = replace(
            header,
            model=model_values(self.subject.model.card, self.subject.training),
            data=[data_values(self.table, used=self.tested.height, part=self.division.tested)],
            partition=self.division.values | found.values,
            suite=suite_values(self.plan, self.options, self.sounds),
            counts=counts_of(self.tested.height, self.predictions.height, faults, verdicts),
            message=" ".join(_notes(found, self.options)),
        )
        return RunRecord(told, faults=faults, tables=found.tables | _balance(self.division) | self._figures(examined))

    def _figures(self, examined: behaviour.Examined) -> dict[str, dict[str, list[Any]]]:
        if self.plan is None:
            return {}
        card = self.subject.model.card
        spectra = spectra_table(self.plan, card, self.tested)
        thresholds = thresholds_table(self.plan, examined.verdicts, card.kind, seed=self.options.seed)
        return behaviour.figure_tables(self.plan, examined) | spectra | thresholds


def _uncached(model: Predictor) -> Predictor:
    """The model without its cache of features: those of changed sound are wanted once, and predictions are kept."""
    return model.with_cache(None) if isinstance(model, Baseline) else model


def _notes(found: Scores, options: AuditOptions) -> Iterator[str]:
    if options.shuffle_labels:
        yield "Control: the model was trained on permuted labels, so every score must be at chance."
    yield from dict.fromkeys(found.notes)


def _balance(division: Division) -> dict[str, dict[str, list[Any]]]:
    """The balance of the partition, as reports show it."""
    if division.made is None:
        return {}
    columns = ["set", "column", "value", "count", "share", "target"]
    shown = division.made.report.frame.with_columns(share=pl.col("allocation")).select(columns)
    return {"balance": {"columns": columns, "rows": [list(row) for row in shown.iter_rows()]}}


def faults_text(faults: tuple[Fault, ...], *, most: int = 10, listed: str = "all listed in the report") -> str:
    """The first faults, one a line, and how many more of each kind there are.

    Args:
        faults: what is wrong with items, or worth knowing; what leaves an item without a result comes first, then what
            is about all of them.
        most: how many are shown.
        listed: where the others are to be found.
    """
    ordered = sorted(faults, key=lambda fault: (fault.severity != "error", bool(fault.item)))
    lines = [": ".join(filter(None, (fault.severity, fault.item, fault.message))) for fault in ordered[:most]]
    if len(ordered) > most:
        kinds = Counter(fault.kind for fault in ordered[most:])
        told = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
        lines.append(f"… and {len(ordered) - most} more ({told}), {listed}")
    return "\n".join(lines)
