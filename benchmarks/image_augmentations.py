"""Every perturbation of pictures beside albumentations: pictures a CPU second, in one run, at two sizes.

    python benchmarks/image_augmentations.py [--peers PYTHON] [--from FOLDER] [--pictures 300] [--runs 5]

The peer is imported by another interpreter, such as that of ``python -m venv peers`` after ``pip install
albumentations``; without ``--peers``, only ours are measured. Libraries take turns, each run in a process of its own
that warms up first and uses one thread, and the median of the runs counts. A ratio below 1/1.15 is over the bar.

All get the same pictures in memory, as they take them: those of a folder, or made ones. The peer is called as its users
call it, by a ``Compose`` with a seed; ``alone`` is the transform without one, which draws without a seed. Levels that
decide about the time (radii, qualities, sizes) are the same. Ours draw from a generator of each item (3 µs), so that
what is done to a picture does not depend on the others, and look whether a pixel differs; the peer does neither. Levels
are looked up by StringZilla where the interpreter has it, as the peer does.
Where the peer has nothing of the kind, its columns are empty.
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
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[Any], object]

SIDES, WITHIN, AT_LEAST_S = (112, 224), 1.15, 0.15
LIBRARIES = ("affectcheck", "composed", "alone")
#: The same work for both, where the defaults of ours are others.
LEVELS: dict[str, dict[str, tuple[float, ...] | str]] = {
    "defocus-blur": {"radius_px": (2.9, 3.0, 3.1), "pixels_of": "picture"},
    "gaussian-blur": {"sigma_px": (1.9, 2.0, 2.1), "pixels_of": "picture"},
    "gaussian-noise": {"psnr_db": (24.3, 24.4, 24.5)},
    "jpeg": {"quality": (29, 30, 31)},
    "motion-blur": {"length_px": (8.0, 10.0, 12.0), "pixels_of": "picture"},
}
NOTES = (
    "albumentations: fog is a pattern of circles, covers know no face, and a colour temperature is one of a table;",
    "contrast is not around the mean; JPEG takes red for blue; brightness is no light; draws depend on the order of pictures",
)


def write(folder: Path, pictures: int, source: Path | None) -> None:
    """Pictures of a folder, or of smooth colours with texture, at each size."""
    from affectcheck.media.opencv import opencv

    cv2 = opencv()
    found = _read(source, pictures) if source else _made(pictures)
    for side in SIDES:
        sized = [cv2.resize(one, (side, side), interpolation=cv2.INTER_AREA) for one in found]
        np.save(folder / f"{side}.npy", np.stack(sized))


def _read(source: Path, pictures: int) -> list[np.ndarray]:
    from affectcheck.media.opencv import opencv

    cv2 = opencv()
    paths = sorted(path for path in source.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png"))
    if not paths:
        raise SystemExit(f"no pictures in {source}")
    step = max(1, len(paths) // pictures)
    return [cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB) for path in paths[::step][:pictures]]


def _made(pictures: int) -> list[np.ndarray]:
    from affectcheck.seeds import rng

    draw, side = rng(1, "pictures"), max(SIDES)
    rows, columns = np.mgrid[0:side, 0:side]
    made = []
    for _ in range(pictures):
        a, b, c = draw.uniform(10, 40, 3)
        waves = np.stack([np.sin(rows / a + k) * np.cos(columns / b + c * k) for k in range(3)], axis=-1)
        made.append(np.clip(128 + 60 * waves + draw.normal(0, 8, waves.shape), 0, 255).astype(np.uint8))
    return made


def ours(side: int) -> dict[str, Change]:
    """All of ours."""
    from affectcheck.augmentations import PICTURE_AUGMENTATIONS, make_perturbation

    heights = tuple(round(share * side) for share in (0.29, 0.3, 0.31))
    sizes = {"low-resolution": {"height_px": heights, "pixels_of": "picture"}}

    def change(name: str) -> Change:
        one = make_perturbation(name, {**LEVELS, **sizes}.get(name))
        return lambda item: one(*item)

    return {name: change(name) for name in PICTURE_AUGMENTATIONS.names()}


def albumentations(*, composed: bool) -> dict[str, Change]:
    """What the peer has, with our levels where it takes them."""
    os.environ["NO_ALBUMENTATIONS_UPDATE"] = "1"
    import albumentations as library
    import cv2

    cv2.setNumThreads(1)
    scaled = {"downscale": cv2.INTER_AREA, "upscale": cv2.INTER_CUBIC}
    made = {
        "brightness": library.RandomBrightnessContrast((-0.3, 0.3), (0, 0), p=1),
        "contrast": library.RandomBrightnessContrast((0, 0), (-0.5, 0.5), p=1),
        "colour-temperature": library.PlanckianJitter(p=1),
        "defocus-blur": library.Defocus((3, 3), (0.1, 0.1), p=1),
        "flip": library.HorizontalFlip(p=1),
        "fog": library.RandomFog(p=1),
        "gamma": library.RandomGamma((50, 200), p=1),
        "gaussian-blur": library.GaussianBlur((15, 15), (1.9, 2.1), p=1),
        "gaussian-noise": library.GaussNoise((0.06, 0.06), p=1),
        "grey": library.ToGray(p=1),
        "jpeg": library.ImageCompression(quality_range=(29, 31), p=1),
        "low-resolution": library.Downscale((0.29, 0.31), interpolation_pair=scaled, p=1),
        "motion-blur": library.MotionBlur((9, 13), p=1),
        "occlude-eyes": library.CoarseDropout((1, 1), (30, 30), (60, 60), p=1),
        "rotation": library.Rotate((-15, 15), interpolation=2, border_mode=4, p=1),
        "scale": library.Affine(scale=(0.85, 1.15), interpolation=2, border_mode=4, p=1),
        "shift": library.Affine(translate_percent=(-0.1, 0.1), interpolation=2, border_mode=4, p=1),
    }

    def change(transform: library.BasicTransform) -> Change:
        one = library.Compose([transform], seed=1) if composed else transform
        return lambda pixels: one(image=pixels)["image"]

    return {name: change(one) for name, one in made.items()}


def measure(library: str, folder: Path) -> dict[str, float]:
    """Pictures a CPU second of everything that a library has, by size and name."""
    found = {}
    for side in SIDES:
        pictures: list[Any] = list(np.load(folder / f"{side}.npy"))
        if library == "affectcheck":
            from affectcheck.media.clip import Image

            pictures = [(Image(pixels), f"picture {index}") for index, pixels in enumerate(pictures)]
        changes = ours(side) if library == "affectcheck" else albumentations(composed=library == "composed")
        for name, change in changes.items():
            found[f"{side} {name}"] = _rate(change, pictures[:5] if name in ("video-compression", "fog") else pictures)
    return found


def _rate(change: Change, pictures: list[Any]) -> float:
    for one in pictures[:5]:
        change(one)
    done, before = 0, time.process_time()
    while (taken := time.process_time() - before) < AT_LEAST_S:
        for one in pictures:
            change(one)
        done += len(pictures)
    return done / taken


def _child(interpreter: str, library: str, folder: Path) -> dict[str, float]:
    words = [interpreter, "-W", "ignore", __file__, "--library", library, "--folder", str(folder)]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **threads})
    if done.returncode:
        raise SystemExit(f"{library} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def _print(found: dict[str, dict[str, list[float]]], told: argparse.Namespace) -> None:
    heads = "".join(f"{head:>17}" for head in ("affectcheck", "albumentations", "alone"))
    for side in SIDES:
        print(f"pictures of {side}×{side} a CPU second, median of {told.runs} runs")
        print(f"  {'':20}{heads}  times the peer")
        for key in found["affectcheck"]:
            if key.startswith(f"{side} "):
                print(_line(key, found))
    print(f"levels of ours are looked up by {'StringZilla' if find_spec('stringzilla') else 'OpenCV'}")
    if found["composed"]:
        print("\n".join(NOTES))


def _line(key: str, found: dict[str, dict[str, list[float]]]) -> str:
    medians = {library: statistics.median(found[library][key]) for library in LIBRARIES if key in found[library]}
    cells = "".join(f"{medians[one]:17,.0f}" if one in medians else " " * 17 for one in LIBRARIES)
    ratio = medians["affectcheck"] / medians["composed"] if "composed" in medians else None
    over = " (over the bar)" if ratio is not None and ratio < 1 / WITHIN else ""
    return f"  {key.partition(' ')[2] + ':':20}{cells}  {'' if ratio is None else f'{ratio:6.2f}'}{over}"


def main() -> None:
    """Print a table for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--from", dest="source", type=Path, default=None, help="folder of pictures")
    parser.add_argument("--peers", default="", help="interpreter that has the peer")
    parser.add_argument("--library", default="", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, default=None, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.library:
        print(json.dumps(measure(told.library, told.folder)))
        return
    found: dict[str, dict[str, list[float]]] = {library: {} for library in LIBRARIES}
    with tempfile.TemporaryDirectory(prefix="affectcheck-") as folder:
        write(Path(folder), told.pictures, told.source)
        for _ in range(told.runs):
            for library in LIBRARIES:
                interpreter = sys.executable if library == "affectcheck" else told.peers
                for key, rate in (_child(interpreter, library, Path(folder)) if interpreter else {}).items():
                    found[library].setdefault(key, []).append(rate)
    _print(found, told)


if __name__ == "__main__":
    main()
