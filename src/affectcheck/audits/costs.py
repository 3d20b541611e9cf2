"""What an audit would run and what it would cost, measured on a few items and written nowhere."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from affectcheck import behaviour
from affectcheck.audits.division import divide
from affectcheck.audits.pipeline import quiet
from affectcheck.audits.subject import is_recipe, opened
from affectcheck.audits.suite import (
    definitions_of,
    is_labelled,
    require_groups,
    sounds_of,
    suite_options,
    tests_plain,
    with_suites,
)
from affectcheck.datasets import Making, load_dataset
from affectcheck.models import ModelCard, feature_set, prepared
from affectcheck.schemes import parts
from affectcheck.training import load_recipe

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.audits.options import AuditOptions, Progress
    from affectcheck.models import Predictor

#: Items that decoding, perturbing and predicting are timed on.
SAMPLED: Final = 4


@dataclass(frozen=True)
class Costs:
    """What an audit would do.

    Attributes:
        plan: which tests would be run, which not and why.
        items: items that would be tested.
        predictions: predictions in all, those on the sound as recorded among them.
        seconds: estimated time in seconds with the processes asked for; None where it cannot be told.
        note: what the estimate rests on, or why there is none.
    """

    plan: behaviour.Plan
    items: int
    predictions: int
    seconds: float | None
    note: str

    def __str__(self) -> str:
        """The plan, then the cost."""
        told = "unknown" if self.seconds is None else f"about {_duration(self.seconds)}"
        return f"{self.plan}\n\n{self.predictions} predictions of {self.items} items: {told} ({self.note})"

    def plain(self) -> dict[str, Any]:
        """As plain values."""
        values = {name: value for name, value in vars(self).items() if name != "plan"}
        return {
            "tests": tests_plain(self.plan),
            "perturbations": [one.key for one in self.plan.perturbations],
            **values,
        }


def estimate(options: AuditOptions, *, progress: Progress = quiet) -> Costs:
    """Plan an audit and estimate its time.

    Args:
        options: the audit.
        progress: shows how far each stage is.

    Raises:
        AffectcheckError: the data, the model or the options are not usable.
    """
    definitions_of(options)  # names that are not known are refused before anything is read
    sounds = sounds_of(options)
    with progress("data") as update:
        table = load_dataset(options.data, making=Making(options.cache_folder, update))
    require_groups(options, table)
    tested = table.select(divide(table, options).test_items)
    model = None if is_recipe(options.model) else opened(table, options)
    card = model.card if model else _expected(table, options)
    options = with_suites(options, card, tested)
    definitions = definitions_of(options, labelled=is_labelled(options, card, table))
    plan = behaviour.plan(definitions, card, tested, options=suite_options(options, sounds))
    number = tested.height + plan.predictions
    spent = _per_item(plan, model, tested, card)
    seconds = None if spent is None else spent / options.processes
    note = f"timed on {min(SAMPLED, tested.height)} items, {options.processes} processes, nothing cached"
    if model is None:
        note += f"; without the training of {options.model!r} and its predictions"
    return Costs(plan, tested.height, number, seconds, note if seconds is not None else "nothing could be decoded")


def _expected(table: AnnotationTable, options: AuditOptions) -> ModelCard:
    """The card that a recipe's model will have."""
    scheme = table.target(options.target).scheme
    measured = feature_set(load_recipe(options.model).measured)
    return ModelCard(options.model, scheme.kind, parts(scheme), media=(measured.medium,), rate_hz=measured.rate_hz)


def _per_item(plan: behaviour.Plan, model: Predictor | None, table: AnnotationTable, card: ModelCard) -> float | None:
    """Seconds of one process for the whole plan, from a few items."""
    from affectcheck.errors import MediaError  # noqa: PLC0415  # with the decoders, for models that hear only
    from affectcheck.media.loader import load_item  # noqa: PLC0415

    if not card.media:
        return 0.0
    begin = time.perf_counter()
    try:
        sampled = table.frame.head(SAMPLED).iter_rows(named=True)
        items = [load_item(row, table.root, rate_hz=card.rate_hz, media=card.media) for row in sampled]
    except MediaError:
        return None
    decoding = (time.perf_counter() - begin) / len(items) * table.height
    if model is not None:
        prepared(model, items[0])  # what is loaded with the first one is loaded once
        begin = time.perf_counter()
        items = [prepared(model, item) for item in items]
        decoding += (time.perf_counter() - begin) / len(items) * table.height
    predicting = _timed_model(model, items) * (table.height + plan.predictions)
    perturbing = 0.0
    for one in plan.perturbations:
        size = plan.items_of(one.key)
        begin = time.perf_counter()
        for item in items:
            for name in (name for name in one.media if name in item.media):
                one(item.media[name], item.key)
        perturbing += (time.perf_counter() - begin) / len(items) * (table.height if size is None else len(size))
    return decoding + predicting + perturbing


def _timed_model(model: Predictor | None, items: list[Any]) -> float:
    if model is None:
        return 0.0
    model.predict(items[:1])  # what is loaded with the first prediction is loaded once
    begin = time.perf_counter()
    model.predict(items)
    return (time.perf_counter() - begin) / len(items)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
