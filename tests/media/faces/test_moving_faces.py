"""Two photographed people who pass each other in a video, one of whom leaves for two seconds; and a run that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.media.faces.alignment import pixel_centres
from affectcheck.media.faces.crops import CropOptions, crop
from affectcheck.media.faces.registry import face_detector
from affectcheck.media.faces.sources import find_sources
from affectcheck.media.image import decode_image
from affectcheck.media.landmarks import COLUMNS
from affectcheck.predictions.journal import Journal
from moving_faces import Moment, Person, moments, write_video

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.shared,
    pytest.mark.skipif(find_spec("mtcnn") is None or find_spec("cv2") is None, reason="no detector is installed"),
    pytest.mark.skipif(find_spec("av") is None, reason="videos cannot be written"),
]
DURATION_S = 28.0  # they pass each other at 5, 15 and 25 s; the second is away around the last time

RUN = """
import sys
from pathlib import Path
from affectcheck.media.faces.crops import CropOptions, crop
from affectcheck.media.faces.sources import find_sources
from affectcheck.predictions.journal import Journal
if __name__ == "__main__":
    video, out, cache, workers = sys.argv[1:]
    made = crop(
        find_sources(Path(video)).sources,
        Path(out),
        stores=lambda name: Journal(Path(cache) / name),
        options=CropOptions(workers=int(workers)),
    )
    made.table.write_csv(Path(out) / "faces.csv")
"""


@dataclass(frozen=True)
class Filmed:
    video: Path
    moments: list[Moment]


@pytest.fixture(scope="module")
def filmed(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Filmed:
    detector, people = face_detector(), []
    for name in ("white_house_1.jpg", "white_house_2.jpg"):
        pixels = decode_image(shared_data / "data" / "portraits" / name).pixels
        face = detector.detect(pixels)[0]
        people.append(Person.of(pixels, pixel_centres(face.landmarks), tuple(face.box)))
    shown = list(moments(people, duration_s=DURATION_S))
    video = tmp_path_factory.mktemp("moving") / "moving.mp4"
    write_video(video, (moment.pixels for moment in shown))
    return Filmed(video, shown)


@pytest.fixture(scope="module")
def whole(filmed: Filmed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The crops of a run that was left alone, with their table."""
    folder = tmp_path_factory.mktemp("whole")
    begin = time.process_time()
    made = crop(
        find_sources(filmed.video).sources,
        folder / "out",
        stores=lambda name: Journal(folder / "cache" / name),
        options=CropOptions(),
    )
    (folder / "cpu_s").write_text(str(time.process_time() - begin))
    made.table.write_csv(folder / "out" / "faces.csv")
    return folder / "out"


def test_nobody_is_taken_for_the_other_and_landmarks_move_as_their_faces_do(filmed: Filmed, whole: Path) -> None:
    rows = pl.read_csv(whole / "faces.csv").filter(pl.col("state") == "cropped")
    assert set(rows.get_column("person")) == {"left", "right"}
    who: dict[str, set[int]] = {"left": set(), "right": set()}
    found: set[tuple[int, int]] = set()
    for row in rows.iter_rows(named=True):
        moment = filmed.moments[row["frame"] - 1]
        points = np.array([row[column] for column in COLUMNS]).reshape(5, 2)
        off = [
            np.inf if truth is None else np.hypot(*(points - truth).T).mean() / np.hypot(*(truth[1] - truth[0]))
            for truth in moment.landmarks
        ]
        number = int(np.argmin(off))
        who[row["person"]].add(number)
        found.add((row["frame"], number))
        if number == 0 or moment.hidden < 0.1:
            assert off[number] < 0.05
    assert sorted(map(sorted, who.values())) == [[0], [1]]
    clear = {
        (frame, number)
        for frame, moment in enumerate(filmed.moments, 1)
        for number in (0, 1)
        if moment.landmarks[number] is not None and (number == 0 or moment.hidden < 0.1)
    }
    assert len(clear - found) <= 0.002 * len(clear)  # a face that is half out of the picture


def test_it_takes_less_than_a_fifteenth_of_a_second_of_the_processor_a_frame(filmed: Filmed, whole: Path) -> None:
    assert len(filmed.moments) / float((whole.parent / "cpu_s").read_text()) > 15


def test_a_run_that_is_killed_and_goes_on_makes_the_same_files(filmed: Filmed, whole: Path, tmp_path: Path) -> None:
    script, out, cache = tmp_path / "run.py", tmp_path / "out", tmp_path / "cache"
    script.write_text(RUN)
    command = [sys.executable, str(script), str(filmed.video), str(out), str(cache), "2"]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

    def finished() -> int:
        return sum(path.read_bytes().count(b"\n") for path in cache.glob("*"))

    run = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    while finished() < len(filmed.moments) // 2 and run.poll() is None:
        time.sleep(0.02)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert not (out / "faces.csv").exists()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    assert finished() <= len(filmed.moments) + 2  # nothing that was finished is made again, and a line for the end
    one, other = (
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (whole, out)
    )
    assert one == other
