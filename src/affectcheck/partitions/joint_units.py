"""Joint cells of units: balanced as far as what comes first allows.

Few subjects cannot balance every label by every combination of groups: most such cells are held by fewer subjects than
there are sets. Those that enough subjects hold decide between assignments whose marginals are equally good, or so
nearly that nobody could tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.partitions.descent import State
from affectcheck.partitions.fragments import PRESENT, present_codes
from affectcheck.partitions.problem import Candidate
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.partitions.problem import Problem
    from affectcheck.partitions.strata import Strata
    from affectcheck.partitions.units import Units

_MOST_NUMBERS: Final = 4_000_000  # of a table of units by cells: beyond, the cells that fewest units hold
_MOST_PAIRS: Final = 20_000
_MOST_STEPS: Final = 40
_LOOK: Final = 150_000  # steps × cells judged at a time


def joint_of_units(strata: Strata, units: Units, sets: int) -> np.ndarray | None:
    """Items of every unit and joint cell: one value of a label, and one of every group.

    Args:
        strata: of a table sorted by item.
        units: what must stay together.
        sets: so many units, at least, hold a cell that is among them.

    Returns:
        (S, C) items; None where there are no such cells, or no two attributes.
    """
    groups = [column for column in strata.columns if column.group]
    labels = [column for column in strata.columns if not column.group]
    if not groups or len(groups) + bool(labels) < 2:
        return None
    by_group, size = np.zeros(strata.height, dtype=np.int64), 1
    for column in groups:
        width = len(column.values)
        by_group, old = present_codes(by_group * width + column.codes, size * width)
        size = len(old)
    pieces, old = present_codes(units.codes * size + by_group, units.count * size)
    unit, group = old // size, old % size
    entries = [_entries(pieces, len(old), *_label(column.values, column.codes)) for column in labels]
    entries = entries or [(np.arange(len(old)), np.zeros(len(old), dtype=np.int64), np.bincount(pieces))]
    found = [_Cells.of(unit[piece], value * size + group[piece], items) for piece, value, items in entries]
    return _table([cells.kept(sets) for cells in found], units.count)


def _label(values: tuple[str, ...], codes: np.ndarray) -> tuple[np.ndarray, int]:
    """Codes of a label and how many there are; of an action unit, only its presence."""
    if PRESENT not in values:
        return codes, len(values)
    return np.where(codes == values.index(PRESENT), 0, -1), 1


def _entries(pieces: np.ndarray, size: int, codes: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Piece, value and items of every pair that occurs."""
    has = codes >= 0
    counts = np.bincount(pieces[has] * width + codes[has], minlength=size * width)
    held = np.flatnonzero(counts)
    return held // width, held % width, counts[held]


@dataclass(frozen=True, eq=False)
class _Cells:
    """Who holds how many items of which cell; cells are numbered without gaps."""

    unit: np.ndarray
    cell: np.ndarray
    items: np.ndarray

    @classmethod
    def of(cls, unit: np.ndarray, cell: np.ndarray, items: np.ndarray) -> _Cells:
        return cls(unit, np.unique(cell, return_inverse=True)[1].reshape(-1), items)

    def kept(self, sets: int) -> _Cells:
        """The cells that at least so many units hold."""
        enough = (np.bincount(self.cell) >= sets)[self.cell] if len(self.cell) else np.zeros(0, dtype=bool)
        return _Cells.of(self.unit[enough], self.cell[enough], self.items[enough])


