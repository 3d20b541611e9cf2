"""Where somebody speaks in a long recording, by level and by flatness of the spectrum.

A frame is active where its level between 100 Hz and 5 kHz stands above the recording's own noise; a stretch of active
frames is speech if enough of them are voiced, that is, if their spectrum has peaks where that of noise is flat or slopes.
Stretches across short pauses are joined, and those that are too long are cut where they are quietest. Nothing is
learnt and nothing is drawn: the same samples give the same segments on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from affectcheck.media.clip import Clip

#: Changes with every change of what segments come out.
VERSION: Final = "voice activity 2"

_FRAME_S: Final = 0.032
_HOP_S: Final = 0.010
_BAND_HZ: Final = (100.0, 5_000.0)
_FLOOR_DB: Final = -100.0
#: Shares of the frames whose levels stand for the noise and for the speech of a recording.
_NOISE, _SPEECH = 5, 95
#: Noise and speech closer than this are not told apart by level.
_CONTRAST_DB: Final = 12.0
#: Flatness of white noise is about .56, whatever its level; that of voiced frames is far below. That of noise which
#: falls towards high frequencies, as in rooms, is about .45 behind a filter that raises them; voiced frames stay below.
_VOICED: Final = 0.3
_EMPHASIS: Final = 0.8
#: Share of the frames of a stretch that must be voiced, and the least time of them.
_VOICED_SHARE, _VOICED_S = 0.15, 0.1


@dataclass(frozen=True)
class VoiceActivity:
    """What counts as a segment.

    Attributes:
        pause_s: the shortest pause that parts two segments.
        shortest_s: shorter segments are left out.
        longest_s: longer ones are cut where they are quietest.
        margin_s: how much is kept before and after a segment.
        above: the level that a frame must reach, as a share of the way from noise to speech in decibels.
    """

    pause_s: float = 0.3
    shortest_s: float = 0.5
    longest_s: float = 4.0
    margin_s: float = 0.05
    above: float = 0.4

    def __post_init__(self) -> None:
        """Lengths are possible."""
        if not (0 < self.shortest_s <= self.longest_s / 2 and self.pause_s > 0 and self.margin_s >= 0):
            raise InputError(
                f"segments of {self.shortest_s:g} to {self.longest_s:g} s, pauses of {self.pause_s:g} s",
                expected="lengths above 0, and the longest at least twice the shortest",
            )
        if not 0 < self.above < 1:
            raise InputError(f"above = {self.above:g}", expected="a share between 0 and 1")


@dataclass(frozen=True)
class Segment:
    """A stretch of a recording, in whole microseconds from its beginning."""

    start_us: int
    end_us: int


def speech_segments(clip: Clip, activity: VoiceActivity | None = None) -> tuple[Segment, ...]:
    """The stretches of a recording in which somebody speaks.

    Args:
        clip: mono sound; at 16 kHz, frames and band are as meant.
        activity: what counts as a segment.

    Returns:
        Segments in order, that do not overlap and lie within the recording; none where there is no speech.
    """
    activity = activity or VoiceActivity()
    samples = np.asarray(clip.samples, np.float32)
    size, hop = (max(1, round(seconds * clip.rate_hz)) for seconds in (_FRAME_S, _HOP_S))
    if len(samples) < size:
        return ()
    level, flatness = _frames(samples, size, hop, clip.rate_hz)
    hop_s = hop / clip.rate_hz
    voiced = flatness < _VOICED
    active = _active(level, voiced, activity)
    runs = _joined(_runs(active), round(activity.pause_s / hop_s))
    runs = [run for run in runs if _is_speech(voiced[run[0] : run[1]], active[run[0] : run[1]], hop_s)]
    margin, length = activity.margin_s, len(samples) / clip.rate_hz
    spans = [(a * hop_s - margin, (b - 1) * hop_s + _FRAME_S + margin) for a, b in runs]
    spans = _apart([(max(0.0, start), min(length, end)) for start, end in spans])
    pieces = [piece for start, end in spans for piece in _cut(start, end, level, hop_s, activity)]
    found = [Segment(round(start * 1e6), round(end * 1e6)) for start, end in pieces]
    return tuple(one for one in found if one.end_us - one.start_us >= activity.shortest_s * 1e6)


def _frames(samples: np.ndarray, size: int, hop: int, rate_hz: int) -> tuple[np.ndarray, np.ndarray]:
    """Level in decibels of each frame, and flatness (0 to 1) as it is or with its highs raised, the larger."""
    window = np.hanning(size).astype(np.float32)
    frequencies = np.fft.rfftfreq(size, 1 / rate_hz)
    band = (frequencies >= _BAND_HZ[0]) & (frequencies <= _BAND_HZ[1])
    raised = np.abs(1 - _EMPHASIS * np.exp(-2j * np.pi * frequencies[band] / rate_hz)) ** 2
    frames = np.lib.stride_tricks.sliding_window_view(samples, size)[::hop]
    level, flatness = np.empty(len(frames)), np.empty(len(frames))
    for start in range(0, len(frames), 4096):  # a long recording does not fit into memory at once
        block = frames[start : start + 4096] * window
        power = np.abs(np.fft.rfft(block, axis=1)[:, band]).astype(np.float64) ** 2 / float((window**2).sum())
        mean = power.mean(axis=1)
        level[start : start + 4096] = 10 * np.log10(mean + 10 ** (_FLOOR_DB / 10))
        flatness[start : start + 4096] = np.maximum(_flatness(power), _flatness(power * raised))
    return level, flatness


def _flatness(power: np.ndarray) -> np.ndarray:
    geometric = np.exp(np.log(np.maximum(power, 1e-20)).mean(axis=1))
    return np.asarray(geometric / np.maximum(power.mean(axis=1), 1e-20))


def _active(level: np.ndarray, voiced: np.ndarray, activity: VoiceActivity) -> np.ndarray:
    """Frames above the recording's own noise; where nothing stands out, all frames or none, as they are voiced."""
    smooth = np.convolve(np.pad(level, 1, mode="edge"), np.full(3, 1 / 3), mode="valid")
    noise, speech = np.percentile(smooth, [_NOISE, _SPEECH])
    if speech - noise < _CONTRAST_DB:
        return np.full(len(level), bool(voiced.mean() > 0.5 and speech > _FLOOR_DB + _CONTRAST_DB))
    # In a very quiet room the way down to the noise is long, and breath lies on it.
    return np.asarray(smooth > max(noise + activity.above * (speech - noise), speech - 35.0))


