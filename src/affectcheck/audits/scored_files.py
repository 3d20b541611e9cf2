"""The run record of predictions that were scored from files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from affectcheck.annotations import RatingColumns
from affectcheck.audits.header import Clock, begun, counts_of
from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import InputError
from affectcheck.evaluation import ScoredColumns, file_thresholds, score_file, score_folder
from affectcheck.evaluation.batches import is_pattern, parquet_files
from affectcheck.evaluation.voted import read_votes
from affectcheck.metrics import METRICS
from affectcheck.predictions.steps import steps_text
from affectcheck.records import RunRecord
from affectcheck.records.store import RUN_FILE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Literal

    from affectcheck.evaluation import Evaluation, EvaluationOptions, Thresholds
    from affectcheck.evaluation.shards import Engine
    from affectcheck.evaluation.thresholds import Rule
    from affectcheck.evaluation.voted import Votes


@dataclass(frozen=True)
class Validation:
    """Files of validation data, which have the columns of the files that are scored.

    Attributes:
        truth: the truth and, without ``predictions``, the predictions.
        predictions: the predictions, if they are in a file of their own.
        rule: ``per-unit`` or ``common``, see ``choose_thresholds``.
    """

    truth: Path
    predictions: Path | None = None
    rule: Rule = "per-unit"


@dataclass(frozen=True)
class VoteFile:
    """A file of several raters' votes for the items.

    Attributes:
        path: the file.
        columns: what its columns are called and mean; without an item column, that of the truth.
        soft: whether the shares of the votes are the truth.
    """

    path: Path
    columns: RatingColumns = field(default_factory=RatingColumns)
    soft: bool = False


@dataclass(frozen=True)
class ScoredFiles:
    """Files of truth and predictions.

    Attributes:
        truth: the truth, groups and, without ``predictions``, the predictions.
        predictions: the predictions, if they are in a file of their own.
        columns: what the columns are called and mean.
        validation: what the thresholds of action units are chosen on, if they are.
        votes: several raters' votes for the items, if there are any.
        engine: of a folder or pattern of Parquet files, where it is counted; empty takes ``polars``.
        progress: of a folder, is told rows done and rows in all.
    """

    truth: Path
    predictions: Path | None = None
    columns: ScoredColumns = field(default_factory=ScoredColumns)
    validation: Validation | None = None
    votes: VoteFile | None = None
    engine: Engine | Literal[""] = ""
    progress: Callable[[int, int], None] | None = None

    @property
    def streamed(self) -> bool:
        """Whether the rows are read in batches: those of a folder, or of one file where an engine is asked for."""
        return bool(self.engine) or (not self.truth.is_file() and (self.truth.is_dir() or is_pattern(self.truth)))


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
    if files.validation is not None:
        options = replace(options, thresholds=_thresholds(files.validation, files.columns, options))
        clock.stage("thresholds")
    found = _streamed(files, options) if files.streamed else _in_memory(files, options)
    clock.stage("scores")
    told = files.predictions or files.truth
    kind = METRICS.get(found.scores[0].metric).kind if found.scores else ""
    items = int(found.counts.get("items", 0))
    record = RunRecord(
        header=replace(
            begun("score", seed=options.seed, passed=passed or {}, effective=_effective(files, options)),
            model={"name": told.stem, "kind": kind, "parts": list(found.labels), "digest": _digest(told)},
            data=_data(files, items),
            counts=counts_of(items, int(found.counts.get("scored", items)), found.faults, ()),
            times=clock.plain(),
            message="; ".join(found.notes),
        ),
        scores=found.scores,
        faults=found.faults,
        tables=found.tables,
        before_scores=found.before,
        ceiling_scores=found.ceiling,
    )
    return found, record


def _in_memory(files: ScoredFiles, options: EvaluationOptions) -> Evaluation:
    return score_file(files.truth, files.predictions, columns=files.columns, options=options, votes=_votes(files))


def _streamed(files: ScoredFiles, options: EvaluationOptions) -> Evaluation:
    for told, what in ((files.predictions, "predictions in a file of their own"), (files.votes, "votes")):
        if told is not None:
            raise InputError(
                f"{what} for a folder that is read in batches",
                where=str(files.truth),
                expected="truth and predictions as columns of the same rows",
                cause="items can be matched by their keys only where all of them are in memory",
            )
    if (files.truth / RUN_FILE).is_file():
        raise InputError(
            "the folder of a run, whose items are scored already",
            where=str(files.truth),
            expected="a folder of Parquet files with truth and predictions",
            cause="two runs are compared with `affectcheck compare`",
        )
    engine: Engine = files.engine or "polars"
    return score_folder(files.truth, columns=files.columns, options=options, engine=engine, progress=files.progress)


def _digest(path: Path) -> str:
    """Of a file; of a folder or pattern, of its files by name."""
    if path.is_file():
        return digest_file(path)
    files = parquet_files(path)
    return digest_bytes(*(part for file in files for part in (file.name, digest_file(file))))


def _thresholds(files: Validation, columns: ScoredColumns, options: EvaluationOptions) -> Thresholds:
    if options.thresholds is not None:
        raise InputError("thresholds are stated, and are to be chosen too", expected="one of the two")
    asked = replace(options, by=())
    return file_thresholds(files.truth, files.predictions, columns=columns, options=asked, rule=files.rule)


def _votes(files: ScoredFiles) -> Votes | None:
    if files.votes is None:
        return None
    told = files.votes
    columns = replace(told.columns, item=told.columns.item or files.columns.item)
    how = files.columns
    return read_votes(told.path, columns, soft=told.soft, delimiter=how.delimiter, encoding=how.encoding)


def _data(files: ScoredFiles, items: int) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = [
        {"name": files.truth.stem, "digest": _digest(files.truth), "items": items, "notes": []}
    ]
    if files.validation is not None:
        path = files.validation.truth
        told = [f"thresholds were chosen on it, {files.validation.rule}"]
        data.append({"name": path.stem, "digest": digest_file(path), "notes": told})
    if files.votes is not None:
        path = files.votes.path
        told = ["the shares of its votes are the truth"] if files.votes.soft else ["people were scored by its votes"]
        data.append({"name": path.name.partition(".")[0], "digest": digest_file(path), "notes": told})
    return data


def _effective(files: ScoredFiles, options: EvaluationOptions) -> dict[str, Any]:
    """What can change a number, after defaults, as plain values; the labels stand in the model's card."""
    columns = files.columns
    where = ("item", "start", "end", "subject", "media", "frame", "delimiter", "encoding")
    stated = ("truth", "prediction", *where, "scores", "output")
    told: dict[str, Any] = {name: _plain(getattr(columns, name)) for name in stated}
    maps = {
        "truth_labels": columns.truth_labels,
        "prediction_labels": columns.prediction_labels,
        "mapping": options.mapping,
    }
    told |= {name: value if isinstance(value, str) else dict(value.table) for name, value in maps.items()}
    drawn = ("clusters", "resamples", "seed", "level", "interval")
    asked = ("by", "metrics", *drawn, "convention", "missing", "minimum_support", "limit", "labels_rule", "shifts")
    told |= {name: _plain(getattr(options, name)) for name in asked}
    told |= {"thresholds": None if options.thresholds is None else str(options.thresholds)}
    if files.votes is not None:
        named = ("item", "rater", "label", "dimensions", "raters", "counts")
        told |= {"soft": files.votes.soft}
        told |= {"votes": {name: _plain(getattr(files.votes.columns, name)) for name in named}}
    return told | {"steps": steps_text(options.parsed_steps)}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value
