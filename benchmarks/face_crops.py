"""Faces cut out of a video: frames per CPU second from file to aligned crops, and where the time goes.

    python benchmarks/face_crops.py --portraits PICTURES [--seconds 12] [--runs 5]
    python benchmarks/face_crops.py --video FILE [--runs 5]

Of two photographs of faces, a video of 640×360 pixels is made in which both pass each other. It is cropped as
``affectcheck faces crop`` does, in one process and without a journal of what was found before: decoded, looked at,
followed, decoded again, aligned and written. The median of the runs counts.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")  # before NumPy is imported: CPU seconds of one core

from affectcheck.media.faces import crops, face_detector, mtcnn, seen_frames, sighting, writing  # noqa: E402
from affectcheck.media.faces.alignment import pixel_centres  # noqa: E402
from affectcheck.media.faces.sources import find_sources  # noqa: E402
from affectcheck.media.image import decode_image, is_image  # noqa: E402
from affectcheck.predictions.journal import Journal  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: What is timed, from the inside out: a part's own time is without those that it calls.
PARTS: dict[str, tuple[Any, str]] = {
    "detection: windows of every size": (mtcnn, "_proposed"),
    "detection: second network": (mtcnn, "_refined"),
    "detection: third network, landmarks": (mtcnn, "_decided"),
    "looks and blur, for following": (sighting, "_seen"),
    "detection: smaller pictures, the rest": (seen_frames, "sightings"),
    "following": (crops, "people_of"),
    "alignment": (writing, "align"),
    "JPEG and files": (crops, "write_crops"),
}
DECODING, REST = "decoding, twice", "journal, table, the rest"


class Watch:
    """CPU seconds of parts that call one another."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys([*PARTS, DECODING], 0.0)
        self._inside = [0.0]

    def timed(self, part: str, plain: Callable[..., Any]) -> Callable[..., Any]:
        """A function that is timed, without the timed ones that it calls."""

        def run(*inputs: Any, **options: Any) -> Any:
            self._inside.append(0.0)
            start = time.process_time()
            try:
                return plain(*inputs, **options)
            finally:
                whole = time.process_time() - start
                self.spent[part] += whole - self._inside.pop()
                self._inside[-1] += whole

        return run

    def each(self, plain: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        """A function whose values are waited for: decoding."""

        def run(*inputs: Any) -> Iterator[Any]:
            step = self.timed(DECODING, lambda values: next(values, None))
            values = plain(*inputs)
            while (value := step(values)) is not None:
                yield value

        return run


def filmed(portraits: Path, seconds: float, file: Path) -> None:
    """A video of the first two faces of a folder."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from moving_faces import Person, moments, write_video

    detector, people = face_detector(), []
    for path in sorted(filter(is_image, portraits.rglob("*"))):
        pixels = decode_image(path).pixels
        found = detector.detect(pixels)
        if len(found) == 1 and len(people) < 2:
            people.append(Person.of(pixels, pixel_centres(found[0].landmarks), tuple(found[0].box)))
    if len(people) < 2:
        raise SystemExit(f"{portraits}: two pictures of one face each are needed")
    write_video(file, (moment.pixels for moment in moments(people, duration_s=seconds)))


def cropped(video: Path, folder: Path) -> tuple[int, int]:
    """Frames that were looked at, and crops that were written."""
    made = crops.crop(find_sources(video).sources, folder / "out", stores=lambda name: Journal(folder / name))
    return made.table.get_column("frame").n_unique(), made.table.get_column("file").count()


def where(video: Path, folder: Path) -> dict[str, float]:
    """CPU seconds of each part of one run."""
    watch, plain = Watch(), {part: getattr(module, name) for part, (module, name) in PARTS.items()}
    reader, frames = seen_frames._Reader, seen_frames._Reader.frames
    for part, (module, name) in PARTS.items():
        setattr(module, name, watch.timed(part, plain[part]))
    reader.frames = watch.each(frames)  # type: ignore[method-assign]
    start = time.process_time()
    cropped(video, folder)
    whole = time.process_time() - start
    for part, (module, name) in PARTS.items():
        setattr(module, name, plain[part])
    reader.frames = frames  # type: ignore[method-assign]
    return watch.spent | {REST: whole - sum(watch.spent.values())}


def main() -> None:
    """Print the rate, and a table of parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--portraits", type=Path, default=None)
    parser.add_argument("--video", type=Path, default=None)
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--runs", type=int, default=5)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="affectcheck-") as made:
        folder, video = Path(made), told.video
        if video is None:
            video = folder / "faces.mp4"
            filmed(told.portraits or parser.error("--portraits or --video"), told.seconds, video)
        taken, counts = [], (0, 0)
        for run in range(told.runs):
            start = time.process_time()
            counts = cropped(video, folder / str(run))
            taken.append(time.process_time() - start)
        spent = where(video, folder / "parts")
    print(f"  frames: {counts[0]}, crops: {counts[1]}")
    print(f"  from file to crops: {counts[0] / statistics.median(taken):.1f} frames per CPU second")
    print("where the time goes")
    for part, part_s in sorted(spent.items(), key=lambda one: -one[1]):
        print(f"  {part}: {part_s / sum(spent.values()):.0%}, {1000 * part_s / counts[0]:.2f} ms a frame")


if __name__ == "__main__":
    main()
