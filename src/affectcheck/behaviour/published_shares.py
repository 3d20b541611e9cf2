"""Shares of passed comparisons, and the cells of paper 2, Table V.

Two ways of summing up, both shown. **Pooled**: passed of all executed comparisons. **Mean over tests**: the share that
passed of each test, then their mean, so that a test of many comparisons counts as much as one of few. A skipped
comparison counts in neither. Table V pools for "All tests" and takes the mean over tests within a family; its rounding
is repeated here: the share of a test to 0.1 %, the value of a task to three decimals, and the mean over the four tasks
is that of the rounded values.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from affectcheck.behaviour.published_values import TASKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from affectcheck.behaviour.published_rules import Judged

#: Blocks of Table V: all comparisons pooled, then the families.
BLOCKS: Final = ("all tests", "correctness", "fairness", "robustness")
COLUMNS: Final = (*TASKS, "mean")
#: The twin that predicts categories stands in one row with the model that predicts values.
TWIN: Final = "-cat"


@dataclass(frozen=True)
class Tally:
    """Counts of verdicts of one test in the published layout, for one model and task.

    Attributes:
        model, task, test, family: what is counted.
        passed, failed, not_applicable: how many.
        absent: of those not applicable, the comparisons that do not exist on these data.
        inconclusive: executed, but not decided at the support; never of published values.
    """

    model: str
    task: str
    test: str
    family: str
    passed: int
    failed: int
    not_applicable: int
    absent: int = 0
    inconclusive: int = 0

    @property
    def executed(self) -> int:
        """Comparisons that were carried out."""
        return self.passed + self.failed + self.inconclusive

    @property
    def configured(self) -> int:
        """Comparisons that exist, skipped ones included."""
        return self.executed + self.not_applicable - self.absent

    @property
    def share(self) -> Fraction | None:
        """Passed of executed; None where nothing was executed."""
        return Fraction(self.passed, self.executed) if self.executed else None


def tally_tests(judged: Iterable[Judged]) -> tuple[Tally, ...]:
    """Counts for each model, task and test, in the order in which they come."""
    counted: Counter[tuple[str, str, str, str, str]] = Counter()
    tests: dict[tuple[str, str, str, str], None] = {}
    for one in judged:
        key = (one.value.model, one.value.task, one.value.test, one.family)
        tests[key] = None
        counted[*key, one.status] += 1
        counted[*key, "absent"] += one.absent
    kinds = ("passed", "failed", "not applicable", "absent")
    return tuple(Tally(*key, *(counted[*key, kind] for kind in kinds)) for key in tests)


def pooled(tallies: Iterable[Tally]) -> Fraction | None:
    """Passed of all executed comparisons."""
    held = tuple(tallies)
    executed = sum(one.executed for one in held)
    return Fraction(sum(one.passed for one in held), executed) if executed else None


def mean_over_tests(tallies: Iterable[Tally], *, decimals: int | None = None) -> Fraction | None:
    """Mean of the shares of the tests that executed anything.

    Args:
        tallies: one a test.
        decimals: to which each share is rounded first; None for not at all.
    """
    shares = [one.share for one in tallies if one.share is not None]
    if decimals is not None:
        shares = [round(share, decimals) for share in shares]
    return sum(shares, Fraction()) / len(shares) if shares else None


def table_five(tallies: Sequence[Tally]) -> dict[str, dict[str, tuple[float | None, ...]]]:
    """The cells of Table V: block, model, then a value a task and their mean, three decimals each.

    A model and its twin of categories are one row. The mean takes all four tasks.

    Example:
        >>> one = [Tally("m", "valence", "fairness_sex", "fairness", 1, 2, 0)]
        >>> table_five(one)["fairness"]
        {'m': (None, None, 0.333, None, None)}
    """
    models = dict.fromkeys(row_name(one.model, {t.model for t in tallies}) for one in tallies)
    rows: dict[str, dict[str, tuple[float | None, ...]]] = {}
    for block in BLOCKS:
        held = [one for one in tallies if block in ("all tests", one.family)]
        rows[block] = {model: _row(_of(model, held), block) for model in models}
    return rows


def row_name(model: str, models: Iterable[str]) -> str:
    """The model, or the one whose twin it is.

    Example:
        >>> row_name("CNN14-cat", ["CNN14", "CNN14-cat"]), row_name("random-cat", ["random-cat"])
        ('CNN14', 'random-cat')
    """
    stem = model.removesuffix(TWIN)
    return stem if stem in models else model


def by_task(tallies: Iterable[Tally]) -> Mapping[str, tuple[Tally, ...]]:
    """The tallies of each task."""
    held = tuple(tallies)
    return {task: tuple(one for one in held if one.task == task) for task in TASKS}


def _of(model: str, tallies: Sequence[Tally]) -> tuple[Tally, ...]:
    """Those of a model, and of its twin where the model itself has none of the task."""
    own = [one for one in tallies if one.model == model]
    tasks = {one.task for one in own}
    return (*own, *(one for one in tallies if one.model == model + TWIN and one.task not in tasks))


def _row(tallies: Sequence[Tally], block: str) -> tuple[float | None, ...]:
    cells: list[Fraction | None] = []
    for held in by_task(tallies).values():
        share = pooled(held) if block == "all tests" else mean_over_tests(held, decimals=3)
        cells.append(None if share is None else round(share, 3))
    known = [cell for cell in cells if cell is not None]
    mean = round(sum(known, Fraction()) / len(known), 3) if len(known) == len(cells) else None
    return tuple(None if cell is None else float(cell) for cell in (*cells, mean))
