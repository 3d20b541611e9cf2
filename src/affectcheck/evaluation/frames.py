"""Scores straight from frames or files: truth and predictions in one, or in one each."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from affectcheck.annotations.frames import as_polars
from affectcheck.evaluation.framed import Framed, Tables, Where
from affectcheck.evaluation.options import EvaluationOptions
from affectcheck.evaluation.run import evaluate
from affectcheck.evaluation.scored_columns import ScoredColumns
from affectcheck.evaluation.thresholds import choose_thresholds
from affectcheck.predictions import read_frame

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.evaluation.deciding import Thresholds
    from affectcheck.evaluation.result import Evaluation
    from affectcheck.evaluation.thresholds import Rule
    from affectcheck.evaluation.voted import Votes


def evaluate_frames(
    frame: object,
    predictions: object | None = None,
    *,
    columns: ScoredColumns | None = None,
    options: EvaluationOptions | None = None,
    votes: Votes | None = None,
) -> Evaluation:
    """Score frames: Polars, pandas, Arrow, or a dict of columns.

    Args:
        frame: the truth, groups and, without ``predictions``, the predictions.
        predictions: the predictions, if they are in a frame of their own; matched by item.
        columns: what the columns are called and mean.
        options: groups, metrics, rules; see ``EvaluationOptions``.
        votes: what several raters said of the items; see ``Votes``.

    Returns:
        The scores.

    Raises:
        InputError: the frames do not hold what is asked for; the message names every row or key that does not fit.

    Example:
        >>> frame = {"truth": ["sad", "happy", "sad"], "prediction": ["sad", "happy", "happy"]}
        >>> evaluate_frames(frame, options=EvaluationOptions(metrics=("accuracy",)))["accuracy"].value.__round__(3)
        0.667
    """
    return _scored(_framed(frame, predictions, columns, options).tables(), votes)


def score_file(
    path: Path,
    predictions: Path | None = None,
    *,
    columns: ScoredColumns | None = None,
    options: EvaluationOptions | None = None,
    votes: Votes | None = None,
) -> Evaluation:
    """Score a CSV or Parquet file, or two.

    Args:
        path: the truth, groups and, without ``predictions``, the predictions.
        predictions: the file of predictions, if there are two; matched by item.
        columns: what the columns are called and mean.
        options: groups, metrics, rules.
        votes: what several raters said of the items; see ``read_votes``.

    Returns:
        The scores.

    Raises:
        MissingPathError: a file is not there.
        InputError: as for ``evaluate_frames``, with the file's name.
    """
    return _scored(_read(path, predictions, columns, options).tables(), votes)


def frame_thresholds(
    frame: object,
    predictions: object | None = None,
    *,
    columns: ScoredColumns | None = None,
    options: EvaluationOptions | None = None,
    rule: Rule = "per-unit",
) -> Thresholds:
    """Choose thresholds of action units on frames of validation data.

    Args:
        frame: as for ``evaluate_frames``.
        predictions: as for ``evaluate_frames``.
        columns: as for ``evaluate_frames``.
        options: steps and rules for missing predictions.
        rule: see ``choose_thresholds``.

    Raises:
        InputError: as for ``evaluate_frames`` and ``choose_thresholds``.

    Example:
        >>> from affectcheck.schemes import UnitScheme
        >>> frame = {"AU1": [1, 0, 0], "p_AU1": [0.45, 0.4, 0.1]}
        >>> columns = ScoredColumns(labels=UnitScheme("one", ("AU1",)), scores="p_")
        >>> frame_thresholds(frame, columns=columns).values
        {'AU1': 0.45}
    """
    return _chosen(_framed(frame, predictions, columns, options).tables(), rule)


def file_thresholds(
    path: Path,
    predictions: Path | None = None,
    *,
    columns: ScoredColumns | None = None,
    options: EvaluationOptions | None = None,
    rule: Rule = "per-unit",
) -> Thresholds:
    """Choose thresholds of action units on files of validation data; the arguments are those of ``score_file``.

    Raises:
        MissingPathError: a file is not there.
        InputError: as for ``score_file`` and ``choose_thresholds``.
    """
    return _chosen(_read(path, predictions, columns, options).tables(), rule)


def _framed(
    frame: object, predictions: object | None, columns: ScoredColumns | None, options: EvaluationOptions | None
) -> Framed:
    told = None if predictions is None else as_polars(predictions)
    return Framed(as_polars(frame), told, columns or ScoredColumns(), options or EvaluationOptions())


def _read(
    path: Path, predictions: Path | None, columns: ScoredColumns | None, options: EvaluationOptions | None
) -> Framed:
    columns = columns or ScoredColumns()
    columns = replace(columns, name=columns.name or path.stem, model=columns.model or (predictions or path).stem)
    read = partial(read_frame, delimiter=columns.delimiter, encoding=columns.encoding)
    told = None if predictions is None else read(predictions)
    where = Where(str(path), str(predictions or path))
    return Framed(read(path, kind="file to score"), told, columns, options or EvaluationOptions(), where)


def _scored(found: Tables, votes: Votes | None) -> Evaluation:
    return evaluate(found.truth, found.prediction, options=found.options, votes=votes)


def _chosen(found: Tables, rule: Rule) -> Thresholds:
    return choose_thresholds(found.truth, found.prediction, rule=rule, options=found.options)
