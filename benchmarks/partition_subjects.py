"""Whole subjects to 55/15/30: ours beside what else divides groups, on made-up DISFA and GFT with the published counts.

Every job has a process of its own; its CPU seconds do not count the reading of the data and the imports. Peers live
where ``--python`` says (scikit-learn, splitkit, splitutils, mstts, iterative-stratification); one that is not installed
there, or that gives up, has a row that says so. What they get: all of the rows with their subjects where they take rows,
the counts of each subject where they take counts. Where they stratify on one label, it is the rarest unit that a frame
shows; where on yes or no a subject, whether its share of a value is above the median. splitutils gets every hundredth frame.

cost: mean deviation over sets, values and the size; prop: largest |share of a value in a set - its share of all|, both
in percentage points (ours balances a missing race too, which is in neither); gaps: values held by three subjects or more that a set lacks, counted by set.

python benchmarks/partition_subjects.py [--databases FOLDER] [--names DISFA GFT] [--seeds 7] [--python PATH]
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from measuring import measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RATIOS = np.array([0.55, 0.15, 0.30])
SETS = ("train", "validation", "test")
RESTARTS = 10_000
FOLDER = Path(__file__).resolve().parents[1].parent / "shared" / "reference" / "synthetic_databases"
LIMIT_S = 300
THINNED = 100  # of so many frames, splitutils gets one: with all, it gave no answer in five minutes


def load(folder: Path) -> dict[str, np.ndarray]:
    """Counts of every subject, their kinds and names, and the rows: subject, and 0 or 1 for each unit."""
    return dict(np.load(folder / "database.npz"))


def made(databases: Path, name: str, seed: int) -> dict[str, np.ndarray]:
    """A database from the published counts; which frames of a subject show a unit is drawn."""
    sys.path.insert(0, str(databases))
    counts, sizes, kinds, names, groups = importlib.import_module("part_common").subject_db(name, seed)
    sys.path.remove(str(databases))
    occurs = counts.sum(axis=0) > 0
    counts, kinds, names = counts[:, occurs], np.array(kinds)[occurs], np.array(names)[occurs]
    subject = np.repeat(np.arange(len(sizes)), sizes)
    draw = np.random.Generator(np.random.PCG64(seed))
    shown = np.zeros((len(subject), int((kinds == "au").sum())), dtype=np.int8)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    for column, held in enumerate(counts[:, kinds == "au"].T):
        for one, number in enumerate(held):
            shown[starts[one] + draw.choice(sizes[one], number, replace=False), column] = 1
    return {
        "counts": counts,
        "sizes": sizes,
        "kinds": kinds,
        "names": names,
        "subject": subject,
        "shown": shown,
        **groups,
    }


def subjects_of(places: np.ndarray, subject: np.ndarray) -> list[int]:
    """Set of each subject from that of each row."""
    return [int(places[np.flatnonzero(subject == one)[0]]) for one in range(int(subject.max()) + 1)]


def ours(given: dict[str, np.ndarray], seed: int = 0) -> Callable[[], dict[str, Any]]:
    import polars as pl

    from affectcheck.annotations import make_table
    from affectcheck.partitions import PartitionOptions, partition
    from affectcheck.schemes import Target, UnitScheme

    units = tuple(given["names"][given["kinds"] == "au"].tolist())
    subject = given["subject"]
    columns = {"item": [f"{row:07d}" for row in range(len(subject))], "subject": [f"s{one:03d}" for one in subject]}
    for group in ("gender", "race", "age"):
        columns[group] = [None if code < 0 else f"{group} {code}" for code in given[group][subject]]
    frame = pl.DataFrame({**columns, **{unit: given["shown"][:, place] for place, unit in enumerate(units)}})
    target = Target("au", UnitScheme("made-up", units))
    table = make_table(frame, targets=[target], groups=("gender", "race", "age"), name="made-up")

    def call() -> dict[str, Any]:
        found = partition(table, options=PartitionOptions(seed=seed))
        places = found.frame.get_column("part").replace_strict(list(SETS), [0, 1, 2]).to_numpy()
        known = "proven optimal" if found.proven else f"at most {100 * found.gap:.1f} % off" if found.gap else ""
        return {"subjects": subjects_of(places, subject), "known": known}

    return call


def restarts(given: dict[str, np.ndarray]) -> Callable[[], dict[str, Any]]:
    draw = np.random.Generator(np.random.PCG64(0))
    shares = shares_of(given)

    def call() -> dict[str, Any]:
        drawn = (draw.choice(3, len(shares), p=RATIOS) for _ in range(RESTARTS))
        return {"subjects": min(drawn, key=lambda places: cost_pp(shares, places)).tolist()}

    return call


def shuffled(given: dict[str, np.ndarray]) -> Callable[[], dict[str, Any]]:
    from sklearn.model_selection import GroupShuffleSplit

    return lambda: {"subjects": two_stages(given, lambda size: GroupShuffleSplit(1, test_size=size, random_state=0))}


def two_stages(given: dict[str, np.ndarray], splitter: Callable[[float], Any]) -> list[int]:
    """Train against the rest, then validation against test, by subject."""
    people = np.arange(len(given["sizes"]))
    _, rest = next(splitter(0.45).split(people, groups=people))
    places = np.zeros(len(people), dtype=np.int64)
    validation, test = next(splitter(2 / 3).split(rest, groups=rest))
    places[rest[validation]], places[rest[test]] = 1, 2
    return places.tolist()


def stratified(given: dict[str, np.ndarray]) -> Callable[[], dict[str, Any]]:
    from sklearn.model_selection import StratifiedGroupKFold

    shown, subject = given["shown"], given["subject"]
    rare = np.argsort(shown.sum(axis=0))
    label = np.where(shown.any(axis=1), shown[:, rare].argmax(axis=1), -1)

    def call() -> dict[str, Any]:
        places = np.zeros(len(subject), dtype=np.int64)
        folds = StratifiedGroupKFold(20, shuffle=True, random_state=0).split(subject, label, subject)
        for number, (_, inside) in enumerate(folds):
            places[inside] = 0 if number < 11 else 1 if number < 14 else 2
        return {"subjects": subjects_of(places, subject)}

    return call


def iterstrat(given: dict[str, np.ndarray]) -> Callable[[], dict[str, Any]]:
    from iterstrat.ml_stratifiers import MultilabelStratifiedShuffleSplit

    above = halves(given)

    def call() -> dict[str, Any]:
        places = np.zeros(len(above), dtype=np.int64)
        splitters = [MultilabelStratifiedShuffleSplit(1, test_size=size, random_state=0) for size in (0.45, 2 / 3)]
        _, rest = next(splitters[0].split(above, above))
        validation, test = next(splitters[1].split(above[rest], above[rest]))
        places[rest[validation]], places[rest[test]] = 1, 2
        return {"subjects": places.tolist()}

    return call


def halves(given: dict[str, np.ndarray]) -> np.ndarray:
    """(subjects, values) 1 where a subject has the attribute, or shows the unit more often than the median subject."""
    rates = given["counts"] / given["sizes"][:, None]
    return np.where(given["kinds"] == "au", rates > np.median(rates, axis=0), rates > 0.5).astype(np.int64)


def splitkit(given: dict[str, np.ndarray], **how: str) -> Callable[[], dict[str, Any]]:
    import splitkit as peer

    names = np.array([str(one) for one in range(len(given["sizes"]))])
    values = tuple(f"{kind}:{name}" for kind, name in zip(given["kinds"], given["names"], strict=True))
    data = peer.GroupedDataset(names, given["counts"].astype(float), given["sizes"].astype(float), values)

    def call() -> dict[str, Any]:
        found = peer.split(data, RATIOS.tolist(), seed=0, **how)
        places = np.zeros(len(names), dtype=np.int64)
        for place, inside in enumerate(found.to_group_ids().values()):
            places[[int(one) for one in inside]] = place
        return {"subjects": places.tolist(), "known": "proven (own cost)" if found.proved_optimal else ""}

    return call


def splitutils(given: dict[str, np.ndarray]) -> Callable[[], dict[str, Any]]:
    from splitutils import optimize_traindevtest_split

    subject, above = given["subject"][::THINNED], halves(given)
    strata = {"gender": np.array(["f", "m"])[given["gender"][subject]]}
    for column in np.flatnonzero(given["kinds"] == "au"):
        strata[str(given["names"][column])] = np.array(["low", "high"])[above[subject, column]]
    rows = np.arange(len(subject))[:, None]

    def call() -> dict[str, Any]:
        sizes = {"dev_size": float(RATIOS[1]), "test_size": float(RATIOS[2])}
        split = optimize_traindevtest_split(rows, strata["gender"], subject, strata, k=30, seed=0, **sizes)
        places = np.zeros(len(subject), dtype=np.int64)
        for place, inside in enumerate(split[:3]):
            places[inside] = place
        return {"subjects": subjects_of(places, subject)}

    return call


def mstts(given: dict[str, np.ndarray]) -> Callable[[], dict[str, Any]]:
    from mstts import train_test_split

    rows = np.column_stack([given["counts"], given["sizes"]])

    def split(inside: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
        for precision in (0.05, 0.1, 0.15, 0.2, 0.3, 0.45, 1.0):  # the strictest that it finds an answer to
            one, other = train_test_split(rows[inside], share, precision, v=0)
            if one is not None:
                return inside[one], inside[other]
        raise SystemExit("no answer")

    def call() -> dict[str, Any]:
        _, rest = split(np.arange(len(rows)), 0.45)
        validation, test = split(rest, 2 / 3)
        places = np.zeros(len(rows), dtype=np.int64)
        places[validation], places[test] = 1, 2
        return {"subjects": places.tolist()}

    return call


JOBS: dict[str, Callable[[dict[str, np.ndarray]], Callable[[], dict[str, Any]]]] = {
    "affectcheck": ours,
    "affectcheck, seed 7": lambda given: ours(given, seed=7),
    "10,000 random restarts": restarts,
    "GroupShuffleSplit x 2": shuffled,
    "StratifiedGroupKFold(20), 11/3/6": stratified,
    "iterstrat, subjects, x 2": iterstrat,
    "splitkit, default": splitkit,
    "splitkit, all values": lambda given: splitkit(given, unstratifiable="keep"),
    "splitkit, exact": lambda given: splitkit(given, strategy="exact"),
    "splitkit, exact, all values": lambda given: splitkit(given, strategy="exact", unstratifiable="keep"),
    "splitutils, units and gender": splitutils,
    "mstts x 2": mstts,
}
OURS = ("affectcheck", "affectcheck, seed 7", "10,000 random restarts")


def shares_of(given: dict[str, np.ndarray]) -> np.ndarray:
    counts = np.column_stack([given["counts"], given["sizes"]])
    return counts / counts.sum(axis=0)


def cost_pp(shares: np.ndarray, places: np.ndarray) -> float:
    inside = (places[:, None] == np.arange(3)).astype(float).T @ shares
    return float(100 * np.abs(inside - RATIOS[:, None]).mean())


def quality(given: dict[str, np.ndarray], places: np.ndarray) -> tuple[float, float, int]:
    """Cost, largest deviation of a share, and gaps."""
    inside = (places[:, None] == np.arange(3)).astype(np.int64).T
    counts, sizes = inside @ given["counts"], inside @ given["sizes"]
    overall = given["counts"].sum(axis=0) / given["sizes"].sum()
    prop = float(100 * np.abs(counts / np.maximum(sizes, 1)[:, None] - overall).max())
    splittable = (given["counts"] > 0).sum(axis=0) >= 3
    return cost_pp(shares_of(given), places), prop, int((counts[:, splittable] == 0).sum())


def rows(given: dict[str, np.ndarray], folder: Path, python: str) -> Iterator[str]:
    for name in JOBS:
        words = [
            sys.executable if name in OURS else python,
            "-W",
            "ignore",
            __file__,
            "--job",
            name,
            "--folder",
            str(folder),
        ]
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            yield f"{name:34} no answer in {LIMIT_S} s"
            continue
        lines = done.stdout.splitlines()
        if done.returncode or not lines or not lines[-1].startswith("{"):
            yield f"{name:34} {(done.stderr.splitlines() or lines or ['gave up'])[-1][:90]}"
            continue
        found = json.loads(lines[-1])
        cost, prop, gaps = quality(given, np.array(found["result"]["subjects"]))
        known = found["result"].get("known", "")
        yield f"{name:34} {cost:7.3f} {prop:7.2f} {gaps:5} {known:18} {found['cpu_s']:8.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = os.environ.get("AFFECTCHECK_SHARED")
    default = Path(shared) / "reference" / "synthetic_databases" if shared else FOLDER
    parser.add_argument("--databases", type=Path, default=default, help="folder of part_common.py")
    parser.add_argument("--names", nargs="+", default=["DISFA", "GFT"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[7])
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the peers")
    parser.add_argument("--job", default="", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, default=None, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.job:
        print(json.dumps(asdict(measure(JOBS[told.job](load(told.folder))))))
        return
    if not (told.databases / "part_common.py").is_file():
        raise SystemExit(f"no part_common.py in {told.databases}; say where it is with --databases")
    for name in told.names:
        for seed in told.seeds:
            given = made(told.databases, name, seed)
            print(f"{name}, seed {seed}: {len(given['sizes'])} subjects, {given['sizes'].sum():,} frames")
            print(f"{'':34} {'cost':>7} {'prop':>7} {'gaps':>5} {'known':18} {'CPU s':>8}")
            with tempfile.TemporaryDirectory(prefix="affectcheck-") as folder:
                np.savez(Path(folder) / "database.npz", **given)
                for row in rows(given, Path(folder), told.python):
                    print(row, flush=True)


if __name__ == "__main__":
    main()
