"""Codes of faults: each is raised by a file that has the fault, and the table, the code and the documents agree."""

from __future__ import annotations

import ast
import gzip
import io
import json
import pickle
import re
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import polars as pl
import pytest

import affectcheck
from affectcheck.challenges.catalogue import load_track, parse_track
from affectcheck.challenges.checking import check
from affectcheck.challenges.fault_codes import CHECK_CODES, CODES, INTAKE_CODES, coded, fault_plain
from affectcheck.challenges.intake import RefusalCode
from affectcheck.challenges.limits import MIB, Limits
from affectcheck.challenges.track import plain
from affectcheck.challenges.wanted import Wanted
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from affectcheck.challenges.track import Track

HEAD = "image_location,valence,arousal\n"
ROW = "a/00001.jpg,0.1,-0.2\n"
VA = load_track("abaw6-va")
AU = load_track("abaw6-au")
EXPR = load_track("abaw6-expr")
NAMED = parse_track(plain(VA) | {"file": plain(VA)["file"] | {"names": ["predictions.txt"], "by_video": False}})
LABELS = parse_track(
    {
        "format": 1,
        "name": "emotions",
        "title": "Emotions",
        "scheme": "expressions-4",
        "metric": "uar",
        "file": {"item": "id", "coding": "label", "columns": ["emotion"]},
    }
)
SMALL = Limits(upload=4 * MIB, unpacked=2 * MIB, members=3, rows=3)


def packed(*files: tuple[str, str | bytes], mode: int = 0) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            info = zipfile.ZipInfo(name)
            info.external_attr, info.compress_type = mode << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return target.getvalue()


def huge_name() -> bytes:
    """A tar whose first header announces a name of two megabytes."""
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 2 * MIB
    return info.tobuf(tarfile.USTAR_FORMAT) + bytes(2 * MIB)


def tar_of(*files: tuple[str, bytes]) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return target.getvalue()


def parquet(**columns: list[object]) -> bytes:
    target = io.BytesIO()
    pl.DataFrame(columns).write_parquet(target)
    return target.getvalue()


@dataclass(frozen=True)
class Sample:
    """A file with a fault."""

    code: str
    content: str | bytes | None
    name: str = "p.csv"
    track: Track = VA
    wanted: tuple[str, ...] = ()
    limits: Limits = SMALL


