"""``drawn-faces``: schematic faces drawn on the spot, for trying things out without pictures of people."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.validation import make_table
from affectcheck.cache import cache_folder
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.declared import UNITS_TARGET, categories
from affectcheck.datasets.drawn_faces_actions import ANNOTATED, DRAWN
from affectcheck.datasets.drawn_faces_bias import Bias, chosen, parse_biases
from affectcheck.datasets.drawn_faces_design import CROSSED, Design, PlannedPicture, plan
from affectcheck.datasets.drawn_faces_making import MANIFEST, folder_name, generate
from affectcheck.datasets.drawn_faces_worker import DrawnPicture, picture_path
from affectcheck.datasets.registry import dataset
from affectcheck.media.landmarks import COLUMNS as LANDMARKS
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable

#: Group column to the scheme of its labels.
GROUPS: Final = {"gender": "gender-3", "age": "age-9", "tone": "tone-4", "glasses": ""}
_BOX: Final = ("box_left", "box_top", "box_right", "box_bottom")

CARD: Final = Card(
    name="drawn-faces",
    title="Drawn faces: schematic faces with action units, expressions, valence and arousal",
    licence="drawn on your machine by code of ours, Apache-2.0; the pictures are yours",
    citation="affectcheck's drawn faces, with its version and seed; drawn with Pillow",
    url="https://github.com/python-pillow/Pillow",
    access="made here",
    provenance=(
        "what the recipe was given: units, and through them valence and arousal, are exactly what was drawn; nobody "
        "looked (the targets say manual, as for acted labels)"
    ),
    description=(
        "SYNTHETIC. Schematic heads drawn by code, 112×112 pixels and larger: subjects of two suggested genders, four "
        "ages, four tones of skin, with and without glasses, each with a face, hair and features of its own, in seven "
        "expressions at two strengths, under turns of the head and light that vary. Twelve action units are annotated "
        "(five more are drawn: AU5, AU9, AU17, AU20 and AU43), with intensities; valence and arousal are sums over "
        "the intensities; five landmarks, the box of the head, pose and light are columns."
    ),
    can_show=(
        "that a pipeline works from pictures to report; that a model reacts to action units, pose and light; whether "
        "a bias of known kind and size that was planted is found, and none where there is none"
    ),
    cannot_show=(
        "how well a model recognises expressions of people, or how fair it is to any group of people: nobody is seen, "
        "the expressions are textbook prototypes, gender and age are cues of drawings, and a tone is a colour, not a "
        "race. No score here may be quoted as a model's performance"
    ),
    targets=(
        Target("expression", scheme("expressions-7")),
        Target(UNITS_TARGET, scheme("au-12-affwild2")),
        Target("affect", scheme("valence-arousal")),
    ),
    groups=tuple(GROUPS),
    speakers=128,
    items=5376,
    options=(
        Option("seed", "seed of all variation; another seed makes other people and pictures", 0),
        Option("subjects", f"number of people; every combination of groups is equally frequent in {CROSSED}", 128),
        Option("takes", "pictures of each person and expression, of normal and strong intensity in turn", 6),
        Option("size", "pixels of a side", 112),
        Option("turn", "largest turn of a head to the sides, in degrees; less up, down and in the picture", 18.0),
        Option("light", "from 0, the same light for all, to 1, different brightness, side and colour", 1.0),
        Option(
            "bias",
            "planted biases, separated by commas: faint:GROUP:VALUE:AMOUNT, dim:GROUP:VALUE:AMOUNT, "
            "mislabel:GROUP:VALUE:AMOUNT:FROM:TO, rare:GROUP:VALUE:AMOUNT:EXPRESSION",
            "",
        ),
    ),
    notes=(
        "the root is a folder to keep the pictures in; without one they are kept in the cache folder",
        "there is no partition: make one by subject",
        "yaw is a turn to the right of the picture, pitch one upwards, roll clockwise, all in degrees",
        "lines of age look like folds of units, as they do in life, and grey brows show less on light skin",
        "pixels can differ between versions of Pillow and between processors; the manifest has their digests",
    ),
)


@dataset(CARD)
def read(  # noqa: PLR0913  # the options of the card, by keyword
    root: Path | None = None,
    *,
    seed: int = 0,
    subjects: int = 128,
    takes: int = 6,
    size: int = 112,
    turn: float = 18.0,
    light: float = 1.0,
    bias: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> AnnotationTable:
    """The data set; drawn first if it is not there yet.

    Args:
        root: folder to keep the pictures in, or a folder that already holds them; None for the cache folder.
        seed: of all variation.
        subjects: how many people.
        takes: pictures of each person and expression.
        size: pixels of a side.
        turn: largest turn of a head, in degrees.
        light: how much the light varies, from 0 to 1.
        bias: planted biases. Those that change labels alone use the same pictures.
        progress: called with the pictures that are there and all pictures.

    Returns:
        One item a picture, with its subject, groups, three targets, the intensity of every unit that can be drawn
        (``AU1_intensity`` …, from 0 to 1), ``strength``, ``expression_drawn`` (which ``mislabel`` leaves as it is),
        landmarks, box, pose and light.

    Raises:
        ExtraMissingError: Pillow is not installed.
        InputError: options that cannot be drawn, or a folder made with others.
    """
    biases = parse_biases(bias)
    drawn = ",".join(str(each) for each in biases if each.changes_pictures)
    design = Design(seed=seed, subjects=subjects, takes=takes, size=size, turn=turn, light=light, bias=drawn)
    folder = folder_of(design, root)
    made = generate(design, folder, progress=progress)
    frame = _frame(plan(design), made.pictures, folder)
    for each in biases:
        frame = _planted(frame, each, seed)
    schemes = {group: categories(name) if name else None for group, name in GROUPS.items()}
    targets = {target.name: target for target in CARD.targets}
    table = make_table(frame, targets=targets, groups=schemes, name=CARD.name, root=folder)
    return replace(table, notes=tuple(f"a planted bias: {each}" for each in biases))


def folder_of(design: Design, root: Path | None = None) -> Path:
    """Where a design's pictures are kept: a folder named by a digest of all that they are made from."""
    if root is not None and (root / MANIFEST).exists():
        return root
    return (root or cache_folder()) / folder_name(design)


