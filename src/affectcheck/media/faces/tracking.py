"""Follow each person through a video: which face of one frame is which of another.

In two steps. First, faces of neighbouring frames are joined to runs where place, size and look agree; where two people
pass each other, all faces of a frame are assigned at once, so that what fits best together decides. Then runs that are
apart in time are joined where they look alike: somebody who left comes back as the same person. In doubt two people
are kept apart, since a person in two parts is a smaller harm than two persons in one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.media.faces.joining import joined
from affectcheck.media.faces.sighting import centred, likeness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.faces.sighting import Sighting

_LOST_S: Final = 0.5  # after which a run ends; whether its person comes back is decided by looks
_STEP: Final = 0.35  # sizes of its box that a face may be off from where it was expected
_DRIFT: Final = 1.5  # … and so many more a second that it was not seen
_SURE_S: Final = 0.1  # for which a place says as much as it can
_GROWTH: Final = 1.6  # times that a box may grow or shrink from one sighting to the next
_UNLIKE: Final = 0.5  # likeness below which neighbouring faces are not the same, wherever they are
_ALIKE: Final = 0.85  # likeness from which runs that are apart in time are one person
_MARGIN: Final = 0.05  # by which that person must be more alike than the next one
_MEMORY: Final = 8  # looks that a run is known by, evenly over it
_APART: Final = 1.1  # cost from which a face rather begins a run of its own
_WEIGHT: Final = 1.5  # of unlikeness beside distance in sizes


@dataclass
class _Run:
    """Sightings of one person in neighbouring frames."""

    frames: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    times_s: list[float] = field(default_factory=list)
    seen: list[Sighting] = field(default_factory=list)

    def add(self, frame: int, place: int, time_s: float, one: Sighting) -> None:
        self.frames.append(frame)
        self.places.append(place)
        self.times_s.append(time_s)
        self.seen.append(one)

    def expected(self, time_s: float) -> np.ndarray:
        """Where its centre should be now, from its last few sightings."""
        last = _centre(self.seen[-1])
        back = min(len(self.seen), 4)
        passed = self.times_s[-1] - self.times_s[-back]
        if passed <= 0:
            return last
        speed = (last - _centre(self.seen[-back])) / passed
        place: np.ndarray = last + speed * (time_s - self.times_s[-1])
        return place

    @property
    def looks(self) -> np.ndarray:
        """(8, 432) uint8, of a short run some of them twice."""
        chosen = np.linspace(0, len(self.seen) - 1, _MEMORY).round().astype(int)
        return np.stack([self.seen[place].look for place in chosen])


def follow(frames: Sequence[Sequence[Sighting]], times_us: Sequence[int]) -> list[list[int]]:
    """Number the people of a video.

    Args:
        frames: the faces of each frame, in the order of showing.
        times_us: when each frame is shown.

    Returns:
        For every face of every frame the number of its person, from 0 on, in the order in which people appear, from
        left to right where they appear together.
    """
    times_s = [time_us / 1_000_000 for time_us in times_us]
    people = _joined(_runs(frames, times_s))
    people.sort(key=lambda runs: (runs[0].frames[0], _centre(runs[0].seen[0])[0]))
    numbers = [[-1] * len(seen) for seen in frames]
    for number, runs in enumerate(people):
        for run in runs:
            for frame, place in zip(run.frames, run.places, strict=True):
                numbers[frame][place] = number
    return numbers


def _runs(frames: Sequence[Sequence[Sighting]], times_s: Sequence[float]) -> list[_Run]:
    ended: list[_Run] = []
    active: list[_Run] = []
    for frame, (seen, time_s) in enumerate(zip(frames, times_s, strict=True)):
        # A run lives on to the next frame at least: frames may be far apart.
        living = [run for run in active if time_s - run.times_s[-1] <= _LOST_S or run.frames[-1] == frame - 1]
        ended += [run for run in active if run not in living]
        taken = _assigned(living, seen, time_s)
        for place, one in enumerate(seen):
            run = living[taken[place]] if place in taken else _Run()
            if place not in taken:
                living.append(run)
            run.add(frame, place, time_s, one)
        active = living
    return ended + active


def _assigned(runs: Sequence[_Run], seen: Sequence[Sighting], time_s: float) -> dict[int, int]:
    """Place of a face in its frame to the place of the run that it belongs to."""
    if not runs or not seen:
        return {}
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  # `import affectcheck` loads no SciPy

    # No pair costs more than to stay apart: else two would rather be exchanged than one of them be new.
    costs = np.array([[min(_cost(run, one, time_s), _APART) for one in seen] for run in runs])
    rows, columns = linear_sum_assignment(costs)
    return {int(one): int(run) for run, one in zip(rows, columns, strict=True) if costs[run, one] < _APART}


def _cost(run: _Run, one: Sighting, time_s: float) -> float:
    """How badly a face fits to a run; infinite where it cannot belong to it."""
    last = run.seen[-1]
    size, before = _size(one), _size(last)
    gap_s = time_s - run.times_s[-1]
    reach = _STEP + _DRIFT * gap_s
    off = float(np.hypot(*(_centre(one) - run.expected(time_s)))) / max(size, before)
    still = float(np.hypot(*(_centre(one) - _centre(last)))) / max(size, before)
    if min(off, still) > reach or not 1 / _GROWTH < size / before < _GROWTH:
        return math.inf
    alike = max(likeness(one.look, look) for look in (last.look, run.seen[max(len(run.seen) - 12, 0)].look))
    sure = min(1.0, _SURE_S / gap_s) if gap_s > 0 else 1.0  # the longer ago, the less a place says
    return math.inf if alike < _UNLIKE else sure * min(off, still) + _WEIGHT * (1 - alike)


def _joined(runs: Sequence[_Run]) -> list[list[_Run]]:
    """People as lists of runs that do not overlap in time."""
    ordered = sorted(runs, key=lambda run: run.frames[0])
    people = joined(_likenesses(ordered), _met(ordered), least=_ALIKE, margin=_MARGIN)
    return [sorted((ordered[place] for place in places), key=lambda run: run.frames[0]) for places in people]


def _likenesses(runs: Sequence[_Run]) -> np.ndarray:
    """(n, n) how alike two runs look: of each look of one the most alike of the other, the median of these."""
    if len(runs) < 2:
        return np.zeros((len(runs), len(runs)))
    looks = centred(np.stack([run.looks for run in runs])).astype(
        np.float32
    )  # of an hour of television there are ten thousands
    flat = looks.reshape(len(runs) * _MEMORY, -1)
    rows = [np.median((one @ flat.T).reshape(_MEMORY, len(runs), _MEMORY).max(axis=2), axis=0) for one in looks]
    one_sided: np.ndarray = np.stack(rows)
    both: np.ndarray = (one_sided + one_sided.T) / 2
    return both


def _met(runs: Sequence[_Run]) -> np.ndarray:
    """(n, n) whether two runs have a frame in common, and so are two people."""
    there: dict[int, list[int]] = defaultdict(list)
    for place, run in enumerate(runs):
        for frame in run.frames:
            there[frame].append(place)
    met = np.eye(len(runs), dtype=bool)
    for places in there.values():
        if len(places) > 1:
            met[np.ix_(places, places)] = True
    return met


def _centre(one: Sighting) -> np.ndarray:
    centre: np.ndarray = one.face.landmarks.mean(axis=0)
    return centre


def _size(one: Sighting) -> float:
    return max(math.sqrt(max(one.face.box.width * one.face.box.height, 0.0)), 1.0)
