"""Every perturbation of pictures beside albumentations: pictures of 112×112 pixels a CPU second, in one run.

    python benchmarks/image_augmentations.py [--peers PYTHON] [--pictures 300] [--runs 5]

The peer is imported by another interpreter, such as that of ``python -m venv peers`` after ``pip install
albumentations``; without ``--peers``, only ours are measured. Libraries take turns, each run in a process of its own
that warms up first and uses one thread, and the median of the runs counts. A ratio below 1/1.15 is over the bar.

All get the same pictures in memory. Ours draw from a generator of each item (12 µs), and look whether a pixel differs;
where the change itself takes less, as a mirror or a table of levels does, that is most of it.
Where the peer has nothing of the kind, its column is empty.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[np.ndarray, int], object]

SIDE, WITHIN = 112, 1.15
LIBRARIES = ("affectcheck", "albumentations")
NOTES = (
    "albumentations: draws depend on the order of pictures; fog is a pattern of circles, covers know no face, and a colour",
    "temperature is one of a table",
)


def write(folder: Path, pictures: int) -> None:
    """Pictures of smooth colours with texture."""
    from affectcheck.seeds import rng

    draw = rng(1, "pictures")
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    made = []
    for _ in range(pictures):
        a, b, c = draw.uniform(5, 20, 3)
        waves = np.stack([np.sin(rows / a + k) * np.cos(columns / b + c * k) for k in range(3)], axis=-1)
        made.append(np.clip(128 + 60 * waves + draw.normal(0, 8, waves.shape), 0, 255).astype(np.uint8))
    np.save(folder / "pictures.npy", np.stack(made))


def ours() -> dict[str, Change]:
    """All of ours."""
    from affectcheck.augmentations import PICTURE_AUGMENTATIONS, make_perturbation
    from affectcheck.media.clip import Image

    def change(name: str) -> Change:
        one = make_perturbation(name)
        return lambda pixels, index: one(Image(pixels), f"picture {index}")

    return {name: change(name) for name in PICTURE_AUGMENTATIONS.names()}


def albumentations() -> dict[str, Change]:
    """What the peer has, with our levels where it takes them."""
    os.environ["NO_ALBUMENTATIONS_UPDATE"] = "1"
    import albumentations as library

    made = {
        "brightness": library.RandomBrightnessContrast((-0.3, 0.3), (0, 0), p=1),
        "contrast": library.RandomBrightnessContrast((0, 0), (-0.5, 0.5), p=1),
        "colour-temperature": library.PlanckianJitter(p=1),
        "defocus-blur": library.Defocus((3, 3), (0.1, 0.1), p=1),
        "flip": library.HorizontalFlip(p=1),
        "fog": library.RandomFog(p=1),
        "gamma": library.RandomGamma((50, 200), p=1),
        "gaussian-blur": library.GaussianBlur((17, 17), (2, 2), p=1),
        "gaussian-noise": library.GaussNoise((0.06, 0.06), p=1),
        "grey": library.ToGray(p=1),
        "jpeg": library.ImageCompression(quality_range=(30, 30), p=1),
        "low-resolution": library.Downscale((0.3, 0.3), p=1),
        "motion-blur": library.MotionBlur((9, 13), p=1),
        "occlude-eyes": library.CoarseDropout((1, 1), (30, 30), (60, 60), p=1),
        "rotation": library.Rotate((-15, 15), interpolation=2, border_mode=4, p=1),
        "scale": library.Affine(scale=(0.85, 1.15), interpolation=2, border_mode=4, p=1),
        "shift": library.Affine(translate_percent=(-0.1, 0.1), interpolation=2, border_mode=4, p=1),
    }

    def change(one: library.BasicTransform) -> Change:
        return lambda pixels, index: one(image=pixels)["image"]

    return {name: change(one) for name, one in made.items()}


def measure(library: str, folder: Path) -> dict[str, float]:
    """Pictures a CPU second of everything that a library has."""
    pictures, found = np.load(folder / "pictures.npy"), {}
    for name, change in {"affectcheck": ours, "albumentations": albumentations}[library]().items():
        few = pictures[: len(pictures) // 10] if name == "video-compression" else pictures
        for index in range(5):
            change(few[index], index)
        before = time.process_time()
        for index, pixels in enumerate(few):
            change(pixels, index)
        found[name] = len(few) / (time.process_time() - before)
    return found


def _child(interpreter: str, library: str, folder: Path) -> dict[str, float]:
    words = [interpreter, "-W", "ignore", __file__, "--library", library, "--folder", str(folder)]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **threads})
    if done.returncode:
        raise SystemExit(f"{library} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def _print(found: dict[str, dict[str, list[float]]], told: argparse.Namespace) -> None:
    print(f"pictures of {SIDE}×{SIDE} a CPU second, median of {told.runs} runs of {told.pictures} pictures")
    print(f"  {'':20}" + "".join(f"{library:>17}" for library in LIBRARIES) + "  times the peer")
    for name, own in found["affectcheck"].items():
        medians = {library: statistics.median(found[library][name]) for library in LIBRARIES if name in found[library]}
        cells = "".join(f"{medians[one]:17,.0f}" if one in medians else " " * 17 for one in LIBRARIES)
        ratio = statistics.median(own) / medians["albumentations"] if "albumentations" in medians else None
        over = " (over the bar)" if ratio is not None and ratio < 1 / WITHIN else ""
        print(f"  {name + ':':20}{cells}  {'' if ratio is None else f'{ratio:6.2f}'}{over}")
    if found["albumentations"]:
        print("\n".join(NOTES))


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--peers", default="", help="interpreter that has the peer")
    parser.add_argument("--library", default="", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, default=None, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.library:
        print(json.dumps(measure(told.library, told.folder)))
        return
    interpreters = {"affectcheck": sys.executable, "albumentations": told.peers}
    found: dict[str, dict[str, list[float]]] = {library: {} for library in LIBRARIES}
    with tempfile.TemporaryDirectory(prefix="affectcheck-") as folder:
        write(Path(folder), told.pictures)
        for _ in range(told.runs):
            for library, interpreter in interpreters.items():
                for name, rate in (_child(interpreter, library, Path(folder)) if interpreter else {}).items():
                    found[library].setdefault(name, []).append(rate)
    _print(found, told)


if __name__ == "__main__":
    main()
