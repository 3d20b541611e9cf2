"""The process that speaks clips: ``python -m affectcheck.datasets.synthetic_worker FOLDER DESIGN SHARE SHARES``.

Writes one line of JSON a clip to standard output. Clips that are there already are read instead of spoken, so a
run that was killed goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.atomic import write_bytes
from affectcheck.datasets.espeak import Engine
from affectcheck.datasets.synthetic_design import Design, PlannedClip, plan
from affectcheck.digest import digest_array
from affectcheck.errors import ExtraMissingError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

RATE_HZ: Final = 16_000
FULL_SCALE: Final = 32_767


@dataclass(frozen=True)
class Spoken:
    """One finished clip.

    Attributes:
        item: its key.
        digest: of its samples (int16).
        samples: how many.
    """

    item: str
    digest: str
    samples: int


def clip_path(folder: Path, item: str) -> Path:
    """Where a clip lies."""
    return folder / "clips" / f"{item}.flac"


def samples_of(engine: Engine, clip: PlannedClip) -> np.ndarray:
    """Speak one clip: (n,) int16 at 16 kHz."""
    import soxr  # noqa: PLC0415  # of an extra

    speech = engine.speak(clip.utterance)
    # taken as if sampled faster or slower by the tract's factor, which moves every resonance by it
    resampled = soxr.resample(speech.samples / 32_768.0, speech.rate_hz * clip.tract, RATE_HZ, quality="HQ")
    whole: np.ndarray = np.clip(np.round(resampled * FULL_SCALE), -FULL_SCALE, FULL_SCALE)
    return whole.astype(np.int16)


def speak_clips(folder: Path, clips: tuple[PlannedClip, ...]) -> Iterator[Spoken]:
    """Make the clips that are missing; yield each as soon as it is there."""
    soundfile = sound_package()
    with Engine() as engine:
        for clip in clips:
            path = clip_path(folder, clip.item)
            samples = _existing(path, soundfile)
            if samples is None:
                samples = samples_of(engine, clip)
                contents = BytesIO()  # written by ourselves, since a writer of sound says little about a full disk
                soundfile.write(contents, samples, RATE_HZ, subtype="PCM_16", format="FLAC")
                write_bytes(path, contents.getvalue())
            yield Spoken(clip.item, digest_array(samples), len(samples))


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


def _existing(path: Path, soundfile: Any) -> np.ndarray | None:
    try:
        samples, rate_hz = soundfile.read(path, dtype="int16")
    except (OSError, soundfile.SoundFileError):
        return None
    return np.asarray(samples) if rate_hz == RATE_HZ and samples.ndim == 1 and len(samples) else None


def main(arguments: list[str]) -> int:
    """Speak this process's share of a design's clips."""
    folder, text, share, shares = arguments
    fields = json.loads(text)
    design = Design(**{**fields, "languages": tuple(fields["languages"])})
    for spoken in speak_clips(Path(folder), plan(design)[int(share) :: int(shares)]):
        sys.stdout.write(json.dumps(vars(spoken)) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except InputError as error:  # for the parent, which says it to the user
        sys.stderr.write(json.dumps(vars(error)) + "\n")
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the parent is gone: stop, and keep quiet about it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
