"""Every perturbation of speech beside auglib and audiomentations: CPU seconds per 1000 clips of 3 s at 16 kHz.

    python benchmarks/augmentations.py [--peers PYTHON] [--clips 100] [--runs 5]

Peers are imported by another interpreter, such as that of ``python -m venv peers`` after ``pip install auglib
audiomentations``; without ``--peers``, only ours are measured. Libraries take turns, each run in a process of its own
that warms up first, and the median of the runs counts. Each is to stay within 3 s, and within 1.15 times the better peer.

All get the same clips and recordings, in memory where a library allows it. Ours draw from a generator of each item
(0.003 s of every figure), and check for silence and full scale; where the change itself takes 0.005 s, as a crop or a
gain does, that is most of it. Where a peer has nothing of the kind, its column is empty; what does a
little less is told below the table. The telephone line has a benchmark of its own (``phone.py``): auglib needs the
binaries of ffmpeg, with an encoder that Debian's build lacks, and of sox for it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[np.ndarray, int], object]

RATE_HZ, SECONDS, BAR_S, WITHIN = 16_000, 3, 3.0, 1.15
LIBRARIES = ("affectcheck", "auglib", "audiomentations")
ROLES = {"speech": 10, "music": 10, "environment": 10, "cough": 0.8, "sneeze": 0.8}
NOTES = (
    "auglib: recordings are given as arrays, since it reads files anew for each clip; a noise that is silent, a clip that",
    "is too short and peaks beyond full scale are not looked for; draws depend on the order of clips",
    "audiomentations: AddShortNoises mixes in several sounds with fades; AddBackgroundNoise reads files, and no voices together",
    "tilt: peers convolve with an impulse response of 1024 samples, as the original does",
)


def write(folder: Path, clips: int) -> None:
    """Clips, recordings and the impulse response of a tilt."""
    from affectcheck.seeds import rng

    draw = rng(1, "augmentations")
    time_s = np.arange(SECONDS * RATE_HZ) / RATE_HZ
    spoken = []
    for _ in range(clips):
        pitch_hz, rate_hz = draw.uniform(90, 250), draw.uniform(2, 5)
        buzz = sum(np.sin(2 * np.pi * pitch_hz * k * time_s) / k for k in range(1, 20))
        spoken.append(
            0.1 * buzz * np.abs(np.sin(2 * np.pi * rate_hz * time_s)) + 0.003 * draw.standard_normal(len(time_s))
        )
    np.save(folder / "clips.npy", np.stack(spoken).astype(np.float32))
    for role, seconds in ROLES.items():
        for number in range(6):
            samples = 0.1 * draw.standard_normal(int(seconds * RATE_HZ))
            _write_wav(folder / role / f"{number}.wav", samples)
    frequencies = np.arange(513) / 512
    for name, line in (("up", 2 * frequencies), ("down", 1 - frequencies)):
        response = np.roll(np.fft.irfft(line, 1_024), 512)
        np.save(folder / f"{name}.npy", response.astype(np.float32))
        _write_wav(folder / name / f"{name}.wav", response)


def _write_wav(path: Path, samples: np.ndarray) -> None:
    path.parent.mkdir(exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes((np.clip(samples, -1, 1) * 32_767).astype("<i2").tobytes())


def ours(folder: Path) -> dict[str, Change]:
    """All of ours but the impulse responses and the telephone line."""
    from affectcheck.augmentations import AUGMENTATIONS, Perturbation, Sounds, make_augmentation, read_sounds
    from affectcheck.media.clip import Clip

    sounds = sum((read_sounds(f"{role}={folder / role}") for role in ROLES), Sounds())
    names = [name for name in AUGMENTATIONS.names() if name not in ("phone", "impulse-response")]
    made = {name: Perturbation(make_augmentation(name, sounds=sounds)) for name in names}
    for name in ("cough", "white-noise"):
        made[f"{name}, active"] = Perturbation(make_augmentation(name, {"snr_over": "active"}, sounds))

    def change(perturbation: Perturbation) -> Change:
        return lambda samples, index: perturbation(Clip(samples, RATE_HZ), f"clip {index}")

    return {name: change(one) for name, one in made.items()}


def auglib(folder: Path) -> dict[str, Change]:
    """What auglib has; each draws as paper 2 says, where it can."""
    from auglib import observe, transform

    def samples(role: str) -> list[np.ndarray]:
        found = []
        for path in sorted((folder / role).glob("*.wav")):
            with wave.open(str(path)) as file:
                found.append((np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32_768).astype(np.float32))
        return found

    def one_of(*values: Any) -> Any:
        return observe.List(list(values), draw=True)

    lengths = one_of(100, 500, 1_000)
    place = observe.FloatUni(0, 1)
    looped = {"snr_db": 20, "read_pos_aux": place, "unit": "relative", "loop_aux": True, "preserve_level": True}
    once = {"snr_db": 10, "write_pos_base": place, "unit": "relative", "preserve_level": True}
    made = {
        "append-zeros": transform.AppendValue(lengths, unit="samples"),
        "prepend-zeros": transform.PrependValue(lengths, unit="samples"),
        "crop-beginning": transform.Trim(start_pos=lengths, unit="samples"),
        "crop-end": transform.Trim(end_pos=lengths, unit="samples"),
        "babble": transform.BabbleNoise(
            samples("speech"), num_speakers=observe.IntUni(4, 7), snr_db=20, preserve_level=True
        ),
        "music": transform.Mix(one_of(*samples("music")), **looped),
        "environment": transform.Mix(one_of(*samples("environment")), **looped),
        "cough": transform.Mix(one_of(*samples("cough")), **once),
        "sneeze": transform.Mix(one_of(*samples("sneeze")), **once),
        "tone": transform.Tone(observe.IntUni(5_000, 7_000), snr_db=one_of(40, 45, 50)),
        "clip": transform.ClipByRatio(one_of(0.001, 0.002, 0.003)),
        "gain": transform.GainStage(one_of(-2, -1, 1, 2)),
        "highpass": transform.HighPass(one_of(50, 100, 150), order=1),
        "lowpass": transform.LowPass(one_of(7_500, 7_000, 6_500), order=1),
        "tilt-up": transform.FFTConvolve(np.load(folder / "up.npy"), keep_tail=False, preserve_level=True),
        "tilt-down": transform.FFTConvolve(np.load(folder / "down.npy"), keep_tail=False, preserve_level=True),
        "white-noise": transform.WhiteNoiseGaussian(snr_db=20, preserve_level=True),
    }

    def change(one: Any) -> Change:
        return lambda samples, index: one(samples, RATE_HZ)

    return {name: change(one) for name, one in made.items()}


def audiomentations(folder: Path) -> dict[str, Change]:
    """What audiomentations has."""
    import audiomentations as library

    made = {
        "music": library.AddBackgroundNoise(folder / "music", 20, 20, p=1),
        "environment": library.AddBackgroundNoise(folder / "environment", 20, 20, p=1),
        "cough": library.AddShortNoises(folder / "cough", 10, 10, p=1),
        "sneeze": library.AddShortNoises(folder / "sneeze", 10, 10, p=1),
        "clip": library.ClippingDistortion(1, 1, p=1),
        "gain": library.Gain(-2, 2, p=1),
        "highpass": library.HighPassFilter(50, 150, 6, 6, p=1),
        "lowpass": library.LowPassFilter(6_500, 7_500, 6, 6, p=1),
        "tilt-up": library.ApplyImpulseResponse(folder / "up", p=1),
        "tilt-down": library.ApplyImpulseResponse(folder / "down", p=1),
        "white-noise": library.AddGaussianSNR(20, 20, p=1),
    }

    def change(one: Any) -> Change:
        return lambda samples, index: one(samples, RATE_HZ)

    return {name: change(one) for name, one in made.items()}


def measure(library: str, folder: Path) -> dict[str, float]:
    """CPU seconds per 1000 clips of everything that a library has."""
    clips = np.load(folder / "clips.npy")
    found = {}
    for name, change in {"affectcheck": ours, "auglib": auglib, "audiomentations": audiomentations}[library](
        folder
    ).items():
        for index in range(10):
            change(clips[index % len(clips)], index)
        before = time.process_time()
        for index, samples in enumerate(clips):
            change(samples, index)
        found[name] = (time.process_time() - before) * 1_000 / len(clips)
    return found


def _child(interpreter: str, library: str, folder: Path) -> dict[str, float]:
    words = [interpreter, "-W", "ignore", __file__, "--library", library, "--folder", str(folder)]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **threads})
    if done.returncode:
        raise SystemExit(f"{library} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def _print(spent: dict[str, dict[str, list[float]]], told: argparse.Namespace) -> None:
    print(f"CPU seconds per 1000 clips of {SECONDS} s, median of {told.runs} runs of {told.clips} clips; bar {BAR_S:g}")
    print(f"  {'':20}" + "".join(f"{library:>17}" for library in LIBRARIES) + "  to the better peer")
    for name, own in spent["affectcheck"].items():
        medians = {library: statistics.median(spent[library][name]) for library in LIBRARIES if name in spent[library]}
        peers = [medians[library] for library in LIBRARIES[1:] if library in medians]
        ratio = f"{statistics.median(own) / min(peers):6.2f}" if peers else ""
        over = statistics.median(own) > BAR_S or bool(peers and statistics.median(own) > WITHIN * min(peers))
        cells = "".join(f"{medians[library]:17.3f}" if library in medians else " " * 17 for library in LIBRARIES)
        print(f"  {name + ':':20}{cells}  {ratio}{' (over the bar)' if over else ''}")
    if any(spent[library] for library in LIBRARIES[1:]):
        print("\n".join(NOTES))


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clips", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--peers", default="", help="interpreter that has the peers")
    parser.add_argument("--library", default="", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, default=None, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.library:
        print(json.dumps(measure(told.library, told.folder)))
        return
    interpreters = {"affectcheck": sys.executable} | dict.fromkeys(LIBRARIES[1:], told.peers)
    spent: dict[str, dict[str, list[float]]] = {library: {} for library in LIBRARIES}
    with tempfile.TemporaryDirectory(prefix="affectcheck-") as folder:
        write(Path(folder), told.clips)
        for _ in range(told.runs):
            for library, interpreter in interpreters.items():
                if interpreter:
                    for name, seconds in _child(interpreter, library, Path(folder)).items():
                        spent[library].setdefault(name, []).append(seconds)
    _print(spent, told)


if __name__ == "__main__":
    main()
