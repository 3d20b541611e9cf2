"""A video whose faces move in a known way: two photographs that pass each other, one of whom leaves and comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.media.faces.alignment import Similarity
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

WIDTH: Final = 640
HEIGHT: Final = 360
RATE_HZ: Final = 25


@dataclass(frozen=True, eq=False)
class Person:
    """A head that is moved about.

    Attributes:
        pixels: of the photograph.
        landmarks: (5, 2) of its face, in centres of pixels.
        box: of the face, which the head around it is cut out by.
    """

    pixels: np.ndarray
    landmarks: np.ndarray
    box: tuple[float, float, float, float]

    @classmethod
    def of(cls, pixels: np.ndarray, landmarks: np.ndarray, box: tuple[float, float, float, float]) -> Person:
        """A person from a photograph, which is brought near to the size that it is shown in first."""
        cv2 = opencv()
        scale = 200 / (box[3] - box[1])
        size = (round(pixels.shape[1] * scale), round(pixels.shape[0] * scale))
        steps = np.array(size) / pixels.shape[1::-1]
        small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        edges = np.array(box).reshape(2, 2) * steps
        return cls(small, (landmarks + 0.5) * steps - 0.5, tuple(edges.ravel()))

    def placed(self, across: float, down: float, size: float, angle_deg: float) -> Similarity:
        """The move that brings the middle of the face to a place and its box to a height."""
        left, up, right, low = self.box
        scale = size / (low - up)
        angle = np.radians(angle_deg)
        linear = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        middle = np.array([(left + right) / 2, (up + low) / 2])
        return Similarity(np.column_stack([linear, np.array([across, down]) - linear @ middle]))

    def alpha(self) -> np.ndarray:
        """(height, width) float32: 1 on the head, 0 beyond it."""
        left, up, right, low = self.box
        rows, columns = np.mgrid[: self.pixels.shape[0], : self.pixels.shape[1]]
        across = (columns - (left + right) / 2) / ((right - left) * 0.85)
        down = (rows - (up + low) / 2 + 0.08 * (low - up)) / ((low - up) * 0.85)
        return np.clip((1 - np.hypot(across, down)) * 8, 0, 1).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Moment:
    """A frame and where its faces are.

    Attributes:
        pixels: (360, 640, 3) uint8.
        landmarks: (5, 2) of each person, or None of those who are not in the picture.
        hidden: how much of the second's face the first covers, from 0 to 1.
    """

    pixels: np.ndarray
    landmarks: tuple[np.ndarray | None, ...]
    hidden: float


def moments(people: Sequence[Person], *, duration_s: float = 60.0) -> Iterator[Moment]:
    """Two people who walk back and forth, pass each other every ten seconds, and one of whom is away for two."""
    cv2 = opencv()
    cut = [(person.pixels.astype(np.float32), person.alpha()) for person in people]
    backdrop = _backdrop()
    for frame in range(round(duration_s * RATE_HZ)):
        time_s = frame / RATE_HZ
        picture = backdrop.copy()
        found: list[np.ndarray | None] = [None, None]
        behind = np.zeros((HEIGHT, WIDTH), bool)
        hidden = 0.0
        for number in (1, 0):  # the first passes in front
            person, (pixels, alpha) = people[number], cut[number]
            move = person.placed(*_path(number, time_s))
            shown = cv2.warpAffine(pixels, move.matrix, (WIDTH, HEIGHT))
            weight = cv2.warpAffine(alpha, move.matrix, (WIDTH, HEIGHT))[..., None]
            picture += weight * (shown - picture)
            points = move.moved(person.landmarks)
            if number == 1:
                behind = _face(move, person)
            elif behind.any():
                hidden = float(weight[behind].mean())
            if ((points > 0) & (points < (WIDTH - 1, HEIGHT - 1))).all():
                found[number] = points
        yield Moment(picture.round().clip(0, 255).astype(np.uint8), tuple(found), hidden)


def _path(number: int, time_s: float) -> tuple[float, float, float, float]:
    """Where a person is: across, down, height of the face, turn in degrees."""
    phase = 2 * np.pi * time_s / 20 + np.pi * number
    across = WIDTH / 2 + 190 * np.cos(phase)
    if number == 1 and 23.5 <= time_s < 27.0:  # past the other, out of the picture for two seconds, and back
        across += 700 * np.clip(min(time_s - 23.5, 27.0 - time_s), 0, 1)
    down = HEIGHT / 2 + 22 * np.sin(2 * np.pi * time_s / 3.1 + number) + (-18 if number else 18)
    size = 125 + 15 * np.sin(2 * np.pi * time_s / 7.3 + 2 * number)
    return float(across), float(down), float(size), float(9 * np.sin(2 * np.pi * time_s / 4.7 + number))


def _face(move: Similarity, person: Person) -> np.ndarray:
    """(360, 640) where the upright rectangle around somebody's face is."""
    left, up, right, low = person.box
    corners = move.moved(np.array([(left, up), (right, up), (left, low), (right, low)]))
    (x1, y1), (x2, y2) = corners.min(axis=0), corners.max(axis=0)
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    return (columns >= x1) & (columns <= x2) & (rows >= y1) & (rows <= y2)


def _backdrop() -> np.ndarray:
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    waves = [np.sin(columns / 40 + k) * 18 + np.sin(rows / 27 + 2 * k) * 18 for k in range(3)]
    return (110 + np.stack(waves, axis=2)).astype(np.float32)


def write_video(path: Path, pictures: Iterator[np.ndarray]) -> None:
    """Write a video with H.264, nearly without loss."""
    import av

    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE_HZ, options={"crf": "18", "preset": "veryfast"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for pixels in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        container.mux(stream.encode(None))
