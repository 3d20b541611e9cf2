"""Write a page for every perturbation of sound, with sound and spectrogram before and after.

    python docs/perturbations.py FOLDER

The sentence is spoken by eSpeak NG. Babble is spoken, and every other sound and room is computed here, so that nothing
that was recorded by others is needed, and the pages are the same every time.
"""

from __future__ import annotations

import math
import sys
import tempfile
from dataclasses import dataclass
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from perturbation_text import described, drawn_words, used_by

from affectcheck.augmentations import AUGMENTATIONS, Perturbation, make_augmentation, read_sounds, rms
from affectcheck.datasets.espeak import Engine, Utterance
from affectcheck.media.clip import Clip
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.augmentations import Sounds

RATE_HZ = 16_000
SENTENCE = "I told you that the parcel would arrive on Monday."
PLACES = {"role": "position", "reference": "place 0.wav"}
ROOMS = {"role": "room", "reference": "booth.wav"}
#: More than one example of a perturbation: what it is called, and its parameters. Others have one, with their defaults.
EXAMPLES: dict[str, dict[str, dict[str, Any]]] = {
    "impulse-response": {
        "another position": PLACES | {"response": "drawn"},
        "the reference position": PLACES | {"response": "reference"},
        "another room": ROOMS | {"response": "drawn"},
        "the reference room": ROOMS | {"response": "reference"},
    },
}


@dataclass(frozen=True)
class Example:
    """One perturbed version of the sentence, and what was done to it."""

    told: str
    key: str
    clip: Clip
    drawn: Mapping[str, float | str]
    notes: tuple[str, ...]


