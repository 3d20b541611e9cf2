"""Expressions at the size of AffectNet: 287,651 pictures, 8 classes, 3 attributes, from a Polars frame.

Ours: cells from three group columns, and global F1, local F1, EOP and SP of every attribute; then the same with 1000
resamples for the intervals of both F1 and the noise floors of EOP and SP. Peers: scikit-learn computes the global F1
alone, and three resamples of rows, scaled to 1000; fairlearn F1 over the 72 cells, and two resamples of it, scaled.

python benchmarks/expr_scale.py [--rows N] [--runs N] [--peers N]
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from faces import ATTRIBUTES, as_text, groups
from measuring import Job, main

from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

ROWS = 287_651
CLASSES = 8
RESAMPLES = 1000


def write(folder: Path, rows: int) -> None:
    random = rng(0, "benchmark", 1)
    truth = random.choice(CLASSES, rows, p=np.array([26, 9, 8, 3, 26, 14, 8, 6]) / 100).astype(np.int8)
    guess = random.integers(0, CLASSES, rows).astype(np.int8)
    columns = groups(rows, random)
    columns |= {"truth": pl.Series(truth), "prediction": pl.Series(np.where(random.random(rows) < 0.55, truth, guess))}
    pl.DataFrame(columns).write_parquet(folder / "faces.parquet")


def read(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "faces.parquet").rechunk()


def ours(folder: Path, *, text: bool = False, resamples: int = 0):
    from affectcheck.evaluation import tally_frame
    from affectcheck.metrics import METRICS
    from affectcheck.uncertainty import Permuting, Resampling, noise_floor_items, resample_items

    frame = as_text(read(folder)) if text else read(folder)
    labels = tuple(f"class {code}" for code in range(CLASSES))
    METRICS.names()
    f1, local, eop, sp = (METRICS.get(name) for name in ("f1_macro", "local_f1", "eop", "sp"))

    def call() -> dict[str, float]:
        found = tally_frame(frame, truth="truth", prediction="prediction", scheme=labels, by=ATTRIBUTES)
        whole = found.pooled(f1.tally)
        values = {"f1_macro": f1.compute(whole)}
        if resamples:
            resample_items(whole, Resampling(resamples)).intervals(f1.compute)
        for attribute in ATTRIBUTES:
            grouped = found.pooled(f1.tally, attribute)
            values |= {f"{each.name} {attribute}": each.compute(grouped) for each in (local, eop, sp)}
            if resamples:
                resample_items(grouped, Resampling(resamples)).intervals(local.compute)
                both = lambda tally: np.stack([eop.compute(tally), sp.compute(tally)], axis=-1)  # noqa: E731
                noise_floor_items(grouped, both, Permuting(resamples))
        return {name: round(float(value), 12) for name, value in values.items()}

    return call


def scikit(folder: Path, *, resamples: int = 0):
    from sklearn.metrics import f1_score

    frame = read(folder)
    truth, prediction = frame["truth"].to_numpy(), frame["prediction"].to_numpy()
    score = partial(f1_score, average="macro", labels=list(range(CLASSES)), zero_division=0)
    random = rng(0, "benchmark", 2)

    def call() -> float:
        for _ in range(resamples):
            rows = random.integers(0, truth.size, truth.size)
            score(truth[rows], prediction[rows])
        return round(float(score(truth, prediction)), 12)

    return call


def fairlearn(folder: Path, *, resamples: int = 0):
    import pandas as pd
    from fairlearn.metrics import MetricFrame
    from sklearn.metrics import f1_score

    frame = read(folder)
    truth, prediction = frame["truth"].to_numpy(), frame["prediction"].to_numpy()
    sensitive = pd.DataFrame({name: frame[name].cast(pl.String).to_list() for name in ATTRIBUTES})
    score = partial(f1_score, average="macro", labels=list(range(CLASSES)), zero_division=0)
    told = {"n_boot": resamples, "ci_quantiles": [0.025, 0.975], "random_state": 0} if resamples else {}

    def call() -> None:
        MetricFrame(metrics=score, y_true=truth, y_pred=prediction, sensitive_features=sensitive, **told).difference()

    return call


JOBS = {
    "enumerations": Job("affectcheck: F1, local F1, EOP, SP x 3; groups enumerated", ours, ours=True, bar_s=0.02),
    "text": Job("affectcheck: the same; groups as text", lambda f: ours(f, text=True), ours=True, bar_s=0.03),
    "resampled": Job(
        "affectcheck: the same with 1000 resamples and floors",
        lambda f: ours(f, resamples=RESAMPLES),
        ours=True,
        bar_s=1.0,
    ),
    "scikit-learn": Job("scikit-learn: global F1 alone", scikit),
    "fairlearn": Job("fairlearn: F1 by 72 cells", fairlearn),
    "scikit-learn resampled": Job(
        "scikit-learn: global F1, 3 resamples", lambda f: scikit(f, resamples=3), times=RESAMPLES / 3
    ),
    "fairlearn resampled": Job(
        "fairlearn: F1 by 72 cells, n_boot=2", lambda f: fairlearn(f, resamples=2), times=RESAMPLES / 2
    ),
}

if __name__ == "__main__":
    main(JOBS, write, ROWS, __doc__)
