"""Predictions between check and score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.challenges import Checked
from affectcheck.errors import InputError
from affectcheck.server.work.kept_predictions import read_predictions, write_predictions

if TYPE_CHECKING:
    from pathlib import Path


def test_predictions_of_dimensions_and_units_come_back_as_they_were(tmp_path: Path) -> None:
    items = pl.Series("item", ["a", "b"])
    for values in (
        np.array([[0.1, -0.2], [1 / 3, 0.5]]),
        np.array([[0, 1], [1, 0]], np.int8),
        np.array([2, 0], np.int16),
    ):
        checked = Checked(items, values, ("f.csv",), "digest", ("a note",))
        write_predictions(checked, tmp_path / "kept.parquet")
        found = read_predictions(tmp_path / "kept.parquet", items)
        assert np.array_equal(found.values, values)
        assert found.values.dtype == values.dtype
        assert (found.files, found.digest, found.notes) == (("f.csv",), "digest", ("a note",))
    with pytest.raises(InputError, match="a list of 1"):
        read_predictions(tmp_path / "kept.parquet", items.head(1))
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "other.parquet")
    with pytest.raises(InputError, match="no predictions"):
        read_predictions(tmp_path / "other.parquet", items)
