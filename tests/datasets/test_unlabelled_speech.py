"""Speech without affect labels: TIMIT, NSC and Common Voice; tables without targets."""

from __future__ import annotations

import polars as pl
import pytest

from affectcheck.annotations import write_table
from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.media import load_item
from label_trees import put, touch
from speech_trees import CV_HEAD, common_voice, nsc, sound, timit


def test_timit_with_sphere_headers(tmp_path):
    table = load_dataset("timit", timit(tmp_path))
    assert table.frame.get_column("item").to_list() == [
        *("test/DR8/MJLN0/SI1449", "train/DR1/FCJF0/SA1", "train/DR1/FCJF0/SX37")
    ]
    row = table.frame.row(1, named=True)
    assert (row["subject"], row["sex"], row["dialect"], row["kind"]) == ("FCJF0", "female", "new england", "dialect")
    assert row["text"] == "She had your dark suit."
    assert (tmp_path / row["media"]).read_bytes()[:7] == b"NIST_1A"
    assert load_item(row, table.root).audio.duration_s == pytest.approx(0.1)
    assert dict(table.targets) == {}
    with pytest.raises(InputError, match="has no labels"):
        table.target()
    assert load_dataset(f"timit:{tmp_path}?part=train").height == 2


def test_timit_ages_where_its_list_of_speakers_is_here(tmp_path):
    lines = (
        ";  a comment",
        ";ID    Sex DR Use  RecDate   BirthDate  Ht    Race Edu  Comments",
        "CJF0   F  1  TRN  03/03/86  03/04/60  5'11\"  WHT  BS  of Boston",
        "JLN0   M  8  TST  03/03/86  ??/??/??  5'11\"  ???  ??",
    )
    put(timit(tmp_path), {"DOC/SPKRINFO.TXT": "\n".join(lines)})
    table = load_dataset("timit", tmp_path)
    assert table.groups == ("sex", "dialect", "age")
    assert table.frame.get_column("age").to_list() == [None, "20-29", "20-29"]
    assert table.frame.get_column("age_years").to_list() == [None, 25, 25]


def test_timit_in_small_letters_and_twice(tmp_path):
    sound(tmp_path, "data/train/dr1/fcjf0/sa1.wav", "data/train/dr1/fcjf0/sa1.wav.wav")
    sound(tmp_path, "data/train/dr1/fcjf0/sa2.wav")
    touch(tmp_path, "data/train/dr1/fcjf0/sa1.txt", "data/train/dr1/fcjf0/readme.doc")
    table = load_dataset("timit", tmp_path)
    assert table.frame.select("item", "text").rows() == [("train/DR1/FCJF0/SA1", None), ("train/DR1/FCJF0/SA2", None)]
    assert table.notes[0].startswith("1 files hold recordings again")


@pytest.mark.parametrize(
    "name",
    [
        *("TRAIN/DR9/FCJF0/SA1.WAV", "TRAIN/DR1/XCJF0/SA1.WAV", "TRAIN/DR1/FCJF0/A1.WAV"),
        *("TRAIN/FCJF0/SA1.WAV", "TRAIN/DR1/FCJF0/more/SA1.WAV"),
    ],
)
def test_timit_names_that_do_not_fit(tmp_path, name):
    with pytest.raises(InputError, match="1 folders or files that do not fit") as caught:
        load_dataset("timit", sound(timit(tmp_path), name))
    assert name in str(caught.value)


def test_timit_without_recordings(tmp_path):
    (tmp_path / "TRAIN").mkdir()
    (tmp_path / "TEST").touch()
    with pytest.raises(InputError, match=r"no TRAIN/DR1/FCJF0/SA1\.WAV"):
        load_dataset("timit", tmp_path)


def test_nsc_recordings_of_one_utterance(tmp_path):
    table = load_dataset("nsc", nsc(tmp_path))
    frame = table.frame
    assert frame.height == 3 * 8 - 1
    assert dict(frame.group_by("channel").len().iter_rows()) == {"headset": 8, "boundary": 8, "mobile": 7}
    assert frame.row(0, named=True)["text"] == "Sentence 01."
    one = frame.filter(pl.col("utterance") == "00010001")
    assert one.get_column("media").str.slice(-13).to_list() == ["000010001.WAV", "100010001.WAV", "200010001.WAV"]
    sides = [frame.filter(pl.col("channel") == name) for name in ("headset", "mobile")]
    assert sides[0].join(sides[1], on=["subject", "text"]).height == 7
    assert (dict(table.targets), table.groups) == ({}, ())


