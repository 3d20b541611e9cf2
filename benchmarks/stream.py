"""A hundred million rows in a folder of Parquet files: 12 action units, 3 attributes, 500 subjects, read in batches.

Writes the folder to a temporary place (about 300 MB), scores it in a process of its own, and prints wall and CPU seconds
and the highest resident memory. The scores are those of the task, by group and as disparities, with 1000 resamples of
the subjects. Peer: Polars' own streaming engine, which sums hits, truths and predictions of the units by group alone.

python benchmarks/stream.py [--rows N] [--engine polars|ray] [--peers N] [--folder FOLDER]
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import numpy as np
import polars as pl
from faces import AGES, GENDERS, RACES, enumeration
from measuring import Measured, measure

from affectcheck.seeds import rng

ROWS = 100_000_000
FILE = 2_500_000
UNITS = ("AU1", "AU2", "AU4", "AU6", "AU7", "AU10", "AU12", "AU15", "AU23", "AU24", "AU25", "AU26")
SUBJECTS = tuple(f"subject{number:03d}" for number in range(500))
MOST_MB, MOST_S = 2048, 120


def write(folder: Path, rows: int) -> None:
    for number, start in enumerate(range(0, rows, FILE)):
        size = min(FILE, rows - start)
        random = rng(0, "benchmark", number)
        who = np.sort(random.integers(0, len(SUBJECTS), size))
        columns = {
            "subject": enumeration(SUBJECTS, who),
            "age": enumeration(AGES, who % 9),
            "gender": enumeration(GENDERS, who % 2),
            "race": enumeration(RACES, who % 4),
        }
        noise = random.integers(0, 256, (2, size, len(UNITS)), np.uint8)
        for place, unit in enumerate(UNITS):
            truth = (noise[0, :, place] < 30 + 4 * place).astype(np.int8)
            columns[unit] = pl.Series(truth)
            columns[f"p_{unit}"] = pl.Series(np.where(noise[1, :, place] < 26, 1 - truth, truth).astype(np.int8))
        pl.DataFrame(columns).write_parquet(folder / f"part-{number:03d}.parquet")


def ours(folder: Path, engine: str) -> Measured:
    from affectcheck.evaluation import EvaluationOptions, ScoredColumns, score_folder
    from affectcheck.schemes import scheme

    columns = ScoredColumns(
        {unit: unit for unit in UNITS}, {unit: f"p_{unit}" for unit in UNITS}, labels=scheme("au-12-affwild2")
    )
    options = EvaluationOptions(by=("age", "gender", "race"))

    def call() -> dict[str, float]:
        found = score_folder(folder, columns=columns, options=options, engine=engine)  # type: ignore[arg-type]
        return {
            "unit_f1": found["unit_f1"].value,
            **{f"eod {name}": found.by(name)["eod"].value for name in options.by},
            "scored": found.counts["scored"],
        }

    return measure(call)


def polars(folder: Path, engine: str) -> Measured:
    del engine
    sums = [
        made.sum().alias(f"{kind} {unit}")
        for unit in UNITS
        for kind, made in (
            ("hits", (pl.col(unit) & pl.col(f"p_{unit}")).cast(pl.Int64)),
            ("truth", pl.col(unit).cast(pl.Int64)),
            ("predicted", pl.col(f"p_{unit}").cast(pl.Int64)),
        )
    ]
    query = pl.scan_parquet(folder / "*.parquet").group_by("age", "gender", "race").agg(pl.len(), *sums)

    def call() -> dict[str, float]:
        found = query.collect(engine="streaming").sum()
        f1 = [
            2 * found[f"hits {unit}"][0] / (found[f"truth {unit}"][0] + found[f"predicted {unit}"][0]) for unit in UNITS
        ]
        return {"unit_f1": float(np.mean(f1))}

    return measure(call)


JOBS = {"affectcheck": ours, "polars": polars}


def child(name: str, folder: Path, engine: str) -> Measured:
    words = [sys.executable, "-W", "ignore", __file__, "--job", name, "--folder", str(folder), "--engine", engine]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name} failed:\n{done.stderr}")
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=ROWS, help=f"default: {ROWS:,}")
    parser.add_argument("--engine", default="polars")
    parser.add_argument("--peers", type=int, default=1, help="0 leaves the peer out")
    parser.add_argument("--folder", type=Path, default=None, help="where the files are, or where they are written")
    parser.add_argument("--job", default="", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.job:
        print(json.dumps(asdict(JOBS[told.job](told.folder, told.engine))))
        return
    with tempfile.TemporaryDirectory(prefix="affectcheck-", dir=told.folder) as name:
        folder = Path(name)
        if shutil.disk_usage(folder).free < 20 * told.rows:
            raise SystemExit(f"less than {20 * told.rows / 1e9:.0f} GB free at {folder}")
        write(folder, told.rows)
        size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
        print(f"{told.rows:,} rows in {len(list(folder.iterdir()))} files, {size:,.0f} MB; engine {told.engine}")
        print(f"{'':58} {'wall s':>8} {'bar':>5} {'CPU s':>8} {'peak MB':>8} {'bar':>5}")
        found = child("affectcheck", folder, told.engine)
        line = "affectcheck: scores, groups, disparities, 1000 resamples"
        print(f"{line:58} {found.wall_s:8.1f} {MOST_S:>5} {found.cpu_s:8.1f} {found.peak_mb:8.0f} {MOST_MB:>5}")
        if told.peers:
            peer = child("polars", folder, told.engine)
            line = "Polars, streaming: sums by group alone"
            print(f"{line:58} {peer.wall_s:8.1f} {'':5} {peer.cpu_s:8.1f} {peer.peak_mb:8.0f}")
            print(f"  {peer.result}")
        print(f"  {found.result}")


if __name__ == "__main__":
    main()