def _runs(active: np.ndarray) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], active.view(np.int8), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _joined(runs: list[tuple[int, int]], pause: int) -> list[tuple[int, int]]:
    """Runs with no more than a short pause between them as one."""
    found: list[tuple[int, int]] = []
    for start, end in runs:
        if found and start - found[-1][1] < pause:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _is_speech(voiced: np.ndarray, active: np.ndarray, hop_s: float) -> bool:
    both = int((voiced & active).sum())
    return both * hop_s >= _VOICED_S and both >= _VOICED_SHARE * int(active.sum())


def _apart(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Spans whose margins meet share the pause between them."""
    found: list[tuple[float, float]] = []
    for start, end in spans:
        if found and start < found[-1][1]:
            middle = (start + found[-1][1]) / 2
            found[-1] = (found[-1][0], middle)
            found.append((middle, end))
        else:
            found.append((start, end))
    return found


def _cut(
    start: float, end: float, level: np.ndarray, hop_s: float, activity: VoiceActivity
) -> list[tuple[float, float]]:
    """A span in pieces that are not too long, cut where it is quietest."""
    pieces: list[tuple[float, float]] = []
    smooth = np.convolve(level, np.full(5, 0.2), mode="same")
    while end - start > activity.longest_s:
        first = start + max(activity.shortest_s, 0.4 * activity.longest_s)
        last = min(start + activity.longest_s, end - activity.shortest_s)
        low, high = (min(len(level) - 1, int(at / hop_s)) for at in (first, last))
        at = (low + int(np.argmin(smooth[low : max(high, low + 1)]))) * hop_s + _FRAME_S / 2
        at = min(at, last)
        pieces.append((start, at))
        start = at
    return [*pieces, (start, end)]
