"""EmotioNet's lists of addresses: 60 columns without a header, most cells unknown, some made by a program."""

from __future__ import annotations

import pytest

from affectcheck.datasets import Making, load_dataset
from affectcheck.errors import InputError, UnknownNameError
from label_trees import emotionet, emotionet_line, put

FOLDER = "emotioNet_challenge_files"


def test_the_lists(tmp_path):
    seen = []
    table = load_dataset(f"emotionet:{emotionet(tmp_path)}", making=Making(progress=lambda *told: seen.append(told)))
    assert table.items.to_list() == [*(f"http://x.org/{n}.jpg" for n in range(3)), "http://y.org/a.jpg"]
    assert table.target().scheme.name == "au-11-emotionet"
    assert table.frame.get_column("AU1").to_list() == [0, 1, 0, 0]
    assert table.frame.get_column("AU12").to_list() == [1, 1, 1, None]
    assert table.frame.get_column("AU26").to_list() == [None, None, None, 1]
    assert table.frame.get_column("au_provenance").to_list() == ["automatic"] * 3 + ["manual"]
    assert table.frame.get_column("partition").to_list() == [None] * 3 + ["validation"]
    assert table.frame.get_column("file")[3] == f"{FOLDER}/val_0001.txt"
    assert table.frame.get_column("media").null_count() == 4
    assert seen == [(1, 2), (2, 2)]
    assert table.notes[0] == (
        "how labels were made, by the files' names (manual=*val*,*test*,*manual*): manual: "
        f"{FOLDER}/val_0001.txt; automatic: {FOLDER}/dataFile_0001.txt"
    )
    assert any(note.startswith("cells not annotated (999): AU2 4, AU4 4") for note in table.notes)


def test_every_unit_that_is_known_somewhere(tmp_path):
    table = load_dataset(f"emotionet:{emotionet(tmp_path)}?units=all")
    assert table.target().columns[-1] == "AU43"
    assert len(table.target().columns) == 12
    assert "AU60" not in table.frame.columns
    with pytest.raises(UnknownNameError, match="choice of units '12'"):
        load_dataset("emotionet", tmp_path, units="12")


def test_who_made_the_labels_is_stated_by_file(tmp_path):
    table = load_dataset(f"emotionet:{emotionet(tmp_path)}?manual=datafile_*")
    assert table.frame.get_column("au_provenance").to_list() == ["manual"] * 3 + ["automatic"]


def test_addresses_listed_more_than_once(tmp_path):
    lines = [emotionet_line("http://x.org/a.jpg", AU1=1)] * 2
    lines += [emotionet_line("http://x.org/b.jpg", AU1=1), emotionet_line("http://x.org/b.jpg", AU1=0)]
    lines += [emotionet_line("http://x.org/c.jpg", AU1=1)]
    table = load_dataset("emotionet", put(tmp_path, {f"{FOLDER}/train.txt": "\n".join(lines) + "\n"}))
    assert table.items.to_list() == ["http://x.org/a.jpg", "http://x.org/c.jpg"]
    assert "left out 1 row that repeat another, labels and all" in table.notes
    assert set(table.frame.get_column("partition")) == {"train"}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (emotionet_line("http://x.org/a.jpg", AU1=2), "line 2: 'http://x.org/a.jpg'"),
        (emotionet_line("http://x.org/a.jpg", AU1=-1), "line 2: 'http://x.org/a.jpg'"),
        (emotionet_line(""), "line 2: no address"),
        ("http://x.org/a.jpg\tb\t1", "line 2"),
        (emotionet_line("http://x.org/a.jpg") + "\t1", "cannot be read as 62 columns"),
        (emotionet_line("http://x.org/a.jpg").replace("\t", ","), "line 2"),
    ],
)
def test_lines_that_do_not_fit(tmp_path, line, told):
    put(tmp_path, {f"{FOLDER}/a.txt": f"{emotionet_line('http://x.org/0.jpg')}\n{line}\n"})
    with pytest.raises(InputError, match=r"a\.txt") as caught:
        load_dataset("emotionet", tmp_path)
    assert told in str(caught.value)


@pytest.mark.parametrize("folder", [".", "emotionet_challenge_files_2018", "lists/emotioNet_challenge_files"])
def test_where_the_lists_may_lie(tmp_path, folder):
    put(tmp_path, {f"{folder}/val.txt": emotionet_line("http://x.org/0.jpg", AU1=1) + "\n"})
    assert load_dataset("emotionet", tmp_path).height == 1


def test_no_lists(tmp_path):
    with pytest.raises(InputError, match="of data set 'emotionet'"):
        load_dataset("emotionet", tmp_path)
