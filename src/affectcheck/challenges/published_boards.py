"""Boards of paper 1: every row of its Tables IV to VII, as published, with what text and tables contradict."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.strict import Strict, parsed, read_toml
from affectcheck.uncertainty import ranks

if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER: Final = Path(__file__).parent / "boards"
#: Distances between groups, of which less is better; of everything else more is.
_DISTANCES: Final = ("sp", "eop", "eod", "dpd")


class _File(Strict):
    format: int
    name: str
    title: str
    source: str
    track: str
    split: str
    unit: str
    columns: tuple[str, ...]
    notes: tuple[str, ...] = ()
    rows: dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class PublishedBoard:
    """A published table of models.

    Attributes:
        name, title, source: what it is and where it is from.
        track: the track that its first column ranks.
        split: the part of the data.
        columns: the score of the track first, then fairness by attribute, such as ``race eop``.
        rows: model to its values, fractions; as many as there are columns.
        notes: what the text says that the table does not, and what does not add up; never repaired.
    """

    name: str
    title: str
    source: str
    track: str
    split: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float, ...]]
    notes: tuple[str, ...] = ()

    def column(self, name: str) -> dict[str, float]:
        """Model to value.

        Raises:
            UnknownNameError: there is no such column.
        """
        if name not in self.columns:
            raise UnknownNameError.of(f"column of the board {self.name!r}:", name, self.columns)
        place = self.columns.index(name)
        return {model: values[place] for model, values in self.rows.items()}

    def places(self, name: str, own: Mapping[str, float] | None = None) -> dict[str, int]:
        """Model to place in a column, with models of one's own among them; equal values share a place.

        Args:
            name: the column.
            own: name to value, a fraction.

        Raises:
            UnknownNameError: there is no such column.
            InputError: a model of one's own is called as a published one.
        """
        values = self.column(name)
        both = sorted(values.keys() & (own or {}).keys())
        if both:
            raise InputError(f"a published model is called {both[0]!r}", expected="another name for your own")
        values |= own or {}
        found = ranks(list(values.values()), higher_is_better=higher_is_better(name))
        return dict(zip(values, found.astype(int).tolist(), strict=True))

    def correlation(self, first: str, second: str) -> float:
        """Spearman's rank correlation of two columns over the models, each turned so that more is better.

        Raises:
            UnknownNameError: there is no such column.
        """
        from scipy.stats import spearmanr  # noqa: PLC0415  # `import affectcheck` loads no SciPy

        turned = [
            [value if higher_is_better(name) else -value for value in self.column(name).values()]
            for name in (first, second)
        ]
        return float(spearmanr(*turned).statistic)


def higher_is_better(column: str) -> bool:
    """Whether more is better in a column."""
    return column.rpartition(" ")[2] not in _DISTANCES


def board_names() -> tuple[str, ...]:
    """Names of the boards, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def load_board(name: str) -> PublishedBoard:
    """A board by name.

    Raises:
        UnknownNameError: there is none of this name.

    Example:
        >>> load_board("raf-db").places("f1")["POSTER++"]
        1
    """
    if name not in board_names():
        raise UnknownNameError.of("board", name, board_names())
    path = _FOLDER / f"{name}.toml"
    found = parsed(_File, read_toml(path, "board"), kind="board", where=path.name)
    rows = {model: tuple(round(value / 100, 6) for value in values) for model, values in found.rows.items()}
    told = found.model_dump(include={"name", "title", "source", "track", "split", "columns", "notes"})
    return PublishedBoard(rows=rows, **told)
