"""Every face of a video's frames, as far as a journal does not know them already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from affectcheck.errors import InputError, MediaError
from affectcheck.media.faces.sighting import from_record, sightings, to_record
from affectcheck.media.image import decode_image
from affectcheck.media.video import choice_of, frames, probe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np

    from affectcheck.media.faces.crops import Store
    from affectcheck.media.faces.detector import FaceDetector
    from affectcheck.media.faces.pool import Pool
    from affectcheck.media.faces.sighting import Sighting
    from affectcheck.media.faces.sources import Source

_RATE_HZ: Final = 25  # of a sequence, to follow people by: its pictures say nothing of time, nor does its table


@dataclass(frozen=True)
class Choice:
    """Which frames are looked at.

    Attributes:
        every: the first of every so many.
        fps: so many a second, in place of ``every``; not for sequences of pictures.
    """

    every: int = 1
    fps: float | None = None

    def require_possible(self) -> None:
        """Make sure that there are such frames.

        Raises:
            InputError: a number is out of range, or both are stated.
        """
        choice_of(every=self.every, fps=self.fps)


class SeenFrame(NamedTuple):
    """A frame with its faces.

    Attributes:
        number: from 1.
        time_us: when it is shown.
        seen: the surest first; None of a frame that cannot be decoded.
    """

    number: int
    time_us: int | None
    seen: list[Sighting] | None


class SeenVideo(NamedTuple):
    """The frames that were looked at, in order, and cautions met while decoding."""

    frames: list[SeenFrame]
    notes: tuple[str, ...]


class _Frame(NamedTuple):
    number: int
    time_us: int
    pixels: np.ndarray | None  # None where its faces are known
    damaged: bool = False


def seen_video(
    source: Source, pool: Pool, store: Store, *, choice: Choice, progress: Callable[[int, int], None]
) -> SeenVideo:
    """Look at the frames of a video or sequence.

    Raises:
        MediaError: none of its frames can be decoded.
        InputError: frames of a sequence by time, or a process died.
    """
    end = _end_key(choice)
    whole = store.get(end)
    if whole is not None:
        progress(len(whole["frames"]), 0)
        return _filled([_known(store, number, time_us) for number, time_us in whole["frames"]], whole["notes"], choice)
    reader = _Reader(source, choice)
    total = _expected(source, choice)
    found: list[SeenFrame] = []
    for frame, record in pool.each(_look, reader.frames(store)):
        if record is None:
            found.append(_known(store, frame.number, frame.time_us))
        else:
            store.put([{"key": str(frame.number), "faces": record}])
            found.append(SeenFrame(frame.number, frame.time_us, from_record(record)))
        progress(1, total)
    notes = reader.notes
    store.put([{"key": end, "frames": [[one.number, one.time_us] for one in found], "notes": list(notes)}])
    return _filled(found, notes, choice)


def pictures_of(source: Source, choice: Choice) -> Iterator[tuple[int, np.ndarray]]:
    """Number and pixels of every chosen frame that can be decoded."""
    yield from (
        (frame.number, frame.pixels) for frame in _Reader(source, choice).frames(None) if frame.pixels is not None
    )


def _look(detector: FaceDetector, frame: _Frame) -> list[dict[str, Any]] | None:
    return None if frame.pixels is None else to_record(sightings(frame.pixels, detector))


class _Reader:
    """Frames of a source; its notes are complete at the end."""

    def __init__(self, source: Source, choice: Choice) -> None:
        self._source, self._choice = source, choice
        self.notes: tuple[str, ...] = ()

    def frames(self, store: Store | None) -> Iterator[_Frame]:
        """The chosen ones, without pixels where a journal knows their faces."""
        every = self._stills() if self._source.kind == "sequence" else self._video()
        for frame in every:
            known = store is not None and store.get(str(frame.number)) is not None
            yield frame._replace(pixels=None) if known else frame

    def _video(self) -> Iterator[_Frame]:
        with frames(self._source.path, every=self._choice.every, fps=self._choice.fps) as reader:
            for frame in reader:
                yield _Frame(frame.number, frame.time_us, frame.pixels, frame.damaged)
            self.notes = reader.notes

    def _stills(self) -> Iterator[_Frame]:
        if self._choice.fps is not None:
            raise InputError(
                "frames a second of pictures, which say nothing of time",
                where=self._source.name,
                expected="every so many of them",
            )
        refused, given = [], 0
        for still in self._source.stills:
            if (still.number - 1) % self._choice.every:
                continue
            try:
                pixels = decode_image(still.path).pixels
            except MediaError as error:
                refused.append(f"{still.path.name}: {error.what}")
                continue
            given += 1
            yield _Frame(still.number, (still.number - 1) * 1_000_000 // _RATE_HZ, pixels)
        if not given:
            raise MediaError(
                f"none of {len(self._source.stills)} pictures can be decoded: {'; '.join(refused[:3])}",
                where=self._source.name,
            )
        self.notes = tuple(refused)


def _known(store: Store, number: int, time_us: int) -> SeenFrame:
    record = store.get(str(number)) or {"faces": []}
    return SeenFrame(number, time_us, from_record(record["faces"]))


def _end_key(choice: Choice) -> str:
    return f"frames every {choice.every} fps {choice.fps}"


def _expected(source: Source, choice: Choice) -> int:
    """Frames by the header, for progress alone."""
    if source.kind == "sequence":
        return len(source.stills) // choice.every
    facts = probe(source.path)
    if choice.fps is not None:
        return int((facts.stated_duration_s or 0) * choice.fps)
    return (facts.stated_frames or 0) // choice.every


def _filled(found: list[SeenFrame], notes: tuple[str, ...] | list[str], choice: Choice) -> SeenVideo:
    """With the numbers between that are missing, where it is known which should be there."""
    if choice.fps is not None or not found:
        return SeenVideo(found, tuple(notes))
    there = {frame.number: frame for frame in found}
    numbers = range(1, found[-1].number + 1, choice.every)
    return SeenVideo([there.get(number, SeenFrame(number, None, None)) for number in numbers], tuple(notes))
