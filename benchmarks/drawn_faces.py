"""Drawn faces: CPU seconds of drawing, of placing landmarks, and of the whole data set in files.

The data set is made by one process a core, so that a user waits a share of what is measured here with one.

python benchmarks/drawn_faces.py [--rows N] [--runs N]
"""

from __future__ import annotations

import shutil
from functools import partial
from typing import TYPE_CHECKING

from measuring import Job, main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PICTURES = 5376
EACH = 42  # pictures of one person


def write(folder: Path, rows: int) -> None:
    """How many people are drawn."""
    (folder / "people.txt").write_text(str(max(2, rows // EACH)))


def people(folder: Path) -> int:
    return int((folder / "people.txt").read_text())


def drawn(size: int, folder: Path) -> Callable[[], object]:
    from affectcheck.datasets.drawn_faces_design import Design, plan
    from affectcheck.datasets.drawn_faces_drawing import draw

    pictures = plan(Design(subjects=people(folder), size=size))
    return lambda: sum(int(draw(picture.scene, size)[0, 0, 0]) for picture in pictures)


def placed(folder: Path) -> Callable[[], object]:
    from affectcheck.datasets.drawn_faces_design import Design, plan
    from affectcheck.datasets.drawn_faces_drawing import place

    pictures = plan(Design(subjects=people(folder)))
    return lambda: round(sum(float(place(picture.scene, 112).landmarks.sum()) for picture in pictures))


def whole(folder: Path) -> Callable[[], object]:
    """Every picture as a file, by one process."""
    from affectcheck.datasets.drawn_faces_design import Design, plan
    from affectcheck.datasets.drawn_faces_worker import draw_pictures
    from affectcheck.digest import digest_mapping

    def make() -> str:
        made = draw_pictures(folder / "alone", plan(Design(subjects=people(folder))), 112)
        return digest_mapping({picture.item: picture.digest for picture in made})

    shutil.rmtree(folder / "alone", ignore_errors=True)
    return make


def again(folder: Path) -> Callable[[], object]:
    from affectcheck.datasets import load_dataset

    read = partial(load_dataset, "drawn-faces", folder / "made", subjects=people(folder))
    read()
    return lambda: read().digest


JOBS = {
    "draw 112": Job("drawing, 112×112", partial(drawn, 112), ours=True),
    "draw 224": Job("drawing, 224×224", partial(drawn, 224), ours=True),
    "place": Job("placing landmarks, without drawing", placed, ours=True),
    "whole": Job("every picture drawn into a file, by one process", whole, ours=True, bar_s=60.0),
    "again": Job("the data set with its table, when it is there", again, ours=True),
}

if __name__ == "__main__":
    main(JOBS, write, PICTURES, __doc__ or "")
