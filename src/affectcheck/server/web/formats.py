"""What a submission looks like, shown by an example that the check takes in form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affectcheck.challenges import Track


@dataclass(frozen=True)
class Example:
    """An example of a file.

    Attributes:
        name: of the file.
        lines: its first ones.
        sentence: what a cell holds.
    """

    name: str
    lines: tuple[str, ...]
    sentence: str


def example_of(track: Track) -> Example:
    """The first lines of a submission to a track, with made-up predictions."""
    file = track.file
    keys = ("video1/00001.jpg", "video1/00002.jpg") if file.unit == "frame" else ("0001", "0002")
    if file.unit == "item" and not file.numbers:
        keys = ("clip-0001.wav", "clip-0002.wav")
    rows = [",".join((key, *_cells(track, place))) for place, key in enumerate(keys)]
    name = file.names[0] if file.names else "predictions.csv"
    return Example(name, (",".join((file.item, *track.columns)), *rows), _sentence(track))


def _cells(track: Track, place: int) -> tuple[str, ...]:
    count, coding = len(track.columns), track.file.coding
    if coding == "label":
        return (track.parts[place % len(track.parts)],)
    if coding == "one-hot":
        return tuple(str(int(column == place % count)) for column in range(count))
    if coding == "indicator":
        return tuple(str(int((column + place) % 3 == 0)) for column in range(count))
    return tuple(f"{0.25 + 0.05 * ((column + place) % 4):.2f}" for column in range(count))


def _sentence(track: Track) -> str:
    words = {
        "label": "Each row names one class.",
        "one-hot": "Each row has a 1 in the column of one class and 0 in the others.",
        "indicator": "Each cell is 1 where the action unit is active and 0 where it is not.",
        "value": "Each cell is a number within the range of its dimension.",
    }
    return words[track.file.coding]
