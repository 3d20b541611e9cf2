from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.errors import InputError, MissingPathError, ModelError, UnknownNameError
from affectcheck.media.clip import Item
from affectcheck.models import ModelCard, TableColumns, TableModel, load_model, table_model

if TYPE_CHECKING:
    from pathlib import Path

DECIDED = pl.DataFrame({"item": ["a", "b", "c"], "prediction": ["sad", "glad", "sad"]})
SCORED = DECIDED.with_columns(score_sad=pl.Series([0.7, 0.1, 0.5]), score_glad=pl.Series([0.3, 0.9, 0.5]))
VALUED = pl.DataFrame({"item": ["a", "b"], "valence": [0.1, 0.2], "arousal": [0.3, 0.4]})


def ask(model: TableModel, *keys: str) -> list[list[float]]:
    return model.predict([Item(key) for key in keys]).tolist()


def test_decisions() -> None:
    model = table_model(DECIDED)
    assert (model.card.parts, model.card.output, model.card.media) == (("glad", "sad"), "label", ())
    assert ask(model, "b", "a") == [[1.0, 0.0], [0.0, 1.0]]


def test_declared_labels_that_do_not_occur() -> None:
    model = table_model(DECIDED, columns=TableColumns(labels=("sad", "mad", "glad")))
    assert ask(model, "a") == [[1.0, 0.0, 0.0]]


def test_scores_in_the_order_of_their_columns() -> None:
    model = table_model(SCORED)
    assert (model.card.parts, model.card.output) == (("sad", "glad"), "score")
    assert ask(model, "c", "b") == [[0.5, 0.5], [0.1, 0.9]]


def test_values() -> None:
    model = table_model(VALUED, columns=TableColumns(low=-1.0))
    assert (model.card.kind, model.card.parts, model.card.low) == ("dimensions", ("valence", "arousal"), -1.0)
    assert ask(model, "b") == [[0.2, 0.4]]
    assert model.predict([]).shape == (0, 2)


def test_the_digest_is_that_of_the_content() -> None:
    changed = VALUED.with_columns(valence=pl.Series([0.1, 0.21]))
    assert table_model(VALUED).card.digest == table_model(VALUED.clone()).card.digest
    assert table_model(VALUED).card.digest != table_model(changed).card.digest


def test_an_unknown_item_is_named() -> None:
    with pytest.raises(ModelError, match=r"no prediction for 'x/a'[\s\S]*keys such as 'a', 'b'"):
        ask(table_model(VALUED), "a", "x/a")


@pytest.mark.parametrize(
    ("frame", "columns", "words"),
    [
        (DECIDED.rename({"item": "items"}), TableColumns(), "did you mean 'items'"),
        (pl.concat([DECIDED, DECIDED]), TableColumns(), "items occur twice: a, b, c"),
        (DECIDED, TableColumns(labels=("sad", "glas")), "did you mean 'glas'"),
        (
            DECIDED.with_columns(prediction=pl.Series(["sad", None, "sad"])),
            TableColumns(),
            "no prediction in the row of b",
        ),
        (SCORED.with_columns(score_sad=pl.Series([0.7, None, 0.5])), TableColumns(), "not finite: b"),
        (SCORED.with_columns(score_sad=pl.Series(["x", "y", "z"])), TableColumns(), "no number"),
        (SCORED, TableColumns(labels=("sad", "glad", "mad")), "unknown column 'score_mad'"),
        (SCORED.with_columns(prediction=pl.lit("glad")), TableColumns(), "largest score: a, c"),
        (VALUED.select("item"), TableColumns(), "without predictions"),
        (VALUED.with_columns(valence=pl.Series([0.1, np.inf])), TableColumns(), "not finite: b"),
    ],
)
def test_a_table_that_is_not_sound(frame: pl.DataFrame, columns: TableColumns, words: str) -> None:
    with pytest.raises(InputError, match=words):
        table_model(frame, columns=columns)


def test_values_of_another_shape() -> None:
    with pytest.raises(ModelError, match=r"values of shape \(2, 1\)"):
        TableModel(("a",), np.ones((2, 1)), ModelCard("m", "dimensions", ("x",)))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_from_a_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"p{suffix}"
    SCORED.write_csv(path) if suffix == ".csv" else SCORED.write_parquet(path)
    model = load_model(f"table:{path}")
    assert model.predict([Item("b")]).tolist() == [[0.1, 0.9]]
    assert model.card.digest == table_model(SCORED).card.digest


def test_columns_and_range_by_option(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    VALUED.rename({"item": "file"}).write_csv(path)
    card = load_model(f"{path}?item=file&range=-1,1").card
    assert (card.low, card.high) == (-1.0, 1.0)
    with pytest.raises(InputError, match="option 'range' is '1'"):
        load_model(f"{path}?item=file&range=1")


def test_what_is_no_number_is_told_with_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("item,file,arousal\na,a.wav,0.5\nb,b.wav,0.25\n")
    with pytest.raises(
        ModelError, match=r"column 'file' holds what is no number:\n  'a\.wav' \(row 1\)[\s\S]*\?dimensions="
    ):
        load_model(f"table:{path}")
    assert load_model(f"table:{path}?dimensions=arousal").predict([Item("b")]).tolist() == [[0.25]]
    path.write_text("item,prediction,arousal\na,anger,0.5\n")
    assert load_model(f"table:{path}?dimensions=arousal").card.kind == "dimensions"
    with pytest.raises(UnknownNameError, match="unknown column 'valence'"):
        load_model(f"table:{path}?dimensions=valence")
    dated = pl.DataFrame({"item": ["a"], "arousal": [[1.0]]})
    with pytest.raises(ModelError, match=r"column 'arousal' holds List\(Float64\)"):
        table_model(dated)


def test_no_file_and_no_parquet(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="prediction table not found"):
        load_model(f"table:{tmp_path / 'p.csv'}")
    (tmp_path / "p.parquet").write_bytes(b"no")
    with pytest.raises(InputError, match="not a Parquet file"):
        load_model(f"table:{tmp_path / 'p.parquet'}")


def test_items_are_read_as_text(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("item,valence\n007,0.5\n")
    assert load_model(str(path)).predict([Item("007")]).tolist() == [[0.5]]


@pytest.mark.shared
def test_real_predictions(shared_data: Path) -> None:
    path = shared_data / "data" / "baseline-predictions" / "emodb.csv"
    model = load_model(f"{path}?item=file")
    truth = pl.read_csv(path)
    decided = model.predict([Item(key) for key in truth["file"]]).argmax(axis=1)
    assert [model.card.parts[code] for code in decided] == truth["prediction"].to_list()


def test_keys_stand_in_item_or_else_in_file(tmp_path: Path) -> None:
    (tmp_path / "told.csv").write_text("file,prediction\na,sad\nb,glad\n")
    assert ask(load_model(f"table:{tmp_path / 'told.csv'}"), "b") == [[1.0, 0.0]]  # type: ignore[arg-type]
    with pytest.raises(InputError, match="unknown column of item keys 'item'"):
        table_model(DECIDED.rename({"item": "clip"}))
