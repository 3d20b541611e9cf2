"""How each label was made: a column beside the labels, whatever the spelling, or the target's word for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import (
    describe,
    make_table,
    provenance_name,
    provenance_of,
    read_table,
    write_table,
)
from affectcheck.annotations.described_columns import table_from
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from pathlib import Path

MOOD = Target("mood", scheme("expressions-4"))
LABELS = ["anger", "neutral", "sadness", "anger"]


def table(cells: list, target: Target = MOOD):
    return make_table({"item": list("abcd"), "mood": LABELS, provenance_name("mood"): cells}, targets=[target])


def test_every_spelling_of_the_three_words() -> None:
    found = table([" Manual", "semi automatic", "AUTOMATIC", ""])
    assert found.frame["mood_provenance"].to_list() == ["manual", "semi-automatic", "automatic", None]


def test_an_empty_cell_is_what_the_target_says() -> None:
    automatic = Target("mood", MOOD.scheme, provenance="automatic")
    assert provenance_of(table(["manual", None, "", "semi_automatic"], automatic), automatic).to_list() == [
        "manual",
        "automatic",
        "automatic",
        "semi-automatic",
    ]


def test_without_the_column_the_target_speaks_for_all() -> None:
    plain = make_table({"item": list("ab"), "mood": LABELS[:2]}, targets=[MOOD])
    assert provenance_of(plain, MOOD).to_list() == ["manual", "manual"]


def test_another_word_is_refused_with_its_rows() -> None:
    with pytest.raises(UnknownNameError, match="2 cells of the column 'mood_provenance'") as caught:
        table(["manual", "expert", "manaul", "manual"])
    assert "'expert' (row 2)" in str(caught.value)
    assert "'manaul' (row 3): did you mean 'manual'?" in str(caught.value)


def described(**target: object):
    frame = {"item": list("abcd"), "mood": LABELS, "by": ["Expert", "network", "manual", ""]}
    content = {"targets": {"mood": {"scheme": "expressions-4", **target}}}
    return table_from(pl.DataFrame(frame), describe(content), where="x.csv")


def test_a_description_names_and_maps_the_column() -> None:
    words = {"expert": "manual", "Network": "automatic"}
    found = described(provenance_column="by", provenance_mapping=words)
    assert found.frame["mood_provenance"].to_list() == ["manual", "automatic", "manual", None]
    with pytest.raises(UnknownNameError, match="do not say how a label was made"):
        described(provenance_column="by")
    with pytest.raises(InputError, match="provenance_mapping of 'mood' without a column"):
        described(provenance_mapping=words)
    with pytest.raises(InputError, match=r"provenance_mapping\.x"):
        described(provenance_column="by", provenance_mapping={"x": "guess"})


def test_a_column_of_the_right_name_is_taken_mapped_and_written(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("item,mood,mood_provenance\na,anger,expert\nb,anger,automatic\n")
    (tmp_path / "x.csv.toml").write_text(
        '[targets.mood]\nscheme = "expressions-4"\nprovenance_mapping = { expert = "semi-automatic" }\n'
    )
    found = read_table(tmp_path / "x.csv")
    assert found.frame["mood_provenance"].to_list() == ["semi-automatic", "automatic"]
    for name in ("again.csv", "again.parquet"):
        write_table(found, tmp_path / name)
        assert read_table(tmp_path / name).digest == found.digest


def test_a_target_knows_the_three_words_only() -> None:
    with pytest.raises(UnknownNameError, match="unknown provenance of the target 'mood': 'guess'"):
        Target("mood", MOOD.scheme, provenance="guess")
