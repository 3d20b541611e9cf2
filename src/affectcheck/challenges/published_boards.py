"""Boards of papers 1 and 3: every row of Tables IV to VII, as published, with what text and tables contradict.

Those of paper 3 are the baselines of its tracks, on the validation set, and stand in the tracks' own files.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.challenges.board_correlation import NoCorrelation, RankCorrelation, rank_correlation
from affectcheck.challenges.catalogue import load_track, track_names
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.strict import Strict, parsed, read_toml
from affectcheck.uncertainty import ranks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.challenges.track import Track

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

    @property
    def digits(self) -> int:
        """Digits behind the point that its values were published with, as fractions."""
        return max(
            len(f"{value:.6f}".rstrip("0").partition(".")[2]) for values in self.rows.values() for value in values
        )

    @property
    def disparities(self) -> tuple[str, ...]:
        """Columns that are distances between groups."""
        return tuple(name for name in self.columns if not higher_is_better(name))

    def correlation(self, first: str, second: str) -> RankCorrelation | NoCorrelation:
        """Spearman's rank correlation of two columns over the models, each turned so that more is better.

        Raises:
            UnknownNameError: there is no such column.
        """
        turned = [
            [value if higher_is_better(name) else -value for value in self.column(name).values()]
            for name in (first, second)
        ]
        return rank_correlation(*turned)


def higher_is_better(column: str) -> bool:
    """Whether more is better in a column."""
    return column.rpartition(" ")[2] not in _DISTANCES


def board_names() -> tuple[str, ...]:
    """Names of the boards: those of paper 1, sorted, then the tracks of paper 3 that have baselines."""
    return (*_fair_names(), *_baseline_names())


def _fair_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def _baseline_names() -> tuple[str, ...]:
    return tuple(name for name in track_names() if load_track(name).baselines)


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
    if name in _baseline_names():
        return _of_baselines(load_track(name))
    path = _FOLDER / f"{name}.toml"
    found = parsed(_File, read_toml(path, "board"), kind="board", where=path.name)
    rows = {model: tuple(round(value / 100, 6) for value in values) for model, values in found.rows.items()}
    told = found.model_dump(include={"name", "title", "source", "track", "split", "columns", "notes"})
    return PublishedBoard(rows=rows, **told)


def _of_baselines(track: Track) -> PublishedBoard:
    """The baselines of a track: its score first, then those parts that each of them tells."""
    parts = [part for part in track.parts if all(part in one.parts for one in track.baselines)]
    rows = {one.name: (one.score, *(one.parts[part] for part in parts)) for one in track.baselines}
    splits = ", ".join(dict.fromkeys(one.split for one in track.baselines))
    sources = ", ".join(dict.fromkeys(one.source for one in track.baselines))
    columns = (track.metric, *parts)
    return PublishedBoard(track.name, track.title, sources, track.name, splits, columns, rows, track.notes)
