"""Scores of single videos: for an organiser and for whoever scores offline, never for a board of hidden labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.evaluation import tally_frame
from affectcheck.metrics import METRICS

if TYPE_CHECKING:
    from affectcheck.annotations import AnnotationTable
    from affectcheck.challenges.checking import Checked
    from affectcheck.challenges.track import Track


def video_scores(checked: Checked, labels: AnnotationTable, track: Track) -> pl.DataFrame:
    """The track's metric of each video by itself; their mean is another number than the score of all frames.

    Args:
        checked: the submission, aligned with all items of the labels.
        labels: the labels, with the video of each item as ``media``.
        track: whose metric is taken.

    Returns:
        ``video``, ``frames`` with a label, and ``score``, null where it is undefined; by name.
    """
    target = next(iter(labels.targets.values()))
    width = len(target.columns)
    values = checked.values.reshape(len(checked.items), width)
    frame = labels.frame.select(pl.col("item").str.extract("^(.*)/").alias("video"), *target.columns)
    frame = frame.with_columns(pl.Series(f" {place}", values[:, place]) for place in range(width))
    predicted = [f" {place}" for place in range(width)]
    if track.kind == "categories":
        tallied = tally_frame(
            frame, truth=target.columns[0], prediction=predicted[0], scheme=track.declared, by=["video"]
        )
    else:
        tallied = tally_frame(frame, truth=target.columns, prediction=predicted, scheme=track.declared, by=["video"])
    metric = METRICS.get(track.metric)
    found = np.asarray(metric.compute(tallied.pooled(metric.tally, "video")), np.float64)
    known = frame.filter(pl.any_horizontal(pl.col(target.columns).is_not_null())).group_by("video").len("frames")
    scores = pl.DataFrame({"video": tallied.attributes["video"].groups, "score": found}).with_columns(
        pl.col("score").fill_nan(None)
    )
    return known.join(scores, on="video", how="left").sort("video").with_columns(pl.col("frames").cast(pl.Int64))
