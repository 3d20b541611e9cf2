"""Coughs and sneezes of cough-speech-sneeze (Amiriparian et al., ACII 2017; CC BY 4.0; paper 2, section II-D).

Folders are ``coughing``, ``sneezing``, ``speech`` and ``silence``; only the first two are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.augmentations.collection import Sounds
from affectcheck.augmentations.folders import collection_of, recordings
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

#: Folder to the role that its recordings play.
FOLDERS: Final = {"coughing": "cough", "sneezing": "sneeze"}
LICENCE: Final = "CC BY 4.0"


def read_cough_speech_sneeze(folder: Path) -> Sounds:
    """Those of the two folders that are there.

    Args:
        folder: the database, or a folder above it.

    Raises:
        InputError: neither is there, or neither has recordings.
    """
    roots = sorted({path.parent for name in FOLDERS for path in folder.rglob(name) if path.is_dir()})
    found = []
    for name, role in FOLDERS.items():
        for root in roots:
            files = recordings(root, (f"{name}/**/*",))
            if files:
                found.append(collection_of(role, "cough-speech-sneeze", root, files, LICENCE))
                break
    if not found:
        raise InputError("not cough-speech-sneeze", where=str(folder), expected="folders coughing or sneezing")
    return Sounds.of(*found)
