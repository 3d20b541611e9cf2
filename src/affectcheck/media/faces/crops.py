"""Find, follow and crop the faces of pictures and videos, and write them with their table.

A video is gone through twice: once to find faces and follow people, once to cut them out, since only the end tells who
is whom. What a detector found is kept in a journal under the content of the file, so that a run that was killed, or is
made with other crops, looks at nothing twice; crops themselves are quickly made anew, and always the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import InputError, MediaError
from affectcheck.media.faces.followed import frame_rows, people_of
from affectcheck.media.faces.pool import pool_of
from affectcheck.media.faces.seen_frames import Choice, SeenVideo, pictures_of, seen_video
from affectcheck.media.faces.sighting import REVISION
from affectcheck.media.faces.single_picture import PictureTask, look_at_picture
from affectcheck.media.faces.table import CROPPED, LOST, table_of, unreadable_row
from affectcheck.media.faces.writing import Cutting, write_crops

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    import polars as pl

    from affectcheck.media.faces.followed import People
    from affectcheck.media.faces.pool import Pool
    from affectcheck.media.faces.sighting import Sighting
    from affectcheck.media.faces.sources import Source

    Progress = Callable[[int, int], None]
    Row = dict[str, Any]


class Store(Protocol):
    """Finished work by key; a journal."""

    def get(self, key: str) -> dict[str, Any] | None:
        """The record of a key, or None."""

    def put(self, records: Iterable[dict[str, Any]], *, remember: bool = True) -> None:
        """Append records, each with its ``key``."""

    def close(self) -> None:
        """Give the file back."""


@dataclass(frozen=True)
class CropOptions:
    """How faces are found and cropped.

    Attributes:
        detector: specification, as ``face_detector`` takes it.
        choice: which frames of videos.
        cutting: what crops look like.
        largest: crop the largest face of a picture only; videos are not touched by it.
        shortest: frames that somebody must be seen in to be cropped; fewer where a video has fewer.
        workers: processes; 0 for one a core.
        progress: called with pictures and frames done, and their number as far as it is known.
    """

    detector: str = "mtcnn"
    choice: Choice = field(default_factory=Choice)
    cutting: Cutting = field(default_factory=Cutting)
    largest: bool = False
    shortest: int = 3
    workers: int = 1
    progress: Progress | None = None

    def require_possible(self) -> None:
        """Make sure that faces can be cropped so.

        Raises:
            InputError: a number is out of range, or what excludes each other is stated.
        """
        if self.shortest < 1:
            raise InputError(f"shortest is {self.shortest}", expected="a number of frames, 1 or more")
        self.choice.require_possible()
        self.cutting.require_possible()


class Cropped(NamedTuple):
    """What was made.

    Attributes:
        table: see ``affectcheck.media.faces.table``.
        notes: cautions met while decoding, with their source.
    """

    table: pl.DataFrame
    notes: tuple[str, ...]


def crop(
    sources: Sequence[Source], output: Path, *, stores: Callable[[str], Store], options: CropOptions | None = None
) -> Cropped:
    """Write the crops of every face below a folder.

    Args:
        sources: pictures and videos.
        output: folder that gets ``cropped_aligned`` and, if asked for, ``cropped``.
        stores: opens the journal of a name; what it holds is not looked for again.
        options: how.

    Returns:
        The table, which is not written yet.

    Raises:
        InputError: options that do not fit, or a process died.
        WriteError: the disk is full or not writable.
    """
    options = options or CropOptions()
    options.require_possible()
    work = _Work(output, stores, options, frozenset(source.stem for source in sources))
    pictures = [source for source in sources if source.kind == "picture"]
    rows: dict[str, list[Row]] = {}
    with pool_of(options.detector, options.workers) as pool:
        rows.update(work.pictures(pictures, pool))
        for source in sources:
            if source.kind != "picture":
                rows[source.name] = work.video(source, pool)
    table = table_of(row for source in sources for row in rows[source.name])
    return Cropped(table, tuple(work.notes))


@dataclass
class _Work:
    output: Path
    stores: Callable[[str], Store]
    options: CropOptions
    stems: frozenset[str]
    notes: list[str] = field(default_factory=list)
    done: int = 0

    def _tell(self, done: int = 1, total: int = 0) -> None:
        self.done += done
        if self.options.progress is not None:
            self.options.progress(self.done, max(total, self.done))

    def pictures(self, sources: Sequence[Source], pool: Pool) -> Iterator[tuple[str, list[Row]]]:
        """Rows of each picture."""
        if not sources:
            return
        store = self.stores(f"pictures-{_key(pool)}")
        try:
            tasks = (self._task(source, store) for source in sources)
            for task, result in pool.each(look_at_picture, tasks):
                if result.record is not None and task.record is None and task.digest:
                    store.put([{"key": task.digest, "faces": result.record}])
                self.notes += [f"{task.source.name}: {note}" for note in result.notes]
                self._tell(total=len(sources))
                yield task.source.name, result.rows
        finally:
            store.close()

    def _task(self, source: Source, store: Store) -> PictureTask:
        digest = _digest(source.path)
        known = store.get(digest) if digest else None
        cutting, largest = self.options.cutting, self.options.largest
        return PictureTask(source, digest, None if known is None else known["faces"], self.output, cutting, largest)

    def video(self, source: Source, pool: Pool) -> list[Row]:
        """Rows of a video, whose crops are written."""
        try:
            store = self.stores(f"{source.kind}-{digest_bytes(_key(pool), _content(source))}")
            try:
                seen = seen_video(source, pool, store, choice=self.options.choice, progress=self._tell)
            finally:
                store.close()
            return self._cut(source, seen)
        except MediaError as error:
            self._tell()
            return [unreadable_row(source.name, error)]

    def _require_own_folders(self, source: Source, people: People) -> None:
        for side in filter(None, people.sides.values()):
            if source.stem + side in self.stems:
                raise InputError(
                    f"{source.name} shows {len(people.sides)} people: crops of one would lie among those of "
                    f"{source.stem + side}",
                    expected="a name for one of both that does not end in a side or number",
                )

    def _cut(self, source: Source, seen: SeenVideo) -> list[Row]:
        self.notes += [f"{source.name}: {note}" for note in seen.notes]
        people = people_of(seen, shortest=self.options.shortest)
        self._require_own_folders(source, people)
        rows = list(frame_rows(source, seen, people))
        wanted: dict[int, list[tuple[Row, Sighting]]] = {frame.number: [] for frame in seen.frames}
        for row, one in rows:
            if one is not None and row["state"] == CROPPED:
                wanted[row["frame"]].append((row, one))
        for number, pixels in pictures_of(source, self.options.choice):
            for row, one in wanted.get(number, ()):
                row.update(write_crops(pixels, one.face, self.output, row.pop("place"), self.options.cutting))
        for row, _ in rows:
            if row.pop("place", None) is not None:  # what a decoder makes of damaged data may differ
                row.update({"state": LOST, "reason": "it could be decoded once, and not again"})
        return [row for row, _ in rows]


def _key(pool: Pool) -> str:
    return digest_bytes(pool.detector.digest, REVISION)


def _content(source: Source) -> str:
    if source.kind == "video":
        return _digest(source.path)
    return digest_bytes(*(f"{still.number} {_digest(still.path)}" for still in source.stills))


def _digest(path: Path) -> str:
    """Of a file; none of what cannot be read, or never ends, which is told in its own words when it is decoded."""
    try:
        return digest_file(path) if path.is_file() else ""
    except OSError:
        return ""
