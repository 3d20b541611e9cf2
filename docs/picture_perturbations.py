"""Write a page for every perturbation of pictures, with pictures before and after at each of its levels.

    python docs/picture_perturbations.py FOLDER

The faces are drawn by code, so that nobody is seen and the pages are the same every time.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from perturbation_text import described, drawn_words, used_by

from affectcheck.augmentations import PICTURE_AUGMENTATIONS, make_perturbation
from affectcheck.datasets.drawn_faces_design import Design, plan
from affectcheck.datasets.drawn_faces_drawing import draw, place
from affectcheck.media.clip import Image

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: Of the data set `drawn-faces`: people of different skin, age and glasses, with different expressions.
FACES = ("p001-happiness-2", "p004-surprise-2", "p008-anger-2")
SIZE = 112
#: Each pixel is shown as a square of so many, so that it can be seen.
ENLARGED = 2
GAP = 8


@dataclass(frozen=True)
class Example:
    """The faces under a perturbation of one level.

    Attributes:
        told: the parameter with its level; empty for a perturbation without levels.
        key: the perturbation with all parameters.
        pictures: the faces.
        drawn: what was drawn for the first of them besides the level.
        notes: what was noted.
    """

    told: str
    key: str
    pictures: tuple[Image, ...]
    drawn: Mapping[str, float | str]
    notes: tuple[str, ...]


def main(folder: Path) -> None:
    """Write every page with its pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    clean = faces()
    show(list(clean.values()), folder / "faces.png")
    for name in PICTURE_AUGMENTATIONS.names():
        page(name, clean, folder)


def faces() -> dict[str, Image]:
    """The drawn faces by their key, with their landmarks."""
    scenes = {picture.item: picture.scene for picture in plan(Design(size=SIZE)) if picture.item in FACES}
    return {
        item: Image(draw(scene, SIZE), landmarks=np.asarray(place(scene, SIZE).landmarks, np.float64))
        for item, scene in scenes.items()
    }


def page(name: str, clean: Mapping[str, Image], folder: Path) -> None:
    """One perturbation: what it does, where it is used, and how it looks."""
    blocks = [f"# {name}", described(getdoc(PICTURE_AUGMENTATIONS.get(name)) or ""), *used_by(name)]
    told = f"Three faces of {SIZE} by {SIZE} pixels, as they are drawn"
    blocks += ["## Before", f"![{told}](faces.png)", f"{told}; each pixel is shown as {ENLARGED} by {ENLARGED}."]
    for number, example in enumerate(examples(name, clean)):
        file = f"{name}-{number + 1}.png"
        show(example.pictures, folder / file)
        title = f"After: {example.told}" if example.told else "After"
        seen = f"The same faces under {name} {example.told}".replace("`", "").strip()
        blocks += [f"## {title}", f"![{seen}]({file})", f"```text\n{example.key}\n```"]
        rows = measured(list(clean.values()), example)
        rows += [(f"{key}, first face", value) for key, value in drawn_words(example.drawn)]
        rows += [("note", note) for note in example.notes]
        blocks += ["\n".join(["| | |", "|---|---|", *(f"| {one} | {value} |" for one, value in rows)])]
    blocks += ["[All perturbations](../augmentations.md)"]
    (folder / f"{name}.md").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def examples(name: str, clean: Mapping[str, Image]) -> Iterator[Example]:
    """The faces at every level, the mildest first as the perturbation states them."""
    kind = PICTURE_AUGMENTATIONS.get(name)
    levels = getattr(kind, "LEVELS", "")
    stated = getattr(kind, levels) if levels else None
    for level in stated if isinstance(stated, tuple) else (stated,):
        perturbation = make_perturbation(name, {levels: level} if levels else {}, seed=1)
        made = [perturbation.apply(image, item) for item, image in clean.items()]
        drawn = {key: value for key, value in made[0].drawn.items() if key != levels}
        notes = tuple(dict.fromkeys(note for one in made for note in one.notes))
        told = f"`{levels}` {level:g}" if levels and level is not None else ""
        yield Example(told, perturbation.augmentation.key, tuple(one.image for one in made), drawn, notes)


def measured(clean: Sequence[Image], example: Example) -> list[tuple[str, str]]:
    """How much of the pictures differs, and by how much."""
    before = np.stack([one.pixels for one in clean]).astype(float)
    after = np.stack([one.pixels for one in example.pictures]).astype(float)
    share = float(np.mean(np.any(before != after, axis=-1)))
    ratio_db = 10 * np.log10(255**2 / np.mean((before - after) ** 2))
    return [
        ("pixels that differ", f"{100 * share:.0f} %"),
        ("peak signal-to-noise ratio of the change", f"{ratio_db:.1f} dB"),
    ]


def show(pictures: Sequence[Image], path: Path) -> None:
    """Pictures side by side, enlarged without smoothing."""
    import PIL.Image

    side = SIZE * ENLARGED
    sheet = PIL.Image.new("RGB", (len(pictures) * (side + GAP) - GAP, side), "white")
    for number, picture in enumerate(pictures):
        enlarged = picture.pixels.repeat(ENLARGED, axis=0).repeat(ENLARGED, axis=1)
        sheet.paste(PIL.Image.fromarray(enlarged), (number * (side + GAP), 0))
    sheet.save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
