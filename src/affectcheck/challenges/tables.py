"""Tables of predictions, as CSV or Parquet, with nothing guessed about their cells."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.listing import plural, quoted
from affectcheck.annotations.plain import NUMBER
from affectcheck.annotations.text import cut_text
from affectcheck.challenges.class_numbers import numbered_rows
from affectcheck.challenges.header import column_order
from affectcheck.challenges.limits import MIB
from affectcheck.challenges.lines import Source, plain_lines, source_of
from affectcheck.challenges.sheet import Sheet, sheet_of
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.challenges.limits import Limits
    from affectcheck.challenges.track import Track

PARQUET: Final = b"PAR1"
_TEXTS: Final = (pl.String, pl.Categorical, pl.Enum)
#: Characters of a message of polars that are told.
_LONGEST: Final = 200
#: What polars raises of a damaged file; some damage makes it panic, which is no Exception of Python's.
_UNREADABLE: Final = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def read_sheet(content: bytes, track: Track, *, where: str, limits: Limits) -> Sheet:
    """The predictions of a CSV or Parquet file.

    Args:
        content: the file.
        track: what it is to hold.
        where: its name, for messages.
        limits: what it may cost.

    Raises:
        InputError: it is not readable, has other columns than the track, or a cell is not what the track says.
    """
    if content.startswith(PARQUET):
        return sheet_of(_parquet(content, track, where, limits), track, Source(where))
    lines = plain_lines(content, where, limits)
    head = lines[: lines.index(b"\n")].decode()
    order = column_order(head.split(","), track, where)
    source = source_of(lines, where)
    frame = numbered_rows(lines, order, source) if track.file.coding == "one-hot" else None
    frame = _typed(lines, head.count(",") + 1, order, track) if frame is None else frame
    if frame is None or frame.null_count().sum_horizontal().item():
        frame, source = _untyped(lines, order, track, source)  # slower, but it knows which cell is wrong
    return sheet_of(frame, track, source)


def _dtypes(track: Track) -> tuple[type[pl.DataType], ...]:
    """Types that cells are tried as, the smallest first."""
    return {"label": (pl.String,), "value": (pl.Float64,)}.get(track.file.coding, (pl.Int8, pl.Float64))


def _typed(lines: bytes, width: int, order: Sequence[int], track: Track) -> pl.DataFrame | None:
    """The cells as numbers; None where any is none."""
    names = [f"column {place}" for place in range(width)]
    for dtype in _dtypes(track):
        schema = dict.fromkeys(names, dtype) | {names[order[0]]: pl.String}
        try:
            found = pl.read_csv(
                BytesIO(lines),
                has_header=False,
                skip_rows=1,
                schema=schema,
                quote_char='"' if b'"' in lines else None,
                infer_schema=False,
            )
        except pl.exceptions.PolarsError:
            continue
        return found.select(names[place] for place in order)
    return None


def _untyped(lines: bytes, order: Sequence[int], track: Track, source: Source) -> tuple[pl.DataFrame, Source]:
    """The cells as numbers, and where their rows stand: rows of empty cells alone are left out, as blank lines are."""
    found = cut_text(lines.decode(), source.where)
    names = [found.columns[place] for place in order]
    blank = found.select(pl.all_horizontal(pl.all().is_null())).to_series()
    found, source = found.filter(~blank), source.keeping(~blank.to_numpy())
    if track.file.coding == "label":
        return found.select(names), source
    for name in names[1:]:
        cells = found.get_column(name)
        wrong = (~cells.str.contains(NUMBER)).fill_null(value=False).arg_true()
        if len(wrong):
            raise InputError(
                f"{plural(len(wrong), 'cell')} of column {quoted(name)} that {'are' if len(wrong) > 1 else 'is'} no number: "
                f"{cells[wrong[0]][:60]!r}",
                where=source.place(wrong[0]),
                expected="numbers with a decimal point",
                cause="a decimal comma" if "," in cells[wrong[0]] else "",
                code="E_NOT_A_NUMBER",
            )
    return found.select(names[0], pl.col(names[1:]).cast(pl.Float64)), source


def _parquet(content: bytes, track: Track, where: str, limits: Limits) -> pl.DataFrame:
    """The columns of a Parquet file, of which size and types are known before its pages are read."""
    try:
        lazy = pl.scan_parquet(BytesIO(content))
        schema = lazy.collect_schema()
        rows = lazy.select(pl.len()).collect().item()
    except _UNREADABLE as error:
        raise InputError(
            f"not a Parquet file: {str(error)[:_LONGEST]}",
            where=where,
            cause="a file that was cut off",
            code="E_DAMAGED_TABLE",
        ) from error
    if rows > limits.rows:
        raise InputError(f"{rows} rows", where=where, expected=f"at most {limits.rows}", code="E_TOO_MANY_ROWS")
    names = [schema.names()[place] for place in column_order(schema.names(), track, where)]
    text, numbers = names[0], names[1:]
    keyed = schema[text] == pl.String or (track.file.numbers and schema[text].is_integer())
    wrong = [name for name in numbers if not _fits(schema[name], track)] + ([] if keyed else [text])
    if wrong:
        raise InputError(
            f"column {quoted(wrong[0])} of the type {str(schema[wrong[0]])[:_LONGEST]}",
            where=where,
            expected=f"text in {quoted(text)} and {'text' if track.file.coding == 'label' else 'numbers'} in the others",
            code="E_WRONG_TYPE",
        )
    try:
        found = lazy.select(names).collect().with_columns(pl.col(text).cast(pl.String))
    except _UNREADABLE as error:
        raise InputError(
            f"a damaged Parquet file: {str(error)[:_LONGEST]}",
            where=where,
            cause="a file that was cut off",
            code="E_DAMAGED_TABLE",
        ) from error
    _require_short(found, where, limits)
    return found


def _require_short(frame: pl.DataFrame, where: str, limits: Limits) -> None:
    """Texts of a Parquet file share their bytes: a few thousand of them may stand for as many gigabytes."""
    total = 0
    for column in (one for one in frame if one.dtype in _TEXTS):
        lengths = column.cast(pl.String).str.len_bytes()
        total += int(lengths.sum())
        longest = lengths.arg_max()
        if longest is not None and lengths[longest] > limits.line:
            raise InputError(
                f"a text of {lengths[longest]} bytes in column {quoted(column.name)}, row {longest + 1}",
                where=where,
                expected=f"at most {limits.line}",
                code="E_LONG_LINE",
            )
    if total > limits.unpacked:
        raise InputError(
            f"texts of {total // MIB} MiB",
            where=where,
            expected=f"at most {limits.unpacked // MIB} MiB",
            code="E_TOO_LARGE",
        )


def _fits(dtype: pl.DataType, track: Track) -> bool:
    if track.file.coding == "label":
        return dtype in _TEXTS
    return dtype.is_float() or dtype.is_integer() or (dtype == pl.Boolean and track.file.coding != "value")
