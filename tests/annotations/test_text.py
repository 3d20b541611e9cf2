"""Reading delimited text: what stands in the file comes out, and what is not certain is an error with its place."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affectcheck.annotations import read_csv
from affectcheck.annotations.text import LONGEST_LINE, _cut_plain, _cut_quoted
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def write(tmp_path: Path):
    def put(content: bytes | str, name: str = "labels.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return put


@pytest.mark.parametrize("word", ["NA", "None", "null", "nan", "NULL", "N/A", "NaN", "n/a", "<NA>", "#N/A", "-", "?"])
def test_a_word_that_means_missing_elsewhere_is_a_value(write, word: str) -> None:
    frame = read_csv(write(f"item,accent\na,{word}\nb,\nc,{word}\n"))
    assert frame["accent"].to_list() == [word, None, word]


@pytest.mark.parametrize("cell", ["007", "03", "1e5", "0x1F", "03-Sep", "2020-01-02", "TRUE", " x ", "1,000", "+1"])
def test_no_cell_is_read_as_something_else(write, cell: str) -> None:
    assert read_csv(write(f'item\n"{cell}"\n'))["item"].to_list() == [cell]


@pytest.mark.parametrize("empty", ["", '""'])
def test_only_the_empty_cell_is_missing(write, empty: str) -> None:
    assert read_csv(write(f"a,b\n{empty},1\n"))["a"].to_list() == [None]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("tail", ["", "END", "ENDEND", "END END\tEND"])
def test_line_ends_of_every_system_and_blank_lines_at_the_end(write, end: str, tail: str) -> None:
    text = f"valence,arousal{end}0.1,0.2{end}0.3,0.4{tail.replace(' ', '').replace(chr(9), '').replace('END', end)}"
    frame = read_csv(write(text))
    assert frame.columns == ["valence", "arousal"]
    assert frame.rows() == [("0.1", "0.2"), ("0.3", "0.4")]


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_is_obeyed_and_removed(write, mark: bytes, encoding: str) -> None:
    frame = read_csv(write(mark + "valence,name\r\n0.1,Chloé\r\n".encode(encoding)))
    assert frame.columns == ["valence", "name"]
    assert frame["name"].to_list() == ["Chloé"]


def test_a_mark_that_contradicts_the_declared_encoding_is_refused(write) -> None:
    path = write(codecs.BOM_UTF8 + b"a,b\n1,2\n")
    with pytest.raises(InputError, match="byte-order mark of utf-8, but is declared as cp1252"):
        read_csv(path, encoding="cp1252")
    assert read_csv(path, encoding="UTF8").columns == ["a", "b"]


def test_windows_bytes_are_an_error_with_line_offset_and_likely_encoding(write) -> None:
    path = write("utt,speaker\n1,O’Neil\n2,Chloé\n".encode("cp1252"))
    with pytest.raises(InputError, match=r"line 2, byte offset 15: the byte 0x92 is not utf-8") as caught:
        read_csv(path)
    assert "looks like Windows-1252, where these bytes read ’é" in str(caught.value)
    assert "encoding='cp1252'" in str(caught.value)
    assert read_csv(path, encoding="cp1252")["speaker"].to_list() == ["O’Neil", "Chloé"]


def test_windows_bytes_read_as_latin_1_are_an_error(write) -> None:
    path = write("utt,speaker\n1,O’Neil\n".encode("cp1252"))
    with pytest.raises(InputError, match=r"line 2 has the control character U\+0092"):
        read_csv(path, encoding="latin-1")


def test_latin_1_without_windows_bytes_reads_as_declared(write) -> None:
    assert read_csv(write("a\nChloé\n".encode("latin-1")), encoding="latin-1")["a"].to_list() == ["Chloé"]


def test_damage_that_was_written_as_utf_8_is_an_error_too(write) -> None:
    with pytest.raises(InputError, match=r"U\+0092") as caught:
        read_csv(write("a\nO\x92Neil\n"))
    assert "where the file was first read" in str(caught.value)


def test_controls_that_a_list_was_published_with_stay(write) -> None:
    assert read_csv(write("a,b\nO\x92Neil,1\n"), controls=True)["a"].to_list() == ["O\x92Neil"]
    with pytest.raises(InputError, match=r"line 2 has the control character U\+0000"):
        read_csv(write("a,b\nO\x00Neil,1\n"), controls=True)


def test_quotation_marks_that_enclose_nothing(write) -> None:
    frame = read_csv(write('a\tb\n"Hello, he said\t1\n'), delimiter="\t", quoted=False)
    assert frame.rows() == [('"Hello, he said', "1")]


def test_bytes_of_neither_encoding_say_so(write) -> None:
    with pytest.raises(InputError, match="another encoding than Windows-1252 too"):
        read_csv(write(b"a\n\x81\x8d\n"))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_recognised(write, encoding: str) -> None:
    path = write("item,name\na,Ā\n".encode(encoding))
    with pytest.raises(InputError, match="UTF-16 without a byte-order mark"):
        read_csv(path)
    assert read_csv(path, encoding=encoding)["name"].to_list() == ["Ā"]


def test_utf_16_with_undecodable_bytes_is_recognised(write) -> None:
    with pytest.raises(InputError, match="looks like UTF-16 without a byte-order mark"):
        read_csv(write("a,b\nü,é\n".encode("utf-16-le")))


def test_nul_bytes_are_refused_with_the_line(write) -> None:
    with pytest.raises(InputError, match=r"line 3 has the control character U\+0000"):
        read_csv(write(b"a,b\r\n1,2\r\n3,\x004\r\n"))


def test_an_encoding_that_does_not_exist_is_refused(write) -> None:
    with pytest.raises(InputError, match="unknown character encoding 'utf8mb4'"):
        read_csv(write("a\n1\n"), encoding="utf8mb4")


@pytest.mark.parametrize(("delimiter", "word"), [(";", "semicolon"), ("\t", "tab"), ("|", "vertical bar")])
def test_another_delimiter_is_suggested_and_never_taken(write, delimiter: str, word: str) -> None:
    path = write(delimiter.join("abc") + "\n" + delimiter.join("123") + "\n")
    with pytest.raises(InputError, match=word) as caught:
        read_csv(path)
    assert f"delimiter={delimiter!r}" in str(caught.value)
    assert read_csv(path, delimiter=delimiter).rows() == [("1", "2", "3")]


def test_a_comma_is_suggested_where_a_tab_was_declared(write) -> None:
    with pytest.raises(InputError, match="delimiter=','"):
        read_csv(write("a,b\n1,2\n"), delimiter="\t")


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n"])
def test_what_is_no_delimiter_is_refused(write, delimiter: str) -> None:
    with pytest.raises(InputError, match="not a delimiter"):
        read_csv(write("a\n1\n"), delimiter=delimiter)


def test_rows_of_another_length_are_told_with_row_and_line(write) -> None:
    text = 'a,b\n1,2\n"two\nlines",2\n\n1\n1,2,3\n' + "1\n" * 5
    with pytest.raises(InputError) as caught:
        read_csv(write(text))
    assert "7 rows of another length than the header, which has 2 cells" in caught.value.what
    assert "row 3 (line 6) has 1, row 4 (line 7) has 3" in caught.value.what
    assert "and 2 more rows" in caught.value.what


def test_quoted_cells_hold_delimiters_quotes_and_line_ends(write) -> None:
    frame = read_csv(write('item,text\na,"x, ""y""\r\nz"\nb,"1\n2\r3"\n'))
    assert frame["text"].to_list() == ['x, "y"\r\nz', "1\n2\r3"]


@pytest.mark.parametrize("text", ['a,b\n1,"2\n3,4\n', 'a,b\n1,"2" x\n'])
def test_a_quotation_mark_out_of_place_names_the_row(write, text: str) -> None:
    with pytest.raises(InputError, match="the row that begins in line 2 cannot be read") as caught:
        read_csv(write(text))
    assert "quotation mark that is not closed" in str(caught.value)


def test_a_runaway_quotation_is_cut_off(write) -> None:
    with pytest.raises(InputError, match="the row that begins in line 3"):
        read_csv(write('a,b\n1,2\n3,"4\n' + "5,6\n" * 50_000))


def test_column_names_that_repeat_are_refused_with_their_places(write) -> None:
    with pytest.raises(InputError, match="'a' is column 1 and 3"):
        read_csv(write("a,b, a \n1,2,3\n"))


def test_blanks_around_column_names_go_and_nameless_columns_are_numbered(write) -> None:
    assert read_csv(write(',"x\u00a0", y\n1,2,3\n')).columns == ["column_1", "x", "y"]


def test_blank_lines_are_skipped_but_not_within_one_column(write) -> None:
    assert read_csv(write("\n\na,b\n\n1,2\n\n3,4\n\n")).height == 2
    assert read_csv(write('a\n1\n""\n3\n\n\n'))["a"].to_list() == ["1", None, "3"]
    for last in ("3", '"3"'):
        with pytest.raises(InputError, match="line 3 is blank, but lines with a value follow"):
            read_csv(write(f"a\n1\n\n{last}\n"))


@pytest.mark.parametrize("content", [b"", b"\n\n", codecs.BOM_UTF8])
def test_an_empty_file_is_refused(write, content: bytes) -> None:
    with pytest.raises(InputError, match="the file is empty"):
        read_csv(write(content))


def test_a_header_alone_is_a_table_without_rows(write) -> None:
    frame = read_csv(write("a,b\n"))
    assert (frame.columns, frame.height) == (["a", "b"], 0)


def test_a_line_without_end_is_refused(write) -> None:
    for cell in ("x" * (LONGEST_LINE + 1), '"' + "x" * LONGEST_LINE):
        with pytest.raises(InputError, match=f"line 2 has {LONGEST_LINE + 1} characters"):
            read_csv(write("a\n" + cell))


def test_a_missing_file_a_folder_and_a_damaged_archive(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="table not found"):
        read_csv(tmp_path / "no.csv")
    with pytest.raises(InputError, match="cannot read"):
        read_csv(tmp_path)
    (tmp_path / "x.csv.gz").write_bytes(b"no archive")
    with pytest.raises(InputError, match="cannot read"):
        read_csv(tmp_path / "x.csv.gz")


def test_a_compressed_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"a\n1\n"))
    assert read_csv(tmp_path / "x.csv.gz")["a"].to_list() == ["1"]


CELLS = st.text(st.characters(blacklist_categories=("Cs", "Cc"), whitelist_characters="\n\r\t"), max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=6))
def test_what_the_standard_library_writes_comes_back(tmp_path: Path, rows: list[tuple[str, str, str]]) -> None:
    buffer = io.StringIO()
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL)
    writer.writerows([("a", "b", "c"), *rows])
    path = tmp_path / "any.csv"
    path.write_bytes(buffer.getvalue().encode())
    assert read_csv(path).rows() == [tuple(cell or None for cell in row) for row in rows]


PLAIN = st.text(st.sampled_from("ab,;\n\r \t'é\u00a0\u2028"), max_size=40)


@given(PLAIN, st.sampled_from([",", ";", "\t"]))
def test_both_ways_of_cutting_agree(text: str, delimiter: str) -> None:
    def result(cut):
        try:
            frame = cut(text, "x.csv", delimiter)
        except InputError as error:
            return str(error)
        return frame.columns, frame.rows()

    assert result(_cut_plain) == result(_cut_quoted)
