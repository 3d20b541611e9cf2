"""Draws the folds and lines of the skin, by action and by age, and what is worn over it all: glasses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.datasets.drawn_faces_appearance import mixed
from affectcheck.datasets.drawn_faces_geometry import EYE_X, smooth
from affectcheck.datasets.drawn_faces_head import WHITE, Ink

if TYPE_CHECKING:
    from affectcheck.datasets.drawn_faces_head import Sketch

_TURN: Final = np.linspace(0.0, 2 * np.pi, 33)


def draw_lines(sketch: Sketch) -> None:
    """Every fold of the skin; one that is both of age and of an action is as strong as the stronger."""
    _draw_forehead(sketch)
    _draw_around_eyes(sketch)
    _draw_cheeks(sketch)
    _draw_chin(sketch)


def _draw_forehead(sketch: Sketch) -> None:
    """Level lines over raised brows: in the middle for AU1, at the sides for AU2; upright ones between for AU4."""
    act, age = sketch.act, 0.5 * sketch.look.lines
    rise = 0.06 * max(act["AU1"], act["AU2"])
    for number, level in enumerate((-0.68, -0.8, -0.91)):
        middle = smooth([(-0.34, level - rise), (0.0, level - 0.025 - rise), (0.34, level - rise)], 12)
        sketch.line(middle, Ink((0.01, 0.035, 0.01), max(0.8 * act["AU1"], age) * (1 - 0.15 * number)))
        flank = smooth([(0.36, level - rise), (0.56, level - 0.03 - rise), (0.8, level + 0.06 - rise)], 10)
        sketch.pair(flank, Ink((0.01, 0.035, 0.01), max(0.8 * act["AU2"], age) * (1 - 0.15 * number)))
    x = 0.1 - 0.03 * act["AU4"]
    upright = smooth([(x, -0.47), (x - 0.01, -0.33), (x + 0.01, -0.2)], 8)
    sketch.pair(upright, Ink((0.01, 0.05, 0.015), max(0.95 * act["AU4"], 0.5 * age), 0.68))


def _draw_around_eyes(sketch: Sketch) -> None:
    """Crow's feet and the cheek's edge for AU6, the pouch under a tight lower lid for AU7, bags for age."""
    act, lines, (outer, _) = sketch.act, sketch.look.lines, sketch.form.eye.upper[-1]
    for spread in (-0.1, 0.0, 0.1):
        foot = np.array([(outer + 0.05, 0.03 + 0.4 * spread), (outer + 0.2, 0.04 + 1.2 * spread)])
        sketch.pair(foot, Ink((0.035, 0.01), max(0.9 * act["AU6"], 0.45 * lines)))
    lift = 0.05 * act["AU6"]
    cheek = smooth([(0.24, 0.22 - lift), (0.45, 0.31 - lift), (0.66, 0.28 - lift), (0.84, 0.16 - lift)], 14)
    sketch.pair(cheek, Ink((0.01, 0.05, 0.01), 0.95 * act["AU6"], 0.6))
    pouch = sketch.form.eye.lower[2:-2] + np.array((0.0, 0.055))
    sketch.pair(pouch, Ink((0.01, 0.045, 0.01), 0.95 * act["AU7"], 0.66))
    bag = smooth([(0.3, 0.17), (0.48, 0.23), (0.68, 0.16)], 10)
    sketch.pair(bag, Ink((0.01, 0.03, 0.01), 0.55 * lines))


def _draw_cheeks(sketch: Sketch) -> None:
    """The fold from the nose to the mouth: bowed by AU12, deep beside the nose by AU10 and AU9."""
    act, lines = sketch.act, sketch.look.lines
    (x, y), wing = sketch.form.mouth.corner, sketch.form.wing
    smile = act["AU12"]
    knots = [
        (wing[0] + 0.06, wing[1] - 0.04),
        (0.5 * (wing[0] + x) + 0.13 + 0.1 * smile, 0.55 * wing[1] + 0.45 * y - 0.06),
        (x + 0.15 + 0.03 * smile, y - 0.04 + 0.04 * smile),
        (x + 0.14 - 0.02 * smile, y + 0.12),
    ]
    strength = max(0.85 * smile, 0.55 * lines, 0.25 * act["AU10"])
    fold = smooth(knots, 18)
    sketch.pair(fold, Ink((0.02, 0.04, 0.01), strength, 0.58))
    deep = max(0.95 * act["AU10"], 0.6 * act["AU9"])
    sketch.pair(fold[:11], Ink((0.05, 0.06, 0.015), deep, 0.66))


def _draw_chin(sketch: Sketch) -> None:
    """The groove under the lower lip; AU17 puckers the chin."""
    act, lines = sketch.act, sketch.look.lines
    low, chin = float(sketch.form.mouth.bottom[:, 1].max()), sketch.form.chin
    middle = low + 0.34 * (chin - low)
    groove = smooth([(-0.2, middle + 0.03), (0.0, middle), (0.2, middle + 0.03)], 10)
    sketch.line(groove, Ink((0.01, 0.03, 0.01), min(0.3 + 0.4 * act["AU17"] + 0.2 * lines, 1.0), 0.5))
    boss = smooth([(-0.22, middle + 0.2), (-0.1, middle + 0.06), (0.1, middle + 0.06), (0.22, middle + 0.2)], 14)
    sketch.line(boss, Ink((0.02, 0.05, 0.02), 0.9 * act["AU17"], 0.62))
    for x, y in ((-0.09, 0.14), (0.09, 0.14), (0.0, 0.2)):
        dimple = np.array([(x - 0.025, middle + y), (x + 0.025, middle + y + 0.01)])
        sketch.line(dimple, Ink((0.035,), 0.8 * act["AU17"], 0.6))


def draw_glasses(sketch: Sketch) -> None:
    """Round or square frames before the eyes, for those who wear them."""
    look, see, canvas = sketch.look, sketch.see, sketch.canvas
    if look.group.glasses == "no":
        return
    power = 1.0 if look.round_glasses else 0.45
    across, down = (0.4, 0.36) if look.round_glasses else (0.42, 0.3)
    wave = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)
    rim = np.sign(wave) * np.abs(wave) ** power * (across, down) + np.array((EYE_X * look.shape.eye_gap, 0.05))
    width, lift = 0.055 * see.unit, 0.12
    lenses = see.pair(rim, lift)
    for lens in lenses:
        canvas.fill(lens, (200, 222, 236), 0.1)
    canvas.stroke(lenses, look.frame, (width,))
    for x in (-EYE_X, EYE_X):
        glare = np.array([(x - 0.2, 0.15), (x - 0.05, -0.1)])
        canvas.stroke(see.front(glare, lift), WHITE, (0.05 * see.unit,), 0.22)
    hinges = see.pair(np.array([(EYE_X + across - 0.02, 0.0)]), lift)[:, 0]
    ears = see.rim_pair(np.array([(1.06 * look.shape.width, 0.0)]), -0.1)[:, 0]
    canvas.stroke(np.linspace(hinges, ears, 4, axis=1), mixed(look.frame, look.skin, 0.15), (0.8 * width,))
    bridge = smooth([(-0.13, 0.02), (0.0, -0.05), (0.13, 0.02)], 10)
    canvas.stroke(see.front(bridge, 0.2), look.frame, (width,))
