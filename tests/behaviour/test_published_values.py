"""Tables of published values, read cell by cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.behaviour.published_values import read_values
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "task,model_id,model_name,test,dataset,metric,subkey,value"
ROW = "valence,1a,m,correctness_regression,iemocap,Mean Absolute Error,,0.1"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "values.csv"


def test_a_row_is_read_cell_by_cell(table: Path) -> None:
    table.write_text(f"{HEAD}\n{ROW}\n")
    (one,) = read_values(table)
    assert (one.task, one.model, one.test, one.data) == ("valence", "m", "correctness_regression", "iemocap")
    assert (one.metric, one.part, one.value, one.row) == ("Mean Absolute Error", "", 0.1, 2)


@pytest.mark.parametrize("text", ["", "nan", "NaN", "None", " "])
def test_a_skipped_comparison_has_no_value(table: Path, text: str) -> None:
    table.write_text(f"{HEAD}\n{ROW[:-3]}{text}\n")
    assert read_values(table)[0].value is None


def test_a_model_may_be_named_by_its_id_alone(table: Path) -> None:
    table.write_text("task,model_id,test,dataset,metric,subkey,value\nvalence,1a,t,d,m,,1\n")
    assert read_values(table)[0].model == "1a"


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        (HEAD.replace("subkey", "part"), UnknownNameError, "unknown column 'subkey'"),
        (HEAD.replace("model_id,model_name", "who"), UnknownNameError, "unknown column 'model_name'"),
        (HEAD, InputError, "no rows"),
        (f"{HEAD}\n{ROW}x", InputError, "'0.1x' is no number"),
        (f"{HEAD}\n{ROW[:-3]}inf", InputError, "the value is inf"),
        (f"{HEAD}\n{ROW}\n{ROW.replace('valence', 'joy')}", UnknownNameError, "row 3"),
        (f"{HEAD}\n{ROW}\n{ROW.replace('1a', '2b')}", InputError, "1 comparison given twice: row 3 as row 2"),
        (f"{HEAD}\n" + "\n".join([ROW] * 8), InputError, "row 6 as row 2, row 7 as row 2 and 2 more"),
        (f"{HEAD}\n{ROW[:-3]}1_0", InputError, "'1_0' is no number"),
        (f"{HEAD}\n{ROW.replace(',m,', ',,')}", InputError, "row 2: the row names no model"),
    ],
)
def test_a_table_that_is_not_what_it_should_be_is_refused(
    table: Path, text: str, error: type[Exception], told: str
) -> None:
    table.write_text(text + "\n")
    with pytest.raises(error) as raised:
        read_values(table)
    assert told in str(raised.value)
    assert "values.csv" in str(raised.value)
