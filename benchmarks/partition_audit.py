"""An audit of 3 million frames with 12 action units, 3 attributes and 600 subjects, whole subjects and frame by frame.

Without media. ``wild`` is a partition that was drawn frame by frame, so that every subject is in every set and 94 million
pairs of frames leak; ``subjects`` is one of whole subjects; ``many`` has one for every hundred frames.

python benchmarks/partition_audit.py [--rows N] [--runs N]
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from measuring import Job, main

from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROWS = 3_000_000
SUBJECTS = 600
UNITS = tuple(f"AU{unit}" for unit in (1, 2, 4, 5, 6, 9, 12, 15, 17, 20, 25, 26))
SETS = ("train", "validation", "test")
SHARES = (0.55, 0.15, 0.30)


def write(folder: Path, rows: int) -> None:
    for name, people in (("subjects", SUBJECTS), ("many", max(SUBJECTS, rows // 100))):
        random = rng(0, "audit", name)
        subject = np.sort(random.integers(0, people, rows))
        groups = {"age": random.integers(1, 8, people), "gender": random.integers(0, 2, people)}
        groups["race"] = random.integers(0, 4, people)
        frame = pl.DataFrame(
            {
                "item": pl.Series(np.arange(rows)).cast(pl.String).str.zfill(8),
                "subject": pl.Series(subject).cast(pl.String),
                "partition": np.array(SETS)[random.choice(3, people, p=SHARES)][subject],
                "wild": np.array(SETS)[random.choice(3, rows, p=SHARES)],
                **{group: pl.Series(codes[subject]).cast(pl.String) for group, codes in groups.items()},
                **{unit: random.choice([0, 1, -1], rows, p=[0.8, 0.15, 0.05]).astype(np.int8) for unit in UNITS},
            }
        )
        frame.write_parquet(folder / f"{name}.parquet")


def judged(folder: Path, *, name: str, column: str) -> Callable[[], object]:
    from affectcheck.annotations import make_table
    from affectcheck.partitions import audit
    from affectcheck.schemes import Target, UnitScheme

    frame = pl.read_parquet(folder / f"{name}.parquet")
    given = frame.select("item", part=column)
    target = Target("au", UnitScheme("au-12", UNITS))
    table = make_table(frame.drop("partition", "wild"), targets=[target], groups=("age", "gender", "race"))
    return lambda: [status for _, status in audit(table, given).points.items()]


JOBS = {
    "subjects": Job("whole subjects", partial(judged, name="subjects", column="partition"), ours=True, bar_s=60.0),
    "wild": Job("frame by frame", partial(judged, name="subjects", column="wild"), ours=True, bar_s=60.0),
    "many": Job("a subject a hundred frames", partial(judged, name="many", column="partition"), ours=True, bar_s=60.0),
}

if __name__ == "__main__":
    main(JOBS, write, ROWS, __doc__)
