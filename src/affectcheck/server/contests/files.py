"""Files that everyone may have: the list of what is to be predicted, and the participants' pack."""

from __future__ import annotations

import tempfile
import unicodedata
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from affectcheck.challenges import read_wanted
from affectcheck.challenges.wanted import write_wanted
from affectcheck.errors import InputError
from affectcheck.server.accounts.actors import require
from affectcheck.server.contests.contest import Contest, Edit, contest_of, edited, locked_contest
from affectcheck.server.faults import ConflictError, RefusedError, TooLargeError
from affectcheck.server.storage.tables import label_set, submission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from affectcheck.challenges import Track, Wanted
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal

LISTS: Final = (".csv", ".txt", ".lst", ".parquet")
PACKS: Final = (".zip", ".tar", ".tar.gz", ".tgz")
#: Bytes of a participants' pack, which may hold crops and features.
MOST_PACK: Final = 64 << 30
_BLOCK: Final = 1 << 20
_LONGEST_NAME: Final = 4096


def receive_items(portal: Portal, actor: Actor, slug: str, file_name: str, blocks: Iterable[bytes]) -> Contest:
    """Take the list of what is to be predicted.

    Args:
        portal: where.
        actor: an organiser.
        slug: the track.
        file_name: as sent; its ending tells what it is.
        blocks: its bytes.

    Raises:
        NotThereError: no such track.
        ConflictError: it is archived, has submissions that were checked against another list, or labels.
        RefusedError: a file of another kind.
        TooLargeError: more bytes than an upload may have.
        InputError: the file is no list of items of this track.
    """
    require(actor, "organise")
    suffix = ending(file_name, LISTS)
    with portal.database.read() as connection:
        found = contest_of(connection, slug, actor)
    with tempfile.TemporaryDirectory(dir=portal.settings.data, prefix="items-") as folder:
        path = Path(folder) / f"items{suffix}"
        _write(path, blocks, portal.settings.limits.upload)
        wanted = _read(path, found.track, kept_name(file_name, most=255))
        kept = path.with_name("kept.parquet")
        write_wanted(wanted, kept)
        digest = portal.uploads.put(_blocks(kept), most=kept.stat().st_size).digest
    with portal.database.write() as connection:
        found = locked_contest(connection, slug, actor)
        if digest != found.items:
            _require_unused(connection, found)
        edit = Edit("contest.items", {"items": digest}, {"digest": digest, "items": len(wanted.items)})
        return edited(connection, portal, actor, found, edit)


def receive_pack(portal: Portal, actor: Actor, slug: str, file_name: str, blocks: Iterable[bytes]) -> Contest:
    """Take the participants' pack, which everyone who sees the track may have.

    Raises:
        NotThereError: no such track.
        ConflictError: it is archived.
        RefusedError: a file of another kind.
        TooLargeError: more bytes than there is room for.
    """
    require(actor, "organise")
    ending(file_name, PACKS)
    with portal.database.read() as connection:
        contest_of(connection, slug, actor)
    room = min(MOST_PACK, max(portal.uploads.free() - portal.settings.free_bytes, 0))
    kept = portal.uploads.put(blocks, most=room)
    with portal.database.write() as connection:
        found = locked_contest(connection, slug, actor)
        edit = Edit("contest.pack", {"pack": kept.digest}, {"digest": kept.digest, "size": kept.size})
        return edited(connection, portal, actor, found, edit)


def ending(file_name: str, known: tuple[str, ...]) -> str:
    """The ending of a file's name, which says what it is.

    Raises:
        RefusedError: it has none of those that are known.
    """
    name = PurePosixPath(file_name.replace("\\", "/")).name.lower()
    found = next((one for one in sorted(known, key=len, reverse=True) if name.endswith(one) and name != one), None)
    if found is None:
        raise RefusedError(
            f"a file called {name[:80]!r}", code="E_FILE_KIND", expected=f"a name that ends in {' or '.join(known)}"
        )
    return found


def kept_name(file_name: str, *, most: int) -> str:
    """A file's name as it is kept and told: without its folders and without characters that are not seen; its end counts.

    Example:
        >>> kept_name("../../run 7.csv", most=255)
        'run 7.csv'
    """
    name = PurePosixPath(file_name[-_LONGEST_NAME:].replace("\\", "/")).name
    seen = "".join(letter for letter in name if not unicodedata.category(letter).startswith(("C", "Zl", "Zp")))
    return seen[-most:].strip() or "file"


def _read(path: Path, track: Track, name: str) -> Wanted:
    """The list in a file, whose faults are told under the name that it was sent by."""
    try:
        return read_wanted(path, track)
    except InputError as error:
        what, where, cause = (text.replace(str(path), name) for text in (error.what, error.where, error.cause))
        raise InputError(what, where=where or name, expected=error.expected, cause=cause) from error


def _write(path: Path, blocks: Iterable[bytes], most: int) -> None:
    size = 0
    with path.open("wb") as file:
        for block in blocks:
            size += len(block)
            if size > most:
                raise TooLargeError(f"a list of more than {most} bytes", code="E_TOO_LARGE", expected=f"at most {most}")
            file.write(block)


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _require_unused(connection: sa.Connection, found: Contest) -> None:
    """Nothing was checked against another list, and no labels are of one."""
    sent = sa.select(submission.c.id).where(submission.c.contest == found.id).limit(1)
    labels = sa.select(label_set.c.id).where(label_set.c.contest == found.id, label_set.c.state == "ready").limit(1)
    for asked, what in ((sent, "submissions"), (labels, "labels")):
        if found.items and connection.execute(asked).first():
            raise ConflictError(
                f"the track has {what}, which are of the list that is there",
                code="E_ITEMS_USED",
                expected="the same list, or a new track",
            )
