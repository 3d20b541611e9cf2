"""``partition make`` and ``partition verify``: every option, every bad input, what is told before the work starts."""

from __future__ import annotations

import errno
import importlib
import io
import json
import time
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from affectcheck.cli import output, partition_make
from affectcheck.cli.app import run
from affectcheck.partitions import load_manifest, save_manifest

DIVIDING = importlib.import_module("affectcheck.partitions.partition")  # its name is that of its function
MOODS = ("anger", "happiness", "neutral", "sadness")
TOML = """file = "labels.csv"
name = "faces"
media = "path"
subject = "person"
groups = ["sex"]

[targets.mood]
scheme = "expressions-4"

[targets.affect]
scheme = "valence-arousal"

[targets.au]
units = ["AU1", "AU2"]
"""


def rows(persons: int = 10, items: int = 4) -> list[dict[str, object]]:
    return [
        {
            "path": f"p{p:02d}/{n}.jpg",
            "person": f"p{p:02d}",
            "session": f"day{p // 2}",
            "sex": "FM"[p % 2],
            "partition": ("Training", "dev", "test")[(p > 4) + (p > 6)],
            "mood": MOODS[(p + n) % 4],
            "valence": round(((p * 7 + n * 3) % 21 - 10) / 10, 1),
            "arousal": round(((p * 5 + n * 9) % 21 - 10) / 10, 1),
            "AU1": (p + n) % 2,
            "AU2": n % 2,
        }
        for p in range(persons)
        for n in range(items)
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, rows())
    return tmp_path


def write(place: Path, table: list[dict[str, object]], toml: str = TOML) -> None:
    pl.DataFrame(table).write_csv(place / "labels.csv")
    (place / "labels.toml").write_text(toml)


def make(*words: str, out: str = "part") -> list[str]:
    return ["partition", "make", "--data", "table:labels.toml", "-o", out, *words]


