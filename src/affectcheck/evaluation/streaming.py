"""Score a folder of Parquet files that need not fit into memory: counted in batches, scored from the counts.

The scores, intervals, floors and decisions are those that the same rows in memory have: groups, labels and rules go
through the same steps, and clusters are resampled from the same tallies. What differs is told: the digest of the data
is one of rows in any order, there is no table of items, and scores that need the rank of every item are undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.errors import UnknownNameError
from affectcheck.evaluation.choosing import chosen_metrics
from affectcheck.evaluation.duplicates import require_distinct
from affectcheck.evaluation.frames import evaluate_frames
from affectcheck.evaluation.options import EvaluationOptions
from affectcheck.evaluation.scored_columns import ScoredColumns
from affectcheck.evaluation.shards import ENGINES, Job, count_here, count_with_ray, shards_of
from affectcheck.evaluation.stream_plan import StreamPlan
from affectcheck.evaluation.streamed_scores import ITEMS_IN_MEMORY, StreamedScores
from affectcheck.evaluation.tables import scatter_places
from affectcheck.predictions import no_progress
from affectcheck.tallies import Confusion, Histogram, Tally, Units

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from affectcheck.evaluation.result import Evaluation
    from affectcheck.evaluation.shards import Engine
    from affectcheck.evaluation.streamed_counts import Counted
    from affectcheck.metrics import Metric

_TABLES: Final[dict[str, type[Tally]]] = {"categories": Confusion, "units": Units, "dimensions": Histogram}


def score_folder(
    place: Path | str,
    *,
    columns: ScoredColumns | None = None,
    options: EvaluationOptions | None = None,
    engine: Engine = "polars",
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Score a folder, or a pattern, of Parquet files with truth and predictions in the same rows.

    Memory stays flat whatever the number of rows: it grows with the number of clusters and groups alone. Up to 200,000
    items without clusters are scored in memory, since they are resampled one by one.

    Args:
        place: a folder, searched with its subfolders, or a pattern such as ``runs/*.parquet``.
        columns: what the columns are called and mean.
        options: groups, metrics, rules; steps cannot be done here.
        engine: ``polars`` counts in this process, ``ray`` in tasks; the numbers are the same.
        progress: is told rows done and rows in all.

    Returns:
        The scores.

    Raises:
        MissingPathError: there are no such files.
        InputError: the files do not hold what is asked for; the message names file and rows.
        ExtraMissingError: the engine is not installed.
    """
    if engine not in ENGINES:
        raise UnknownNameError.of("engine", engine, ENGINES)
    told = progress or no_progress
    plan = StreamPlan.of(place, columns or ScoredColumns(), options or EvaluationOptions())
    if plan.keys.unit == "item" and plan.rows <= ITEMS_IN_MEMORY:
        return evaluate_frames(plan.everything(), columns=plan.columns, options=options)
    if plan.item:
        require_distinct(plan.pieces, plan.columns, plan.item, told)
    metrics = chosen_metrics(plan.shape, plan.options)
    counted = _count(plan, metrics, engine, told)
    return StreamedScores(plan, metrics, counted).evaluation()


def _count(
    plan: StreamPlan, metrics: Sequence[Metric], engine: Engine, progress: Callable[[int, int], None]
) -> Counted:
    kind = plan.reader.labelled.target.scheme.kind
    kinds = tuple(dict.fromkeys([*(metric.tally for metric in metrics), _TABLES[kind]]))
    points = scatter_places(plan.rows, plan.options.seed) if kind == "dimensions" else np.empty(0, np.int64)
    job = Job(plan.reader, plan.keys, kinds, points, plan.types)
    count = count_with_ray if engine == "ray" else count_here
    return count(job, shards_of(plan.pieces), progress)