def _table(found: list[_Cells], units: int) -> np.ndarray | None:
    starts = np.cumsum([0, *(int(cells.cell.max(initial=-1)) + 1 for cells in found)])
    if not starts[-1]:
        return None
    unit, items = (np.concatenate([getattr(cells, name) for cells in found]) for name in ("unit", "items"))
    cell = np.concatenate([cells.cell + start for cells, start in zip(found, starts, strict=False)])
    # by content, not by name, should not all of them have room
    mark = np.bincount(cell, weights=(unit + 1.0) * items)
    order = np.lexsort((mark, np.bincount(cell, weights=items), np.bincount(cell)))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    width = min(len(order), max(1, _MOST_NUMBERS // units))
    room = place[cell] < width
    table = np.zeros((units, width), dtype=np.int64)
    table[unit[room], place[cell[room]]] = items[room]
    return table


def polish(problem: Problem, candidate: Candidate, most: float) -> Candidate:
    """Exchange units while that leaves fewer sets without a joint cell, or balances these cells better.

    Args:
        problem: what is assigned.
        candidate: where to begin.
        most: mean deviation that is not exceeded; what sets lack does not get more either.
    """
    if problem.joint is None or len(problem.free) < 2:
        return candidate
    state = State.of(problem, np.array(candidate.assignment))
    room = max(candidate.cost, most) * state.deviation.size + state.price * candidate.uncovered
    for number in range(_MOST_STEPS):
        step = _joint_step(state, room - state.total, number)
        if step is None:
            break
        for unit, place in step:
            state.put(unit, place)
    return Candidate.of(problem, state.assignment)


def _joint_step(state: State, room: float, number: int) -> tuple[tuple[int, int], ...] | None:
    """The step that serves joint cells best, of those that the room allows; None if none does."""
    problem = state.problem
    steps = _Steps.of(state, room, number)
    shares = np.concatenate([problem.joint_shares, np.zeros((1, problem.joint_shares.shape[1]))])
    holds = np.concatenate([problem.joint_holds, np.zeros((1, shares.shape[1]))])
    inside = problem.inside(state.assignment)
    deviation = inside @ problem.joint_shares - problem.joint_targets[:, None]
    held = inside @ problem.joint_holds
    summed, bare = np.abs(deviation).sum(axis=1), (held == 0).sum(axis=1)
    here, there = state.assignment[steps.one], steps.goal
    gain = holds[steps.other] - holds[steps.one]
    lacks = (held[here] == -gain).sum(axis=1) + (held[there] == gain).sum(axis=1) - bare[here] - bare[there]
    gain = shares[steps.other] - shares[steps.one]
    after = np.abs(deviation[here] + gain).sum(axis=1) + np.abs(deviation[there] - gain).sum(axis=1)
    change = after - summed[here] - summed[there]
    order = np.lexsort((change, lacks))
    if not len(order) or (lacks[order[0]], change[order[0]]) >= (0, 0):
        return None
    best = int(order[0])
    first = (int(steps.one[best]), int(there[best]))
    if steps.other[best] == problem.units:
        return (first,)
    return first, (int(steps.other[best]), int(here[best]))


@dataclass(frozen=True, eq=False)
class _Steps:
    """Exchanges of one unit with another, or, where the other is the number of units, its move; and its new set."""

    one: np.ndarray
    other: np.ndarray
    goal: np.ndarray

    @classmethod
    def of(cls, state: State, room: float, number: int) -> _Steps:
        """Those that the room allows, cheapest first, as many as are judged at a time."""
        free, sets = state.problem.free, state.problem.sets
        one, other = (free[place] for place in _pairs(len(free), number))
        apart = state.assignment[one] != state.assignment[other]
        one, other = one[apart], other[apart]
        change = np.concatenate([state.swaps(one, other), state.moves().reshape(-1)])
        goal = np.concatenate([state.assignment[other], np.tile(np.arange(sets), len(free))])
        one = np.concatenate([one, np.repeat(free, sets)])
        other = np.concatenate([other, np.full(len(free) * sets, state.problem.units)])
        most = max(1, _LOOK // state.problem.joint_shares.shape[1])
        order = np.argsort(change, kind="stable")
        order = order[change[order] <= room][:most]
        return cls(one[order], other[order], goal[order])


def _pairs(free: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    if free * (free - 1) // 2 <= _MOST_PAIRS:
        one, other = np.triu_indices(free, 1)
        return one, other
    one, other = rng(number, "partition joint pairs").integers(free, size=(2, _MOST_PAIRS))
    return one, other
