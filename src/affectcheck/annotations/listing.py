"""How a fault that many cells share is told once: each value with the rows it stands in, and the nearest right ones."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import polars as pl

ROWS_SHOWN: Final = 5
VALUES_SHOWN: Final = 50
#: Characters of a name in a message.
LONGEST_NAME: Final = 120


#: Which row of the whole table each row is, where a table is a part of it; counted from 0.
_WHOLE: ContextVar[Sequence[int]] = ContextVar("rows of the whole", default=range(2**63 - 1))


@contextmanager
def rows_in_whole(rows: Sequence[int]) -> Iterator[None]:
    """Within, rows of a part of a table are told by their numbers in the whole.

    Args:
        rows: which row of the whole each row of the part is, counted from 0.
    """
    token = _WHOLE.set(rows)
    try:
        yield
    finally:
        _WHOLE.reset(token)


def row_number(index: int) -> int:
    """The number that a row is told by, counted from 1 without the header."""
    return int(_WHOLE.get()[int(index)]) + 1


def rows_of(mask: pl.Series) -> list[int]:
    """Row numbers where a mask is true."""
    return [row_number(index) for index in mask.fill_null(value=False).arg_true()]


def row_text(rows: Sequence[int]) -> str:
    """``row 4`` or ``rows 1, 2, 3, 4, 5 and 12 more``."""
    shown = ", ".join(str(row) for row in rows[:ROWS_SHOWN])
    more = f" and {len(rows) - ROWS_SHOWN} more" if len(rows) > ROWS_SHOWN else ""
    return f"row{'s' if len(rows) > 1 else ''} {shown}{more}"


def rows_by_value(series: pl.Series, mask: pl.Series) -> dict[str, list[int]]:
    """The distinct texts of the masked cells, in order of first appearance, with their rows."""
    found: dict[str, list[int]] = {}
    for index in mask.fill_null(value=False).arg_true():
        found.setdefault(str(series[index]), []).append(row_number(index))
    return found


def value_lines(found: Mapping[str, Sequence[int]], known: Iterable[str] = ()) -> str:
    """One indented line a value: its rows, and the nearest known names if any are near."""
    choices = list(known)
    lines = [f"\n  {value!r} ({row_text(rows)}){suggestion(value, choices)}" for value, rows in found.items()]
    more = f"\n  and {len(lines) - VALUES_SHOWN} other values" if len(lines) > VALUES_SHOWN else ""
    return "".join(lines[:VALUES_SHOWN]) + more


def suggestion(name: str, known: Sequence[str]) -> str:
    """``: did you mean 'angry'?``, or nothing where no known name is near."""
    folded = {fold(choice): choice for choice in known}
    near = get_close_matches(fold(name), folded, n=2, cutoff=0.6)
    return f": did you mean {' or '.join(repr(folded[choice]) for choice in near)}?" if near else ""


def name_list(names: Iterable[str], *, shown: int = 20) -> str:
    """Names in quotation marks, cut after ``shown`` with the number of the rest."""
    every = names if isinstance(names, Sequence) else list(names)
    more = f" and {len(every) - shown} more" if len(every) > shown else ""
    return ", ".join(quoted(name) for name in every[:shown]) + more


def quoted(name: str, *, most: int = LONGEST_NAME) -> str:
    """A name in quotation marks, without control characters, cut where it is too long to be read."""
    text = repr(name)
    return text if len(text) <= most else f"{text[:most]}… ({len(str(name))} characters)"


def plural(count: int, noun: str) -> str:
    """``1 cell`` or ``3 cells``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
