"""Per-comparison values of models, in the layout of the published result tables.

| column | meaning |
|---|---|
| ``task`` | ``arousal``, ``dominance``, ``valence`` or ``emotion`` |
| ``model_name`` | the model; without that column ``model_id`` names it |
| ``test`` | such as ``correctness_regression`` |
| ``dataset`` | the data set that was tested on |
| ``metric`` | what was compared, such as ``Change UAP Babble Noise`` |
| ``subkey`` | class, bin or category; empty for the whole set |
| ``value`` | a number; empty where the comparison was skipped |
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from affectcheck.annotations.listing import plural
from affectcheck.annotations.text import read_csv
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import polars as pl

#: What is predicted, in the order of the paper's tables, and which kind of task of a test that is.
TASKS: Final = {"arousal": "dimensions", "dominance": "dimensions", "valence": "dimensions", "emotion": "categories"}
_NEEDED: Final = ("task", "test", "dataset", "metric", "subkey", "value")
_MODELS: Final = ("model_name", "model_id")
_SKIPPED: Final = frozenset({"", "nan", "none"})
_SHOWN: Final = 5


@dataclass(frozen=True)
class PublishedValue:
    """One value of one model.

    Attributes:
        task: what is predicted.
        model: name of the model.
        test: name of the test in the published layout.
        data: the data set.
        metric: what was compared, in the published layout.
        part: class, bin or category; empty for the whole set.
        value: the number; None where the comparison was skipped.
        row: row of the file, the header being row 1.
        file: the file.
    """

    task: str
    model: str
    test: str
    data: str
    metric: str
    part: str
    value: float | None
    row: int
    file: str = ""

    @property
    def where(self) -> str:
        """File and row, for messages."""
        return ", ".join(filter(None, (self.file, f"row {self.row}")))

    @property
    def key(self) -> tuple[str, ...]:
        """What a value must be the only one of."""
        return self.task, self.model, self.test, self.data, self.metric, self.part


def read_values(path: Path) -> tuple[PublishedValue, ...]:
    """Read a table of values.

    Raises:
        MissingPathError: the file is not there.
        InputError: a column is missing, a row names no model, a value is no finite number, or a comparison stands there twice.
        UnknownNameError: a task is none of the four.
    """
    frame = read_csv(path)
    model = next((name for name in _MODELS if name in frame.columns), _MODELS[0])
    for name in (*_NEEDED, model):
        if name not in frame.columns:
            raise UnknownNameError.of("column", name, frame.columns, where=str(path))
    if frame.is_empty():
        raise InputError("the table has no rows", where=str(path), expected="a row a comparison")
    values = tuple(_value(cells, row, path) for row, cells in enumerate(_rows(frame, model), start=2))
    _require_once(values, path)
    return values


def _rows(frame: pl.DataFrame, model: str) -> list[tuple[str, ...]]:
    names = ("task", model, "test", "dataset", "metric", "subkey", "value")
    return [tuple(cell or "" for cell in row) for row in frame.select(names).rows()]


def _value(cells: tuple[str, ...], row: int, path: Path) -> PublishedValue:
    task, model, test, data, metric, part, text = (cell.strip() for cell in cells)
    where = f"{path}, row {row}"
    if task not in TASKS:
        raise UnknownNameError.of("task", task, TASKS, where=where)
    if not model:
        raise InputError("the row names no model", where=where, expected=f"a name in {' or '.join(_MODELS)}")
    return PublishedValue(task, model, test, data, metric, part, _number(text, where), row, str(path))


def _number(text: str, where: str) -> float | None:
    if text.casefold() in _SKIPPED:
        return None
    try:
        found = float(text.replace("_", "?"))  # Python's own 1_000
    except ValueError as error:
        raise InputError(f"the value {text!r} is no number", where=where, expected="a number, or nothing") from error
    if not math.isfinite(found):
        raise InputError(f"the value is {text}", where=where, expected="a finite number, or nothing where skipped")
    return found


def _require_once(values: Sequence[PublishedValue], path: Path) -> None:
    first: dict[tuple[str, ...], int] = {}
    twice = [(one.row, first[one.key]) for one in values if first.setdefault(one.key, one.row) != one.row]
    if twice:
        shown = ", ".join(f"row {row} as row {before}" for row, before in twice[:_SHOWN])
        more = f" and {len(twice) - _SHOWN} more" if len(twice) > _SHOWN else ""
        raise InputError(
            f"{plural(len(twice), 'comparison')} given twice: {shown}{more}",
            where=str(path),
            expected="one value for each task, model, test, data set, metric and part",
            cause="two models of one name, or two tables that were joined",
        )
