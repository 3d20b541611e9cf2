"""Who is who in a video, and the rows of its table."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from affectcheck.media.faces.layout import frame_file, sides, where_people_are
from affectcheck.media.faces.table import BRIEF, CROPPED, LOST, NO_FACE, NOT_SEEN, measured
from affectcheck.media.faces.tracking import follow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.media.faces.seen_frames import SeenFrame, SeenVideo
    from affectcheck.media.faces.sighting import Sighting
    from affectcheck.media.faces.sources import Source


class People(NamedTuple):
    """The people of a video.

    Attributes:
        sides: what is put behind the video's name for each of those who are cropped, by number.
        seen: frame to number to face, of everybody.
        brief: numbers of those who are seen too rarely, to their frames.
        shortest: frames that would have been enough.
    """

    sides: dict[int, str]
    seen: dict[int, dict[int, Sighting]]
    brief: dict[int, int]
    shortest: int


def people_of(video: SeenVideo, *, shortest: int) -> People:
    """Follow everybody through a video.

    Args:
        video: its frames with their faces.
        shortest: frames that somebody must be seen in, or all frames where there are fewer.
    """
    there = [frame for frame in video.frames if frame.seen is not None]
    numbers = follow([frame.seen or [] for frame in there], [frame.time_us or 0 for frame in there])
    seen: dict[int, dict[int, Sighting]] = {}
    centres: dict[int, dict[int, float]] = defaultdict(dict)
    for frame, numbered in zip(there, numbers, strict=True):
        seen[frame.number] = dict(zip(numbered, frame.seen or [], strict=True))
        for number, one in seen[frame.number].items():
            centres[number][frame.number] = float(one.landmarks[:, 0].mean())
    least = min(shortest, max(len(there), 1))
    kept = [number for number in sorted(centres) if len(centres[number]) >= least]
    brief = {number: len(frames) for number, frames in centres.items() if len(frames) < least}
    named = sides(where_people_are([centres[number] for number in kept])) if kept else ()
    return People(dict(zip(kept, named, strict=True)), seen, brief, least)


def frame_rows(source: Source, video: SeenVideo, people: People) -> Iterator[tuple[dict[str, Any], Sighting | None]]:
    """Rows of every frame, each with the face that it is about; those to be cropped have a ``place``."""
    for frame in video.frames:
        time_us = None if source.kind == "sequence" else frame.time_us  # its pictures say nothing of time
        row = {"media": source.name, "frame": frame.number, "time_us": time_us}
        if frame.seen is None:
            what = (
                "the sequence has no picture of it that can be decoded"
                if source.kind == "sequence"
                else "it cannot be decoded"
            )
            yield row | {"state": LOST, "reason": what}, None
            continue
        yield from _of_frame(row, source, frame, people)


def _of_frame(
    row: dict[str, Any], source: Source, frame: SeenFrame, people: People
) -> Iterator[tuple[dict[str, Any], Sighting | None]]:
    found = people.seen[frame.number]
    for number, side in people.sides.items():
        one, person = found.get(number), side.removeprefix("_")
        if one is None:
            why = "no face is found in the frame" if not found else "others are seen in the frame, this person is not"
            yield row | {"person": person, "state": NOT_SEEN if found else NO_FACE, "reason": why}, None
        else:
            place = frame_file(source.stem, side, frame.number)
            yield row | {"person": person, "state": CROPPED, **measured(one), "place": place}, one
    for number in sorted(found.keys() & people.brief.keys()):
        why = f"somebody seen in {people.brief[number]} frames, fewer than {people.shortest}"
        yield row | {"state": BRIEF, "reason": why, **measured(found[number])}, found[number]
    if not people.sides and not found:
        yield row | {"state": NO_FACE, "reason": "no face is found in the frame"}, None
