"""How a drawn person looks in every picture: face, tone, hair, features, age cues and glasses.

Groups differ by cues that drawings use (and by no more than these): gender by hair, brows, lashes, lips and jaw; age
by proportions, lines and grey hair; tone by the colour of the skin, with hair of any dark colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Colour: TypeAlias = tuple[int, int, int]

GENDERS: Final = ("female", "male")
TONES: Final = ("light", "tan", "brown", "dark")
AGES: Final = ("03-09", "20-29", "40-49", "70+")
GLASSES: Final = ("no", "yes")

#: Two ends of every tone, between which a person's own lies.
_SKIN: Final = {
    "light": ((247, 218, 198), (236, 200, 174)),
    "tan": ((222, 176, 136), (208, 160, 118)),
    "brown": ((172, 120, 84), (156, 106, 72)),
    "dark": ((118, 78, 56), (104, 68, 48)),
}
_HAIR: Final = {
    "light": ((58, 40, 28), (104, 70, 38), (188, 150, 88), (140, 62, 30), (30, 26, 26)),
    "tan": ((32, 26, 24), (62, 42, 30), (88, 58, 34)),
    "brown": ((26, 22, 22), (44, 30, 24)),
    "dark": ((22, 20, 22), (34, 26, 24)),
}
_EYES: Final = ((70, 44, 24), (96, 64, 34), (64, 92, 60), (70, 104, 140), (92, 100, 104))
_DARK_EYES: Final = 2  # the first two occur with every tone, the others with the lightest
_CLOTHES: Final = ((70, 98, 140), (134, 62, 66), (72, 112, 88), (120, 96, 140), (180, 150, 84), (70, 72, 80))
_GREY: Final = (206, 204, 202)
_STYLES: Final = {
    "female": ("long", "bob", "bun", "curls", "fringe"),
    "male": ("short", "parted", "crew", "curls short", "tuft"),
}
_FRAMES: Final = ((24, 22, 26), (92, 40, 30), (40, 52, 92))


class Group(NamedTuple):
    """The groups of a person, each by its label."""

    gender: str
    age: str
    tone: str
    glasses: str


@dataclass(frozen=True)
class Shape:
    """Proportions of a face; 1 (or 0, for ``eye_tilt`` and ``brow_arch``) is the middle.

    Attributes:
        width, jaw, chin: of the head, of its jaw, and the distance of the chin from the eyes.
        eye_size, eye_gap, eye_tilt: of the eyes; a positive tilt lifts their outer corners.
        brow_weight, brow_arch: of the brows.
        nose_length, nose_width: of the nose.
        mouth_width, lips: of the mouth.
    """

    width: float = 1.0
    jaw: float = 1.0
    chin: float = 1.0
    eye_size: float = 1.0
    eye_gap: float = 1.0
    eye_tilt: float = 0.0
    brow_weight: float = 1.0
    brow_arch: float = 0.0
    nose_length: float = 1.0
    nose_width: float = 1.0
    mouth_width: float = 1.0
    lips: float = 1.0


@dataclass(frozen=True)
class Appearance:
    """One person.

    Attributes:
        group: labels of the person's groups.
        shape: proportions.
        skin, hair, eyes, lips, clothes, frame: colours; the last is that of the glasses.
        lines: strength of the lines of age, from 0 to 1.
        style: of the hair.
        beard: ``none``, ``stubble`` or ``full``.
        round_glasses: whether the glasses are round.
        expressivity: factor on the intensity of what the person does.
    """

    group: Group
    shape: Shape
    skin: Colour
    hair: Colour
    eyes: Colour
    lips: Colour
    clothes: Colour
    frame: Colour
    lines: float = 0.0
    style: str = "short"
    beard: str = "none"
    round_glasses: bool = False
    expressivity: float = 1.0


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    """A colour on the way from the first to the second.

    Example:
        >>> mixed((0, 0, 0), (200, 100, 50), 0.5)
        (100, 50, 25)
    """
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def draw_appearance(group: Group, draw: np.random.Generator) -> Appearance:
    """A person of these groups, always with the same number of draws."""
    spread = [float(value) for value in draw.uniform(-1.0, 1.0, 13)]
    share = [float(value) for value in draw.uniform(0.0, 1.0, 12)]
    skin = mixed(*_SKIN[group.tone], share[0])
    return Appearance(
        group=group,
        shape=_shape(group, spread),
        skin=skin,
        hair=_hair(group, share[1], share[2]),
        eyes=_picked(_EYES if group.tone == "light" else _EYES[:_DARK_EYES], share[3]),
        lips=mixed(skin, (176, 58, 66), 0.62 if group.gender == "female" and group.age != "03-09" else 0.42),
        clothes=_picked(_CLOTHES, share[4]),
        frame=_picked(_FRAMES, share[5]),
        lines={"03-09": 0.0, "20-29": 0.0, "40-49": 0.42, "70+": 0.95}[group.age],
        style=_style(group, share[6]),
        beard=_beard(group, share[7]),
        round_glasses=share[8] < 0.5,
        expressivity=0.88 + 0.24 * share[9],
    )


def _picked(colours: tuple[Colour, ...], share: float) -> Colour:
    return colours[int(share * len(colours))]


def _shape(group: Group, spread: list[float]) -> Shape:
    child, old, male = group.age == "03-09", group.age == "70+", group.gender == "male" and group.age != "03-09"
    return Shape(
        width=(1.06 if child else 1.0) + 0.05 * spread[0],
        jaw=(1.02 if child else 1.06 if male else 0.93) + 0.05 * spread[1],
        chin=(0.83 if child else 1.02 if male else 0.98) + 0.04 * spread[2],
        eye_size=(1.22 if child else 0.92 if old else 1.0) + 0.06 * spread[3],
        eye_gap=1.0 + 0.03 * spread[4],
        eye_tilt=0.02 * spread[5] - (0.015 if old else 0.0),
        brow_weight=(0.62 if child else 1.2 if male else 0.8) + 0.12 * spread[6],
        brow_arch=(0.02 if group.gender == "female" else -0.01) + 0.02 * spread[7],
        nose_length=(0.76 if child else 1.05 if old else 1.0) + 0.05 * spread[8],
        nose_width=(0.82 if child else 1.08 if old or male else 0.96) + 0.1 * spread[9],
        mouth_width=(0.88 if child else 1.0) + 0.06 * spread[10],
        lips=(0.85 if child else 0.7 if old else 1.1 if group.gender == "female" else 0.92) + 0.12 * spread[11],
    )


def _hair(group: Group, colour: float, grey: float) -> Colour:
    own = _picked(_HAIR[group.tone], colour)
    if group.age == "70+":
        return mixed(own, _GREY, 0.8 + 0.2 * grey)
    return mixed(own, _GREY, 0.25 * grey) if group.age == "40-49" else own


def _style(group: Group, share: float) -> str:
    styles = list(_STYLES[group.gender])
    if group.gender == "male" and group.age == "70+":
        styles = ["receded", "crew", "bald"]
    elif group.gender == "male" and group.age == "40-49":
        styles = ["short", "parted", "receded", "crew"]
    elif group.age == "70+":
        styles = ["bob", "bun", "curls"]
    return styles[int(share * len(styles))]


def _beard(group: Group, share: float) -> str:
    if group.gender == "female" or group.age == "03-09":
        return "none"
    return "full" if share < 0.2 else "stubble" if share < 0.45 else "none"