EXPR_HEAD = "image_location,Neutral,Anger,Disgust,Fear,Happiness,Sadness,Surprise,Other\n"
AU_HEAD = "image_location,AU1,AU2,AU4,AU6,AU7,AU10,AU12,AU15,AU23,AU24,AU25,AU26\n"
SAMPLES = (
    Sample("E_NO_FILE", None),
    Sample("E_TOO_LARGE", b"x" * (4 * MIB + 1)),
    Sample("E_TOO_LARGE", packed(("a.csv", bytes(range(256)) * 4 * 4096)), limits=Limits(unpacked=MIB, ratio=2000)),
    Sample(
        "E_TOO_LARGE",
        parquet(image_location=["k" * 4000 + "/1.jpg"] * 300, valence=[0.0] * 300, arousal=[0.0] * 300),
        limits=Limits(unpacked=MIB),
    ),
    Sample("E_ARCHIVE_FORMAT", b"Rar!\x1a\x07"),
    Sample("E_ARCHIVE_DAMAGED", packed(("a.csv", HEAD + ROW))[:40]),
    Sample("E_ARCHIVE_DAMAGED", gzip.compress(tar_of(("a.csv", b"0" * 9999)))[:-20]),
    Sample("E_TOO_MANY_FILES", packed(*((f"{place}.csv", ROW) for place in range(4)))),
    Sample("E_TOO_MANY_FILES", packed(*(("x" * 200 + f"{place}.csv", ROW) for place in range(9)))),
    Sample("E_ARCHIVE_PATH", packed(("../p.csv", HEAD + ROW))),
    Sample("E_ARCHIVE_PATH", packed(("p.csv", HEAD), ("P.csv", HEAD))),
    Sample("E_ARCHIVE_PATH", packed(("", HEAD + ROW))),
    Sample("E_ARCHIVE_MEMBER", packed(("p.csv", "/etc/passwd"), mode=0o120777)),
    Sample("E_ARCHIVE_BOMB", packed(("p.csv", b"0\n" * MIB)), limits=Limits()),
    Sample("E_ARCHIVE_BOMB", huge_name()),
    Sample("E_ARCHIVE_NESTED", packed(("p.zip", packed(("p.csv", HEAD + ROW))))),
    Sample("E_ARCHIVE_EMPTY", packed()),
    Sample("E_NO_TABLE", "x", "p.json"),
    Sample("E_WRONG_NAME", HEAD + ROW, "p.csv", NAMED),
    Sample("E_SEVERAL_TABLES", packed(("a.csv", HEAD + ROW), ("b.csv", HEAD + ROW)), track=LABELS),
    Sample("E_REPEATED_VIDEO", packed(("x/a.txt", "valence,arousal\n0,0\n"), ("y/a.txt", "valence,arousal\n0,0\n"))),
    Sample("E_ENCODING", HEAD.encode() + b"\xe4/00001.jpg,0,0\n"),
    Sample("E_ENCODING", HEAD + "a\0,0,0\n"),
    Sample("E_EMPTY", ""),
    Sample("E_EMPTY", HEAD),
    Sample("E_EMPTY", "valence,arousal\n", "a.txt"),
    Sample("E_LONG_LINE", HEAD + "x" * 5000),
    Sample("E_LONG_LINE", parquet(image_location=["a/1.jpg", "k" * 5000], valence=[0.0] * 2, arousal=[0.0] * 2)),
    Sample("E_TOO_MANY_ROWS", HEAD + ROW * 4),
    Sample("E_TOO_MANY_ROWS", parquet(image_location=["a/1.jpg"] * 4, valence=[0.0] * 4, arousal=[0.0] * 4)),
    Sample("E_WRONG_COLUMNS", "image_location,valence\na/00001.jpg,0\n"),
    Sample("E_WRONG_COLUMNS", "0.1,0.2,0.3\n0.1,0.2,0.3\n"),
    Sample("E_WRONG_COLUMNS", "valence,arousl\n0,0\n", "a.txt"),
    Sample("E_WRONG_COLUMNS", "Neutral,Angre\n0\n", "a.txt", EXPR),
    Sample("E_BROKEN_TABLE", HEAD + "a/00001.jpg,0\n"),
    Sample("E_BROKEN_TABLE", HEAD + '"a/00001.jpg,0,0\n'),
    Sample("E_BROKEN_TABLE", "valence,arousal\n0,0,0\n", "a.txt"),
    Sample("E_BROKEN_TABLE", "valence,arousal\n0,0\n\n0,0\n", "a.txt"),
    Sample("E_DAMAGED_TABLE", b"PAR1PAR1", "p.parquet"),
    Sample("E_WRONG_TYPE", parquet(image_location=["a/1.jpg"], valence=["0"], arousal=[0.0]), "p.parquet"),
    Sample("E_EMPTY_CELL", HEAD + "a/00001.jpg,0,\n"),
    Sample("E_EMPTY_CELL", "valence,arousal\n-5,0\n", "a.txt"),
    Sample("E_NOT_A_NUMBER", HEAD + "a/00001.jpg,0,x\n"),
    Sample("E_NOT_A_NUMBER", "valence,arousal\n0,x\n", "a.txt"),
    Sample("E_NOT_FINITE", parquet(image_location=["a/1.jpg"], valence=[float("nan")], arousal=[0.0]), "p.parquet"),
    Sample("E_OUT_OF_RANGE", HEAD + "a/00001.jpg,0,1.5\n"),
    Sample("E_OUT_OF_RANGE", "valence,arousal\n0,1.5\n", "a.txt"),
    Sample("E_OUT_OF_RANGE", EXPR_HEAD + "a/1.jpg,8\n", track=EXPR),
    Sample("E_NOT_BINARY", AU_HEAD + "a/1.jpg" + ",0.5" * 12, track=AU),
    Sample("E_NOT_ONE_HOT", EXPR_HEAD + "a/1.jpg" + ",0" * 8, track=EXPR),
    Sample("E_UNKNOWN_CLASS", "id,emotion\nu1,hapy\n", track=LABELS),
    Sample("E_WRONG_KEYS", HEAD + "a.jpg,0,0\n"),
    Sample("E_FIRST_FRAME", HEAD + "a/00000.jpg,0,0\n"),
    Sample("E_PERSONS", HEAD + ROW, wanted=("a_left/00001.jpg", "a_right/00001.jpg")),
    Sample("E_REPEATED_KEYS", HEAD + ROW + ROW),
    Sample("E_REPEATED_KEYS", HEAD + ROW + ROW, wanted=("a/00001.jpg", "a/00002.jpg")),
    Sample("E_REPEATED_KEYS", "id,emotion\nu1,sad\nu1,joy\n", track=LABELS, wanted=("u1",)),
    Sample("E_MISSING_FRAMES", HEAD + ROW, wanted=("a/00001.jpg", "b/00001.jpg")),
    Sample("E_MISSING_ITEMS", "id,emotion\nu1,sad\n", track=LABELS, wanted=("u1", "u2")),
    Sample("E_UNKNOWN_KEYS", "id,emotion\nu1,sad\nu2,sad\n", track=LABELS, wanted=("u1",)),
    Sample("E_UNKNOWN_KEYS", HEAD + ROW + "b/00001.jpg,0,0\n", wanted=("a/00001.jpg",)),
    Sample("E_BLANKS_IN_KEYS", "id,emotion\n u1,sad\n", track=LABELS, wanted=("u1",)),
)


