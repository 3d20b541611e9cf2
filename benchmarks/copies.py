"""Copies planted among real pictures and sounds: how many are found, kind by kind, and what else is found.

    python benchmarks/copies.py --images FAIRFACE/images --sounds RAVDESS [--every 4] [--scale 45000]

Each kind of copy is made of every original (of every n-th with ``--every``) and compared with all originals. Pairs of
two originals are printed by name, to be looked at. CPU seconds; with OMP_NUM_THREADS=1 those of one thread.
"""

from __future__ import annotations

import argparse
import io
import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from affectcheck.annotations import make_table
from affectcheck.media import decode_image, read_sound
from affectcheck.media.audio import Sound
from affectcheck.media.clip import Image
from affectcheck.media.near_images import SIZE, image_print, near_images
from affectcheck.media.near_sounds import near_sounds, sound_print
from affectcheck.partitions import content_of, copies_of
from affectcheck.seeds import rng

Pictures = dict[str, Callable[[np.ndarray, np.random.Generator], np.ndarray]]
Sounds = dict[str, Callable[[Sound, np.random.Generator], Sound]]


def recompressed(pixels: np.ndarray, form: str, quality: int) -> np.ndarray:
    import PIL.Image

    file = io.BytesIO()
    PIL.Image.fromarray(pixels).save(file, form, quality=quality)
    return np.array(PIL.Image.open(file).convert("RGB"))


def rescaled(pixels: np.ndarray, factor: float) -> np.ndarray:
    import PIL.Image

    height, width = (round(side * factor) for side in pixels.shape[:2])
    return np.array(PIL.Image.fromarray(pixels).resize((width, height), PIL.Image.Resampling.BICUBIC))


def cropped(pixels: np.ndarray, *sides: float) -> np.ndarray:
    height, width = pixels.shape[:2]
    left, top, right, bottom = (round(side * size) for side, size in zip(sides, (width, height) * 2, strict=True))
    return np.ascontiguousarray(pixels[top : height - bottom, left : width - right])


