"""The Multichannel Acoustic Reverberation Database at York: positions in one room (Wen et al., IWAENC 2006; paper 2).

Files are called ``ir_<distance in metres>_<L, C or R>_<microphone>.wav``, one for each of eight microphones in a line;
copies of the database have one file of eight channels instead, without the number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.augmentations.collection import Collection, Sound
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

REFERENCE: Final = "ir_1_C"
#: Keys of the positions: 1, 2 and 3 m, in front of the microphones, left and right.
POSITIONS: Final = (
    REFERENCE,
    *(f"ir_{metres}_{side}" for metres in (1, 2, 3) for side in "CLR" if (metres, side) != (1, "C")),
)


def read_mardy(folder: Path) -> Collection:
    """Every position, by the first microphone; in front of it at 1 m is the reference.

    Args:
        folder: the database as it is unpacked, or a folder above it.

    Raises:
        InputError: the reference or every other position is missing.
    """
    files = {path.name: path for path in sorted(folder.rglob("ir_*.wav"), reverse=True)}
    found = []
    for key in POSITIONS:
        path = files.get(f"{key}_1.wav") or files.get(f"{key}.wav")
        if path is not None:
            found.append(Sound(key, path, channel=0))
    if len(found) < 2 or found[0].key != REFERENCE:
        raise InputError(
            "not the responses of the MARDY database",
            where=str(folder),
            expected=f"{REFERENCE}_1.wav and other positions",
        )
    return Collection("position", "mardy", tuple(found), REFERENCE)