def fault_of(sample: Sample, folder: Path) -> InputError:
    path = folder / sample.name
    if sample.content is not None:
        path.write_bytes(sample.content if isinstance(sample.content, bytes) else sample.content.encode())
    first = 1 if sample.track.file.unit == "frame" else None
    wanted = Wanted(pl.Series("item", sample.wanted), first, "list") if sample.wanted else None
    with pytest.raises(InputError) as caught:
        check(path, sample.track, wanted=wanted, limits=sample.limits)
    return caught.value


@pytest.mark.parametrize("sample", SAMPLES, ids=[f"{sample.code}-{place}" for place, sample in enumerate(SAMPLES)])
def test_a_fault_has_its_code(sample: Sample, tmp_path: Path) -> None:
    error = fault_of(sample, tmp_path)
    assert error.code == sample.code, error
    assert pickle.loads(pickle.dumps(error)).code == sample.code


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_parquet_file_at_which_polars_panics_is_damaged(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = iter(range(9))
    method = "collect_schema" if at == 0 else "collect"
    real = getattr(pl.LazyFrame, method)

    def panicking(*arguments: object, **options: object) -> object:
        if next(calls) == max(at - 1, 0):
            raise pl.exceptions.PanicException("assertion failed: offset + length <= self.length" + "x" * 999)
        return real(*arguments, **options)

    monkeypatch.setattr(pl.LazyFrame, method, panicking)
    content = parquet(image_location=["a/1.jpg"], valence=[0.0], arousal=[0.0])
    error = fault_of(Sample("E_DAMAGED_TABLE", content, "p.parquet"), tmp_path)
    assert error.code == "E_DAMAGED_TABLE"
    assert "assertion failed" in error.what
    assert len(error.what) < 300


def test_every_code_of_the_check_has_a_file() -> None:
    assert {sample.code for sample in SAMPLES} | {"E_INVALID"} == set(CHECK_CODES)
    assert set(get_args(RefusalCode)) | {"E_DECLARATION", "E_NAME"} == set(INTAKE_CODES)
    assert set(CODES) == set(CHECK_CODES) | set(INTAKE_CODES)


def test_the_table_holds_what_the_code_raises_and_nothing_else() -> None:
    root = Path(affectcheck.__file__).parent
    used = set()
    for room in ("challenges", "annotations"):
        for path in (root / room).rglob("*.py"):
            if path.name != "fault_codes.py":
                tree = ast.parse(path.read_text(encoding="utf-8"))
                texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
                used |= {text for text in texts if isinstance(text, str) and re.fullmatch(r"E_[A-Z_]+", text)}
    assert used == set(CODES)


def test_the_documents_list_every_code_as_the_table_does() -> None:
    path = Path(__file__).parents[2] / "docs" / "challenges.md"
    rows = dict(re.findall(r"^\| `(E_[A-Z_]+)` \| (.+) \|$", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert rows == dict(CODES)


def test_every_fault_of_the_check_is_coded_and_told_to_machines(tmp_path: Path) -> None:
    error = fault_of(Sample("E_OUT_OF_RANGE", HEAD + "a/00001.jpg,0,1.5\n"), tmp_path)
    assert json.loads(json.dumps(fault_plain(error))) == {
        "code": "E_OUT_OF_RANGE",
        "what": "a number out of range in 1 row: line 2",
        "where": "p.csv:2",
        "expected": "-1 to 1",
        "cause": "",
    }
    assert fault_plain(InputError("odd"))["code"] == "E_INVALID"


def test_a_code_is_not_overwritten() -> None:
    with pytest.raises(InputError) as caught, coded("E_INVALID"), coded("E_NAME"):
        raise InputError("odd")
    assert caught.value.code == "E_NAME"
    with pytest.raises(ZeroDivisionError), coded("E_NAME"):
        raise ZeroDivisionError


LONG = "k" * 3000


@pytest.mark.parametrize(
    "sample",
    [
        Sample(
            "E_MISSING_FRAMES", HEAD + "".join(f"{LONG}{n}/1.jpg,0,0\n" for n in range(99)), wanted=("a/00001.jpg",)
        ),
        Sample("E_REPEATED_KEYS", HEAD + f"{LONG}/1.jpg,0,0\n" * 30),
        Sample("E_FIRST_FRAME", HEAD + f"{LONG}/0.jpg,0,0\n" * 30),
        Sample("E_WRONG_KEYS", HEAD + f"{LONG},0,0\n" * 30),
        Sample("E_PERSONS", HEAD + f"{LONG}/1.jpg,0,0\n", wanted=(f"{LONG}_left/00001.jpg",)),
        Sample("E_NOT_A_NUMBER", HEAD + f"a/1.jpg,0,{LONG}\n"),
        Sample("E_NOT_A_NUMBER", f"valence,arousal\n0,{LONG}\n", "a.txt"),
        Sample("E_WRONG_COLUMNS", f"valence,{LONG}\n0,0\n", "a.txt"),
        Sample("E_WRONG_COLUMNS", f"Neutral,{LONG}\n0\n", "a.txt", EXPR),
        Sample("E_WRONG_COLUMNS", f"image_location,{LONG}\n0,0\n"),
        Sample("E_WRONG_COLUMNS", ",".join(f"c{n}" for n in range(700)) + "\n0\n"),
        Sample("E_WRONG_COLUMNS", f"image_location;{LONG}\n0;0\n"),
        Sample("E_WRONG_COLUMNS", ",".join("1" for _ in range(1000)) + "\n0\n", "a.txt", EXPR),
        Sample("E_UNKNOWN_CLASS", f"id,emotion\nu1,{LONG}\n", track=LABELS),
        Sample("E_MISSING_ITEMS", f"id,emotion\n{LONG},sad\n", track=LABELS, wanted=(LONG.upper(),)),
        Sample("E_ARCHIVE_PATH", packed((LONG, HEAD + ROW))),
        Sample("E_WRONG_NAME", HEAD + ROW, "k" * 240 + ".csv", NAMED),
    ],
    ids=lambda sample: f"{sample.code}-{sample.name[:9]}",
)
def test_long_names_and_many_of_them_are_cut(sample: Sample, tmp_path: Path) -> None:
    error = fault_of(Sample(sample.code, sample.content, sample.name, sample.track, sample.wanted, Limits()), tmp_path)
    assert error.code == sample.code
    assert len(str(error)) < 6000
    assert "k" * 400 not in str(error)