def _frame(pictures: tuple[PlannedPicture, ...], drawn: Mapping[str, DrawnPicture], folder: Path) -> pl.DataFrame:
    return pl.DataFrame([_row(picture, drawn[picture.item], folder) for picture in pictures])


def _row(picture: PlannedPicture, drawn: DrawnPicture, folder: Path) -> dict[str, object]:
    scene = picture.scene
    return {
        "item": picture.item,
        "media": picture_path(folder, picture.item).relative_to(folder).as_posix(),
        "subject": picture.person.name,
        **picture.person.look.group._asdict(),
        "expression": picture.expression,
        **{unit: int(scene.actions[unit] > 0) for unit in ANNOTATED},
        "valence": picture.affect.valence,
        "arousal": picture.affect.arousal,
        "strength": picture.strength,
        "expression_drawn": picture.expression,
        **{f"{unit}_intensity": scene.actions[unit] for unit in DRAWN},
        **dict(zip(LANDMARKS, drawn.landmarks, strict=True)),
        **dict(zip(_BOX, drawn.box, strict=True)),
        "yaw_deg": scene.pose.yaw_deg,
        "pitch_deg": scene.pose.pitch_deg,
        "roll_deg": scene.pose.roll_deg,
        "light_gain": scene.light.gain,
        "light_side": scene.light.side,
        "light_angle_deg": scene.light.angle_deg,
    }


def _planted(frame: pl.DataFrame, bias: Bias, seed: int) -> pl.DataFrame:
    """The table with a bias of its labels; those of pictures are in the pictures."""
    if bias.changes_pictures:
        return frame
    hit = (pl.col(bias.group) == bias.value) & (pl.col("expression_drawn") == bias.expressions[0])
    picked = chosen(frame.filter(hit).get_column("item").to_list(), seed, bias)
    struck = pl.col("item").is_in(sorted(picked))
    if bias.kind == "rare":
        return frame.filter(~struck)
    other = pl.lit(bias.expressions[1])
    return frame.with_columns(expression=pl.when(struck).then(other).otherwise(pl.col("expression")))
