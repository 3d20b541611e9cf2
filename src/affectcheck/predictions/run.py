"""Plan, run, cache and resume: a model over a table, every item finished once however often the run is killed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import InputError
from affectcheck.predictions.engines import run_here, run_in_pool
from affectcheck.predictions.journal import Journal
from affectcheck.predictions.options import PredictOptions
from affectcheck.predictions.progress import shown_progress
from affectcheck.predictions.table import make_predictions
from affectcheck.predictions.work import (
    NO_PREDICTION,
    NOT_APPLICABLE,
    RAISED,
    UNREADABLE,
    Job,
    Outcome,
    Worker,
    as_array,
    model_digest,
)
from affectcheck.records import Fault, package_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.models.card import ModelCard, Predictor
    from affectcheck.predictions.table import PredictionTable

SHOWN_FAULTS: Final = 5
_CAUSES: Final = {
    UNREADABLE: "media that are missing or damaged, or a root folder that is not theirs",
    NO_PREDICTION: "predictions of another data set or part, or keys with another folder in front",
    RAISED: "a fault of the model's code, or items that it was not made for",
}


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
    if table.height == 0:
        raise InputError(f"the table {table.name!r} has no items", expected="at least one item to predict")
    unread = [medium for medium in model.card.media if medium != "audio"]
    if unread:
        raise InputError(
            f"the model {model.card.name!r} takes {' and '.join(unread)}",
            expected="a model of audio, or one that takes no media",
            cause="media of data sets are decoded as sound only",
        )
    with _worker(model, table, options) as worker:
        finished, pending = _plan(worker, table)
        guard = FaultGuard(table.height, options)
        for outcome in finished.values():
            guard.see(outcome)
        with shown_progress(options.progress, table.height) as progress:
            progress(len(finished), table.height)
            engine = run_in_pool if options.workers > 1 and len(pending) > 1 else run_here
            for outcomes in engine(worker, pending, options):
                for outcome in outcomes:
                    guard.see(outcome)
                    finished[outcome.item] = outcome
                progress(len(finished), table.height)
    return _collect(finished, table, model.card, options)


class FaultGuard:
    """Stops a run in which too many items fail.

    Args:
        total: items of the run.
        options: ``strict`` and ``max_fault_share``.
    """

    def __init__(self, total: int, options: PredictOptions) -> None:
        self.total = total
        self.allowed = 0.0 if options.strict else options.max_fault_share * total
        self.rule = (
            "none, since the run is strict"
            if options.strict
            else f"at most {self.allowed:g} of {total}; the run stops at the first beyond"
        )
        self.faults: list[Fault] = []

    def see(self, outcome: Outcome) -> None:
        """Count an item.

        Raises:
            InputError: more items failed than are allowed; the first ones are listed.
        """
        if outcome.values is not None:
            return
        # A perturbation that makes no sense for an item is no fault of the data: it is counted, and stops nothing.
        self.faults += [fault for fault in outcome.faults if fault.kind != NOT_APPLICABLE]
        if len(self.faults) > self.allowed:
            self.stop()

    def stop(self) -> None:
        """Raise with the first faults."""
        shown = [f"{fault.item}: {fault.kind}: {fault.message}" for fault in self.faults[:SHOWN_FAULTS]]
        more = len(self.faults) - len(shown)
        kinds = dict.fromkeys(fault.kind for fault in self.faults)
        raise InputError(
            f"{len(self.faults)} of {self.total} items have no prediction:"
            + "".join(
                "\n  " + text.replace("\n", "\n    ") for text in [*shown, *([f"and {more} more"] if more else [])]
            ),
            expected=self.rule,
            cause="; ".join(_CAUSES[kind] for kind in kinds if kind in _CAUSES),
        )


@contextmanager
def _worker(model: Predictor, table: AnnotationTable, options: PredictOptions) -> Iterator[Worker]:
    """The worker of this process with its journals, closed at the end whatever happens."""
    done = known = None
    if options.cache is not None and model.card.digest:
        digest = model_digest(model.card)
        perturbed = digest_bytes(options.perturbation.key) if options.perturbation else "as-recorded"
        done = Journal(options.cache / "predictions" / digest / f"{perturbed}.jsonl")
        known = Journal(options.cache / "media.jsonl")
    try:
        yield Worker(model, table.root, options.perturbation, done, known)
    finally:
        for journal in (done, known):
            if journal is not None:
                journal.close()


def _plan(worker: Worker, table: AnnotationTable) -> tuple[dict[str, Outcome], list[Job]]:
    """What is finished already, and what is left, in table order."""
    decoding = f"{worker.model.card.media}|{worker.model.card.rate_hz}|" + "|".join(
        package_version(package) for package in ("affectcheck", "soundfile", "soxr")
    )
    files: dict[str, str] = {}
    indexed = worker.known is not None and bool(worker.model.card.media)
    finished: dict[str, Outcome] = {}
    pending: list[Job] = []
    for row in table.frame.iter_rows(named=True):
        job = Job(row, _media_key(row, table.root, decoding, files) if indexed else "")
        outcome = worker.lookup(job)
        if outcome is None:
            pending.append(job)
        else:
            finished[job.item] = outcome
    return finished, pending


def _media_key(row: dict[str, object], root: Path | None, decoding: str, files: dict[str, str]) -> str:
    """Digest of a file's bytes, the segment and how it is decoded; empty where the file cannot be read."""
    from affectcheck.media.loader import media_path  # noqa: PLC0415  # only models that take media come here

    media = row.get("media")
    if not isinstance(media, str):
        return ""
    if media not in files:
        try:
            files[media] = digest_file(media_path(media, root))
        except OSError:  # told when the item is loaded
            files[media] = ""
    segment = f"{row.get('start_us')}-{row.get('end_us')}-{row.get('frame')}"
    return digest_bytes(files[media], segment, decoding) if files[media] else ""


def _collect(
    finished: dict[str, Outcome], table: AnnotationTable, card: ModelCard, options: PredictOptions
) -> PredictionTable:
    outcomes = [finished[key] for key in table.items]
    faults = [fault for outcome in outcomes for fault in outcome.faults]
    if options.cache is not None and not card.digest:
        faults.append(
            Fault("", "not cached", f"model {card.name!r} has no digest, so its predictions are not kept", "warning")
        )
    keys: Sequence[str] = [outcome.item for outcome in outcomes if outcome.values is not None]
    return make_predictions(keys, as_array(outcomes, len(card.parts)), card, data=table.name, faults=tuple(faults))
