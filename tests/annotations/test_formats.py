"""Table files: what is written reads back as the same table."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affectcheck.annotations import AnnotationTable, make_table, read_table, write_table
from affectcheck.annotations.delimited_format import csv_text
from affectcheck.annotations.formats import FORMATS, format_of, sidecar
from affectcheck.annotations.toml_text import toml_text
from affectcheck.errors import InputError, MissingPathError
from affectcheck.schemes import CategoryScheme, DimensionScheme, Target, UnitScheme, scheme

LABELS = ("happy", "None", 'a "b", c', "línea\nnext", "nan")
TARGETS = (
    Target(
        "mood", CategoryScheme("own, moods", LABELS, {"joy": "happy"}, {3: "happy"}, source='a "paper"\\'), "automatic"
    ),
    Target("affect", DimensionScheme("affect", ("valence", "arousal"), -1.0, 1.0)),
    Target("au", UnitScheme("au", ("AU1",))),
    Target("expression", scheme("expressions-7")),
)
PLAIN = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=5)
KEYS = PLAIN.map(lambda text: text.strip("\ufeff")).filter(
    lambda text: text and pl.Series([text]).str.strip_chars()[0] == text
)
GROUPS = st.sampled_from(["NA", "null", "03", "nan", 'línea, ; \t"', None])
FLOATS = st.one_of(st.none(), st.floats(-1, 1))


@st.composite
def tables(draw: st.DrawFn) -> AnnotationTable:
    keys = draw(st.lists(KEYS, min_size=1, max_size=5, unique=True))
    column = lambda cells: [draw(cells) for _ in keys]  # noqa: E731
    starts = column(st.one_of(st.none(), st.integers(0, 10**9)))
    frame = pl.DataFrame(
        [
            pl.Series("item", keys),
            pl.Series("media", column(st.one_of(st.none(), PLAIN)), pl.String),
            pl.Series("start_us", starts, pl.Int64),
            pl.Series("end_us", [None if start is None else start + 1 for start in starts], pl.Int64),
            pl.Series("subject", column(st.sampled_from(["03", "007", None])), pl.String),
            pl.Series("accent", column(GROUPS), pl.String),
            pl.Series("mood", column(st.sampled_from([*LABELS, None])), pl.String),
            pl.Series("valence", column(FLOATS), pl.Float64),
            pl.Series("arousal", column(FLOATS), pl.Float64),
            pl.Series("AU1", column(st.sampled_from([0, 1, None])), pl.Int64),
            pl.Series("expression", column(st.sampled_from([*TARGETS[3].scheme.labels, None])), pl.String),
            pl.Series("note", column(st.one_of(st.none(), PLAIN, st.just('x\r\n"y",\n'))), pl.String),
            pl.Series("weight", column(st.one_of(st.none(), st.floats())), pl.Float64),
            pl.Series("count", column(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1))), pl.Int64),
            pl.Series("seen", column(st.sampled_from([True, False, None])), pl.Boolean),
        ]
    )
    return make_table(frame, targets=TARGETS, groups=["accent"], name=draw(PLAIN))


def same(one: AnnotationTable, other: AnnotationTable) -> None:
    assert one.frame.schema == other.frame.schema
    assert one.frame.equals(other.frame, null_equal=True)
    assert dict(one.targets) == dict(other.targets)
    assert (one.groups, one.name, one.notes, one.digest) == (other.groups, other.name, other.notes, other.digest)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20, deadline=None)
@given(tables())
@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_what_is_written_reads_back_as_the_same_table(tmp_path: Path, ending: str, table: AnnotationTable) -> None:
    path = tmp_path / f"t.{ending}"
    write_table(table, path)
    same(read_table(path), table)
    same(read_table(sidecar(path)), table)


def simple(**more) -> AnnotationTable:
    return make_table({"item": ["a"], "mood": ["happy"], **more}, targets=[TARGETS[0]])


def test_the_root_is_kept_relative_where_it_can_be(tmp_path: Path) -> None:
    for root, text in ((tmp_path / "audio", 'root = "audio"'), (tmp_path, ""), (Path("/data"), 'root = "/data"')):
        table = make_table({"item": ["a"]}, targets=[], root=root)
        assert text in write_table(table, tmp_path / "t.csv").read_text()
        assert read_table(tmp_path / "t.csv").root == root


def test_numbers_of_other_widths_come_back_equal(tmp_path: Path) -> None:
    table = simple(small=pl.Series([7], dtype=pl.UInt8), half=pl.Series([0.5], dtype=pl.Float32))
    write_table(table, tmp_path / "t.csv")
    assert read_table(tmp_path / "t.csv").digest == table.digest


def test_notes_are_kept(tmp_path: Path) -> None:
    table = make_table({"item": ["a"], "AU1": [-1]}, targets=[TARGETS[2]])
    write_table(table, tmp_path / "t.csv")
    assert read_table(tmp_path / "t.csv").notes == ("cells marked as not annotated: AU1 1",)


@pytest.mark.parametrize(
    "column", [pl.Series([[1]]), pl.Series(["a\x00b"]), pl.Series(["O\x92Neil"]), pl.Series(["x" * 200_000])]
)
def test_what_text_cannot_hold_is_refused_and_leaves_nothing(tmp_path: Path, column: pl.Series) -> None:
    table = simple(extra=column)
    with pytest.raises(InputError, match="column 'extra'") as caught:
        write_table(table, tmp_path / "t.csv")
    assert "Parquet" in str(caught.value)
    assert list(tmp_path.iterdir()) == []
    write_table(table, tmp_path / "t.parquet")
    same(read_table(tmp_path / "t.parquet"), table)


def test_csv_holds_the_shortest_number_that_reads_back() -> None:
    frame = pl.DataFrame({"x": [0.1, 1 / 3, math.nan, None, -0.0], "y": pl.Series([None] * 5)})
    assert csv_text(frame).split("\n")[1:] == ["0.1,", "0.3333333333333333,", "NaN,", ",", "-0.0,", ""]


def test_a_table_without_description_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("item\na\n")
    with pytest.raises(MissingPathError, match=r"t\.csv\.toml"):
        read_table(tmp_path / "t.csv")


def test_a_description_may_name_its_table_or_be_named(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("id;mood\n1;b\n")
    (tmp_path / "d.toml").write_text('file="labels.csv"\nitem="id"\ndelimiter=";"\n[targets.mood]\nlabels=["a","b"]\n')
    for table in (read_table(tmp_path / "d.toml"), read_table(tmp_path / "labels.csv", tmp_path / "d.toml")):
        assert table.frame.rows() == [("1", "b")]
        assert table.root == tmp_path
    (tmp_path / "labels.csv.toml").write_text('item="id"\ndelimiter=";"\n')
    assert read_table(tmp_path / "labels.csv.toml").frame.columns == ["item", "mood"]
    (tmp_path / "d.toml").write_text('item="id"\n')
    with pytest.raises(InputError, match="names no table file"):
        read_table(tmp_path / "d.toml")


def test_missing_files_and_endings_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv.toml").write_text("")
    with pytest.raises(MissingPathError, match="table not found"):
        read_table(tmp_path / "t.csv")
    for name in ("t.xlsx", "t"):
        with pytest.raises(InputError, match="no table format has the ending"):
            format_of(tmp_path / name)


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"item\na\n")
    sidecar(path).write_text("")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        read_table(path)
    sidecar(path).write_text('encoding = "cp1252"\n')
    with pytest.raises(InputError, match="have no meaning for Parquet"):
        read_table(path)


def test_a_scheme_under_a_built_in_name_leaves_nothing(tmp_path: Path) -> None:
    table = make_table({"item": ["a"], "x": ["b"]}, targets=[Target("x", CategoryScheme("expressions-7", ("b", "c")))])
    with pytest.raises(InputError, match="a name of its own"):
        write_table(table, tmp_path / "t.csv")
    assert list(tmp_path.iterdir()) == []


def test_formats_are_found_by_discovery() -> None:
    assert FORMATS.names() == ("csv", "parquet")


def test_toml_text_escapes_what_toml_needs() -> None:
    import tomllib

    content = {"a b": 'x"\\\n\t\x7f\x00\U0001f600', "n": [1, 2.5, True], "t": {"u": {"v": 1}, "empty": {}}}
    assert tomllib.loads(toml_text(content)) == content
    listed = {"rows": [{"name": 'a "b"', "parts": {"x y": 0.5}}, {"name": "c", "on": True}], "last": []}
    assert tomllib.loads(toml_text(listed)) == listed
