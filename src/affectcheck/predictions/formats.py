"""Files of predictions: CSV and Parquet, read with stated column names, written whole or not at all."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.annotations.frames import as_polars
from affectcheck.atomic import write_bytes
from affectcheck.errors import InputError, MissingPathError
from affectcheck.models.card import ModelCard
from affectcheck.predictions.columns import PredictionColumns, table_from_columns
from affectcheck.schemes import CategoryScheme, DimensionScheme, UnitScheme

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.predictions.table import PredictionTable
    from affectcheck.schemes import Scheme

CARD_KEY: Final = "affectcheck_card"
DATA_KEY: Final = "affectcheck_data"


def read_predictions(path: Path, *, columns: PredictionColumns | None = None) -> PredictionTable:
    """Read predictions from a CSV or Parquet file.

    Args:
        path: the file; one that ``write_predictions`` made as Parquet carries its model's card.
        columns: what the columns are called and mean.

    Raises:
        MissingPathError: there is no such file.
        InputError: the file is not readable, or holds no such predictions.
    """
    frame = read_frame(path)
    table = table_from_columns(frame, columns=_with_card(path, columns), where=str(path))
    metadata = _metadata(path)
    if CARD_KEY not in metadata or (columns and columns.name):
        return table
    card = _card(metadata)
    if card.parts != table.card.parts:
        return table
    return replace(table, card=card, data=table.data or metadata.get(DATA_KEY, ""))


def predictions_from_frame(frame: object, *, columns: PredictionColumns | None = None) -> PredictionTable:
    """Predictions from a frame in memory: Polars, pandas or Arrow.

    Raises:
        InputError: the frame holds no such predictions.
    """
    return table_from_columns(as_polars(frame), columns=columns)


def require_format(path: Path) -> str:
    """The suffix of a file that predictions can be written to; asked before a long run.

    Raises:
        InputError: another suffix, or a folder of this name.
    """
    suffix = path.suffix.lower()
    if suffix not in {".csv", ".parquet"}:
        raise InputError(
            f"cannot write predictions as {suffix or 'a file without suffix'!r}", expected=".csv or .parquet"
        )
    if path.is_dir():
        raise InputError(f"a folder: {path}", expected="a file to write predictions to")
    return suffix


def write_predictions(table: PredictionTable, path: Path) -> None:
    """Write predictions as CSV or Parquet, by the suffix; Parquet carries the model's card.

    Raises:
        InputError: another suffix, or the disk is full.
    """
    suffix = require_format(path)
    contents = BytesIO()  # written by ourselves, since a writer of tables says little about a full disk
    if suffix == ".csv":
        table.frame.write_csv(contents)
    else:
        card = json.dumps(asdict(table.card), sort_keys=True)
        table.frame.write_parquet(contents, metadata={CARD_KEY: card, DATA_KEY: table.data})
    write_bytes(path, contents.getvalue())


def read_frame(
    path: Path, *, kind: str = "file of predictions", delimiter: str = ",", encoding: str | None = None
) -> pl.DataFrame:
    """The frame in a CSV or Parquet file; CSV cells stay text, so that no key or label is read as a number.

    Args:
        path: the file.
        kind: what it is called in an error.
        delimiter: character between the cells of a CSV file.
        encoding: character encoding of a CSV file, if it is not UTF-8.

    Raises:
        MissingPathError: there is no such file.
        InputError: the file is not readable.
    """
    if not path.is_file():
        cause = "a folder, which holds the file" if path.is_dir() else ""
        raise MissingPathError.of(kind, path, expected="a .csv or .parquet file", cause=cause)
    if path.suffix.lower() == ".parquet":
        if delimiter != "," or encoding is not None:
            raise InputError(
                "a Parquet file has no delimiter and no encoding", where=str(path), expected="neither of them stated"
            )
        try:
            return pl.read_parquet(path)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InputError(
                f"not a Parquet file: {error}", where=str(path), cause="another kind of file, or one that was cut off"
            ) from error
    from affectcheck.annotations.text import read_csv  # noqa: PLC0415  # Parquet does not need it

    return read_csv(path, delimiter=delimiter, encoding=encoding)


def _metadata(path: Path) -> dict[str, str]:
    return dict(pl.read_parquet_metadata(path)) if path.suffix.lower() == ".parquet" else {}


def _card(metadata: dict[str, str]) -> ModelCard:
    told: dict[str, Any] = json.loads(metadata[CARD_KEY])
    known = {f.name for f in fields(ModelCard)}
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in told.items() if k in known}
    return ModelCard(**values)


def _with_card(path: Path, columns: PredictionColumns | None) -> PredictionColumns | None:
    """Without stated columns, a file of our own is read as what its card declares."""
    metadata = _metadata(path)
    if CARD_KEY not in metadata or (columns and columns.scheme):
        return columns
    card = _card(metadata)
    return replace(columns or PredictionColumns(), scheme=_declared(card), output=card.output)


def _declared(card: ModelCard) -> Scheme:
    if card.kind == "categories":
        return CategoryScheme("declared", card.parts)
    if card.kind == "units":
        return UnitScheme("declared", card.parts)
    return DimensionScheme("declared", card.parts, card.low, card.high)
