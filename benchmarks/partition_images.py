"""Partitions of pictures of different people: synthetic databases with the published counts of paper 1, 55-15-30.

Ours beside peers, each in a process of its own. Largest and mean deviation, in percentage points, of shares within
sets (prop: share of a value in a set, less its share of all) and of allocations (alloc: share of a value's pictures
that is in a set, less the target); how many cells of one label (or action unit) by age by gender by race hold at least
three pictures and are missing in a set; and CPU seconds after imports. A peer that is not installed, fails or takes too
long is told so.

The databases are made by `reference/synthetic_databases` of the folder that AFFECTCHECK_SHARED names. Peers may live in
an environment of their own, which needs NumPy and pandas beside them: pip install scikit-learn iterative-stratification
scikit-multilearn dataset-splitter splitkit

python benchmarks/partition_images.py [--databases RAF-DB,…] [--seeds 7,8] [--methods ours,…] [--python PEERS_PYTHON]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from measuring import measure

if TYPE_CHECKING:
    from collections.abc import Callable

SHARED = Path(os.environ.get("AFFECTCHECK_SHARED", Path(__file__).resolve().parents[2] / "shared"))
REFERENCE = SHARED / "reference" / "synthetic_databases"
DATABASES = ("RAF-DB", "AffectNet-8", "RAF-AU", "EmotioNet")
RATIOS = np.array([0.55, 0.15, 0.30])
FEWEST = 7  # pictures of a cell that scikit-learn can stratify in two stages; smaller cells are merged
FIGURES = ("prop_max", "prop_mean", "alloc_max", "alloc_mean")
HEADER = (
    f"{'':12} {'seed':>4}  {'':44} {'prop max':>9} {'mean':>7} {'alloc max':>9} {'mean':>7} {'missing':>8} {'CPU s':>7}"
)


@dataclass(frozen=True)
class Database:
    """A database, row by row.

    Attributes:
        values: (n,) codes of every label and group, -1 where unknown; action units (n, units) 0 or 1.
        names: of the values.
        rows: n.
    """

    values: dict[str, np.ndarray]
    names: dict[str, list[str]]
    rows: int

    @property
    def groups(self) -> list[str]:
        """Names of the groups."""
        return [kind for kind in self.values if kind not in ("label", "au")]

    def held(self) -> np.ndarray:
        """(n, V) 1 where a picture has a value."""
        return _reference().onehot(self.values, self.names)[0]

    def labels(self) -> np.ndarray:
        """(n, L) the label, or the action units."""
        found = self.values["au"] if "au" in self.values else self.values["label"]
        return found.reshape(self.rows, -1)

    def joint(self) -> np.ndarray:
        """(n,) which pictures agree in everything."""
        columns = np.column_stack([self.labels(), *(self.values[group] for group in self.groups)])
        return np.unique(columns, axis=0, return_inverse=True)[1].reshape(-1)

    def merged(self, codes: np.ndarray) -> np.ndarray:
        """(n,) codes in which small classes are one."""
        small = np.bincount(codes)[codes] < FEWEST
        return np.where(small, codes.max() + 1, codes)


def _reference() -> Any:
    sys.path.insert(0, str(REFERENCE))
    try:
        import part_common
    finally:
        sys.path.remove(str(REFERENCE))
    return part_common


def _missing(given: Database, sets: np.ndarray) -> int:
    """Cells of one label by all groups, of three pictures or more, that a set lacks."""
    groups = np.column_stack([given.values[group] for group in given.groups])
    of_group = np.unique(groups, axis=0, return_inverse=True)[1].reshape(-1)
    labels = given.labels()
    units = labels if "au" in given.values else labels == np.arange(labels.max() + 1)
    lacking = 0
    for held in units.T.astype(bool):
        counts = np.bincount(of_group[held] * 3 + sets[held], minlength=3 * (of_group.max() + 1)).reshape(-1, 3)
        lacking += int((counts[counts.sum(axis=1) >= 3] == 0).any(axis=1).sum())
    return lacking


def _figures(given: Database, sets: np.ndarray) -> dict[str, float]:
    held = given.held()
    inside = np.array([held[sets == place].sum(axis=0) for place in range(3)])
    found = _reference().quality(inside, np.bincount(sets, minlength=3))
    return {name: float(found[name]) for name in FIGURES} | {"missing": _missing(given, sets)}


def _ours(given: Database) -> Callable[[], np.ndarray]:
    import polars as pl

    from affectcheck.annotations import make_table
    from affectcheck.partitions import PartitionOptions, partition
    from affectcheck.schemes import CategoryScheme, Target, UnitScheme

    names = given.names
    columns: dict[str, Any] = {"item": [f"{row:06d}" for row in range(given.rows)]}
    if "au" in given.values:
        columns |= {unit: given.values["au"][:, place].astype(np.int8) for place, unit in enumerate(names["au"])}
        target = Target("units", UnitScheme("published", tuple(names["au"])))
    else:
        target = Target("label", CategoryScheme("published", tuple(names["label"])))
    for kind, codes in given.values.items():
        if kind != "au":
            columns[kind] = [names[kind][code] if code >= 0 else None for code in codes]
    table = make_table(pl.DataFrame(columns), targets=[target], groups=tuple(given.groups))

    def run() -> np.ndarray:
        found = partition(table, options=PartitionOptions(subjects="none"))
        places = {name: place for place, name in enumerate(found.names)}
        return np.array([places[part] for part in found.frame["part"]])

    return run


def _random(given: Database) -> Callable[[], np.ndarray]:
    from affectcheck.seeds import rng

    def run() -> np.ndarray:
        ends = np.rint(np.cumsum(RATIOS)[:-1] * given.rows)
        return np.searchsorted(ends, rng(0, "random partition").permutation(given.rows), side="right")

    return run


def _two_stages(rows: int, split: Callable[[np.ndarray, float], np.ndarray]) -> Callable[[], np.ndarray]:
    """Test set first, then validation of the rest; ``split`` tells which of some rows go."""

    def run() -> np.ndarray:
        sets = np.zeros(rows, dtype=np.int64)
        sets[split(np.arange(rows), RATIOS[2])] = 2
        rest = np.flatnonzero(sets == 0)
        sets[split(rest, RATIOS[1] / (RATIOS[0] + RATIOS[1]))] = 1
        return sets

    return run


def _sklearn(given: Database, codes: np.ndarray) -> Callable[[], np.ndarray]:
    from sklearn.model_selection import train_test_split

    def split(rows: np.ndarray, share: float) -> np.ndarray:
        return train_test_split(rows, test_size=share, stratify=codes[rows], random_state=0)[1]

    return _two_stages(given.rows, split)


def _sklearn_label(given: Database) -> Callable[[], np.ndarray]:
    labels = np.unique(given.labels(), axis=0, return_inverse=True)[1].reshape(-1)
    return _sklearn(given, given.merged(labels))


def _sklearn_joint(given: Database) -> Callable[[], np.ndarray]:
    return _sklearn(given, given.merged(given.joint()))


def _iterstrat(given: Database) -> Callable[[], np.ndarray]:
    from iterstrat.ml_stratifiers import MultilabelStratifiedShuffleSplit

    held = given.held()

    def split(rows: np.ndarray, share: float) -> np.ndarray:
        splitter = MultilabelStratifiedShuffleSplit(n_splits=1, test_size=share, random_state=0)
        return rows[next(splitter.split(rows, held[rows]))[1]]

    return _two_stages(given.rows, split)


def _multilearn(given: Database) -> Callable[[], np.ndarray]:
    from skmultilearn.model_selection import IterativeStratification

    held = given.held()

    def split(rows: np.ndarray, share: float) -> np.ndarray:
        splitter = IterativeStratification(n_splits=2, order=1, sample_distribution_per_fold=[share, 1 - share])
        return rows[next(splitter.split(rows[:, None], held[rows]))[1]]

    return _two_stages(given.rows, split)


def _dataset_splitter(given: Database) -> Callable[[], np.ndarray]:
    import pandas as pd
    from dataset_splitter import split

    frame = pd.DataFrame({"row": np.arange(given.rows), "key": given.joint().astype(str)})

    def run() -> np.ndarray:
        found = split(frame, target="key", test_size=0.30, val_size=0.15, random_state=0, dedupe=False)
        sets = np.zeros(given.rows, dtype=np.int64)
        sets[found.val["row"]], sets[found.test["row"]] = 1, 2
        return sets

    return run


def _splitkit(given: Database) -> Callable[[], np.ndarray]:
    import splitkit

    data = splitkit.GroupedDataset.from_arrays(np.arange(given.rows), given.held())

    def run() -> np.ndarray:
        found = splitkit.split(data, ratios=tuple(RATIOS), seed=0)
        return np.asarray(found.assignment)

    return run


METHODS: dict[str, tuple[str, Callable[[Database], Callable[[], np.ndarray]]]] = {
    "ours": ("affectcheck", _ours),
    "random": ("random", _random),
    "sklearn-label": ("scikit-learn, by label, two stages", _sklearn_label),
    "sklearn-joint": (f"scikit-learn, joint, cells < {FEWEST} merged", _sklearn_joint),
    "iterstrat": ("iterative-stratification, two stages", _iterstrat),
    "multilearn": ("scikit-multilearn, two stages", _multilearn),
    "dataset-splitter": ("dataset-splitter, joint key", _dataset_splitter),
    "splitkit": ("splitkit, every picture a group", _splitkit),
}


def _job(method: str, name: str, seed: int) -> None:
    given = Database(*_reference().image_db(name, seed))
    done = measure(METHODS[method][1](given))
    sets = np.asarray(done.result)
    print(json.dumps({**asdict(done), "result": _figures(given, sets)}))


def _line(told: argparse.Namespace, name: str, seed: int, method: str) -> str:
    python = sys.executable if method in ("ours", "random") else told.python
    words = [python, "-W", "ignore", __file__, "--job", method, "--databases", name, "--seeds", str(seed)]
    start = f"{name:12} {seed:>4}  {METHODS[method][0]:44}"
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=told.timeout)
    except subprocess.TimeoutExpired:
        return f"{start} no result in {told.timeout} s"
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["failed"])[-1]
        return f"{start} {'not installed: ' if 'ModuleNotFoundError' in last else ''}{last[:70]}"
    found = json.loads(done.stdout.splitlines()[-1])
    figures = found["result"]
    shown = "{prop_max:9.4f} {prop_mean:7.4f} {alloc_max:9.4f} {alloc_mean:7.4f} {missing:8d}".format(**figures)
    return f"{start} {shown} {found['cpu_s']:7.2f}"


def main() -> None:
    """Every method on every database, in processes of their own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--databases", default=",".join(DATABASES))
    parser.add_argument("--seeds", default="7", help="of the databases")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--python", default=sys.executable, help="the peers' interpreter")
    parser.add_argument("--timeout", type=int, default=300, help="seconds of a job")
    parser.add_argument("--job", default="", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if not REFERENCE.is_dir():
        raise SystemExit(f"no databases at {REFERENCE}: set AFFECTCHECK_SHARED")
    if told.job:
        _job(told.job, told.databases, int(told.seeds))
        return
    print(HEADER)
    for name in told.databases.split(","):
        for seed in map(int, told.seeds.split(",")):
            for method in told.methods.split(","):
                print(_line(told, name, seed, method), flush=True)


if __name__ == "__main__":
    main()
