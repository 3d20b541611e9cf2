"""Draws the hair on top of a head, and beards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.datasets.drawn_faces_appearance import mixed
from affectcheck.datasets.drawn_faces_geometry import smooth
from affectcheck.datasets.drawn_faces_head import BLACK, TOP, WHITE

if TYPE_CHECKING:
    from affectcheck.datasets.drawn_faces_head import Sketch


def draw_beard(sketch: Sketch) -> None:
    """Beard and moustache, around the lips."""
    look, see, chin = sketch.look, sketch.see, sketch.form.chin
    if look.beard == "none":
        return
    lip, width, jaw = float(sketch.form.mouth.top[:, 1].min()), look.shape.width, look.shape.jaw
    outer = [(1.03 * width, 0.35), (0.93 * width * jaw, 0.56 * chin), (0.68 * jaw, 0.82 * chin)]
    outer += [(0.34 * jaw, 0.985 * chin), (0.0, 1.015 * chin)]
    inner = [(0.0, lip - 0.14), (0.3, lip - 0.12), (0.62, lip + 0.08), (0.78, 0.72), (0.93 * width, 0.35)]
    low = see.rim_pair(smooth(outer, 20), np.linspace(0.12, 0.55, 20))
    high = see.pair(smooth(inner, 16))
    shape = np.concatenate([low[0], low[1][::-1], high[1][::-1], high[0]])
    alpha = 0.8 if look.beard == "full" else 0.18
    sketch.canvas.fill(shape, mixed(look.skin, look.hair, 0.85), alpha, solid=True)


_LINES: Final[dict[str, list[tuple[float, float]]]] = {
    "long": [(0.0, -1.08), (0.42, -0.9), (0.8, -0.62), (0.97, -0.1), (1.02, 0.9)],
    "bob": [(0.0, -1.06), (0.4, -0.9), (0.78, -0.62), (0.95, -0.1), (1.0, 0.8)],
    "fringe": [(0.0, -0.66), (0.4, -0.66), (0.78, -0.6), (0.96, -0.2), (1.0, 0.8)],
    "bun": [(0.0, -1.04), (0.45, -0.95), (0.82, -0.66), (0.98, -0.25), (1.04, 0.05)],
    "curls": [(0.0, -0.86), (0.42, -0.82), (0.8, -0.6), (0.98, -0.15), (1.05, 0.5)],
    "short": [(0.0, -0.96), (0.45, -0.94), (0.82, -0.76), (0.93, -0.4), (1.03, 0.02)],
    "parted": [(0.0, -0.92), (0.45, -0.92), (0.84, -0.74), (0.94, -0.4), (1.03, 0.04)],
    "crew": [(0.0, -1.04), (0.5, -0.98), (0.84, -0.78), (0.95, -0.42), (1.03, -0.05)],
    "curls short": [(0.0, -0.9), (0.45, -0.88), (0.82, -0.7), (0.94, -0.35), (1.03, 0.0)],
    "tuft": [(0.0, -0.94), (0.45, -0.98), (0.84, -0.76), (0.94, -0.4), (1.03, 0.0)],
    "receded": [(0.0, -1.14), (0.5, -1.2), (0.8, -0.95), (0.9, -0.5), (1.03, 0.05)],
}
_VOLUMES: Final = {"crew": 0.04, "receded": 0.04, "bun": 0.08, "curls": 0.2, "long": 0.15, "fringe": 0.15, "bob": 0.15}


_TUFT: Final = ((-0.3, -1.02), (-0.2, -1.5), (0.02, -1.25), (0.2, -1.52), (0.34, -1.02))
_SIDE: Final = ((0.98, -0.5), (1.08, -0.3), (1.08, 0.15), (0.99, 0.2), (0.95, -0.1), (0.98, -0.5))
#: Where hair is parted, from the middle.
_PARTS: Final = {"long": 0.0, "parted": 0.45}


def draw_hair(sketch: Sketch) -> None:
    """The hair on top, with the line where it ends; of the bald, what is left at the sides."""
    canvas, see, look = sketch.canvas, sketch.see, sketch.look
    if look.style == "bald":
        for patch in see.rim_pair(smooth(_SIDE, 18) * np.array([look.shape.width, 1.0])):
            canvas.fill(patch, look.hair, solid=True)
        return
    line = smooth(_LINES[look.style], 20)
    over, bottom = _VOLUMES.get(look.style, 0.12), float(line[-1, 1])
    wide = look.shape.width + over * 0.6
    crown = [(0.0, TOP - over), (0.58, TOP + 0.1 - over), (0.97 * wide, -0.8), (1.09 * wide, -0.2)]
    outer, inner = see.rim_pair(smooth([*crown, (1.07 * wide, bottom)], 20)), see.pair(line)
    if look.style == "bun":
        for (x, y), radius, share in (((0.0, TOP - 0.12), 0.36, 0.0), ((0.06, TOP - 0.16), 0.2, 0.12)):
            canvas.disc(see.rim(np.array([(x, y)]), -0.2)[0], radius * see.unit, mixed(look.hair, WHITE, share))
    canvas.fill(np.concatenate([outer[0], inner[0][::-1], inner[1], outer[1][::-1]]), look.hair, solid=True)
    if "curls" in look.style:
        _draw_curls(sketch, inner, outer)
    else:
        _draw_strands(sketch, inner, outer)


def _draw_curls(sketch: Sketch, inner: np.ndarray, outer: np.ndarray) -> None:
    canvas, unit, hair = sketch.canvas, sketch.see.unit, sketch.look.hair
    light = mixed(hair, WHITE, 0.16)
    for place in range(0, 16 if sketch.look.style == "curls" else 11, 2):
        for end, rim in zip(inner[:, place], outer[:, place], strict=True):
            canvas.disc(rim, 0.17 * unit, hair)
            canvas.disc((end + rim) / 2, 0.12 * unit, light, 0.5)
            canvas.disc(end, 0.13 * unit, hair)


def _draw_strands(sketch: Sketch, inner: np.ndarray, outer: np.ndarray) -> None:
    """Strands from the crown to where the hair ends; a parting, a tuft."""
    canvas, see, look = sketch.canvas, sketch.see, sketch.look
    light, dark = mixed(look.hair, WHITE, 0.16), mixed(look.hair, BLACK, 0.4)
    for place, colour in zip(range(2, 14, 3), (light, dark, light, dark), strict=True):
        strand = np.linspace(outer[:, max(place - 3, 0)], inner[:, place], 6, axis=1)[:, 1:]
        canvas.stroke(strand, colour, (0.05 * see.unit, 0.02 * see.unit), 0.6)
    if look.style == "tuft":
        canvas.fill(see.front(smooth(_TUFT, 20)), look.hair)
    if look.style in _PARTS:
        across = _PARTS[look.style]
        top, end = see.rim(np.array([(across, TOP)]))[0], see.front(np.array([(across, -0.95)]))[0]
        canvas.stroke(np.linspace(top, end, 6), dark, (0.04 * see.unit,), 0.8)
