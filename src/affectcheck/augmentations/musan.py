"""MUSAN: music, speech and noise (Snyder, Chen and Povey, 2015; CC BY 4.0; paper 2, section II-D).

Folders are ``music``, ``speech`` and ``noise``, each with a folder for every source. Their ``ANNOTATIONS`` (genre,
language, sex) are not needed: as in paper 2, every recording of a folder may be drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.augmentations.collection import Collection, Sounds
from affectcheck.augmentations.folders import collection_of, recordings
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

#: Folder to the role that its recordings play.
FOLDERS: Final = {"speech": "speech", "music": "music", "noise": "environment"}
LICENCE: Final = "CC BY 4.0"


def read_musan(folder: Path) -> Sounds:
    """Those of the three folders that are there.

    Args:
        folder: the database as it is unpacked, or the folder above it.

    Raises:
        InputError: none of the three is there, or none has recordings.
    """
    root = next((one for one in (folder, folder / "musan") if any((one / name).is_dir() for name in FOLDERS)), folder)
    found: list[Collection] = []
    for name, role in FOLDERS.items():
        files = recordings(root, (f"{name}/**/*",))
        if files:
            found.append(collection_of(role, "musan", root, files, LICENCE))
    if not found:
        raise InputError("not MUSAN", where=str(folder), expected="folders music, speech or noise with recordings")
    return Sounds.of(*found)