def test_nsc_draws_the_same_of_every_microphone(tmp_path):
    nsc(tmp_path)
    some = load_dataset(f"nsc:{tmp_path}?channels=headset,boundary&utterances=2&speakers=1").frame
    assert some.height == 4
    assert some.group_by("utterance").len().get_column("len").to_list() == [2, 2]
    again = load_dataset("nsc", tmp_path, channels="headset,boundary", utterances=2, speakers=1)
    assert again.frame.equals(some)
    assert "4 of 16 recordings are drawn" in again.notes
    with pytest.raises(UnknownNameError, match="unknown channel 'phone'"):
        load_dataset("nsc", tmp_path, channels="phone")
    with pytest.raises(InputError, match="-1 to draw"):
        load_dataset("nsc", tmp_path, speakers=-1)


def test_nsc_lists_of_speakers(tmp_path):
    nsc(tmp_path)
    put(tmp_path, {"PART1/DOC/microphones.csv": "a,b\n1,2\n", "PART1/DOC/speakers.csv": "SCD/PART1,SEX\n1,M\n0002,F\n"})
    table = load_dataset("nsc", tmp_path)
    assert dict(table.frame.select("subject", "sex").unique().iter_rows()) == {
        "PART1/0001": "male",
        "PART1/0002": "female",
    }
    stated = put(tmp_path, {"mine.csv": "Speaker,Gender\nSPEAKER0001,female\n"}) / "mine.csv"
    assert load_dataset("nsc", tmp_path, people=str(stated)).frame.get_column("sex").null_count() == 11
    with pytest.raises(MissingPathError, match="list of speakers not found"):
        load_dataset("nsc", tmp_path, people="gone.csv")
    with pytest.raises(InputError, match="no speaker or no sex: a, b"):
        load_dataset("nsc", tmp_path, people=str(tmp_path / "PART1/DOC/microphones.csv"))


@pytest.mark.parametrize("code", ["000001", "1.0", " 0001 ", "SPEAKER0001"])
def test_nsc_codes_of_speakers(tmp_path, code):
    put(nsc(tmp_path), {"PART1/DOC/speakers.csv": f"SCD/PART1,SEX\n{code}, F\n,M\n"})
    table = load_dataset("nsc", tmp_path)
    assert set(table.frame.select("subject", "sex").iter_rows()) == {("PART1/0001", "female"), ("PART1/0002", None)}
    assert "the list of speakers does not tell the sex of 1 of 2 speakers" in table.notes


def test_nsc_a_speaker_of_two_sexes_and_no_channel(tmp_path):
    put(nsc(tmp_path), {"PART1/DOC/a.csv": "SCD/PART1,SEX\n1,F\n0001,F\n", "PART1/DOC/b.csv": "Speaker,Sex\n1,M\n"})
    with pytest.raises(InputError, match=r"1 speakers of several sexes:\n  PART1/0001"):
        load_dataset("nsc", tmp_path)
    put(tmp_path, {"PART1/DOC/a.csv": "SCD/PART1,SEX\n1,F\n2,X\n"})
    with pytest.raises(InputError, match=r"a\.csv: 1 speakers of a sex that is neither female nor male:\n  2: 'X'"):
        load_dataset("nsc", tmp_path)
    (tmp_path / "PART1/DOC/a.csv").unlink()
    with pytest.raises(InputError, match="no channel is stated"):
        load_dataset("nsc", tmp_path, channels=",")


def test_nsc_one_list_with_a_column_for_each_part(tmp_path):
    for part in (1, 2):
        sound(tmp_path, f"PART{part}/DATA/CHANNEL0/WAVE/SPEAKER0001/000010001.WAV")
    both = put(tmp_path, {"both.csv": "SCD/PART1,SCD/PART2,SEX\n1,,F\n,1,M\n"}) / "both.csv"
    table = load_dataset("nsc", tmp_path, people=str(both))
    assert table.frame.get_column("sex").to_list() == ["female", "male"]
    first = put(tmp_path, {"first.csv": "SCD/PART1,SEX\n1,F\n"}) / "first.csv"
    table = load_dataset("nsc", tmp_path, people=str(first))
    assert table.frame.get_column("sex").to_list() == ["female", None]


def test_nsc_a_channel_without_recordings_is_told(tmp_path):
    sound(tmp_path, "PART1/DATA/CHANNEL0/WAVE/SPEAKER0007/000070001.wav")
    assert "no recordings by boundary, mobile are here" in load_dataset("nsc", tmp_path).notes


def test_nsc_archives_that_are_not_unpacked(tmp_path):
    touch(tmp_path, "PART2/DATA/CHANNEL0/WAVE/SPEAKER0001.zip", "PART2/DATA/notes/x")
    with pytest.raises(InputError, match="no recordings by headset") as caught:
        load_dataset("nsc", tmp_path)
    assert "1 archives such as SPEAKER0001.zip that are not unpacked" in str(caught.value)
    sound(tmp_path, "PART2/DATA/CHANNEL0/WAVE/000010001.WAV")
    with pytest.raises(InputError, match="in no folder SPEAKER"):
        load_dataset("nsc", tmp_path)


