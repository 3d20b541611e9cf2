"""Valence and arousal at the size of Aff-Wild2: 3 million frames of 547 videos, 72 cells, from a Polars frame.

Ours: cells from three group columns, CCC of valence and arousal overall and in each of the 72 cells, and local CCC of
each attribute; then intervals of both CCC from 1000 resamples of the videos. Peers: audmetric computes both global CCC
alone; fairlearn, with audmetric's CCC, that of valence in the 72 cells, on a tenth of the rows, scaled to both dimensions and
all rows.

python benchmarks/va_scale.py [--rows N] [--runs N] [--peers N]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from faces import ATTRIBUTES, as_text, enumeration, groups
from measuring import Job, main

from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

ROWS = 3_000_000
VIDEOS = 547
RESAMPLES = 1000
SHARE = 10
DIMENSIONS = ("valence", "arousal")


def write(folder: Path, rows: int) -> None:
    random = rng(0, "benchmark", 3)
    columns = groups(rows, random)
    names = tuple(f"video{number:03d}" for number in range(VIDEOS))
    columns["video"] = enumeration(names, np.sort(random.integers(0, VIDEOS, rows)))
    for name in DIMENSIONS:
        truth = random.uniform(-1.0, 1.0, rows)
        columns[name] = pl.Series(truth)
        columns[f"p_{name}"] = pl.Series(np.clip(truth + random.normal(0.0, 0.4, rows), -1.0, 1.0))
    pl.DataFrame(columns).write_parquet(folder / "faces.parquet")


def read(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "faces.parquet").rechunk()


def ours(folder: Path, *, text: bool = False):
    from affectcheck.evaluation import tally_frame
    from affectcheck.metrics import METRICS
    from affectcheck.schemes import DimensionScheme

    frame = as_text(read(folder)) if text else read(folder)
    scheme = DimensionScheme("va", DIMENSIONS)
    METRICS.names()
    ccc, local = METRICS.get("ccc"), METRICS.get("local_ccc")
    crossed = "*".join(ATTRIBUTES)

    def call() -> dict[str, float]:
        found = tally_frame(
            frame,
            truth=DIMENSIONS,
            prediction=[f"p_{name}" for name in DIMENSIONS],
            scheme=scheme,
            by=(*ATTRIBUTES, crossed),
        )
        values = dict(zip(DIMENSIONS, ccc.parts(found.pooled(ccc.tally)), strict=True))
        cells = ccc.parts(found.pooled(ccc.tally, crossed))
        values |= {f"local_ccc {name}": local.compute(found.pooled(local.tally, name)) for name in ATTRIBUTES}
        values |= {f"least of {len(cells)} cells": cells.min()}
        return {name: round(float(value), 12) for name, value in values.items()}

    return call


def resampled(folder: Path):
    from affectcheck.evaluation import tally_frame
    from affectcheck.metrics import METRICS
    from affectcheck.schemes import DimensionScheme
    from affectcheck.uncertainty import Resampling, resample

    frame, scheme = read(folder), DimensionScheme("va", DIMENSIONS)
    METRICS.names()
    ccc = METRICS.get("ccc")
    prediction = [f"p_{name}" for name in DIMENSIONS]
    videos = tally_frame(frame, truth=DIMENSIONS, prediction=prediction, scheme=scheme, clusters="video")
    tallies = videos.by_cluster(ccc.tally)

    def call() -> list[float]:
        found = resample(tallies, Resampling(RESAMPLES)).intervals(ccc.parts)
        return [round(float(value), 6) for value in (*found.low, *found.high)]

    return call


def audmetric(folder: Path):
    import audmetric

    frame = read(folder)
    pairs = [(frame[name].to_numpy(), frame[f"p_{name}"].to_numpy()) for name in DIMENSIONS]
    return lambda: [round(float(audmetric.concordance_cc(truth, prediction)), 12) for truth, prediction in pairs]


def fairlearn(folder: Path):
    import audmetric
    import pandas as pd
    from fairlearn.metrics import MetricFrame

    frame = read(folder)
    frame = frame.head(max(frame.height // SHARE, 1))
    truth, prediction = frame["valence"].to_numpy(), frame["p_valence"].to_numpy()
    sensitive = pd.DataFrame({name: frame[name].cast(pl.String).to_list() for name in ATTRIBUTES})

    def call() -> None:
        MetricFrame(
            metrics=audmetric.concordance_cc, y_true=truth, y_pred=prediction, sensitive_features=sensitive
        ).difference()

    return call


JOBS = {
    "enumerations": Job(
        "affectcheck: CCC of 2 in 72 cells, local CCC x 3; groups enumerated", ours, ours=True, bar_s=0.25
    ),
    "text": Job("affectcheck: the same; groups as text", lambda f: ours(f, text=True), ours=True, bar_s=0.3),
    "resampled": Job("affectcheck: 1000 resamples of 547 videos", resampled, ours=True, bar_s=0.5),
    "audmetric": Job("audmetric: both global CCC alone", audmetric),
    "fairlearn": Job("fairlearn: CCC of valence by 72 cells, 1/10 of the rows", fairlearn, times=SHARE * 2),
}

if __name__ == "__main__":
    main(JOBS, write, ROWS, __doc__)
