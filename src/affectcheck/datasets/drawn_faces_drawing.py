"""Draws a whole face and says where its five points are."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.datasets.drawn_faces_actions import DRAWN
from affectcheck.datasets.drawn_faces_canvas import Canvas
from affectcheck.datasets.drawn_faces_features import draw_brows, draw_eyes, draw_mouth, draw_nose
from affectcheck.datasets.drawn_faces_geometry import features
from affectcheck.datasets.drawn_faces_hair import draw_beard, draw_hair
from affectcheck.datasets.drawn_faces_head import Sketch, draw_back, draw_head, outline
from affectcheck.datasets.drawn_faces_lines import draw_glasses, draw_lines
from affectcheck.datasets.drawn_faces_projection import Pose, Projection

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.datasets.drawn_faces_appearance import Appearance, Colour


@dataclass(frozen=True)
class Light:
    """How a picture is lit.

    Attributes:
        gain: factor on all brightness.
        side: share by which the lit side of the head is brighter than its middle.
        angle_deg: where the light comes from, clockwise from the right of the picture.
        warmth: share by which red is stronger, and blue weaker.
    """

    gain: float = 1.0
    side: float = 0.12
    angle_deg: float = -120.0
    warmth: float = 0.0


@dataclass(frozen=True)
class Scene:
    """What is drawn in one picture.

    Attributes:
        look: the person.
        actions: intensities of units; those that are not named are still.
        pose: of the head.
        light: on it.
        background: colour behind it.
    """

    look: Appearance
    actions: Mapping[str, float] = field(default_factory=dict)
    pose: Pose = field(default_factory=Pose)
    light: Light = field(default_factory=Light)
    background: Colour = (172, 178, 182)


@dataclass(frozen=True, eq=False)
class Placed:
    """Where a face is in its picture, in pixels whose centres lie on whole numbers.

    Attributes:
        landmarks: (5, 2) left and right eye, tip of the nose, left and right corner of the mouth, by the picture's
            sides.
        box: left, top, right and bottom of the head without its hair.
    """

    landmarks: np.ndarray
    box: tuple[float, float, float, float]


#: How far the eyes, the tip of the nose and the corners of the mouth stand out from the sheet of the face.
_LIFTS: Final = (0.0, 0.3, 0.06)


def place(scene: Scene, size: int) -> Placed:
    """Where the face of a scene is, without drawing it."""
    see, form = Projection(scene.pose, size), features(scene.look.shape, scene.actions)
    points = []
    for (x, y), lift in zip((form.eye.centre, form.tip, form.mouth.corner), _LIFTS, strict=True):
        sides = (-1.0, 1.0) if x else (1.0,)
        points += [see.front(np.array([(x * side, y)]), lift)[0] for side in sides]
    edge = outline(see, scene.look.shape, form.chin)
    (left, top), (right, bottom) = edge.min(axis=0), edge.max(axis=0)
    return Placed(np.stack(points), (float(left), float(top), float(right), float(bottom)))


def draw(scene: Scene, size: int) -> np.ndarray:
    """The picture of a scene: (size, size, 3) uint8, RGB."""
    act = {unit: scene.actions.get(unit, 0.0) for unit in DRAWN}
    form = features(scene.look.shape, act)
    sketch = Sketch(Canvas(size, scene.background), Projection(scene.pose, size), scene.look, form, act)
    for part in (draw_back, draw_head, draw_lines, draw_beard, draw_nose, draw_mouth, draw_eyes, draw_brows):
        part(sketch)
    draw_hair(sketch)
    draw_glasses(sketch)
    lit = sketch.canvas.pixels() * _shading(sketch, scene.light)
    pixels: np.ndarray = np.clip(np.rint(lit), 0, 255).astype(np.uint8)
    return pixels


#: Soft shadows and lights of the face: x, y, half widths along both, and the share of brightness that is added.
_RELIEF: Final = np.array(
    [
        (-0.5, -0.16, 0.42, 0.2, -0.12),
        (0.5, -0.16, 0.42, 0.2, -0.12),
        (0.0, 0.84, 0.26, 0.09, -0.14),
        (0.0, 1.47, 0.3, 0.07, -0.1),
        (-0.58, 0.52, 0.32, 0.26, 0.07),
        (0.58, 0.52, 0.32, 0.26, 0.07),
        (0.0, 0.36, 0.1, 0.34, 0.07),
        (0.0, -0.75, 0.5, 0.24, 0.05),
    ]
)


def _shading(sketch: Sketch, light: Light) -> np.ndarray:
    """(size, size, 3) factors: bodies are rounder towards their edge, and brighter towards the light."""
    see, size = sketch.see, sketch.canvas.size
    grid = np.arange(size, dtype=np.float32)
    x0, y0 = see.rim(np.array([(0.0, 0.25)]), 0.3)[0].astype(np.float32)
    x, y = (grid - x0) / np.float32(1.25 * see.unit), (grid - y0) / np.float32(1.75 * see.unit)
    inner = np.minimum(x[None, :] ** 2 + y[:, None] ** 2, 1.6)
    angle = radians(light.angle_deg)
    towards = np.clip(x[None, :] * cos(angle) + y[:, None] * sin(angle), -1.3, 1.3)
    form = 1 - 0.17 * inner**2 / 1.6 + light.side * towards
    at, spread, amount = np.split(_RELIEF, (2, 4), axis=1)
    centres, widths = see.front(at).astype(np.float32), (spread * see.unit).astype(np.float32)
    rows, columns = (np.exp(-(((grid - centres[:, [axis]]) / widths[:, [axis]]) ** 2)) for axis in (0, 1))
    form += (columns * amount.astype(np.float32)).T @ rows
    bodies = sketch.canvas.bodies()
    backdrop = 1 + 0.5 * light.side * towards - 0.1 * (grid[:, None] / size)
    shade = light.gain * (bodies * form + (1 - bodies) * backdrop)
    tint = np.array([1 + light.warmth, 1.0, 1 - light.warmth], np.float32)
    factors: np.ndarray = shade[:, :, None] * tint
    return factors
