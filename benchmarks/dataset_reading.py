"""AffectNet in both releases and DISFA, at their full sizes, with made-up labels and no pictures.

The full lists take about 290 MB, the reduced release 870,000 small files, which take minutes to write. Peer: Polars
reading the full lists whole, without a check.

python benchmarks/dataset_reading.py [--rows N] [--runs N] [--peers N]
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

ROWS = 287_651

COLUMNS = (
    *("subDirectory_filePath", "face_x", "face_y", "face_width", "face_height"),
    *("facial_landmarks", "expression", "valence", "arousal"),
)
UNITS = (1, 2, 4, 5, 6, 9, 12, 15, 17, 20, 25, 26)
FRAMES = 4845


def write_lists(root: Path, rows: int) -> None:
    """Full lists with 68 landmarks a row, in pieces."""
    folder = root / "Manually_Annotated_file_lists"
    folder.mkdir(parents=True)
    for name, size in (("training.csv", rows), ("validation.csv", max(1, rows // 70))):
        with (folder / name).open("w") as file:
            file.write(",".join(COLUMNS) + "\n")
            for start in range(0, size, 10_000):
                random = rng(0, "affectnet", name, start)
                for place in range(start, min(size, start + 10_000)):
                    landmarks = ";".join(f"{x:.2f}" for x in random.uniform(10, 900, 136))
                    code, (valence, arousal) = random.integers(0, 11), random.uniform(-1, 1, 2)
                    file.write(
                        f"{place % 1200}/{name[0]}{place:056x}.jpg,10,10,900,900,{landmarks},{code},{valence:.6f},{arousal:.6f}\n"
                    )


def write_numbers(root: Path, files: int) -> None:
    """Numbers as text, three files a picture."""
    for folder, size in (("train_set", files), ("val_set", max(1, files // 70))):
        annotations = root / folder / "annotations"
        annotations.mkdir(parents=True)
        random = rng(0, "reduced", folder)
        for place in range(size):
            np.save(annotations / f"{place}_exp.npy", np.array(str(random.integers(0, 8))))
            for end in ("val", "aro"):
                np.save(annotations / f"{place}_{end}.npy", np.array(f"{random.uniform(-1, 1):.6f}"))


def write_intensities(root: Path, subjects: int) -> None:
    """A file a subject and unit."""
    for subject in range(1, subjects + 1):
        folder = root / "ActionUnit_Labels" / f"SN{subject:03}"
        folder.mkdir(parents=True)
        for unit in UNITS:
            values = rng(0, "disfa", subject, unit).integers(0, 6, FRAMES)
            pl.DataFrame({"frame": range(1, FRAMES + 1), "value": values}).write_csv(
                folder / f"{folder.name}_au{unit}.txt", include_header=False
            )


def write(folder: Path, rows: int) -> None:
    write_lists(folder / "full", rows)
    write_numbers(folder / "reduced", rows)
    write_intensities(folder / "disfa", max(1, 27 * rows // ROWS))


def reading(spec: str, root: str, folder: Path) -> Callable[[], int]:
    from affectcheck.datasets import DATASETS, load_dataset

    DATASETS.names()  # imports every reader
    return lambda: load_dataset(f"{spec}:{folder / root}").height


def whole(folder: Path) -> Callable[[], int]:
    return lambda: pl.read_csv(folder / "full" / "Manually_Annotated_file_lists" / "training.csv").height


JOBS = {
    "full": Job("AffectNet, full lists", partial(reading, "affectnet", "full"), ours=True, bar_s=10),
    "polars": Job("the longer list, whole, by Polars alone", whole),
    "reduced": Job("AffectNet, reduced release", partial(reading, "affectnet", "reduced"), ours=True, bar_s=60),
    "disfa": Job("DISFA", partial(reading, "disfa", "disfa"), ours=True, bar_s=10),
}

if __name__ == "__main__":
    main(JOBS, write, ROWS, __doc__ or "")
