"""A partition of 3 million frames: 12 action units with unknown cells, 3 attributes, 600 subjects.

The table is in memory. What is measured is the whole of ``partition``: checks, strata, the search, the balance and the
digest. Beside it: the best of 10,000 random assignments of the same subjects, by the same cost.

python benchmarks/partition_scale.py [--rows N] [--runs N] [--peers N]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from faces import AGES, GENDERS, RACES
from measuring import Job, main

from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

ROWS = 3_000_000
UNITS = ("AU1", "AU2", "AU4", "AU5", "AU6", "AU9", "AU12", "AU15", "AU17", "AU20", "AU25", "AU26")
SUBJECTS = 600
RESTARTS = 10_000
RATIOS = np.array([0.55, 0.15, 0.30])


def write(folder: Path, rows: int) -> None:
    """Subjects of unequal length, each with rates of its own; rare ages and units that few subjects show."""
    random = rng(0, "benchmark", 0)
    subjects = min(SUBJECTS, max(rows // 20, 12))
    weights = random.lognormal(0.0, 0.5, subjects)
    subject = np.sort(random.choice(subjects, rows, p=weights / weights.sum()))
    columns: dict[str, Any] = {
        "item": pl.Series(np.arange(rows)).cast(pl.String).str.zfill(9),
        "media": pl.Series(subject).cast(pl.String).str.zfill(4) + ".mp4",
        "subject": pl.Series(subject).cast(pl.String).str.zfill(4),
    }
    shares = ((0.02, 0.04, 0.14, 0.35, 0.2, 0.1, 0.08, 0.05, 0.02), (0.55, 0.45), (0.15, 0.15, 0.1, 0.6))
    for name, values, share in zip(("age", "gender", "race"), (AGES, GENDERS, RACES), shares, strict=True):
        columns[name] = pl.Series(values).gather(random.choice(len(values), subjects, p=share)[subject])
    for place, unit in enumerate(UNITS):
        rate = random.beta(0.3 + 0.05 * place, 4.0, subjects)[subject]
        codes = (random.random(rows) < rate).astype(np.int8)
        columns[unit] = pl.Series(codes).set(pl.Series(random.random(rows) < 0.02), None)
    pl.DataFrame(columns).write_parquet(folder / "frames.parquet")


def table(folder: Path) -> AnnotationTable:
    from affectcheck.annotations import make_table
    from affectcheck.schemes import Target, UnitScheme

    frame = pl.read_parquet(folder / "frames.parquet").rechunk()
    target = Target("au", UnitScheme("twelve", UNITS))
    return make_table(frame, targets=[target], groups=("age", "gender", "race"), name="frames")


def ours(folder: Path) -> Callable[[], object]:
    from affectcheck.digest import digest_table
    from affectcheck.partitions import partition

    given = table(folder)

    def call() -> dict[str, object]:
        found = partition(given)
        report = found.report
        return {
            "cost_pp": round(report.cost_pp, 4),
            "bound_pp": None if found.bound is None else round(100 * found.bound, 4),
            "unsplittable": len(report.unsplittable),
            "uncovered": len(report.uncovered),
            "digest": digest_table(found.frame),
        }

    return call


def restarts(folder: Path) -> Callable[[], object]:
    from affectcheck.partitions import PartitionOptions
    from affectcheck.partitions.strata import strata_of
    from affectcheck.partitions.units import units_of

    given, options = table(folder), PartitionOptions()
    units = units_of(given.frame, options)
    counts = strata_of(given, options).counts(units.codes, units.count)
    shares = counts / counts.sum(axis=0)
    random = rng(0, "restarts")

    def call() -> dict[str, object]:
        places = (random.choice(3, units.count, p=RATIOS) for _ in range(RESTARTS))
        sums = ((place[:, None] == np.arange(3)).astype(float).T @ shares for place in places)
        return {"cost_pp": round(100 * min(float(np.abs(one - RATIOS[:, None]).mean()) for one in sums), 4)}

    return call


JOBS = {
    "partition": Job("affectcheck: the whole partition", ours, ours=True, bar_s=60),
    "restarts": Job("best of 10,000 random assignments, strata counted before", restarts),
}

if __name__ == "__main__":
    main(JOBS, write, ROWS, __doc__)
