"""Files of speech that data sets make: FLAC, 16 kHz, 16 bit, whole or not there."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.atomic import clear_write_errors, write_bytes
from affectcheck.digest import digest_file
from affectcheck.errors import ExtraMissingError
from affectcheck.media.samples import resampled

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

RATE_HZ: Final = 16_000
FULL_SCALE: Final = 32_767


def sound_package() -> Any:
    """The package that writes FLAC.

    Raises:
        ExtraMissingError: it, or the one that resamples, is not installed.
    """
    try:
        import soundfile  # noqa: PLC0415  # of an extra
        import soxr  # noqa: F401, PLC0415  # of an extra; looked for before the first clip is spoken
    except ImportError as error:
        raise ExtraMissingError.of("synthetic speech", "synthetic", error.name or "soundfile") from error
    return soundfile


def whole_samples(samples: np.ndarray, rate_hz: float) -> np.ndarray:
    """Samples of any rate, full scale at ±1, as (n,) int16 at 16 kHz."""
    heard = resampled(samples, rate_hz, RATE_HZ)
    whole: np.ndarray = np.clip(np.round(heard * FULL_SCALE), -FULL_SCALE, FULL_SCALE)
    return whole.astype(np.int16)


def read_speech(path: Path) -> np.ndarray | None:
    """The samples of a finished file; None where there is none, or one that cannot be read."""
    package = sound_package()
    try:
        samples, rate_hz = package.read(path, dtype="int16")
    except (OSError, package.SoundFileError):
        return None
    return np.asarray(samples) if rate_hz == RATE_HZ and samples.ndim == 1 and len(samples) else None


def write_speech(path: Path, samples: np.ndarray) -> None:
    """Write (n,) int16 samples.

    Raises:
        WriteError: the disk is full or not writable.
    """
    contents = BytesIO()  # written by ourselves, since a writer of sound says little about a full disk
    sound_package().write(contents, samples, RATE_HZ, subtype="PCM_16", format="FLAC")
    write_bytes(path, contents.getvalue())


def clear_damaged(files: Mapping[Path, str]) -> bool:
    """Delete the files that are not as they were written; whether one has to be made again.

    Args:
        files: path to the digest that its file had; the empty text where that is not known.
    """
    missing = False
    for path, digest in files.items():
        if not path.exists():
            missing = True
        elif digest and digest_file(path) != digest:
            with clear_write_errors(path):
                path.unlink()
            missing = True
    return missing
