"""Plan, run, cache and resume: a model over a table, every item finished once however often the run is killed.

A run makes one set of predictions for each perturbation. An item is decoded once, then changed and predicted for every
set that still lacks it; each prediction is kept as soon as it is made, in a journal of its set.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError
from affectcheck.media.clip import MEDIUM_NAMES
from affectcheck.predictions.engines import engine_for
from affectcheck.predictions.guard import FaultGuard
from affectcheck.predictions.kept import Journals, Places
from affectcheck.predictions.options import PredictOptions, key_of
from affectcheck.predictions.planning import plan_run
from affectcheck.predictions.progress import shown_progress
from affectcheck.predictions.repeating import TIMES, spread, varying
from affectcheck.predictions.work import Worker, model_digest
from affectcheck.records import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.models.card import Predictor
    from affectcheck.predictions.gathered import Gathered
    from affectcheck.predictions.options import Perturbation
    from affectcheck.predictions.table import PredictionTable


def predict(model: Predictor, table: AnnotationTable, *, options: PredictOptions | None = None) -> PredictionTable:
    """Predict every item of a table.

    Args:
        model: the model.
        table: the items and where their media lie.
        options: cache, processes, perturbation; see ``PredictOptions``.

    Returns:
        The predictions in table order; items without one are its faults.

    Raises:
        InputError: too many items failed, or the cache cannot be written.
        ModelError: the model returned something else than its card declares.
    """
    options = options or PredictOptions()
    (made,) = predict_sets(model, table, (options.perturbation,), options=replace(options, perturbation=None)).values()
    return made


def predict_sets(
    model: Predictor,
    table: AnnotationTable,
    perturbations: Sequence[Perturbation | None],
    *,
    options: PredictOptions | None = None,
) -> dict[str, PredictionTable]:
    """Predict every item of a table under several perturbations; each item is decoded once for all of them.

    Args:
        model: the model.
        table: the items and where their media lie.
        perturbations: what changes the sound first; None is the sound as recorded. One that is there twice counts
            once.
        options: cache, processes, engine; not a perturbation.

    Returns:
        A set of predictions by the key of each perturbation, in their order, that of the sound as recorded by the empty
        key. Each is what ``predict`` makes of that perturbation alone, to the last bit, whatever the others are, and
        shares its cache.

    Raises:
        InputError: too many items of one set failed, the cache cannot be written, or a perturbation is among the
            options too.
        ModelError: the model returned something else than its card declares.
    """
    options = options or PredictOptions()
    if options.perturbation is not None:
        raise InputError(
            f"perturbations are given, and {options.perturbation.key} is among the options", expected="one or the other"
        )
    _require_usable(model, table)
    wanted = _by_key(perturbations)
    if not wanted:
        return {}
    found, varied = _run(model, table, wanted, options)
    more: tuple[Fault, ...] = ()
    if options.cache is not None and not model.card.digest:
        told = f"model {model.card.name!r} has no digest, so its predictions are not kept"
        more = (Fault("", "not cached", told, "warning"),)
    return {
        key: one.table(table, model.card, more if key else more + varied)
        for key, one in zip(wanted, found, strict=True)
    }


def _require_usable(model: Predictor, table: AnnotationTable) -> None:
    if table.height == 0:
        raise InputError(f"the table {table.name!r} has no items", expected="at least one item to predict")
    unread = [medium for medium in model.card.media if medium not in MEDIUM_NAMES]
    if unread:
        raise InputError(
            f"the model {model.card.name!r} takes {' and '.join(unread)}",
            expected=f"a model of {', '.join(MEDIUM_NAMES)}, or one that takes no media",
        )


def _by_key(perturbations: Sequence[Perturbation | None]) -> dict[str, Perturbation | None]:
    """The perturbations by key, each once, in their order."""
    wanted: dict[str, Perturbation | None] = {}
    for one in perturbations:
        if one is not None and not one.key:
            raise InputError(f"the perturbation {one!r} has an empty key", expected="name, parameters and seed")
        wanted.setdefault(key_of(one), one)
    return wanted


def _run(
    model: Predictor, table: AnnotationTable, wanted: dict[str, Perturbation | None], options: PredictOptions
) -> tuple[Sequence[Gathered], tuple[Fault, ...]]:
    """Make what is missing of every set; also whether the model answers the same again, where that is asked."""
    guards = [FaultGuard(table.height, options, key) for key in wanted]
    looks = TIMES if options.repeated and "" in wanted else ()
    sets = {**wanted, **{one.key: one for one in looks}}
    few = spread(table.height, options.repeated)
    total = table.height * len(wanted) + len(few) * len(looks)
    with _journals(model, sets, options) as journals:
        worker = Worker(model, table.root, tuple(sets.values()), journals)
        plan = plan_run(worker, table, journals, dict.fromkeys(range(len(wanted), len(sets)), few))
        done = plan.done
        with shown_progress(options.progress, total) as progress:
            progress(done, total)
            engine = engine_for(plan.jobs, options)
            for outcomes in engine(worker, plan.jobs, options):
                for outcome in outcomes:
                    if outcome.number < len(guards):
                        guards[outcome.number].see(outcome)
                    plan.found[outcome.number].add(outcome)
                done += len(outcomes)
                progress(done, total)
    made = plan.found[: len(wanted)]
    if not looks:
        return made, ()
    clean = made[list(wanted).index("")]
    return made, varying(clean, plan.found[len(wanted) :], table, model.card, batch=options.batch)


@contextmanager
def _journals(
    model: Predictor, wanted: dict[str, Perturbation | None], options: PredictOptions
) -> Iterator[Journals | None]:
    """The journals of a run, closed at the end whatever happens; None where nothing is kept."""
    if options.cache is None or not model.card.digest:
        yield None
        return
    folder = options.cache / "predictions" / model_digest(model.card)
    names = [digest_bytes(key) if one is not None else "as-recorded" for key, one in wanted.items()]
    journals = Journals(Places(tuple(folder / f"{name}.jsonl" for name in names), options.cache / "media.jsonl"))
    try:
        yield journals
    finally:
        journals.close()