def one_side(pixels: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    return cropped(pixels, *(0.02 * (np.arange(4) == draw.integers(4))))


def brightened(pixels: np.ndarray, gain: float) -> np.ndarray:
    return np.clip(pixels * gain, 0, 255).astype(np.uint8)


def all_at_once(pixels: np.ndarray, _draw: np.random.Generator) -> np.ndarray:
    changed = brightened(rescaled(cropped(pixels[:, ::-1], 0.02, 0.02, 0.02, 0.02), 0.5), 1.2)
    return recompressed(changed, "JPEG", 50)


PICTURES: Pictures = {
    "JPEG, quality 50": lambda pixels, _: recompressed(pixels, "JPEG", 50),
    "JPEG, quality 90": lambda pixels, _: recompressed(pixels, "JPEG", 90),
    "WebP, quality 50": lambda pixels, _: recompressed(pixels, "WEBP", 50),
    "2 % cropped off each side": lambda pixels, _: cropped(pixels, 0.02, 0.02, 0.02, 0.02),
    "2 % cropped off one side": one_side,
    "mirrored": lambda pixels, _: np.ascontiguousarray(pixels[:, ::-1]),
    "brightness x 0.7": lambda pixels, _: brightened(pixels, 0.7),
    "brightness x 1.3": lambda pixels, _: brightened(pixels, 1.3),
    "rescaled to a half": lambda pixels, _: rescaled(pixels, 0.5),
    "rescaled to a quarter": lambda pixels, _: rescaled(pixels, 0.25),
    "rescaled to double": lambda pixels, _: rescaled(pixels, 2.0),
    "mirrored, cropped, halved, x 1.2, JPEG 50": all_at_once,
}


def coded(sound: Sound, form: str, subtype: str, level: float) -> Sound:
    import soundfile

    file = io.BytesIO()
    samples = resampled(sound, 48_000) if subtype == "OPUS" else sound
    soundfile.write(file, samples.samples, samples.rate_hz, format=form, subtype=subtype, compression_level=level)
    file.seek(0)
    decoded, rate_hz = soundfile.read(file, dtype="float32", always_2d=True)
    return Sound(decoded, rate_hz)


def resampled(sound: Sound, rate_hz: int) -> Sound:
    import soxr

    return Sound(soxr.resample(sound.samples, sound.rate_hz, rate_hz), rate_hz)


def trimmed(sound: Sound, start: float, end: float) -> Sound:
    count = len(sound.samples)
    return Sound(sound.samples[round(start * count) : count - round(end * count)], sound.rate_hz)


def times(sound: Sound, gain: float) -> Sound:
    return Sound(np.rint(np.clip(sound.samples * gain, -1, 1) * 32767).astype(np.float32) / 32767, sound.rate_hz)


def noisy(sound: Sound, snr_db: float, draw: np.random.Generator) -> Sound:
    level = np.sqrt(np.square(sound.samples).mean()) * 10 ** (-snr_db / 20)
    return Sound((sound.samples + level * draw.standard_normal(sound.samples.shape)).astype(np.float32), sound.rate_hz)


def one_step(sound: Sound, draw: np.random.Generator) -> Sound:
    samples = sound.samples.copy()
    samples[draw.integers(len(samples))] += 2.0**-15
    return Sound(samples, sound.rate_hz)


SOUNDS: Sounds = {
    "+6 dB, clipped": lambda sound, _: times(sound, 2.0),
    "-6 dB": lambda sound, _: times(sound, 0.5),
    "MP3": lambda sound, _: coded(sound, "MP3", "MPEG_LAYER_III", 0.5),
    "MP3, low quality": lambda sound, _: coded(sound, "MP3", "MPEG_LAYER_III", 0.9),
    "Vorbis, low quality": lambda sound, _: coded(sound, "OGG", "VORBIS", 0.9),
    "Opus": lambda sound, _: coded(sound, "OGG", "OPUS", 0.5),
    "48 kHz": lambda sound, _: resampled(sound, 48_000),
    "8 kHz": lambda sound, _: resampled(sound, 8_000),
    "2 % cut off the start": lambda sound, _: trimmed(sound, 0.02, 0.0),
    "2 % cut off the end": lambda sound, _: trimmed(sound, 0.0, 0.02),
    "noise at 20 dB": lambda sound, draw: noisy(sound, 20.0, draw),
    "one sample off by 2^-15": one_step,
    "other polarity": lambda sound, _: Sound(-sound.samples, sound.rate_hz),
    "cut, -6 dB, MP3": lambda sound, _: coded(times(trimmed(sound, 0.02, 0.02), 0.5), "MP3", "MPEG_LAYER_III", 0.7),
}
NO_COPIES: Sounds = {"backwards (no copy)": lambda sound, _: Sound(sound.samples[::-1], sound.rate_hz)}


def cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def originals(files: Sequence[Path], what: str) -> None:
    """Decode, digest and compare the originals as an audit does."""
    start = cpu_s()
    table = make_table(
        pl.DataFrame({"item": [file.name for file in files], "media": [str(file) for file in files]}), targets=[]
    )
    contents = content_of(table, workers=1)
    decoded = cpu_s()
    copies = copies_of(contents)
    done = cpu_s()
    thousand = 1000 / len(files)
    print(
        f"{len(files)} {what}: CPU s per 1000 {(decoded - start) * thousand:.2f} decoded and reduced,"
        f" {(done - decoded) * thousand:.2f} compared; unreadable {len(contents.unreadable)}"
    )
    print(f"  same content among originals: {[row['item'] for row in copies.exact.to_dicts()]}")
    near = [(row["item"], row["other"], row["kind"], round(row["distance"], 3)) for row in copies.near.to_dicts()]
    print(f"  near copies among originals: {near}")


def recall(kind: str, places: Sequence[int], first: np.ndarray, second: np.ndarray, count: int) -> float:
    """Print and return the share of the planted copies that were found, beside what else was found."""
    planted = second >= count
    right = np.array([places[other - count] for other in second[planted]], dtype=np.int64) == first[planted]
    inside = ~planted
    share = float(right.sum() / len(places))
    others = int((~right).sum())
    print(f"  {kind}: recall {share:.4f}, {others} other pairs, {int((inside & (first < count)).sum())} of originals")
    return share


def pictures(files: Sequence[Path], every: int) -> None:
    kept = [image_print(decode_image(file)) for file in files]
    places = range(0, len(files), every)
    shares = []
    for kind, change in PICTURES.items():
        planted = [
            image_print(Image(change(decode_image(files[place]).pixels, rng(0, kind, files[place].name))))
            for place in places
        ]
        pairs = near_images(np.stack(kept + planted), mirrored="mirrored" in kind)
        shares.append(recall(kind, places, pairs.first, pairs.second, len(kept)))
    print(f"  all kinds of pictures: recall {np.mean(shares):.4f}, least {min(shares):.4f}")


def sounds(files: Sequence[Path], every: int) -> None:
    kept = [sound_print(read_sound(file)) for file in files]
    places = range(0, len(files), every)
    shares = []
    for kind, change in {**SOUNDS, **NO_COPIES}.items():
        planted = [sound_print(change(read_sound(files[place]), rng(0, kind, files[place].name))) for place in places]
        pairs = near_sounds([*kept, *planted])
        share = recall(kind, places, pairs.first, pairs.second, len(kept))
        shares += [share] if kind in SOUNDS else []
    print(f"  all kinds of sounds: recall {np.mean(shares):.4f}, least {min(shares):.4f}")


def scaled(count: int) -> None:
    """So many prints of smooth noise, to time the comparison alone."""
    from scipy.ndimage import gaussian_filter

    draw = rng(0, "scale")
    smooth = gaussian_filter(draw.standard_normal((count, SIZE, SIZE), dtype=np.float32), (0, 3, 3))
    prints = np.clip(smooth * 400 + 128, 0, 255).astype(np.uint8)
    start = cpu_s()
    found = sum(len(near_images(prints, mirrored=mirrored)) for mirrored in (False, True))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count} pictures of noise: {cpu_s() - start:.1f} CPU s to compare, {peak:.0f} MB at most, {found} pairs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=Path, help="folder of JPEG or PNG files")
    parser.add_argument("--sounds", type=Path, help="folder of WAV or FLAC files")
    parser.add_argument("--every", type=int, default=1, help="plant copies of every n-th original")
    parser.add_argument("--scale", type=int, default=0, help="also time the comparison of so many pictures")
    told = parser.parse_args()
    began = time.perf_counter()
    for folder, suffixes, what, planted in (
        (told.images, (".jpg", ".png"), "pictures", pictures),
        (told.sounds, (".wav", ".flac"), "sounds", sounds),
    ):
        if folder is not None:
            files = sorted(file for file in folder.rglob("*") if file.suffix in suffixes)
            originals(files, what)
            planted(files, told.every)
    if told.scale:
        scaled(told.scale)
    print(f"{time.perf_counter() - began:.0f} s in all")


if __name__ == "__main__":
    main()