def made(capsys: pytest.CaptureFixture[str], *words: str, out: str = "part") -> tuple[dict, str]:
    capsys.readouterr()
    assert run([*make(*words, out=out), "--json"]) == 0
    told = capsys.readouterr()
    return json.loads(told.out), told.err


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert run(make(*words)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "Traceback" not in told.err
    return told.err


# options


@pytest.mark.parametrize("protocol", ["55,15,30", ".55-.15-.30"])
def test_a_protocol_in_another_spelling_is_the_same_partition(
    folder: Path, capsys: pytest.CaptureFixture[str], protocol: str
) -> None:
    made(capsys)
    made(capsys, "--protocol", protocol, out="other")
    for name in ("partition.csv", "manifest.json"):
        assert (folder / "part" / name).read_bytes() == (folder / "other" / name).read_bytes()


def test_sets_of_any_number_with_and_without_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(made(capsys, "--protocol", "80-20", out="a")[0]["sizes"]) == ["train", "test"]
    assert list(made(capsys, "--protocol", "40-30-20-10", out="b")[0]["sizes"]) == ["set-1", "set-2", "set-3", "set-4"]
    named = made(capsys, "--protocol", "50-50", "--names", "mine, yours", out="c")[0]
    assert list(named["sizes"]) == ["mine", "yours"]


def test_all_targets_or_named_ones(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def columns(*words: str) -> set[str]:
        return {row["column"] for row in made(capsys, *words, "--overwrite")[0]["balance"]}

    assert columns() == {"mood", "sex", "items"}
    assert columns("--targets", "all") == {"mood", "valence × arousal", "AU1", "AU2", "sex", "items"}
    assert columns("--targets", "affect,mood", "--groups", "none") == {"mood", "valence × arousal", "items"}
    assert columns("--targets", "none") == {"sex", "items"}


def test_what_stays_together(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, told = made(capsys, "--together", "session")
    assert "10 subjects make 5 units, as some share the same session" in told
    parts = pl.read_csv(folder / "part" / "partition.csv").with_columns(
        day=pl.col("item").str.slice(1, 2).cast(int) // 2
    )
    assert (parts.group_by("day").agg(pl.col("part").n_unique())["part"] == 1).all()
    assert sum(found["sizes"].values()) == 40
    assert "column that keeps items together 'sesion'" in refused(capsys, "--together", "sesion", "--overwrite")


@pytest.mark.parametrize("words", [("--together", ""), ("--together", "none")])
def test_two_persons_of_a_video_part_only_if_told_so(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    table = [{**row, "path": f"v{n // 8}_{('left', 'right')[n // 4 % 2]}/{n % 4}.jpg"} for n, row in enumerate(rows())]
    write(folder, table)
    _, told = made(capsys)
    assert "note: names that end in _left and _right are persons of one video, who stay in one set" in told
    assert "dividing 40 items, 5 units" in told
    _, told = made(capsys, *words, "--overwrite")
    assert "dividing 40 items, 10 subjects" in told


def test_subjects_by_a_rule_on_media(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toml = TOML.replace('media = "path"', 'media = "path"\nitem = "key"').replace('subject = "person"\n', "")
    write(folder, [{"key": f"k{n:02d}", **row} for n, row in enumerate(rows())], toml)
    assert "dividing 40 items, 10 subjects" in made(capsys, "--subjects", r"p\d+", "--subject-source", "media")[1]
    assert "finds no subject in 40 of 40 items" in refused(capsys, "--subjects", r"p\d+", "--overwrite")
    assert "unknown source of subjects 'folder'" in refused(capsys, "--subjects", r"p\d+", "--subject-source", "folder")


def test_a_budget_is_counted_and_a_clock_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--nodes", "0", "--effort", "0.5", "--tolerance", "0")
    made(capsys, *words)
    options = json.loads((folder / "part" / "manifest.json").read_text())["options"]
    assert options["budget"] == {"nodes": 0, "effort": 0.5, "seconds": None}
    assert options["tolerance_pp"] == 0
    assert "a budget of" in refused(capsys, "--effort", "0")
    assert "a budget of" in refused(capsys, "--time-limit", "0")
    assert "--nodes" in refused(capsys, "--nodes", "-1")
    assert "tolerance_pp is -1" in refused(capsys, "--tolerance", "-1")


# what is told


def test_what_cannot_be_split_is_told_before_the_work(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, [{**row, "sex": f"x{row['person']}" if row["person"] < "p25" else "F"} for row in rows(30)])
    monkeypatch.setattr(DIVIDING, "divide", lambda _: pytest.fail("divided"))
    capsys.readouterr()
    with pytest.raises(pytest.fail.Exception, match="divided"):
        run(make())
    told = capsys.readouterr().err
    assert "unsplittable, as fewer units than sets hold it: sex = xp00: 1 unit\n" in told
    assert "unsplittable: 5 more values (--json lists all)" in told
    assert told.splitlines()[-1] == "dividing 120 items, 30 subjects, over 30 values of labels and groups"


def test_many_regions_are_summed_up(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(make("--targets", "all")) == 0
    lines = capsys.readouterr().out.splitlines()
    regions = [line for line in lines if line.startswith("valence × arousal")]
    assert len(regions) == 4
    assert "values, mean deviation in points" in regions[0]
    assert all("worst: [" in line for line in regions[1:])
    assert lines[-1] == "part/manifest.json"
    found, _ = made(capsys, "--targets", "all", "--overwrite")
    assert len({row["value"] for row in found["balance"] if row["column"] == "valence × arousal"}) > 12


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ({"proven": True}, "no partition that covers as much has a smaller mean deviation: proven"),
        (
            {"cost": 0.04, "bound": 0.03},
            "the search ended at 4.000; none that covers as much is below 3.000: at most 1.000 to gain",
        ),
        ({"reproducible": False}, "a clock ended the search: the same command may give another partition"),
    ],
)
def test_how_good_it_is_known_to_be(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, facts: dict, line: str
) -> None:
    carried_out = DIVIDING.divide
    known = {"proven": False, "bound": None, **facts}
    monkeypatch.setattr(DIVIDING, "divide", lambda prepared: replace(carried_out(prepared), **known))
    assert run(make()) == 0
    assert line in capsys.readouterr().out.splitlines()


def test_a_proof_is_only_about_partitions_that_keep_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(make("--keep", "partition:test")) == 0
    told = capsys.readouterr().out
    assert "no partition that keeps these items where they are and covers as much has a smaller mean deviation" in told


def test_what_the_reader_of_the_data_left_out_is_told_and_kept(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        folder,
        rows(),
        TOML.replace('name = "faces"', 'name = "faces"\nnotes = ["3 pictures without a face are left out"]'),
    )
    found, told = made(capsys)
    assert told.splitlines()[0] == "note: 3 pictures without a face are left out"
    assert told.count("without a face") == 1
    assert found["notes"][0] == "3 pictures without a face are left out"
    manifest = json.loads(Path(found["manifest"]).read_text())
    assert manifest["data"]["notes"] == ["3 pictures without a face are left out"]
    assert load_manifest(Path("part")).data_notes == ("3 pictures without a face are left out",)


def test_waiting_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with output.waiting("dividing", every_s=0.01):
        time.sleep(0.1)
    assert capsys.readouterr().err.startswith("dividing: 0 s\n")

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stderr", Terminal())
    with output.waiting("dividing"):
        pass


# provenance


def test_labels_not_made_by_hand_are_left_out_and_known(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_by = ("manual", "Automatic", "semi-automatic", "")
    write(folder, [{**row, "mood_provenance": made_by[n % 4]} for n, row in enumerate(rows())])
    found, told = made(capsys)
    assert found["left_out"] == {"mood: automatic": 10, "mood: semi-automatic": 10}
    assert "note: left out: 10 items, mood: automatic\n" in told
    assert sum(found["sizes"].values()) == 20
    assert run(["partition", "verify", "part", "--data", "table:labels.toml", "--again"]) == 0
    assert "all 20 items are in a set, 20 items left out" in capsys.readouterr().out
    more, _ = made(capsys, "--provenance", "manual, semi-automatic", "--overwrite")
    assert more["left_out"] == {"mood: automatic": 10}
    assert "nothing is left to divide" not in refused(capsys, "--provenance", "guess")
    assert run(make("--overwrite")) == 0
    assert "40 items" not in capsys.readouterr().out


def test_a_database_without_manual_labels_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(
        folder, rows(), TOML.replace('scheme = "expressions-4"', 'scheme = "expressions-4"\nprovenance = "automatic"')
    )
    told = refused(capsys)
    assert "nothing is left to divide: no label is manual: mood: automatic (40)" in told
    assert "--provenance" in told
    assert made(capsys, "--provenance", "automatic")[0]["left_out"] == {}
    assert made(capsys, "--targets", "affect", "--overwrite")[0]["left_out"] == {}


# keep and grow


def parts(folder: Path, name: str) -> dict[str, str]:
    return dict(pl.read_csv(folder / name / "partition.csv").select("item", "part").iter_rows())


def test_a_grown_database_keeps_every_old_item(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(capsys, out="old")
    write(folder, rows(14, 5))
    found, told = made(capsys, "--keep", "old", out="new")
    then, now = parts(folder, "old"), parts(folder, "new")
    assert {item: now[item] for item in then} == then
    assert len(now) == 70
    assert found["kept"] == {"items": 40, "gone": 0}
    assert "note: kept where they were: 40 items; placed anew: 20 items" in told
    assert "note: 10 items of kept subjects go with them" in told
    assert run(["partition", "verify", "new", "--data", "table:labels.toml", "--again"]) == 0
    assert "40 items where they were" in capsys.readouterr().out


def test_one_set_of_the_databases_own_partition_is_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, _ = made(capsys, "--keep", "partition:test")
    now = parts(folder, "part")
    own = {row["path"]: row["partition"] for row in rows()}
    assert all(now[item] == "test" for item, part in own.items() if part == "test")
    assert found["kept"]["items"] == 12
    whole, _ = made(capsys, "--keep", "partition", out="whole")
    assert whole["sizes"] == {"train": 20, "validation": 8, "test": 12}
    assert "unknown set to keep 'tset'" in refused(capsys, "--keep", "partition:tset")
    assert "partition to keep not found: elsewhere" in refused(capsys, "--keep", "elsewhere")


def test_a_kept_subject_in_two_sets_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, [{**row, "partition": ("train", "test")[n % 2]} for n, row in enumerate(rows())])
    told = refused(capsys, "--keep", "partition")
    assert "10 of 10 subjects in two sets of the partition to keep:" in told
    assert "'p00': 2 items in test: 'p00/1.jpg', 'p00/3.jpg'; 2 items in train: 'p00/0.jpg', 'p00/2.jpg'" in told


# bad input, each one clear error or note


def test_fewer_subjects_than_sets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, rows(2))
    assert "too few subjects for 3 sets: 2" in refused(capsys)


def test_one_subject_of_nearly_all_items(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = rows(5)
    write(folder, table + [{**table[0], "path": f"p00/more{n}.jpg"} for n in range(60)])
    assert "note: subject 'p00' holds 80.0% of all items, more than any set should" in made(capsys)[1]


def test_a_class_of_fewer_items_than_sets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = [{**row, "mood": "anger" if n == 3 else "neutral"} for n, row in enumerate(rows())]
    write(folder, table)
    assert "unsplittable, as fewer units than sets hold it: mood = anger: 1 unit" in made(capsys)[1]


def test_shares_that_do_not_add_up(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "its shares do not sum to 100, but to 105" in refused(capsys, "--protocol", "60-15-30")


def test_a_subject_column_of_file_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, rows(), TOML.replace('subject = "person"', 'subject = "file"'))
    pl.read_csv(folder / "labels.csv").with_columns(file=pl.col("path")).write_csv(folder / "labels.csv")
    assert "every subject has one item (40 of each): the subjects may be file names" in made(capsys)[1]


def test_contradicting_demographics(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = rows()
    table[1] = {**table[1], "sex": "M"}
    write(folder, table)
    told = refused(capsys)
    assert "1 subject with contradicting demographics:" in told
    assert "subject 'p00': sex is F (3 items: 'p00/0.jpg', 'p00/2.jpg', 'p00/3.jpg'); M (1 item: 'p00/1.jpg')" in told
    assert "1 subject of several values of sex" in made(capsys, "--allow-contradictions")[1]


def test_a_subject_in_two_spellings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = rows()
    table[1] = {**table[1], "person": "P00 "}
    write(folder, table)
    assert "1 subject may be spelt in two ways, and count as two: 'P00 ' and 'p00'" in made(capsys)[1]


def test_action_units_that_are_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, rows(), TOML.replace('units = ["AU1", "AU2"]', 'scheme = "au-12-affwild2"'))
    told = refused(capsys, "--targets", "au")
    assert "'AU4'" in told
    write(folder, [{**row, "AU1": 3} for row in rows()])
    assert "AU1" in refused(capsys, "--targets", "au")


def test_valence_beyond_its_range(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = rows()
    table[5] = {**table[5], "valence": 1.4}
    write(folder, table)
    told = refused(capsys)
    assert "valence" in told
    assert "1.4" in told


# writing


def test_a_place_that_cannot_be_written_is_told_before_the_work(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "file").touch()
    told = refused(capsys, "-o", "file/part")
    assert "cannot write into file/part" in told
    assert "file is a file" in told
    locked = folder / "locked"
    locked.mkdir(mode=0o500)
    if not partition_make.os.access(locked, partition_make.os.W_OK):  # root may write anywhere
        assert "locked is not writable" in refused(capsys, "-o", "locked/part")


def test_another_partition_is_refused_before_the_work(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made(capsys)
    monkeypatch.setattr(DIVIDING, "divide", lambda _: pytest.fail("divided"))
    assert "holds another partition" in refused(capsys, "--seed", "1")


def test_a_full_disk_leaves_the_old_partition(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made(capsys)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("affectcheck.atomic.os.fsync", full)
        assert "the disk is full" in refused(capsys, "--protocol", "50-25-25", "--overwrite")
    assert run(["partition", "verify", "part", "--data", "table:labels.toml"]) == 0


def test_a_partition_that_does_not_come_out_again_fails(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(capsys)
    found = load_manifest(Path("part"))
    first = found.frame["part"][0]
    other = next(name for name in found.names if name != first)
    swapped = found.frame.with_columns(part=pl.col("part").replace({first: other, other: first}))
    save_manifest(replace(found, frame=swapped), Path("swapped"))
    capsys.readouterr()
    assert run(["partition", "verify", "swapped", "--data", "table:labels.toml", "--again"]) == 1
    told = capsys.readouterr().out
    assert "items are in another set" in told
