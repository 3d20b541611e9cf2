"""The run record of predictions that were scored from files."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from affectcheck.audits.header import Clock, begun, counts_of
from affectcheck.digest import digest_file
from affectcheck.evaluation import ScoredColumns, score_file
from affectcheck.metrics import METRICS
from affectcheck.records import RunRecord

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.evaluation import Evaluation, EvaluationOptions


@dataclass(frozen=True)
class ScoredFiles:
    """Files of truth and predictions.

    Attributes:
        truth: the truth, groups and, without ``predictions``, the predictions.
        predictions: the predictions, if they are in a file of their own.
        columns: what the columns are called and mean.
    """

    truth: Path
    predictions: Path | None = None
    columns: ScoredColumns = field(default_factory=ScoredColumns)


def score_files(
    files: ScoredFiles, options: EvaluationOptions, *, passed: dict[str, Any] | None = None
) -> tuple[Evaluation, RunRecord]:
    """Score files, and keep what was done as a record.

    Args:
        files: where truth and predictions are.
        options: groups, metrics and rules.
        passed: the arguments as they were given, for the record.

    Returns:
        The scores, and the record that reports are written from.

    Raises:
        InputError: the files do not hold what is asked for; the message names every row or key that does not fit.
    """
    clock = Clock()
    found = score_file(files.truth, files.predictions, columns=files.columns, options=options)
    clock.stage("scores")
    effective = {"by": list(options.by), "missing": options.missing, "convention": options.convention}
    told = files.predictions or files.truth
    kind = METRICS.get(found.scores[0].metric).kind if found.scores else ""
    items = int(found.counts.get("items", 0))
    record = RunRecord(
        header=replace(
            begun("score", seed=options.seed, passed=passed or {}, effective=effective),
            model={"name": told.stem, "kind": kind, "parts": list(found.labels), "digest": digest_file(told)},
            data=[{"name": files.truth.stem, "digest": digest_file(files.truth), "items": items, "notes": []}],
            counts=counts_of(items, int(found.counts.get("scored", items)), found.faults, ()),
            times=clock.plain(),
            message=" ".join(found.notes),
        ),
        scores=found.scores,
        faults=found.faults,
        tables=found.tables,
    )
    return found, record
