"""Who is drawn, and what they do in each picture: subjects over all groups, expressions, poses and light."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Final

from affectcheck.datasets.drawn_faces_actions import RECIPES, Affect, affect_of, draw_actions
from affectcheck.datasets.drawn_faces_appearance import AGES, GENDERS, GLASSES, TONES, Group, draw_appearance
from affectcheck.datasets.drawn_faces_bias import Bias, parse_biases
from affectcheck.datasets.drawn_faces_drawing import Light, Scene
from affectcheck.datasets.drawn_faces_projection import Pose
from affectcheck.errors import InputError
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from affectcheck.datasets.drawn_faces_appearance import Appearance, Colour

#: Subjects until every combination of groups has occurred equally often.
CROSSED: Final = len(GENDERS) * len(AGES) * len(TONES) * len(GLASSES)
MOST_SUBJECTS: Final = 4096
MOST_TAKES: Final = 64
SIZES: Final = (48, 1024)
MOST_TURN_DEG: Final = 25.0
STRENGTHS: Final[dict[str, tuple[float, float]]] = {"normal": (0.38, 0.62), "strong": (0.75, 1.0)}


@dataclass(frozen=True)
class Design:
    """Which pictures the data set has; equal designs give equal pixels.

    Attributes:
        seed: of all variation.
        subjects: how many people.
        takes: pictures of each person and expression; odd ones are of normal strength, even ones strong.
        size: pixels of a side.
        turn: largest turn of a head to the sides, in degrees; 0.6 of it up and down, half of it in the picture.
        light: from 0, the same for all pictures, to 1, different in brightness, side and colour.
        bias: planted biases that change pictures, as text.
    """

    seed: int = 0
    subjects: int = 128
    takes: int = 6
    size: int = 112
    turn: float = 18.0
    light: float = 1.0
    bias: str = ""

    def __post_init__(self) -> None:
        """Sizes that can be drawn."""
        _require(self.subjects, "subjects", (2, MOST_SUBJECTS))
        _require(self.takes, "takes", (1, MOST_TAKES))
        _require(self.size, "pixels a side", SIZES)
        _require(self.turn, "degrees of turn", (0.0, MOST_TURN_DEG))
        _require(self.light, "variation of light", (0.0, 1.0))


def _require(value: float, what: str, ends: tuple[float, float]) -> None:
    if not (isfinite(value) and ends[0] <= value <= ends[1]):
        raise InputError(f"{value:g} {what}", where="drawn faces", expected=f"from {ends[0]:g} to {ends[1]:g}")


@dataclass(frozen=True)
class Person:
    """One subject: a name, such as ``p001``, and an appearance that stays."""

    name: str
    look: Appearance


@dataclass(frozen=True)
class PlannedPicture:
    """One picture before it is drawn.

    Attributes:
        item: key, such as ``p001-anger-1``.
        person: who is drawn.
        expression, strength: of the recipe.
        scene: all that is drawn.
        affect: valence and arousal of what the face does.
    """

    item: str
    person: Person
    expression: str
    strength: str
    scene: Scene
    affect: Affect


def group_of(number: int) -> Group:
    """The groups of a person by number, from 0; every combination once in 64, evenly spread before."""
    quarter = number // 2
    return Group(
        gender=GENDERS[number % 2],
        age=AGES[(quarter + quarter // 4) % 4],
        tone=TONES[quarter % 4],
        glasses=GLASSES[(quarter + number + number // 32) % 2],
    )


def people(design: Design) -> tuple[Person, ...]:
    """The subjects of a design; a larger design has the same first ones."""
    return tuple(
        Person(f"p{number + 1:03d}", draw_appearance(group_of(number), rng(design.seed, "drawn person", number)))
        for number in range(design.subjects)
    )


def plan(design: Design) -> tuple[PlannedPicture, ...]:
    """Every picture of a design, in the order of person, expression and take."""
    biases = parse_biases(design.bias)
    return tuple(picture for person in people(design) for picture in _pictures(design, person, biases))


def _pictures(design: Design, person: Person, biases: tuple[Bias, ...]) -> Iterator[PlannedPicture]:
    mine = [bias for bias in biases if getattr(person.look.group, bias.group) == bias.value]
    faint, dim = (_left([bias for bias in mine if bias.kind == kind]) for kind in ("faint", "dim"))
    for expression in RECIPES:
        for take in range(1, design.takes + 1):
            item = f"{person.name}-{expression}-{take}"
            draw = rng(design.seed, "drawn picture", item)
            strength = "normal" if take % 2 else "strong"
            amount = float(draw.uniform(*STRENGTHS[strength])) * person.look.expressivity
            actions = draw_actions(expression, amount, draw)
            actions = {unit: round(value * faint, 4) for unit, value in actions.items()}
            scene = Scene(person.look, actions, _pose(design, draw), _light(design, draw, dim), _background(draw))
            yield PlannedPicture(item, person, expression, strength, scene, affect_of(actions))


def _left(biases: list[Bias]) -> float:
    """What several biases leave of something."""
    share = 1.0
    for bias in biases:
        share *= 1 - bias.amount
    return share


def _pose(design: Design, draw: np.random.Generator) -> Pose:
    yaw, pitch, roll, scale, x, y = (float(value) for value in draw.uniform(-1.0, 1.0, 6))
    return Pose(
        yaw_deg=round(design.turn * yaw, 3),
        pitch_deg=round(0.6 * design.turn * pitch, 3),
        roll_deg=round(0.5 * design.turn * roll, 3),
        scale=round(1 + 0.05 * scale, 4),
        shift_x=round(0.02 * x, 4),
        shift_y=round(0.02 * y, 4),
    )


def _light(design: Design, draw: np.random.Generator, dim: float) -> Light:
    gain, side, angle, warmth = (float(value) for value in draw.uniform(0.0, 1.0, 4))
    middle, vary = Light(), design.light
    return Light(
        gain=round((1 + vary * (0.34 * gain - 0.28)) * dim, 4),
        side=round(middle.side + vary * (0.24 * side - 0.08), 4),
        angle_deg=round(middle.angle_deg + vary * (360 * angle - 180), 2),
        warmth=round(vary * (0.16 * warmth - 0.08), 4),
    )


def _background(draw: np.random.Generator) -> Colour:
    grey = int(draw.integers(90, 200))
    red, green, blue = (grey + int(value) for value in draw.integers(-22, 23, 3))
    return red, green, blue
