"""Draws what lies under the features: long hair behind, neck, clothes, ears and head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from affectcheck.datasets.drawn_faces_appearance import mixed
from affectcheck.datasets.drawn_faces_geometry import smooth

if TYPE_CHECKING:
    from affectcheck.datasets.drawn_faces_appearance import Appearance, Colour, Shape
    from affectcheck.datasets.drawn_faces_canvas import Canvas
    from affectcheck.datasets.drawn_faces_geometry import Features
    from affectcheck.datasets.drawn_faces_projection import Projection

BLACK: Final[Colour] = (14, 10, 12)
WHITE: Final[Colour] = (255, 255, 255)
TOP: Final = -1.32


class Ink(NamedTuple):
    """How a line of the skin is drawn.

    Attributes:
        widths: along it, in shares of the distance between the eyes.
        alpha: how much of the skin it hides; a line of 0 is not drawn.
        amount: how much darker than the skin it is.
    """

    widths: tuple[float, ...]
    alpha: float
    amount: float = 0.62


@dataclass(frozen=True, eq=False)
class Sketch:
    """All that is needed to draw one face.

    Attributes:
        canvas: to draw on.
        see: maps the face to the picture.
        look: the person.
        form: features as the actions move them.
        act: intensity of every unit that can be drawn.
    """

    canvas: Canvas
    see: Projection
    look: Appearance
    form: Features
    act: dict[str, float]

    def shade(self, amount: float) -> Colour:
        """The skin, darker; of dark skin more, so that lines show on every tone."""
        depth = 1 - sum(self.look.skin) / 600
        return mixed(self.look.skin, (52, 18, 13) if depth < 0.5 else (16, 5, 4), min(amount * (1 + 0.5 * depth), 1.0))

    def line(self, points: np.ndarray, ink: Ink, lift: float = 0.0) -> None:
        """A line on the face, of the colour of its skin."""
        if ink.alpha > 0:
            self._stroke(self.see.front(points, lift), ink)

    def pair(self, points: np.ndarray, ink: Ink, lift: float = 0.0) -> None:
        """A line of the right half and its mirror image."""
        if ink.alpha > 0:
            self._stroke(self.see.pair(points, lift), ink)

    def _stroke(self, points: np.ndarray, ink: Ink) -> None:
        widths = tuple(width * self.see.unit for width in ink.widths)
        self.canvas.stroke(points, self.shade(ink.amount), widths, ink.alpha)


def both(half: list[tuple[float, float]]) -> np.ndarray:
    """A shape of both halves, from its right half that leads from top to bottom."""
    right = np.array(half)
    return np.concatenate([right, (right * (-1.0, 1.0))[::-1]])


def outline(see: Projection, shape: Shape, chin: float) -> np.ndarray:
    """(n, 2) the outline in the picture of a head of this shape, whose chin is this far below the eyes."""
    half = [
        (0.0, TOP),
        (0.56, TOP + 0.12),
        (0.93 * shape.width, -0.78),
        (1.05 * shape.width, -0.2),
        (1.04 * shape.width, 0.42),
        (0.93 * shape.width * shape.jaw, 0.56 * chin),
        (0.68 * shape.jaw, 0.8 * chin),
        (0.36 * shape.jaw, 0.965 * chin),
        (0.0, chin),
    ]
    depth = np.array([0.0, 0.0, 0.0, 0.05, 0.1, 0.2, 0.36, 0.5, 0.55])
    right = np.column_stack([np.array(half), depth])
    whole = smooth(np.concatenate([right, (right * (-1.0, 1.0, 1.0))[-2::-1]]), 72)
    return see.rim(whole[:, :2], whole[:, 2])


def draw_back(sketch: Sketch) -> None:
    """Long hair behind the head, neck and clothes."""
    canvas, see, look = sketch.canvas, sketch.see, sketch.look
    lengths = {"long": 2.6, "bob": 1.3, "fringe": 1.75, "curls": 0.95}
    if look.style in lengths:
        end = lengths[look.style]
        half = [(0.0, TOP - 0.18), (0.75, TOP + 0.02), (1.18, -0.6), (1.3, 0.3), (1.26, end - 0.25), (0.95, end)]
        back = smooth(both(half), 60)
        canvas.fill(see.rim(back, -0.15), mixed(look.hair, BLACK, 0.3), solid=True)
    chin = sketch.form.chin
    neck = both([(0.56, 0.75), (0.52, 1.6), (0.62, 1.78), (1.3, 1.98), (2.2, 2.3), (2.6, 3.4)])
    canvas.fill(see.rim(neck, -0.1), look.clothes, solid=True)
    collar = both([(0.56, 0.75), (0.52, 1.6), (0.6, 1.74), (0.3, 2.1), (0.0, 2.2)])
    canvas.fill(see.rim(collar, -0.1), sketch.shade(0.12), solid=True)
    below = both([(0.6, 1.1), (0.52, chin + 0.02), (0.3, chin + 0.2), (0.0, chin + 0.25)])
    canvas.fill(see.rim(below, 0.1), sketch.shade(0.26), 0.7)


def draw_head(sketch: Sketch) -> None:
    """Ears and head; children have red cheeks."""
    canvas, see, look = sketch.canvas, sketch.see, sketch.look
    wide = np.array([look.shape.width, 1.0])
    for ear in see.rim_pair(smooth(_EAR, 24) * wide, -0.2):
        canvas.fill(ear, sketch.shade(0.08), solid=True)
    fold = see.rim_pair(smooth(_EAR_FOLD, 10) * wide, -0.2)
    canvas.stroke(fold, sketch.shade(0.62), (0.03 * see.unit,), 0.5)
    edge = outline(see, look.shape, sketch.form.chin)
    canvas.fill(edge, look.skin, solid=True)
    if look.group.age == "03-09":
        for cheek in see.pair(np.array([(0.62, 0.56)])):
            for radius in (0.26, 0.2, 0.13):
                canvas.disc(cheek[0], radius * see.unit, (214, 74, 70), 0.09)
    canvas.stroke(np.concatenate([edge, edge[:2]]), sketch.shade(0.5), (0.035 * see.unit,), 0.55)


_EAR: Final = ((1.0, -0.08), (1.15, -0.12), (1.22, 0.08), (1.16, 0.34), (1.04, 0.48), (0.98, 0.4), (1.0, -0.08))
_EAR_FOLD: Final = ((1.07, 0.0), (1.14, 0.04), (1.11, 0.24), (1.05, 0.34))
