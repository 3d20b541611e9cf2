"""Action units at the size of DISFA and GFT: 2.7 million frames, 12 units, 3 attributes, from a Polars frame.

Ours: cells from three group columns, and global F1, local F1, EOD and DPD of every attribute. Peers: scikit-learn and
audmetric compute the global F1 alone; fairlearn F1, true positive and selection rates of one unit over the 72 cells, on
a tenth of the rows, scaled to 12 units and all rows.

python benchmarks/au_scale.py [--rows N] [--runs N] [--peers N]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from faces import ATTRIBUTES, as_text, groups
from measuring import Job, main

from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

ROWS = 2_700_000
UNITS = 12
SHARE = 10


def write(folder: Path, rows: int) -> None:
    random = rng(0, "benchmark", 0)
    columns = groups(rows, random)
    for unit in range(UNITS):
        truth = (random.random(rows) < 0.05 + 0.02 * unit).astype(np.int8)
        columns[f"t{unit}"] = pl.Series(truth)
        columns[f"p{unit}"] = pl.Series(np.where(random.random(rows) < 0.1, 1 - truth, truth).astype(np.int8))
    pl.DataFrame(columns).write_parquet(folder / "faces.parquet")


def read(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "faces.parquet").rechunk()


def sides(frame: pl.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    return tuple(frame.select(f"{side}{unit}" for unit in range(UNITS)).to_numpy() for side in "tp")


def ours(folder: Path, *, text: bool = False):
    from affectcheck.evaluation import tally_frame
    from affectcheck.metrics import METRICS
    from affectcheck.schemes import UnitScheme

    frame = as_text(read(folder)) if text else read(folder)
    scheme = UnitScheme("twelve", tuple(f"AU{unit}" for unit in range(UNITS)))
    truth, prediction = ([f"{side}{unit}" for unit in range(UNITS)] for side in "tp")
    METRICS.names()

    def call() -> dict[str, float]:
        found = tally_frame(frame, truth=truth, prediction=prediction, scheme=scheme, by=ATTRIBUTES)
        values = {"unit_f1": METRICS.get("unit_f1").compute(found.pooled(METRICS.get("unit_f1").tally))}
        for name in ("unit_local_f1", "eod", "dpd"):
            metric = METRICS.get(name)
            for attribute in ATTRIBUTES:
                values[f"{name} {attribute}"] = metric.compute(found.pooled(metric.tally, attribute))
        return {name: round(float(value), 12) for name, value in values.items()}

    return call


def scikit(folder: Path):
    from sklearn.metrics import f1_score

    truth, prediction = sides(read(folder))
    return lambda: round(float(f1_score(truth, prediction, average="macro")), 12)


def audmetric(folder: Path):
    import audmetric

    frame = read(folder)
    pairs = [(frame[f"t{unit}"].to_numpy(), frame[f"p{unit}"].to_numpy()) for unit in range(UNITS)]

    def call() -> float:
        scores = [audmetric.fscore_per_class(t, p, labels=[0, 1])[1] for t, p in pairs]
        return round(float(np.mean(scores)), 12)

    return call


def fairlearn(folder: Path):
    import pandas as pd
    from fairlearn.metrics import MetricFrame, selection_rate, true_positive_rate
    from sklearn.metrics import f1_score

    frame = read(folder)
    frame = frame.head(max(frame.height // SHARE, 1))
    truth, prediction = frame["t5"].to_numpy(), frame["p5"].to_numpy()
    sensitive = pd.DataFrame({name: frame[name].cast(pl.String).to_list() for name in ATTRIBUTES})
    metrics = {"f1": f1_score, "tpr": true_positive_rate, "rate": selection_rate}

    def call() -> None:
        made = MetricFrame(metrics=metrics, y_true=truth, y_pred=prediction, sensitive_features=sensitive)
        made.difference()

    return call


JOBS = {
    "enumerations": Job("affectcheck: F1, local F1, EOD, DPD x 3; groups enumerated", ours, ours=True, bar_s=0.3),
    "text": Job("affectcheck: the same; groups as text", lambda f: ours(f, text=True), ours=True, bar_s=0.35),
    "audmetric": Job("audmetric: global F1 alone", audmetric),
    "scikit-learn": Job("scikit-learn: global F1 alone", scikit),
    "fairlearn": Job("fairlearn: F1, TPR, rate by 72 cells, 1 unit, 1/10 of the rows", fairlearn, times=SHARE * UNITS),
}

if __name__ == "__main__":
    main(JOBS, write, ROWS, __doc__)
