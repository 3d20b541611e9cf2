"""What a plot of a published board shows: models by performance and by what is different between groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from affectcheck.behaviour.leaderboards import board as speech_board
from affectcheck.challenges import higher_is_better
from affectcheck.challenges.board_correlation import NoCorrelation, RankCorrelation, rank_correlation
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from affectcheck.challenges import PublishedBoard

_ATTRIBUTES: Final = ("race", "gender", "age")
#: The board of speech models, whose performance stands in another table of paper 2.
SPEECH: Final = "ser-tests"


@dataclass(frozen=True)
class Reading:
    """How the vertical axes of a board are read, in words.

    Attributes:
        title: what they show.
        upwards: what lower or higher says.
        named: which mark is named beside that of the best performance.
        positive: what a positive rank correlation says.
    """

    title: str
    upwards: str
    named: str
    positive: str


DIFFERENCES: Final = Reading(
    "differences between groups",
    "lower is a lower difference between groups",
    "the lowest difference",
    "Positive: the models that perform better show the lower difference between groups.",
)
OVER_GROUPS: Final = Reading(
    "scores over groups",
    "the mean of the scores of groups, where higher is better",
    "the best over groups",
    "Positive: the models that perform better do so on the mean over groups, too; it says nothing of differences.",
)
TESTS: Final = Reading(
    "failed fairness tests",
    "lower is fewer of the fairness tests failed",
    "the fewest failed tests",
    "Positive: the models that perform better fail fewer fairness tests.",
)


@dataclass(frozen=True)
class Difference:
    """One column of groups.

    Attributes:
        attribute: whose groups; of speech models the task.
        measure: what is different between them, such as ``EOP``.
        values: (M,) one a model.
        lower: whether lower is a lower difference between groups.
        correlation: with performance over the models, each turned so that more is better.
    """

    attribute: str
    measure: str
    values: tuple[float, ...]
    lower: bool
    correlation: RankCorrelation | NoCorrelation

    @property
    def title(self) -> str:
        """Attribute and measure."""
        return f"{self.attribute}: {self.measure}"


@dataclass(frozen=True)
class Planes:
    """A board as planes of one horizontal axis.

    Attributes:
        name, title, source: what it is and where it is from.
        models: (M,) names.
        score: name of the performance.
        performance: (M,) one a model.
        differences: columns of groups, by measure, then attribute.
        reading: how they are read.
        notes: what does not add up in the source.
    """

    name: str
    title: str
    source: str
    models: tuple[str, ...]
    score: str
    performance: tuple[float, ...]
    differences: tuple[Difference, ...]
    reading: Reading = DIFFERENCES
    notes: tuple[str, ...] = ()


def planes_of(board: PublishedBoard) -> Planes:
    """A board of paper 1 as planes: its distances between groups, or, where it has none, the scores over groups.

    Raises:
        InputError: the board has no column of groups.
    """
    grouped = [name for name in board.columns if name.partition(" ")[0] in _ATTRIBUTES]
    chosen = [name for name in grouped if not higher_is_better(name)] or grouped
    if not chosen:
        raise InputError(f"board {board.name!r} has no column of groups", expected="a board of paper 1, or ser-tests")
    by_measure = sorted(
        chosen, key=lambda name: [one.partition(" ")[2] for one in chosen].index(name.partition(" ")[2])
    )
    score = board.columns[0]
    differences = tuple(
        Difference(
            name.partition(" ")[0],
            _measure(name),
            tuple(board.column(name).values()),
            not higher_is_better(name),
            board.correlation(score, name),
        )
        for name in by_measure
    )
    return Planes(
        board.name,
        board.title,
        f"{board.source}, {board.split} set",
        tuple(board.rows),
        score.upper(),
        tuple(board.column(score).values()),
        differences,
        DIFFERENCES if differences[0].lower else OVER_GROUPS,
        board.notes,
    )


def _measure(name: str) -> str:
    """A measure as it is written: short names in capitals, scores over groups in words."""
    words = name.partition(" ")[2].split()
    return " ".join(word.upper() if word in ("sp", "eop", "eod", "dpd", "ccc", "f1") else word for word in words)


def speech_planes() -> Planes:
    """The models of paper 2: the mean of their benchmark scores, and the share of fairness tests that each failed."""
    benchmark, tests = speech_board("VI"), speech_board("V")
    performance = {model: row[-1] or 0.0 for model, row in benchmark.blocks[""].items()}
    fairness = tests.blocks["fairness"]
    differences = []
    for place, task in enumerate(tests.columns):
        failed = tuple(round(1 - (fairness[model][place] or 0.0), 6) for model in performance)
        found = rank_correlation(list(performance.values()), [-value for value in failed])
        differences.append(Difference(task, "fairness tests failed", failed, True, found))
    return Planes(
        SPEECH,
        "Speech models",
        "paper 2, Tables V and VI",
        tuple(performance),
        "mean of CCC and UAR",
        tuple(performance.values()),
        tuple(differences),
        TESTS,
    )
