"""Speaker average: how far is what a model finds of each speaker on average from the truth?"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from affectcheck.behaviour.measured import by_part
from affectcheck.behaviour.speakers import answers, ask, speaker_means, untested
from affectcheck.tallies import Moments

if TYPE_CHECKING:
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Setting
    from affectcheck.behaviour.speakers import SpeakerMeans


def measure_speaker_average(material: Material, setting: Setting) -> list[Measured]:
    """Absolute and directional error of the speakers' means: of each class's share, or of each dimension."""
    found: list[Measured] = []
    for means in speaker_means(material, setting):
        found += untested(means, setting) if means.reason else _errors(means, setting)
    return found


def _errors(means: SpeakerMeans, setting: Setting) -> list[Measured]:
    """Each speaker counts once, however many items there are of him."""
    tally = Moments.of(means.truth, means.prediction, cells=means.cells, n_cells=means.size)
    questions = [
        ask(means, comparison, tally, partial(by_part, comparison.metric)) for comparison in setting.task.comparison
    ]
    return answers(means, questions, setting)
