"""What is read of a folder of Parquet files, and how: settled from the columns' names and types before a row is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.batches import is_pattern, parquet_files, pieces, read, schemas
from affectcheck.evaluation.coding import Combinations
from affectcheck.evaluation.framed import Framed, Where
from affectcheck.evaluation.streamed_counts import Keys
from affectcheck.evaluation.streamed_rows import RowReader
from affectcheck.predictions.columns import ITEM_COLUMNS, score_prefix
from affectcheck.schemes import CategoryScheme, parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.batches import Piece
    from affectcheck.evaluation.options import ClusterUnit, EvaluationOptions
    from affectcheck.evaluation.scored_columns import ScoredColumns
    from affectcheck.predictions import PredictionColumns
    from affectcheck.schemes import Scheme

#: Values that a column of labels may have where none are declared; more are no labels.
MOST_LABELS: Final = 10_000
#: Items without a subject, each of which is a cluster of its own and has a tally of its own.
MOST_OWN: Final = 200_000


@dataclass(frozen=True, eq=False)
class StreamPlan:
    """What is read, and how.

    Attributes:
        place: the folder or pattern, as it was told.
        files: the files.
        pieces: the files cut into pieces.
        columns: what the columns are called and mean, with the names of data and model.
        reader: how rows become what is scored.
        keys: which cell a row is in.
        types: the columns that are read, with the types that all files share.
        notes: sentences about the labels that are scored.
        item: column of item keys; empty where rows have none.
    """

    place: str
    files: tuple[Path, ...]
    pieces: tuple[Piece, ...]
    columns: ScoredColumns
    reader: RowReader
    keys: Keys
    types: dict[str, pl.DataType]
    notes: tuple[str, ...]
    item: str = ""

    @property
    def rows(self) -> int:
        """Rows of all files."""
        return sum(piece.rows for piece in self.pieces)

    @property
    def options(self) -> EvaluationOptions:
        """What the evaluation is told, with the target that was found."""
        return self.reader.options

    @property
    def shape(self) -> Aligned:
        """What is scored, from no rows at all."""
        return self.reader.batch(pl.DataFrame(schema=self.types), replace(self.pieces[0], rows=0)).aligned

    def everything(self) -> pl.DataFrame:
        """All rows of all files, for a folder that is small."""
        names = pl.scan_parquet(self.files[0], glob=False, hive_partitioning=False).collect_schema().names()
        types = schemas(self.files, names)
        return pl.concat([read(piece, types) for piece in self.pieces])

    @classmethod
    def of(cls, place: Path | str, columns: ScoredColumns, options: EvaluationOptions) -> StreamPlan:
        """Settle what is read.

        Raises:
            MissingPathError: there are no such files.
            UnknownNameError: a column that is named is not in every file.
            InputError: an option that a folder cannot be scored with, or labels that nobody explains.
        """
        if options.steps:
            raise InputError(
                "steps change predictions by their neighbours, which a folder that is read in batches does not keep",
                expected="a single file, or predictions that were written after the steps",
            )
        if options.shifts == "balanced":
            raise InputError(
                "balanced sets are drawn from rows, which a folder that is read in batches does not keep",
                expected="shifts against all items, or a single file",
            )
        files = parquet_files(place)
        cut, name = pieces(files), _name(place)
        columns = replace(columns, name=columns.name or name, model=columns.model or name)
        head = pl.scan_parquet(files[0], glob=False, hive_partitioning=False).head(0).collect()
        framed = Framed(head, None, columns, options, Where(str(place), str(place)))
        labels = head if columns.declared else _observed(cut, framed, head)
        scheme, notes = replace(framed, truth=labels).scheme(labels, labels)
        reading, labelled = framed.reading(scheme, labels), framed.truth_columns(scheme)
        item = _item(columns, head)
        keys = _keys(cut, framed, head, item)
        predicted = _predicted(reading, scheme, head)
        labelled_and = (*labelled.columns.values(), *predicted)
        told = item if options.missing != "error" else ""  # by which rows without a prediction are told
        types = schemas(files, (*labelled_and, *keys.columns, *([told] if told else [])))
        options = replace(options, target=labelled.target.name)
        reader = RowReader(labelled, reading, options, told)
        return cls(str(place), files, cut, columns, reader, keys, types, notes, item)


def _name(place: Path | str) -> str:
    """The name of a folder; of a pattern, that of the last folder which it names."""
    path = Path(place)
    fixed = [part for part in path.parts if not is_pattern(part)]
    return Path(*fixed).resolve().stem if fixed else "data"


def _observed(cut: Sequence[Piece], framed: Framed, head: pl.DataFrame) -> pl.DataFrame:
    """The labels that occur on either side, in a frame with all columns."""
    told = framed.columns
    if not isinstance(told.truth, str):
        return head  # the scheme must be declared, as the frame will say
    wanted = [name for name in (told.truth, told.prediction) if isinstance(name, str) and name in head.columns]
    types = schemas(list(dict.fromkeys(piece.path for piece in cut)), wanted)
    found = Combinations()
    for piece in cut:
        found.numbers(read(piece, types))
        if found.size > MOST_LABELS:
            raise InputError(
                f"columns {' and '.join(map(repr, wanted))} hold more than {MOST_LABELS:,} pairs of values",
                where=str(piece.path),
                expected="labels of classes; for dimensions, a declared scheme and the columns by dimension",
                cause="values or keys in the place of labels",
            )
    rows = found.frame
    spare = [pl.Series(name, [None] * rows.height, kind) for name, kind in head.schema.items() if name not in types]
    return pl.DataFrame([*rows, *spare])


def _item(columns: ScoredColumns, head: pl.DataFrame) -> str:
    """The column of item keys; empty where rows need none, since truth and prediction share them."""
    if columns.item and columns.item not in head.columns:
        raise UnknownNameError.of("column of item keys", columns.item, head.columns)
    return columns.item or next((name for name in ITEM_COLUMNS if name in head.columns), "")


def _predicted(reading: PredictionColumns, scheme: Scheme, head: pl.DataFrame) -> list[str]:
    """The columns that predictions are read from."""
    if not isinstance(scheme, CategoryScheme):
        return [reading.parts.get(name, f"{reading.scores}{name}") for name in parts(reading.scheme or scheme)]
    prefix = score_prefix(head, reading)
    scores = [name for name in head.columns if prefix and name.startswith(prefix)]
    decided = reading.prediction or "prediction"
    return [*scores, *([decided] if decided in head.columns or reading.prediction or not scores else [])]


def _keys(cut: Sequence[Piece], framed: Framed, head: pl.DataFrame, item: str) -> Keys:
    """What is resampled as a whole: of the units from the wanted one on, the first that some row names."""
    told = framed.columns
    columns: dict[ClusterUnit, str] = {
        "subject": told.subject or ("subject" if "subject" in head.columns else ""),
        "media": told.media or ("media" if "media" in head.columns else ""),
    }
    units: tuple[ClusterUnit, ...] = ("subject", "media")
    wanted = framed.options.clusters
    total = sum(piece.rows for piece in cut)
    for unit in units[units.index(wanted) :] if wanted in units else ():
        unknown = _unknown(cut, columns[unit]) if columns[unit] else total
        if unknown > MOST_OWN and unknown < total:
            raise InputError(
                f"{unknown:,} items without a {unit}, each of which is a cluster of its own",
                where=str(cut[0].path.parent),
                expected=f"at most {MOST_OWN:,} of them; or another unit to resample, such as media or item",
                cause=f"a column {columns[unit]!r} that is empty in most rows",
            )
        if unknown < total:
            return Keys(framed.groups, unit, columns[unit], item if unknown else "", framed.options.by)
    return Keys(framed.groups, "item", attributes=framed.options.by)


def _unknown(cut: Sequence[Piece], column: str) -> int:
    """Rows without a value in a column."""
    types = schemas(list(dict.fromkeys(piece.path for piece in cut)), [column])
    text = types[column] == pl.String
    found = (read(piece, types).to_series() for piece in cut)
    return sum(values.null_count() + (int((values == "").sum() or 0) if text else 0) for values in found)
