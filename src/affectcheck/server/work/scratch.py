"""A folder of one job, beside the hidden labels, where the web cannot look; gone when the job is over."""

from __future__ import annotations

import shutil
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.server.portal import Portal
    from affectcheck.server.storage.blobs import Blobs

_NAME: Final = "scratch"
#: Folders among the data, of lists that are read and exports that are sent.
_OF_WEB: Final = ("items", "export")
_BLOCK: Final = 1 << 20


@dataclass(frozen=True)
class Scratch:
    """The folder."""

    folder: Path

    def path(self, name: str) -> str:
        """A file that a child may write."""
        return str(self.folder / name)

    def link(self, blobs: Blobs, digest: str, name: str) -> str:
        """A kept file under a name whose ending says what it is."""
        link = self.folder / name
        link.symlink_to(blobs.path(digest))
        return str(link)

    def keep(self, name: str, blobs: Blobs) -> str:
        """Keep a file that a child wrote; its digest, empty where the file is empty."""
        path = self.folder / name
        size = path.stat().st_size
        return blobs.put(_blocks(path), most=size).digest if size else ""


@contextmanager
def scratch(portal: Portal) -> Iterator[Scratch]:
    """A new folder for one job."""
    root = portal.vault.root / _NAME
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder = Path(tempfile.mkdtemp(dir=root))
    try:
        yield Scratch(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(portal: Portal, *, older_s: float) -> int:
    """Remove folders that processes left behind which were killed; how many."""
    gone, before = 0, time.time() - older_s
    own = (portal.settings.data.glob(f"{name}-*") for name in _OF_WEB)
    for folder in chain((portal.vault.root / _NAME).glob("*"), *own):
        with suppress(FileNotFoundError):
            if folder.stat().st_mtime < before:
                shutil.rmtree(folder, ignore_errors=True)
                gone += 1
    return gone


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block
