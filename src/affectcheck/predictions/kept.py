"""What workers keep of their work: journals on the disk, or a list that is sent to whoever has the journals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from affectcheck.predictions.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

#: Journals that one process has open at a time, far below what systems allow.
MOST_OPEN: Final = 64
MEDIA: Final = -1  # stands for the journal of media where a set's number is asked for

Record = dict[str, Any]


class Posted(NamedTuple):
    """Records on their way to a journal.

    Attributes:
        number: number of the set, or ``MEDIA``.
        records: the records.
    """

    number: int
    records: list[Record]


class Keeping(Protocol):
    """Where a worker keeps what it has finished."""

    def finished(self, number: int, key: str) -> Record | None:
        """The record of an item in a set, if it is known to be there."""

    def keep(self, number: int, records: list[Record]) -> None:
        """Keep finished records of a set, or of media."""


@dataclass(frozen=True)
class Places:
    """Where the journals are.

    Attributes:
        sets: that of each set.
        media: that of what media files decode to.
    """

    sets: tuple[Path, ...]
    media: Path


class Journals:
    """The journals of a run: one a set, and that of media; few of them are open at a time.

    Args:
        places: where they are.
    """

    def __init__(self, places: Places) -> None:
        self.places = places
        self.media = Journal(places.media)
        self.sets = tuple(Journal(path) for path in places.sets)
        self._open: dict[int, None] = {}
        self._written: set[int] = set()

    def finished(self, number: int, key: str) -> Record | None:
        """The record of an item in a set."""
        return self.sets[number].get(key)

    def keep(self, number: int, records: list[Record]) -> None:
        """Append to a journal.

        Raises:
            InputError: the disk is full or not writable.
        """
        self._journal(number).put(records, remember=False)  # nobody asks twice for one item
        self._written.add(number)
        self._open.pop(number, None)
        self._open[number] = None
        if len(self._open) > MOST_OPEN:
            oldest = next(iter(self._open))
            del self._open[oldest]
            self._journal(oldest).close(durable=False)

    def take(self, posted: Iterable[Posted]) -> None:
        """Keep what another process has finished."""
        for one in posted:
            self.keep(one.number, one.records)

    def close(self) -> None:
        """Close them all, with what was written on the disk itself."""
        for number in sorted(self._written):
            self._journal(number).put([], remember=False)  # opens it again if it was closed meanwhile
            self._journal(number).close()
        self._written.clear()
        self._open.clear()

    def _journal(self, number: int) -> Journal:
        return self.media if number == MEDIA else self.sets[number]


@dataclass
class Outbox:
    """Keeps nothing: what is finished waits to be sent to the process that has the journals."""

    posted: list[Posted] = field(default_factory=list)

    def finished(self, number: int, key: str) -> Record | None:
        """Nothing is known here: the other process has looked."""
        del number, key
        return None

    def keep(self, number: int, records: list[Record]) -> None:
        """Add records to be sent."""
        self.posted.append(Posted(number, records))

    def taken(self) -> list[Posted]:
        """What is to be sent, which is then no longer here."""
        found, self.posted = self.posted, []
        return found