def main(folder: Path) -> None:
    """Write every page with its sounds and pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="affectcheck-docs-") as temporary:
        spoken = speak(SENTENCE, "en+m3")
        clean = Clip(spoken, RATE_HZ)
        show(clean, folder / "before")
        sounds = made_sounds(Path(temporary))
        for name in AUGMENTATIONS.names():
            page(name, clean, sounds, folder)


def page(name: str, clean: Clip, sounds: Sounds, folder: Path) -> None:
    """One perturbation: what it does, where it is used, and how it sounds."""
    blocks = [f"# {name}", described(getdoc(AUGMENTATIONS.get(name)) or ""), *used_by(name)]
    blocks += [heard("Before", "before", "the sentence as it is spoken", clean)]
    for number, example in enumerate(examples(name, clean, sounds)):
        file = f"{name}-{number + 1}"
        show(example.clip, folder / file)
        blocks += [
            heard(f"After: {example.told}" if example.told else "After", file, example.told or name, example.clip)
        ]
        change_db = 20 * math.log10(rms(example.clip.samples) / rms(clean.samples))
        rows = [("perturbation", f"`{example.key}`"), ("level", f"{change_db:+.2f} dB"), *drawn_rows(example)]
        blocks += ["\n".join(["| | |", "|---|---|", *(f"| {one} | {value} |" for one, value in rows)])]
    blocks += ["[All perturbations](../augmentations.md)"]
    (folder / f"{name}.md").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def examples(name: str, clean: Clip, sounds: Sounds) -> list[Example]:
    """The perturbed versions that a page shows."""
    found = []
    for told, parameters in EXAMPLES.get(name, {"": {}}).items():
        perturbation = Perturbation(make_augmentation(name, parameters, sounds), seed=1)
        made = perturbation.apply(clean, "example")
        clip = Clip(np.asarray(made.samples, np.float32), clean.rate_hz)
        found.append(Example(told, perturbation.augmentation.key, clip, made.drawn, made.notes))
    return found


def drawn_rows(example: Example) -> list[tuple[str, str]]:
    """What was drawn for the example."""
    drawn = {key: value for key, value in example.drawn.items() if key != "level_gain_db"}
    return [*drawn_words(drawn), *(("note", note) for note in example.notes)]


def heard(title: str, file: str, told: str, clip: Clip) -> str:
    """A heading, a player and a picture."""
    seconds = len(clip.samples) / clip.rate_hz
    player = f'<audio controls preload="none" src="../{file}.ogg" aria-label="{told}"></audio>'
    picture = f"![Spectrogram of {seconds:.2f} s, 0 to 8 kHz: {told}]({file}.png)"
    return f"## {title}\n\n{player}\n\n{picture}"


def show(clip: Clip, path: Path) -> None:
    """The sound as Vorbis, and its spectrogram."""
    import soundfile

    within = np.clip(clip.samples, -1, 1)
    soundfile.write(path.with_suffix(".ogg"), within, clip.rate_hz, format="OGG", subtype="VORBIS")
    spectrogram(within, clip.rate_hz, path.with_suffix(".png"))


def spectrogram(samples: np.ndarray, rate_hz: int, path: Path, *, size: int = 512, hop: int = 64) -> None:
    """A picture of 80 dB below the full scale of a sine: time from left to right, 8 kHz at the top."""
    import PIL.Image
    import PIL.ImageDraw

    padded = np.pad(samples, size // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop] * np.hanning(size)
    level_db = 20 * np.log10(np.abs(np.fft.rfft(frames)) * 4 / size + 1e-9)
    shade = np.clip((level_db.T[::-1] + 80) / 80, 0, 1)
    # Dark to bright in one hue and a half, so that it can be read without seeing colours.
    anchors = np.array([[12, 8, 38], [84, 23, 109], [187, 55, 84], [249, 142, 9], [252, 255, 214]], float)
    places = shade * (len(anchors) - 1)
    colours = np.stack([np.interp(places, np.arange(len(anchors)), anchors[:, c]) for c in range(3)], axis=-1)
    image = PIL.Image.fromarray(colours.astype(np.uint8))
    framed = PIL.Image.new("RGB", (image.width + 46, image.height + 22), "white")
    framed.paste(image, (46, 0))
    draw = PIL.ImageDraw.Draw(framed)
    for kilohertz in range(0, rate_hz // 2000 + 1, 2):
        y = round((1 - kilohertz * 2000 / rate_hz) * (image.height - 1))
        draw.text((2, min(max(y - 6, 0), image.height - 12)), f"{kilohertz} kHz", fill="black")
    for half in range(int(2 * len(samples) / rate_hz) + 1):
        draw.text((46 + half * rate_hz / 2 / hop, image.height + 5), f"{half / 2:g} s", fill="black")
    framed.convert("P", palette=PIL.Image.Palette.ADAPTIVE, colors=64).save(path, optimize=True)


def speak(text: str, voice: str) -> np.ndarray:
    """Samples of a sentence, its peak at half of full scale."""
    import soxr

    with Engine() as engine:
        speech = engine.speak(Utterance(text, voice))
    samples = soxr.resample(speech.samples.astype(np.float32), speech.rate_hz, RATE_HZ)
    return np.asarray(0.5 * samples / np.max(np.abs(samples)), np.float32)


def made_sounds(folder: Path) -> Sounds:
    """Sounds and rooms of every role, as files in folders."""
    import soundfile

    talkers = ("en+f1", "en+f3", "en+m1", "en+m5", "en+m7", "en+f4")
    texts = ("We could have taken the earlier train.", "Nobody has seen the new garden yet.", "It rains on us again.")
    made: dict[str, dict[str, np.ndarray]] = {
        "speech": {voice: speak(texts[n % 3], voice) for n, voice in enumerate(talkers)},
        "music": {"chords": chords()},
        "environment": {"wind": wind()},
        "cough": {"cough": bursts((0.0, 0.28), (0.30, 0.20))},
        "sneeze": {"sneeze": bursts((0.0, 0.12), (0.35, 0.45))},
        "position": {f"place {n}": room(0.25, n) for n in range(3)},
        "room": {"booth": room(0.08, 7), "hall": room(0.8, 8), "office": room(0.4, 9)},
    }
    found = None
    for role, files in made.items():
        (folder / role).mkdir()
        for name, samples in files.items():
            soundfile.write(folder / role / f"{name}.wav", samples.astype(np.float32), RATE_HZ, subtype="FLOAT")
        one = read_sounds(f"{role}={folder / role}")
        found = one if found is None else found + one
    if found is None:
        raise SystemExit("no sounds")
    return found


def chords() -> np.ndarray:
    """Three chords of plucked strings."""
    time_s = np.arange(3 * RATE_HZ) / RATE_HZ
    tones = [(0, (220.0, 277.2, 329.6)), (1, (196.0, 246.9, 293.7)), (2, (220.0, 277.2, 329.6))]
    strings = [(start, f * k, k) for start, chord in tones for f in chord for k in (1, 2, 3, 4)]
    sounding = [
        (time_s >= s) * np.exp(-3 * np.maximum(time_s - s, 0)) * np.sin(2 * np.pi * f * time_s) / k
        for s, f, k in strings
    ]
    return 0.1 * np.sum(sounding, axis=0)


def wind() -> np.ndarray:
    """Noise of low frequencies that swells."""
    spectrum = np.fft.rfft(rng(1, "wind").standard_normal(3 * RATE_HZ))
    frequency_hz = np.fft.rfftfreq(3 * RATE_HZ, 1 / RATE_HZ)
    noise = np.fft.irfft(spectrum / (1 + (frequency_hz / 400) ** 2))
    return 0.3 * noise * (1 + 0.6 * np.sin(2 * np.pi * 0.7 * np.arange(3 * RATE_HZ) / RATE_HZ))


def bursts(*times_s: tuple[float, float]) -> np.ndarray:
    """Bursts of breath: when each begins, and how long it takes to fade."""
    time_s = np.arange(RATE_HZ) / RATE_HZ
    noise = rng(1, "breath", len(times_s)).standard_normal(RATE_HZ)
    envelopes = [(time_s >= at) * np.exp(-6 * np.maximum(time_s - at, 0) / fade) for at, fade in times_s]
    return 0.3 * noise * np.sum(envelopes, axis=0)


def room(reverberation_s: float, number: int) -> np.ndarray:
    """A direct sound and echoes that fade by 60 dB within a time."""
    time_s = np.arange(int(max(reverberation_s, 0.05) * RATE_HZ)) / RATE_HZ
    response = 0.08 * rng(1, "room", number).standard_normal(len(time_s)) * 10 ** (-3 * time_s / reverberation_s)
    response[:8] = 0
    response[0] = 1
    return response


if __name__ == "__main__":
    main(Path(sys.argv[1]))
