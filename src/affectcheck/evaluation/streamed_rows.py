"""Rows of a batch as they are scored: read, checked and aligned by the very steps that a table in memory goes through."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.labels import label_columns
from affectcheck.annotations.listing import plural, row_number, row_text, rows_in_whole
from affectcheck.errors import InputError
from affectcheck.evaluation.alignment import PairedRows, aligned_rows, labels_for, require_options
from affectcheck.predictions.columns import keyed_predictions
from affectcheck.records import Fault

if TYPE_CHECKING:
    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.batches import Piece
    from affectcheck.evaluation.framed import Labelled
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.predictions import PredictionColumns, PredictionTable

#: Faults that are told by row; the others are counted.
MOST_FAULTS: Final = 1000


@dataclass(frozen=True, eq=False)
class Batch:
    """Some rows, aligned.

    Attributes:
        aligned: what is scored of them.
        rows: (n,) place of each scored row within the batch.
        truth: the label columns of all rows, as the annotations have them.
        notes: sentences about the annotations alone.
        missing: rows without a prediction.
        faults: those rows, by name, as far as they are told.
    """

    aligned: Aligned
    rows: np.ndarray
    truth: pl.DataFrame
    notes: tuple[str, ...]
    missing: int
    faults: tuple[Fault, ...]


@dataclass(frozen=True, eq=False)
class RowReader:
    """How rows are read.

    Attributes:
        labelled: the target, and where its labels stand.
        reading: how predictions are read.
        options: rules for missing predictions, mapping, thresholds.
        item: column of item keys; empty where rows have none.
    """

    labelled: Labelled
    reading: PredictionColumns
    options: EvaluationOptions
    item: str = ""

    def batch(self, frame: pl.DataFrame, piece: Piece) -> Batch:
        """Align the rows of a piece.

        Raises:
            InputError: a cell or value that does not fit; the message names the file and its rows.
        """
        where, target = str(piece.path), self.labelled.target
        require_options(target, self.options)
        with rows_in_whole(range(piece.start, piece.start + frame.height)):
            renamed = pl.DataFrame([frame.get_column(old).alias(new) for new, old in self.labelled.columns.items()])
            labels = label_columns(renamed, target, self.labelled.unknown or None, where)
            keyed = frame.with_columns(pl.int_range(frame.height, dtype=pl.Int64).alias("item"))
            predicted = keyed_predictions(keyed, self.reading, where)
            predicted = replace(predicted, card=replace(predicted.card, name=self.reading.name))
            rows, missing = self._paired(pl.DataFrame(list(labels.columns.values())), predicted, where)
        table = labels_for(target, predicted.parts, self.options)
        aligned = aligned_rows(PairedRows(rows, predicted, target), table, self.options)
        aligned = replace(aligned, mapping=str(table), output=predicted.card.output)
        truth = pl.DataFrame(list(labels.columns.values()))
        scored = aligned.frame.get_column("item").to_numpy()
        return Batch(aligned, scored, truth, labels.notes, missing.size, self._faults(frame, missing, piece))

    def _paired(self, truth: pl.DataFrame, predicted: PredictionTable, where: str) -> tuple[pl.DataFrame, np.ndarray]:
        """Rows with the place of their prediction, and the rows that have none."""
        place = np.full(truth.height, -1, np.int64)
        place[predicted.items.to_numpy()] = np.arange(predicted.height)
        missing = np.flatnonzero(place < 0)
        if missing.size and self.options.missing == "error":
            raise InputError(
                f"{plural(missing.size, 'item')} without a prediction: {row_text([row_number(int(row)) for row in missing])}",
                where=where,
                expected="a prediction in every row, or a rule for those without: wrong, or leave out",
                cause="items that the model failed on; leaving them out would reward it",
            )
        rows = truth.with_columns(
            pl.int_range(truth.height, dtype=pl.Int64).alias("item"), pl.Series("prediction_row", place)
        )
        if not missing.size:
            return rows, missing
        rows = rows.with_columns(pl.when(pl.col("prediction_row") >= 0).then(pl.col("prediction_row")))
        return (
            rows.filter(pl.col("prediction_row").is_not_null()) if self.options.missing != "wrong" else rows
        ), missing

    def _faults(self, frame: pl.DataFrame, missing: np.ndarray, piece: Piece) -> tuple[Fault, ...]:
        told = missing[:MOST_FAULTS]
        names = (
            frame.get_column(self.item).cast(pl.String).gather(told).to_list()
            if self.item
            else [f"row {piece.before + row + 1}" for row in told]
        )
        text = "the cell is empty, or its label is mapped to nothing"
        return tuple(Fault(str(name), "no prediction", text) for name in names)