def test_nsc_scripts_of_one_microphone_serve_all(tmp_path):
    for path in (nsc(tmp_path) / "PART1/DATA/CHANNEL1/SCRIPT").iterdir():
        path.unlink()
    table = load_dataset("nsc", tmp_path, channels="boundary")
    assert table.frame.get_column("text").null_count() == 0


def test_nsc_without_scripts(tmp_path):
    sound(tmp_path, "PART1/DATA/CHANNEL3/WAVE/SPEAKER0007/000070001.wav")
    touch(tmp_path, "PART1/DATA/CHANNEL3/SCRIPT/readme.doc")
    table = load_dataset("nsc", tmp_path)
    row = table.frame.row(0, named=True)
    assert (row["channel"], row["session"], row["utterance"], row["text"]) == ("mobile", "0", "00070001", None)
    assert table.notes == ("no recordings by boundary, headset are here", "the text of 1 recordings is not known")


def test_common_voice_as_the_paper_takes_it(tmp_path):
    table = load_dataset("common-voice", common_voice(tmp_path / "cv-corpus-10.1"), clips=2)
    counts = dict(table.frame.group_by("language").len().iter_rows())
    assert counts == dict.fromkeys(("de", "en", "es", "fr", "it", "zh"), 2)
    assert "2 of 6 clips of zh are drawn" in table.notes
    every = load_dataset(f"common-voice:{tmp_path}?clips=0&languages=zh")
    assert set(every.frame.get_column("locale")) == {"zh-CN", "zh-TW"}
    assert every.frame.get_column("text").unique().to_list() == ['He said "yes']
    assert every.notes == ()
    rows = every.frame.select("sex", "age").unique(maintain_order=True).rows()
    assert rows == [("male", None), (None, "20-29"), ("female", "40-49")]
    other = load_dataset("common-voice", tmp_path, clips=2, seed=1)
    assert set(other.items) != set(table.items)
    assert load_dataset("common-voice", tmp_path, clips=2).digest == table.digest


def test_common_voice_tables_without_labels_are_kept(tmp_path):
    table = load_dataset("common-voice", common_voice(tmp_path / "cv"), clips=0)
    write_table(table, tmp_path / "cv.csv")
    assert load_dataset("table", tmp_path / "cv.csv").digest == table.digest


def test_common_voice_old_releases(tmp_path):
    touch(tmp_path, "en/clips/a1.mp3")
    put(tmp_path, {"en/dev.tsv": "client_id\tpath\tsentence\taccent\nc\ta1\tHi\tus\n"})
    table = load_dataset(f"common-voice:{tmp_path}?languages=en&part=dev")
    row = table.frame.row(0, named=True)
    assert (row["media"], row["accent"], row["sex"]) == ("en/clips/a1.mp3", "us", None)


def test_common_voice_lists_without_clips_are_told(tmp_path):
    put(common_voice(tmp_path), {"de/test.tsv": CV_HEAD})
    table = load_dataset("common-voice", tmp_path, clips=0, languages="de,en")
    assert (table.height, table.notes) == (3, ("de has 0 clips, fewer than 1",))


def test_common_voice_what_is_refused(tmp_path):
    common_voice(tmp_path)
    with pytest.raises(UnknownNameError, match="unknown list 'tests'"):
        load_dataset("common-voice", tmp_path, part="tests")
    with pytest.raises(InputError, match="no language is stated"):
        load_dataset("common-voice", tmp_path, languages=" , ")
    with pytest.raises(MissingPathError, match="list of ja not found"):
        load_dataset("common-voice", tmp_path, languages="de,ja")
    with pytest.raises(InputError, match="stated twice: zh-CN"):
        load_dataset("common-voice", tmp_path, languages="zh,de,zh-CN")
    put(tmp_path, {"de/test.tsv": CV_HEAD + "a\tb\n" + "\t".join("x" * 20) + "\n"})
    with pytest.raises(InputError, match=r"row 1 \(line 2\) has 2, row 2 \(line 3\) has 20"):
        load_dataset("common-voice", tmp_path)
    put(tmp_path, {"de/test.tsv": "client_id\tpath\nc1\ta.mp3\nc2\t\nc3\tb.mp3\n"})
    with pytest.raises(InputError, match="rows without the name of a clip") as caught:
        load_dataset("common-voice", tmp_path, clips=1)
    assert "line 3: 'c2': path is empty" in str(caught.value)
    put(tmp_path, {"de/test.tsv": "client\tfile\na\tb\n"})
    with pytest.raises(InputError, match="no column client_id, path"):
        load_dataset("common-voice", tmp_path)
