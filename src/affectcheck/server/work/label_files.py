"""Labels as an organiser sends them: a table, one annotation file, or an archive of annotation files, one a video."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

from affectcheck.challenges import Limits
from affectcheck.challenges.archive import read_upload
from affectcheck.errors import InputError

_ARCHIVES: Final = (".zip", ".tar", ".tgz", ".gz")
TABLES: Final = (".csv", ".parquet")
#: An organiser's file may be larger than an upload.
_LIMITS: Final = Limits(upload=2 << 30, unpacked=4 << 30, members=100_000, rows=100_000_000)


def unpacked(source: Path, name: str, folder: Path) -> Path:
    """What ``read_labels`` takes: a link of the right ending to a file, or a folder of files out of an archive.

    Args:
        source: the file, whatever it is called.
        name: what it was called by whoever sent it.
        folder: where links and files go; empty.

    Raises:
        InputError: an archive that is damaged or holds no labels, or two files of one name.
    """
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in _ARCHIVES:
        link = folder / f"labels{suffix}"
        link.symlink_to(source)
        return link
    members = read_upload(source, limits=_LIMITS, name=name)
    tables = [member for member in members if PurePosixPath(member.name).suffix.lower() in TABLES]
    if len(tables) == 1:
        path = folder / f"labels{PurePosixPath(tables[0].name).suffix.lower()}"
        path.write_bytes(tables[0].content)
        return path
    texts = {}
    for member in members:
        stem = PurePosixPath(member.name).name
        if not stem.lower().endswith(".txt"):
            continue
        if stem in texts:
            raise InputError(f"two files called {stem!r}", where=name, expected="one file a video")
        texts[stem] = member.content
    if tables or not texts:
        raise InputError(
            f"{len(tables)} tables and {len(texts)} annotation files",
            where=name,
            expected="one table, or annotation files (.txt), one a video",
        )
    place = folder / "labels"
    place.mkdir()
    for stem, content in texts.items():
        (place / stem).write_bytes(content)
    return place
