"""What the media of a table hold: digests of their content, prints that near copies share, and what is unreadable."""

from __future__ import annotations

import base64
import itertools
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import MediaError
from affectcheck.media import content, near_images, near_sounds
from affectcheck.media.audio import read_sound
from affectcheck.media.diagnosis import require_file, require_no_video
from affectcheck.media.image import decode_image, is_image
from affectcheck.media.loader import Segment, media_path, segment_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.predictions.journal import Journal

_FORMAT: Final = f"{content.FORMAT}, {near_images.FORMAT}, {near_sounds.FORMAT}"
_KEPT_AT_ONCE: Final = 64  # records in one write


@dataclass(frozen=True, eq=False)
class Contents:
    """Content of a table's media.

    Attributes:
        digests: item to digest of its decoded samples or pixels; items without a medium have none. Frames of one
            recording each have their own, and are not looked at for near copies.
        images: digest to (32, 32) uint8 print of a picture.
        sounds: digest to (n,) int8 print of a sound.
        unreadable: item to the reason why its medium could not be decoded.
    """

    digests: Mapping[str, str]
    images: Mapping[str, np.ndarray] = field(default_factory=dict)
    sounds: Mapping[str, np.ndarray] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)

    @property
    def faults(self) -> dict[str, list[str]]:
        """Each reason why a medium could not be decoded with the items that it concerns, by its first item."""
        found: dict[str, list[str]] = {}
        for item in sorted(self.unreadable):
            found.setdefault(self.unreadable[item], []).append(item)
        return found


def content_of(
    table: AnnotationTable,
    *,
    progress: Callable[[int, int], None] | None = None,
    cache: Path | None = None,
    workers: int = 0,
) -> Contents:
    """Decode every medium of a table once.

    Args:
        table: items with ``media`` and, where they are segments, ``start_us`` and ``end_us``.
        progress: called with (done, total) media as work goes on.
        cache: folder that keeps what was computed, by the digest of each file, so that a killed run resumes; None
            keeps nothing.
        workers: threads that decode; 0 for one a core.

    Returns:
        Digests and prints of the items that have a readable medium, and why the others have none.

    Raises:
        ExtraMissingError: the extra ``image`` or ``speech`` is not installed.
    """
    places = _places(table)
    found: dict[_Place, _Held] = {}
    for done, held in enumerate(_held(table, places, cache, workers)):
        found[held.place] = held
        if progress is not None:
            progress(done + 1, len(places))
    digests = {
        item: _of_frame(found[place].digest, frame)
        for place, rows in places.items()
        for item, frame in rows
        if found[place].digest
    }
    return Contents(
        digests,
        {held.digest: held.print for held in found.values() if held.digest and held.print.ndim == 2},
        {held.digest: held.print for held in found.values() if held.digest and held.print.ndim == 1},
        {item: held.fault for place, held in found.items() for item, _ in places[place] if held.fault},
    )


@dataclass(frozen=True)
class _Place:
    """A medium, or a segment of one."""

    media: str
    segment: Segment


@dataclass(frozen=True, eq=False)
class _Held:
    """What is at a place: a digest and a print, or a fault; ``key`` is empty where nothing new is to be kept."""

    place: _Place
    digest: str = ""
    print: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))
    fault: str = ""
    key: str = ""


class _Row(NamedTuple):
    """An item at a place, and the number of the frame of its recording that it is."""

    item: str
    frame: int | None


def _places(table: AnnotationTable) -> dict[_Place, list[_Row]]:
    """Every medium or segment with the items that it belongs to."""
    places: dict[_Place, list[_Row]] = {}
    columns = [name for name in ("item", "media", "start_us", "end_us", "frame") if name in table.frame.columns]
    for row in table.frame.select(columns).iter_rows(named=True):
        if row.get("media") is not None:
            frame = None if is_image(row["media"]) else row.get("frame")  # a frame's own picture is the whole of it
            places.setdefault(_Place(row["media"], segment_of(row)), []).append(_Row(row["item"], frame))
    return places


def _of_frame(digest: str, frame: int | None) -> str:
    """The digest of an item: frames of one recording are no copies of one another."""
    return digest if frame is None else digest_bytes(digest, "frame", str(frame))


def _held(table: AnnotationTable, places: Iterable[_Place], cache: Path | None, workers: int) -> Iterator[_Held]:
    """What is at each place, in order; new results are kept as they come."""
    from affectcheck.predictions.journal import Journal  # noqa: PLC0415  # a room that is large to load

    name = digest_bytes(_FORMAT, table.name)
    journal = Journal(cache / "contents" / f"{name}.jsonl") if cache is not None else None
    fresh: list[_Held] = []
    try:
        for held in _in_threads(lambda place: _look(place, table.root, journal), places, workers):
            yield held
            fresh += [held] if held.key else []
            if len(fresh) >= _KEPT_AT_ONCE:
                _keep(journal, fresh)
    finally:
        _keep(journal, fresh)
        if journal is not None:
            journal.close()


def _in_threads(work: Callable[[_Place], _Held], places: Iterable[_Place], workers: int) -> Iterator[_Held]:
    """Results in order, a few places ahead; decoders let other threads run."""
    workers = workers or os.cpu_count() or 1
    waiting: deque[Future[_Held]] = deque()
    rest = iter(places)
    pool = ThreadPoolExecutor(workers)
    try:
        waiting.extend(pool.submit(work, place) for place in itertools.islice(rest, 4 * workers))
        while waiting:
            held = waiting.popleft().result()
            waiting.extend(pool.submit(work, place) for place in itertools.islice(rest, 1))
            yield held
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _look(place: _Place, root: Path | None, journal: Journal | None) -> _Held:
    """What is at one place: known from its file's digest, or decoded."""
    try:
        path = media_path(place.media, root)
        require_file(path, kind="picture" if is_image(path) else "sound")
        require_no_video(path)
        key = digest_bytes(digest_file(path), repr(tuple(place.segment))) if journal is not None else ""
        known = journal.get(key) if journal is not None else None
        if known is not None:
            return _Held(place, known["digest"], _unpacked(known))
        if is_image(path):
            image = decode_image(path)
            return _Held(place, content.image_digest(image), near_images.image_print(image), key=key)
        sound = read_sound(path, *place.segment, exact=True)
        return _Held(place, content.sound_digest(sound), near_sounds.sound_print(sound), key=key)
    except MediaError as error:
        return _Held(place, fault=str(error))


def _keep(journal: Journal | None, fresh: list[_Held]) -> None:
    if journal is not None and fresh:
        journal.put([{"key": held.key, "digest": held.digest, **_packed(held.print)} for held in fresh])
    fresh.clear()


def _packed(values: np.ndarray) -> dict[str, Any]:
    return {
        "type": values.dtype.str,
        "shape": list(values.shape),
        "print": base64.b64encode(values.tobytes()).decode(),
    }


def _unpacked(record: Mapping[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(record["print"]), record["type"]).reshape(record["shape"])
