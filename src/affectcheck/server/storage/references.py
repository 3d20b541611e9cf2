"""Which files rows refer to, by folder; what no row refers to is left over from an upload that was broken off."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import sqlalchemy as sa

from affectcheck.server.storage.tables import contest, evaluation, label_set, metadata, submission

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from affectcheck.server.storage.blobs import Blobs
    from affectcheck.server.storage.engine import Database

#: Names of the two folders of files.
UPLOADS: Final = "uploads"
VAULT: Final = "labels"
#: An upload lies in its folder for a moment before there is a row; nothing that young is swept.
YOUNG_S: Final = 24 * 3600
_DIGEST: Final = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
#: Facts of a submission that are files of the vault.
_FACTS: Final = ("predictions", "sketch")
_COLUMNS: Final[tuple[tuple[str, sa.Column[str]], ...]] = (
    (UPLOADS, submission.c.digest),
    (UPLOADS, contest.c["items"]),
    (UPLOADS, contest.c.pack),
    (VAULT, evaluation.c.shares),
)


class Swept(NamedTuple):
    """What was removed.

    Attributes:
        unfinished: files that never came to their end.
        orphans: files that no row refers to.
    """

    unfinished: int
    orphans: int


@dataclass(frozen=True)
class References:
    """Digests of files.

    Attributes:
        needed: by folder, those without which something is missing.
        mentioned: all that stand anywhere, of either folder; nothing of these is ever swept.
    """

    needed: Mapping[str, frozenset[str]]
    mentioned: frozenset[str]


def references(connection: sa.Connection) -> References:
    """What rows refer to."""
    needed: dict[str, set[str]] = {UPLOADS: set(), VAULT: set()}
    for folder, column in _COLUMNS:
        needed[folder].update(connection.execute(sa.select(column).where(column != "").distinct()).scalars())
    for facts in connection.execute(sa.select(submission.c.facts)).scalars():
        needed[VAULT].update(facts[name] for name in _FACTS if facts.get(name))
    kept = sa.select(label_set.c.digest).where(label_set.c.digest != "", label_set.c.state != "refused")
    needed[VAULT].update(connection.execute(kept).scalars())
    refused = connection.execute(sa.select(label_set.c.digest)).scalars()
    mentioned = needed[UPLOADS] | needed[VAULT] | set(refused) | set(_told(connection))
    return References({folder: frozenset(digests) for folder, digests in needed.items()}, frozenset(mentioned))


def sweep(database: Database, stores: Mapping[str, Blobs], *, young_s: float = YOUNG_S) -> Swept:
    """Remove files that no row refers to and that are not young.

    Args:
        database: the portal's.
        stores: its folders.
        young_s: seconds since a file was written within which its row may be yet to come.
    """
    before = time.time() - young_s
    unfinished = sum(store.sweep(before=before) for store in stores.values())
    orphans = 0
    for store in stores.values():
        old = [digest for digest in store.digests() if _written(store, digest) < before]
        with database.read() as connection:  # after the list: what came meanwhile is not on it
            mentioned = references(connection).mentioned
        orphans += sum(store.remove_unless_younger(digest, before=before) for digest in old if digest not in mentioned)
    return Swept(unfinished, orphans)


def _told(connection: sa.Connection) -> Iterator[str]:
    """Digests within values of JSON, whatever they are called there."""
    for table in metadata.tables.values():
        columns = [column for column in table.columns if isinstance(column.type, sa.JSON)]
        if not columns or table.name == "audit":
            continue
        texts: Any = sa.select(*(sa.cast(column, sa.Text) for column in columns))
        for row in connection.execution_options(yield_per=500).execute(texts):
            for value in row:
                yield from _DIGEST.findall(value or "")


def _written(store: Blobs, digest: str) -> float:
    with suppress(OSError):
        return store.path(digest).stat().st_mtime
    return time.time()
