"""Draws the features that actions move: brows, eyes, nose, mouth, and the lines that actions and age fold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.datasets.drawn_faces_appearance import mixed
from affectcheck.datasets.drawn_faces_geometry import POINTS, smooth
from affectcheck.datasets.drawn_faces_head import BLACK, WHITE, Ink

if TYPE_CHECKING:
    from affectcheck.datasets.drawn_faces_geometry import Eye
    from affectcheck.datasets.drawn_faces_head import Sketch

_ANGLE: Final = np.linspace(0.0, np.pi, 13)
_TURN: Final = np.linspace(0.0, 2 * np.pi, 13)


def draw_brows(sketch: Sketch) -> None:
    """Brows, thick inside and pointed outside."""
    look, see = sketch.look, sketch.see
    hair = mixed(look.hair, BLACK, 0.25) if look.group.age == "70+" else look.hair
    weight = 0.092 * look.shape.brow_weight * see.unit
    points = see.pair(smooth(sketch.form.brow, 20), 0.03)
    widths = (0.85 * weight, 1.1 * weight, weight, 0.3 * weight)
    sketch.canvas.stroke(points, mixed(hair, look.skin, 0.08), widths, 0.95)


def draw_eyes(sketch: Sketch) -> None:
    """Eyes with lids, lashes and the crease above."""
    look, see, canvas, eye = sketch.look, sketch.see, sketch.canvas, sketch.form.eye
    female = look.group.gender == "female"
    shapes = (
        (np.concatenate([eye.upper, eye.lower[::-1]]), (250, 249, 246)),
        (_clipped(eye, eye.iris), look.eyes),
        (_clipped(eye, 0.52 * eye.iris), BLACK),
    )
    for shape, colour in shapes:
        for points in see.pair(shape):
            canvas.fill(points, colour)
    _draw_glint(sketch)
    lash = (0.02 * see.unit, (0.062 if female else 0.042) * see.unit, 0.04 * see.unit)
    canvas.stroke(see.pair(eye.upper), mixed(BLACK, look.skin, 0.12), lash)
    sketch.pair(eye.lower, Ink((0.022,), 0.75, 0.7))
    crease = eye.upper * (1.0, 0.9) + np.array((0.0, -0.065 + 0.03 * sketch.act["AU7"]))
    sketch.pair(crease[2:-1], Ink((0.01, 0.025, 0.01), 0.6))
    if female:
        tips = eye.upper[-2:] + np.array([(0.0, 0.0), (0.06, -0.06)])
        canvas.stroke(see.pair(tips), BLACK, (0.05 * see.unit, 0.01 * see.unit))


def _draw_glint(sketch: Sketch) -> None:
    """Light on both eyes from one side, where the lids leave room for it."""
    eye, see = sketch.form.eye, sketch.see
    if eye.upper[POINTS // 2, 1] + 0.02 < -0.04:
        x, y = eye.centre
        for glint in see.front(np.array([(0.035 - x, y - 0.04), (0.035 + x, y - 0.04)])):
            sketch.canvas.disc(glint, 0.028 * see.unit, WHITE, 0.9)


def _clipped(eye: Eye, radius: float) -> np.ndarray:
    """The part of a disc on the eye that the lids leave free."""
    across, round_ = eye.centre[0] + radius * np.cos(_ANGLE), radius * np.sin(_ANGLE)
    high = np.interp(across, eye.upper[:, 0], eye.upper[:, 1])
    low = np.interp(across, eye.lower[:, 0], eye.lower[:, 1])
    above, below = (np.clip(eye.centre[1] + side * round_, high, low) for side in (-1, 1))
    return np.concatenate([np.stack([across, above], axis=1), np.stack([across, below], axis=1)[::-1]])


def draw_nose(sketch: Sketch) -> None:
    """Bridge, wings and nostrils; AU9 wrinkles its root."""
    see, act, (x, y), tip = sketch.see, sketch.act, sketch.form.wing, sketch.form.tip[1]
    bridge = smooth([(0.12, -0.12), (0.09, 0.12), (0.1, 0.5 * tip + 0.1)], 10)
    sketch.pair(bridge, Ink((0.01, 0.03, 0.01), 0.32 + 0.2 * act["AU9"], 0.45), 0.12)
    arc = smooth([(0.8 * x, y - 0.13), (1.08 * x, y - 0.04), (1.02 * x, y + 0.06), (0.72 * x, y + 0.08)], 12)
    sketch.pair(arc, Ink((0.015, 0.045, 0.02), 0.85), 0.14)
    nostril = np.array([0.45 * x, y + 0.07]) + np.stack([0.06 * np.cos(_TURN), 0.028 * np.sin(_TURN)], axis=1)
    for hole in see.pair(nostril, 0.2):
        sketch.canvas.fill(hole, sketch.shade(0.82), 0.85)
    for step in (0.0, 0.09, 0.18):
        fold = smooth([(0.03, 0.1 + step), (0.1, 0.05 + step), (0.2, 0.13 + step)], 8)
        sketch.pair(fold, Ink((0.01, 0.04, 0.01), 0.95 * act["AU9"], 0.66), 0.12)
    under = smooth([(-0.07, tip + 0.13), (0.0, tip + 0.155), (0.07, tip + 0.13)], 8)
    sketch.line(under, Ink((0.03,), 0.7), 0.26)


def draw_mouth(sketch: Sketch) -> None:
    """Lips, and between them teeth and the dark of the mouth."""
    look, see, canvas, mouth = sketch.look, sketch.see, sketch.canvas, sketch.form.mouth
    act, lift = sketch.act, 0.06
    if mouth.opening > 0.01:
        inside = np.concatenate([mouth.upper, mouth.lower[::-1]])
        canvas.fill(see.front(inside, lift), (58, 16, 20))
        bare = max(act["AU12"], act["AU10"], act["AU20"], 0.35 * act["AU26"], 0.4 * act["AU25"])
        deep = np.minimum(mouth.lower[:, 1], mouth.upper[:, 1] + 0.03 + 0.1 * bare)
        teeth = np.concatenate([mouth.upper[2:-2], np.stack([mouth.upper[:, 0], deep], axis=1)[2:-2][::-1]])
        canvas.fill(see.front(teeth, lift), (246, 242, 232))
        if mouth.opening > 0.25:
            tongue = mouth.lower[4:-4] - (0.0, 0.005)
            crown = mouth.lower[4:-4] * (0.9, 1.0) - (0.0, 0.12)
            canvas.fill(see.front(np.concatenate([tongue, crown[::-1]]), lift), (176, 74, 80))
    upper_lip = np.concatenate([mouth.top, mouth.upper[::-1]])
    lower_lip = np.concatenate([mouth.lower, mouth.bottom[::-1]])
    canvas.fill(see.front(upper_lip, lift), mixed(look.lips, BLACK, 0.1))
    canvas.fill(see.front(lower_lip, lift), look.lips)
    seam = mixed((70, 18, 22), BLACK, 0.35)
    weight = (0.035 + 0.03 * act["AU24"]) * see.unit
    canvas.stroke(see.front(mouth.upper, lift), seam, (weight, 0.75 * weight, weight), 0.95)
    if mouth.opening > 0.01:
        canvas.stroke(see.front(mouth.lower, lift), seam, (0.5 * weight,), 0.6)
    _draw_corners(sketch)
    edge = mouth.bottom[4:-4] + np.array((0.0, 0.02))
    sketch.line(edge, Ink((0.01, 0.03, 0.01), 0.45 + 0.3 * act["AU24"]), lift)


def _draw_corners(sketch: Sketch) -> None:
    """Dimples where the corners are pulled up, folds where they hang; bulges and small folds of tight lips."""
    act, mouth, lines = sketch.act, sketch.form.mouth, sketch.look.lines
    x, y = mouth.corner
    up = smooth([(x + 0.05, y - 0.09), (x + 0.085, y), (x + 0.045, y + 0.09)], 8)
    sketch.pair(up, Ink((0.01, 0.045, 0.01), 0.95 * act["AU12"], 0.68))
    down = smooth([(x, y), (x + 0.05, y + 0.09), (x + 0.04, y + 0.2)], 8)
    sketch.pair(down, Ink((0.045, 0.03, 0.01), min(0.95 * act["AU15"] + 0.3 * lines, 1.0), 0.68))
    for step in (0.05, 0.13):
        tight = np.array([(x + step, y - 0.07), (x + step + 0.01, y), (x + step, y + 0.07)])
        sketch.pair(tight, Ink((0.03,), 0.85 * act["AU23"], 0.66))
    for edge, away in ((mouth.top, -0.085), (mouth.bottom, 0.085)):
        bulge = edge[3:-3] * (0.95, 1.0) + np.array((0.0, away))
        sketch.line(bulge, Ink((0.01, 0.035, 0.01), 0.8 * act["AU24"], 0.6))
