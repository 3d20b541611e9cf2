"""The Aachen Impulse Response database: rooms, as MATLAB files (Jeub, Schäfer and Vary, DSP 2009; paper 2).

Files are called ``air_binaural_<room>_<channel>_<head>_<number>.mat``: channel 0 is the right one, head 0 is without
the dummy head, and numbers rise with the distance. Each holds the response ``h_air`` and, in ``air_info``, its rate.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.augmentations.collection import Collection, Sound
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

#: Rate of every response of the database, in files that do not say it.
RATE_HZ: Final = 48_000
#: Room and number of the responses of paper 2, all at 1.5 to 2.25 m and without the dummy head: first the reference.
ROOMS: Final = (("booth", 3), ("lecture", 1), ("meeting", 3), ("office", 2))
VARIABLE: Final = "h_air"


@dataclass(frozen=True, eq=False)
class Response:
    """An impulse response as it is stored.

    Attributes:
        samples: (n,) samples.
        rate_hz: their rate.
    """

    samples: NDArray[np.float64]
    rate_hz: int


def read_response(path: Path, variable: str = VARIABLE) -> Response:
    """One response of a MATLAB file.

    Args:
        path: the file.
        variable: what holds the samples; a second row of it, if there is one, is another channel and left out.

    Raises:
        InputError: the file is no MATLAB file, or lacks the variable.
    """
    from scipy.io import loadmat  # noqa: PLC0415  # scipy loads with the first file only
    from scipy.io.matlab import MatReadError  # noqa: PLC0415

    try:
        content = loadmat(path, squeeze_me=True, struct_as_record=False)
    except (MatReadError, OSError, ValueError, NotImplementedError, TypeError, zlib.error) as error:
        raise InputError("cannot be read as a MATLAB file", where=str(path), cause=str(error)) from error
    if variable not in content:
        known = ", ".join(sorted(name for name in content if not name.startswith("__"))) or "none"
        raise InputError(
            f"no variable {variable!r}; there are: {known}", where=str(path), expected="an impulse response"
        )
    samples = np.atleast_2d(np.asarray(content[variable], np.float64))[0]
    return Response(samples, int(getattr(content.get("air_info"), "fs", RATE_HZ)))


def read_air(folder: Path) -> Collection:
    """The rooms of paper 2: a recording booth as reference, and a lecture, a meeting and an office room.

    Args:
        folder: the database as it is unpacked, or a folder above it.

    Raises:
        InputError: the reference or every other room is missing.
    """
    files = {f"{room}_0_{number}": f"air_binaural_{room}_0_0_{number}.mat" for room, number in ROOMS}
    found = []
    for key, name in files.items():
        path = next(iter(sorted(folder.rglob(name))), None)
        if path is not None:
            found.append(Sound(key, path, variable=VARIABLE))
    reference = next(iter(files))
    if len(found) < 2 or found[0].key != reference:
        expected = ", ".join(files.values())
        raise InputError("not the responses of the AIR database", where=str(folder), expected=expected)
    return Collection("room", "air", tuple(found), reference)
