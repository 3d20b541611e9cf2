"""Mean spectra of some clips as recorded and as a perturbation changes them, for the figures of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.audits.clips import clip_of
from affectcheck.media.clip import Clip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour import Plan, PlannedTest
    from affectcheck.models import ModelCard

SPECTRA: Final = "behaviour_spectra"
_COLUMNS: Final = ("test", "version", "frequency_hz", "level_db", "clips")
#: Clips that are measured, and bands that the spectrum is shown in.
CLIPS: Final = 5
BANDS: Final = 64
_FRAME: Final = 1024
_FLOOR: Final = 1e-10  # -200 dB: digital silence in a band


def spectra_table(plan: Plan, card: ModelCard, table: AnnotationTable) -> dict[str, dict[str, list[Any]]]:
    """The spectra of every perturbation of a plan, under the table's name; nothing where no sound can be decoded."""
    tests = [one for one in plan.applicable if one.perturbation is not None and "audio" in one.perturbation.media]
    clips = list(_clips(card, table)) if tests else []
    rows = [row for test in tests for row in _rows(test, clips)] if clips else []
    return {SPECTRA: {"columns": list(_COLUMNS), "rows": rows}} if rows else {}


def _clips(card: ModelCard, table: AnnotationTable) -> Iterator[tuple[str, Clip]]:
    for row in table.frame.head(CLIPS).iter_rows(named=True):
        clip = clip_of(row, table, card)
        if clip is not None:
            yield str(row["item"]), clip


def _rows(test: PlannedTest, clips: list[tuple[str, Clip]]) -> Iterator[list[Any]]:
    versions: dict[str, list[NDArray[np.float64]]] = {"as recorded": [], "changed": []}
    rate = clips[0][1].rate_hz
    for item, clip in clips:
        made = test.perturbation(clip, item) if test.perturbation is not None else None
        if isinstance(made, Clip):
            versions["as recorded"].append(_spectrum(clip))
            versions["changed"].append(_spectrum(made))
    for version, found in versions.items():
        if found:
            levels = np.mean(found, axis=0)
            places = (np.arange(len(levels)) + 0.5) * rate / 2 / len(levels)
            for place, level in zip(places.tolist(), levels.tolist(), strict=True):
                yield [test.definition.name, version, round(place, 1), round(level, 2), len(found)]


def _spectrum(clip: Clip) -> NDArray[np.float64]:
    """Level of each band in dB relative to the clip's own level, averaged over frames."""
    samples = np.asarray(clip.samples, np.float64)
    padded = np.pad(samples, (0, -len(samples) % _FRAME))
    frames = padded.reshape(-1, _FRAME) * np.hanning(_FRAME)
    power = np.mean(np.abs(np.fft.rfft(frames, axis=1)) ** 2, axis=0)[1:]
    bands = power.reshape(BANDS, -1).mean(axis=1)
    return np.asarray(10 * np.log10(np.maximum(bands / max(power.mean(), _FLOOR), _FLOOR)))
