"""The run record of predictions that were scored from files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from affectcheck.audits.header import Clock, begun, counts_of
from affectcheck.digest import digest_file
from affectcheck.evaluation import ScoredColumns, score_file
from affectcheck.metrics import METRICS
from affectcheck.predictions.steps import steps_text
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
    told = files.predictions or files.truth
    kind = METRICS.get(found.scores[0].metric).kind if found.scores else ""
    items = int(found.counts.get("items", 0))
    record = RunRecord(
        header=replace(
            begun("score", seed=options.seed, passed=passed or {}, effective=_effective(files.columns, options)),
            model={"name": told.stem, "kind": kind, "parts": list(found.labels), "digest": digest_file(told)},
            data=[{"name": files.truth.stem, "digest": digest_file(files.truth), "items": items, "notes": []}],
            counts=counts_of(items, int(found.counts.get("scored", items)), found.faults, ()),
            times=clock.plain(),
            message="; ".join(found.notes),
        ),
        scores=found.scores,
        faults=found.faults,
        tables=found.tables,
        before_scores=found.before,
    )
    return found, record


def _effective(columns: ScoredColumns, options: EvaluationOptions) -> dict[str, Any]:
    """What can change a number, after defaults, as plain values; the labels stand in the model's card."""
    stated = ("truth", "prediction", "item", "start", "end", "subject", "media", "frame", "scores", "output")
    told: dict[str, Any] = {name: _plain(getattr(columns, name)) for name in stated}
    maps = {
        "truth_labels": columns.truth_labels,
        "prediction_labels": columns.prediction_labels,
        "mapping": options.mapping,
    }
    told |= {name: value if isinstance(value, str) else dict(value.table) for name, value in maps.items()}
    asked = ("by", "metrics", "clusters", "resamples", "seed", "level", "convention", "missing", "minimum_support")
    told |= {name: _plain(getattr(options, name)) for name in (*asked, "labels_rule")}
    return told | {"steps": steps_text(options.parsed_steps)}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value
