"""The participants' pack: whole, the same each time, without any label of the test, and nobody in two parts."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import signal
import struct
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.challenges.catalogue import load_track, parse_track
from affectcheck.challenges.checking import check
from affectcheck.challenges.labels import read_labels
from affectcheck.challenges.pack import PackOptions, PackSources, pack
from affectcheck.challenges.pack_parts import submission_frame
from affectcheck.challenges.track import plain
from affectcheck.challenges.wanted import read_wanted
from affectcheck.errors import InputError, MissingPathError, UnknownNameError, WriteError

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.challenges.track import Track

    Write = Callable[[str, str | bytes], Path]

#: Values of the test's labels that stand nowhere else.
CANARIES = ("0.617283945", "-0.271604938")


@pytest.fixture
def sources(write: Write) -> PackSources:
    """Frames of two videos of training, one of validation, and one of the test, whose labels are canaries."""
    head = "valence,arousal\n"
    write("train/v1.txt", f"{head}0.1,0.2\n-5,-5\n0.3,0.4\n")
    write("train/v2_left.txt", f"{head}0.5,0.25\n")
    write("validation/v3.txt", f"{head}0.125,0.375\n")
    write("test/v4.txt", f"{head}{','.join(CANARIES)}\n{','.join(reversed(CANARIES))}\n")
    folder = write("rules.md", "## Ours\n\nBe kind.\n").parent
    return PackSources(folder / "test", folder / "train", folder / "validation", rules=folder / "rules.md")


def unpacked(path: Path, to: Path) -> Path:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        archive.extractall(to)
    (folder,) = to.iterdir()
    return folder


def items_of(kind: str, write: Write) -> tuple[Track, PackSources]:
    """A track of each coding of items, with subjects, groups and a list of the test that has labels, too."""
    made = {
        "label": ("expressions-4", "uar", "label", "id,emotion,subject\n", ("angry", "neutral", "")),
        "one-hot": (
            "expressions-4",
            "uar",
            "one-hot",
            "id,anger,happiness,neutral,sadness,subject\n",
            ("1,0,0,0", "0,0,0,1", ",,,"),
        ),
        "indicator": ("au-12-affwild2", "p_au", "indicator", "", ("0,1," * 5 + "0,1", "1,0," * 5 + "1,", "-1,0," * 6)),
        "value": ("mimicry-6", "p_emi", "value", "", ("0.1,0.2,0.3,0.4,0.5,0.6", "0,0,0,0,0,0", ",,,,,")),
    }
    scheme, metric, coding, head, rows = made[kind]
    file = {"item": "id", "coding": coding} | ({"columns": ["emotion"]} if coding == "label" else {})
    labels = {"marker": -1.0} if kind == "indicator" else {}
    values = {"format": 1, "name": kind, "title": "Made up", "scheme": scheme, "metric": metric, "file": file}
    track = parse_track(values | {"labels": labels})
    head = head or ",".join(("id", *track.columns, "subject")) + "\n"

    def table(name: str, front: str) -> Path:
        lines = [
            f"{front}{n},{row.rstrip(',') if kind == 'indicator' and n == 2 else row},{front}p{n % 2}"
            for n, row in enumerate(rows)
        ]
        return write(f"{name}.csv", head + "\n".join(lines) + "\n")

    return track, PackSources(train=table("train", "a"), validation=table("validation", "b"), test=table("test", "c"))


def test_what_a_pack_holds(sources: PackSources, tmp_path: Path, va: Track) -> None:
    seen: list[tuple[int, int]] = []
    packed = pack(tmp_path / "va.zip", va, sources, PackOptions("CC BY 4.0", progress=lambda *told: seen.append(told)))
    assert packed.items == {"train": 4, "validation": 1, "test": 2}
    assert packed.digest == hashlib.sha256((tmp_path / "va.zip").read_bytes()).hexdigest()
    assert seen[-1] == (9, 9)
    folder = unpacked(tmp_path / "va.zip", tmp_path / "out")
    assert folder.name == "abaw6-va"
    assert len(list(folder.iterdir())) == packed.files == 10
    sums = dict(line.split("  ")[::-1] for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert sums == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.name != "SHA256SUMS"
    }
    readme = (folder / "README.md").read_text(encoding="utf-8")
    for line in (
        "| train | 4 | 3 | 2 | not known |",
        "| test | 2 | not told | 1 | not known |",
        "Labels of train: valence mean 0.300; arousal mean 0.283.",
        "CC BY 4.0",
        "Be kind.",
        "- no other annotations than those of this task may be used",
        "whether anybody is in two parts was not checked",
    ):
        assert line in readme
    assert "Labels of test" not in readme


def test_the_pack_is_what_this_package_reads(sources: PackSources, tmp_path: Path, va: Track) -> None:
    pack(tmp_path / "va.zip", va, sources)
    folder = unpacked(tmp_path / "va.zip", tmp_path / "out")
    track = load_track(folder / "abaw6-va.toml")
    assert track == va
    given = read_labels(sources.train, va)
    for name in ("train.csv", "train.parquet"):
        again = read_labels(folder / name, track)
        assert again.items.to_list() == given.items.to_list()
        assert again.frame["valence"].to_list() == [0.1, None, 0.3, 0.5]
    wanted = read_wanted(folder / "test.csv", track)
    assert wanted.items.to_list() == read_wanted(folder / "template.csv", track).items.to_list()
    assert wanted.items.to_list() == read_wanted(folder / "test.parquet", track).items.to_list()
    with pytest.raises(InputError, match="an empty cell in 2 rows: line 2, 3"):
        check(folder / "template.csv", track, wanted=wanted)
    filled = (folder / "template.csv").read_text().replace(",,", ",0.5,0.5")
    (tmp_path / "p.csv").write_text(filled)
    assert check(tmp_path / "p.csv", track, wanted=wanted).values.tolist() == [[0.5, 0.5]] * 2


def test_no_label_of_the_test_is_in_any_byte(sources: PackSources, tmp_path: Path, va: Track, write: Write) -> None:
    rows = "".join(f"v4/{n:05d}.jpg,{','.join(CANARIES)},secret-person\n" for n in (1, 2))
    table = write("test.csv", f"image_location,valence,arousal,subject\n{rows}")
    frame = pl.read_csv(table, schema_overrides={"valence": pl.Float64, "arousal": pl.Float64})
    frame.write_parquet(tmp_path / "test.parquet")
    for number, test in enumerate((sources.test, table, tmp_path / "test.parquet")):
        pack(tmp_path / f"{number}.zip", va, replace(sources, test=test))
        raw = (tmp_path / f"{number}.zip").read_bytes()
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            members = [archive.read(name) for name in archive.namelist()]
            names = " ".join(archive.namelist())
            tables = [
                pl.read_parquet(io.BytesIO(archive.read(name)))
                for name in archive.namelist()
                if name.endswith(".parquet")
            ]
        needles = [needle.encode() for needle in (*CANARIES, "617283945", "secret-person")]
        needles += [struct.pack(form, float(text)) for text in CANARIES for form in ("<d", ">d", "<f", ">f")]
        for content in (raw, names.encode(), *members, *(one.write_csv().encode() for one in tables)):
            assert not [needle for needle in needles if needle in content]
        assert [one.columns for one in tables if "v4/00001.jpg" in one.to_series(0)] == [["image_location"]]
    # A label that is there would be found: those of the validation are.
    assert any(b"0.125" in content for content in members)
    assert any(struct.pack("<d", 0.125) in one.to_series(1).to_numpy().tobytes() for one in tables if one.width > 1)


def test_the_same_input_gives_the_same_bytes(sources: PackSources, tmp_path: Path, va: Track, write: Write) -> None:
    write("crops/deep/v1/00001.png", b"one")
    features = write("features/v1.npy", b"array").parent
    whole = replace(sources, crops=tmp_path / "crops", features=(features,))
    first = pack(tmp_path / "a.zip", va, whole)
    for path in (tmp_path / "crops").rglob("*"):
        os.utime(path, (1e9, 1e9))
    assert pack(tmp_path / "b.zip", va, whole).digest == first.digest
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    folder = unpacked(tmp_path / "a.zip", tmp_path / "out")
    assert (folder / "crops/v1/00001.png").read_bytes() == b"one"  # named by its key, not by where it lay
    assert (folder / "features/v1.npy").read_bytes() == b"array"
    assert "6 items without a crop" in first.notes


@pytest.mark.parametrize("kind", ["label", "one-hot", "indicator", "value"])
def test_items_of_each_coding(kind: str, write: Write, tmp_path: Path) -> None:
    track, sources = items_of(kind, write)
    packed = pack(tmp_path / "items.zip", track, sources, PackOptions(columns=("subject",)))
    assert packed.notes == ()  # all people are known, and none is in two parts
    folder = unpacked(tmp_path / "items.zip", tmp_path / "out")
    given, again = read_labels(sources.train, track), read_labels(folder / "train.csv", track)
    parts = given.targets["label"].columns
    assert again.frame.select(parts).equals(given.frame.select(parts))
    assert again.frame["subject"].to_list() == ["ap0", "ap1", "ap0"]
    assert submission_frame(given, track).columns == ["id", *track.columns]
    assert (folder / "test.csv").read_text() == "id\nc0\nc1\nc2\n"
    with pytest.raises(InputError, match="an empty cell in 3 rows"):
        check(folder / "template.csv", track)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    told = {
        "label": "anger 1; happiness 0",
        "one-hot": "sadness 1",
        "indicator": "AU1 1 of 2",
        "value": "admiration mean 0.05",
    }
    assert told[kind] in readme
    assert "| test | 3 | not told | not known | 2 |" in readme


def test_parts_without_any_label(write: Write, tmp_path: Path) -> None:
    track, sources = items_of("value", write)
    empty = write("train.csv", ",".join(("id", *track.columns)) + "\nz,,,,,,\n")
    pack(tmp_path / "p.zip", track, replace(sources, train=empty))
    readme = (unpacked(tmp_path / "p.zip", tmp_path / "out") / "README.md").read_text(encoding="utf-8")
    assert "| train | 1 | 0 | not known | not known |" in readme
    assert "Labels of train: admiration none;" in readme


def test_phases_and_terms_stand_in_the_readme(write: Write, tmp_path: Path) -> None:
    track, sources = items_of("label", write)
    values = plain(track) | {
        "description": "",
        "phases": [{"name": "test", "opens": "2027-03-01T00:00:00Z", "closes": None}],
        "use": {"pretraining": "any", "annotations": "", "text": ["One rule."]},
    }
    pack(tmp_path / "p.zip", parse_track(values), replace(sources, crops="https://example.org/crops.zip"))
    folder = unpacked(tmp_path / "p.zip", tmp_path / "out")
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert "- phase test: from 2027-03-01T00:00:00+00:00" in readme
    assert "- pictures, called as the items: https://example.org/crops.zip" in readme
    assert "Not stated by the organisers" in readme
    assert load_track(folder / "label.toml").phases[0].closes is None


def test_who_is_in_two_parts_is_told(sources: PackSources, tmp_path: Path, va: Track, write: Write) -> None:
    same = replace(sources, validation=sources.train)
    with pytest.raises(InputError, match=r"4 items both in train and in validation: 'v1/00001.jpg'"):
        pack(tmp_path / "p.zip", va, same)
    write("validation/v2_right.txt", "valence,arousal\n0,0\n")  # the other person of a recording of training
    with pytest.raises(InputError, match="1 recording both in train and in validation: 'v2'"):
        pack(tmp_path / "p.zip", va, sources)
    assert not list(tmp_path.glob("*.zip"))


def test_people_in_two_parts_may_be_let_pass(write: Write, tmp_path: Path) -> None:
    track, sources = items_of("label", write)
    test = write("list.txt", "id,subject\nc0,ap1\nc1,bp0\nc2,cp0\n")
    shared = replace(sources, test=test)
    with pytest.raises(InputError, match=r"1 subject both in train and in test: 'ap1'\n.*--allow-shared-subjects"):
        pack(tmp_path / "p.zip", track, shared)
    packed = pack(tmp_path / "p.zip", track, shared, PackOptions(allow_shared_subjects=True))
    assert packed.notes == (
        "1 subject both in train and in test, as was allowed",
        "1 subject both in validation and in test, as was allowed",
    )


def test_clips_that_are_one_number_are_one_item(write: Write, tmp_path: Path) -> None:
    emi = load_track("abaw6-emi")
    head = ",".join((emi.file.item, *emi.columns)) + "\n"
    rows = {name: write(f"{name}.csv", f"{head}{key},0,0,0,0,0,0\n") for name, key in (("a", "0007"), ("b", "8"))}
    with pytest.raises(InputError, match="1 item both in train and in test: '7'"):
        pack(tmp_path / "p.zip", emi, PackSources(write("t.csv", "Filename\n7.mp4\n"), rows["a"], rows["b"]))


def test_a_text_list_of_frames_is_no_annotation_of_a_video(
    sources: PackSources, tmp_path: Path, va: Track, write: Write
) -> None:
    listed = write("list.txt", '"image_location"\nv4/1.jpg\nv4/2.jpg\n')
    assert pack(tmp_path / "a.zip", va, replace(sources, test=listed)).items["test"] == 2
    one = pack(tmp_path / "b.zip", va, replace(sources, test=sources.test / "v4.txt"))
    assert one.digest == hashlib.sha256((tmp_path / "b.zip").read_bytes()).hexdigest()
    assert one.items["test"] == 2
    with pytest.raises(MissingPathError):
        pack(tmp_path / "c.zip", va, replace(sources, test=tmp_path / "gone.txt"))


def test_crops_of_items_under_their_keys(write: Write, tmp_path: Path) -> None:
    track, sources = items_of("label", write)
    for name in ("anger/a0.jpg", "sadness/a1.PNG", "b0.jpg", "other.jpg", "notes.txt", "._a2.jpg"):
        write(f"crops/{name}", name.encode())
    packed = pack(tmp_path / "p.zip", track, replace(sources, crops=tmp_path / "crops"))
    assert packed.notes == ("1 picture of no item left out", "6 items without a crop")
    folder = unpacked(tmp_path / "p.zip", tmp_path / "out")
    assert sorted(path.name for path in (folder / "crops").iterdir()) == ["a0.jpg", "a1.png", "b0.jpg"]
    write("crops/again/a0.jpg", b"")
    with pytest.raises(InputError, match=r"two crops of one item: .*a0\.jpg and .*a0\.jpg"):
        pack(tmp_path / "p.zip", track, replace(sources, crops=tmp_path / "crops"))
    with pytest.raises(InputError, match="no crop among 1 picture is of an item"):
        pack(tmp_path / "p.zip", track, replace(sources, crops=write("others/x.jpg", b"").parent))
    with pytest.raises(MissingPathError, match="folder"):
        pack(tmp_path / "p.zip", track, replace(sources, crops=tmp_path / "gone"))


def test_a_track_without_labels_to_learn_from(write: Write, tmp_path: Path) -> None:
    """C-EXPR-DB as released: frames to be predicted, and nothing else."""
    for n in (1, 2):
        write(f"crops/v/{n:05d}.jpg", b"")
    listed = write("test.txt", "image_location\nv/00001.jpg\nv/00002.jpg\n")
    ce = load_track("abaw6-ce")
    packed = pack(tmp_path / "p.zip", ce, PackSources(listed, crops=tmp_path / "crops"))
    assert packed.items == {"test": 2}
    assert packed.notes == ("who is seen is not known in test: whether anybody is in two parts was not checked",)
    folder = unpacked(tmp_path / "p.zip", tmp_path / "out")
    assert {path.name for path in folder.iterdir()} == {
        *("README.md", "SHA256SUMS", "abaw6-ce.toml", "crops", "template.csv", "test.csv", "test.parquet")
    }
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert "train.csv" not in readme
    assert "challenge score" not in readme


def test_several_pictures_of_an_item(write: Write, tmp_path: Path) -> None:
    """Faces of clips: a folder a clip, a picture a moment; a moment may be called as another clip is."""
    emi = load_track("abaw6-emi")
    listed = write("test.csv", "Filename\n00001\n00002\n")
    for name in ("00001/00001.jpg", "00001/00002.jpg", "00002/00001.jpg", "00003/00001.jpg", "00001/anger.jpg"):
        write(f"faces/{name}", name.encode())
    packed = pack(tmp_path / "p.zip", emi, PackSources(listed, crops=tmp_path / "faces"))
    folder = unpacked(tmp_path / "p.zip", tmp_path / "out") / "crops"
    found = {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in folder.rglob("*.jpg")}
    assert found == {
        "00001/00001.jpg": "00001/00001.jpg",
        "00001/00002.jpg": "00001/00002.jpg",
        "00002/00001.jpg": "00002/00001.jpg",
    }
    assert "2 pictures of no item left out" in packed.notes


def test_crops_of_every_item_leave_no_note(write: Write, tmp_path: Path) -> None:
    track, sources = items_of("label", write)
    for name in (f"{front}{n}" for front in "abc" for n in range(3)):
        write(f"crops/{name}.jpg", b"")
    assert pack(tmp_path / "p.zip", track, replace(sources, crops=tmp_path / "crops")).notes == ()


def test_pictures_that_are_no_frames(sources: PackSources, tmp_path: Path, va: Track, write: Write) -> None:
    for name in ("v1/00001.jpg", "v1/cover.jpg", "v1/2.webp", "9.jpg"):
        write(f"crops/{name}", b"")
    packed = pack(tmp_path / "p.zip", va, replace(sources, crops=tmp_path / "crops"))
    assert packed.notes[1:] == ("3 pictures of no item left out", "6 items without a crop")


def test_features_from_several_folders(write: Write, tmp_path: Path) -> None:
    track, sources = items_of("label", write)
    audio, vision = write("audio/a0.npy", b"1").parent, write("vision/a0.csv", b"id,x1,x2\n").parent
    write("vision/b.parquet", _parquet(x=[1.0]))
    write("vision/readme.doc", b"")
    packed = pack(tmp_path / "p.zip", track, replace(sources, features=(audio, vision)))
    assert packed.notes == ("1 file beside features left out: 'readme.doc'",)
    folder = unpacked(tmp_path / "p.zip", tmp_path / "out")
    assert (folder / "features/audio/a0.npy").is_file()
    assert (folder / "features/vision/b.parquet").is_file()
    with pytest.raises(InputError, match="two folders of features called 'audio'"):
        pack(tmp_path / "p.zip", track, replace(sources, features=(audio, write("deep/audio/a0.npy", b"").parent)))
    with pytest.raises(InputError, match="no feature file"):
        pack(tmp_path / "p.zip", track, replace(sources, features=(write("none/x.doc", b"").parent,)))


def _parquet(**columns: list[float]) -> bytes:
    stored = io.BytesIO()
    pl.DataFrame(columns).write_parquet(stored)
    return stored.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("x.csv", b"id;Emotion\n", "a column 'emotion', which is what is predicted"),
        ("x.txt", "\ufeffid\tlabel\n".encode(), "a column 'label'"),
        ("x.parquet", _parquet(anger=[1.0]), "a column 'anger'"),
        ("x.parquet", b"no", "not a Parquet file"),
        ("test_labels.npy", b"", "a feature file called 'test_labels.npy'"),
        ("Annotations.h5", b"", "another name, if it holds no labels"),
    ],
)
def test_labels_among_features_are_refused(name: str, content: bytes, fault: str, write: Write, tmp_path: Path) -> None:
    track, sources = items_of("label", write)
    with pytest.raises(InputError, match=fault):
        pack(tmp_path / "p.zip", track, replace(sources, features=(write(f"features/{name}", content).parent,)))


def test_what_is_refused(sources: PackSources, write: Write, tmp_path: Path, va: Track) -> None:
    with pytest.raises(InputError, match=r"a file that ends in \.zip"):
        pack(tmp_path / "p.tar", va, sources)
    with pytest.raises(MissingPathError, match="rules"):
        pack(tmp_path / "p.zip", va, replace(sources, rules=tmp_path / "gone.md"))
    for column in ("age", "valence", "item"):
        with pytest.raises(UnknownNameError, match=f"column of the labels '{column}'"):
            pack(tmp_path / "p.zip", va, sources, PackOptions(columns=(column,)))
    track, items = items_of("label", write)
    with pytest.raises(InputError, match="a path that has a backslash"):
        pack(tmp_path / "p.zip", track, replace(items, features=(write("odd/a\\b.npy", b"").parent,)))


def test_a_folder_with_links_instead_of_copies(sources: PackSources, tmp_path: Path, va: Track, write: Write) -> None:
    crop, feature = write("crops/v1/00001.jpg", b"one"), write("features/v1.npy", b"array")
    whole = replace(sources, crops=tmp_path / "crops", features=(feature.parent,))
    zipped = pack(tmp_path / "va.zip", va, whole)
    folder = pack(tmp_path / "va", va, whole)
    assert (folder.files, folder.items, folder.notes) == (zipped.files, zipped.items, zipped.notes)
    inside = unpacked(tmp_path / "va.zip", tmp_path / "out")
    names = {path.relative_to(inside).as_posix() for path in inside.rglob("*") if path.is_file()}
    assert names == {
        path.relative_to(tmp_path / "va").as_posix() for path in (tmp_path / "va").rglob("*") if path.is_file()
    }
    assert all((inside / name).read_bytes() == (tmp_path / "va" / name).read_bytes() for name in names)
    assert (tmp_path / "va/crops/v1/00001.jpg").stat().st_ino == crop.stat().st_ino
    assert folder.digest == hashlib.sha256((inside / "SHA256SUMS").read_bytes()).hexdigest()
    with pytest.raises(InputError, match="something is there already"):
        pack(tmp_path / "va", va, whole)


def test_copies_where_no_link_can_be_made(
    sources: PackSources, tmp_path: Path, va: Track, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("crops/v1/00001.jpg", b"one")
    whole = replace(sources, crops=tmp_path / "crops")
    faults = {"far": errno.EXDEV, "full": errno.ENOSPC}
    for name, number in faults.items():
        monkeypatch.setattr(os, "link", _failing(number))
        if name == "far":
            pack(tmp_path / name, va, whole)
            assert (tmp_path / name / "crops/v1/00001.jpg").read_bytes() == b"one"
        else:
            with pytest.raises(WriteError, match="the disk is full"):
                pack(tmp_path / name, va, whole)
            assert not [path for path in tmp_path.iterdir() if "full" in path.name]


def _failing(number: int) -> Callable[..., None]:
    def link(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return link


def test_what_a_killed_process_left_of_a_folder_is_deleted(sources: PackSources, tmp_path: Path, va: Track) -> None:
    if not Path("/proc/self").exists():
        pytest.skip("which processes run is told by /proc here")
    run = subprocess.Popen([sys.executable, "-c", ""])
    run.wait()
    left = tmp_path / f".va.{run.pid}.partial"
    left.mkdir()
    (left / "half.csv").write_text("")
    pack(tmp_path / "va", va, sources)
    assert not left.exists()


SLOW = """
import sys, time
from pathlib import Path
from affectcheck.challenges.catalogue import load_track
from affectcheck.challenges.pack import PackOptions, PackSources, pack
folder = Path(sys.argv[1])
slow = lambda done, total: (print(done, flush=True), time.sleep(0.2))
sources = PackSources(folder / "test", folder / "train", folder / "validation")
pack(folder / "p.zip", load_track("abaw6-va"), sources, PackOptions(progress=slow))
"""


@pytest.mark.slow
def test_a_pack_that_is_killed_leaves_nothing_half_written(sources: PackSources, tmp_path: Path, va: Track) -> None:
    if not Path("/proc/self").exists():
        pytest.skip("which processes run is told by /proc here")
    run = subprocess.Popen([sys.executable, "-c", SLOW, str(tmp_path)], stdout=subprocess.PIPE)
    assert run.stdout is not None
    run.stdout.readline()
    time.sleep(0.1)
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    run.stdout.close()
    assert not (tmp_path / "p.zip").exists()
    assert len(list(tmp_path.glob(".p.*.partial.zip"))) == 1
    living = tmp_path / f".p.{os.getppid()}.partial.zip"  # of a process that still runs
    living.write_bytes(b"")
    (tmp_path / ".p.x.partial.zip").write_bytes(b"")  # somebody's own
    whole = pack(tmp_path / "p.zip", va, replace(sources, rules=None))
    assert sorted(tmp_path.glob(".p.*.partial.zip")) == sorted([living, tmp_path / ".p.x.partial.zip"])
    assert whole.digest == hashlib.sha256((tmp_path / "p.zip").read_bytes()).hexdigest()


def test_an_error_while_writing_leaves_nothing(sources: PackSources, tmp_path: Path, va: Track) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pack(tmp_path / "p.zip", va, sources, PackOptions(progress=stop))
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".zip"]
