"""T18: what a team's own check says of a file, the portal says of it too, and with the same words."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affectcheck.challenges import Limits, plain, read_wanted, write_wanted
from affectcheck.cli import app as program
from affectcheck.server.work.child import answer
from portal_scene import MOODS, item_names, moods_track

if TYPE_CHECKING:
    from collections.abc import Iterator

COUNT = 8
NAMES = item_names(COUNT)
KEYS = st.one_of(
    st.sampled_from([*NAMES, "007", "NA", "nan", "", " item-0000", "ITEM-0001", "item-0001 "]), st.text(max_size=5)
)
CELLS = st.one_of(
    st.sampled_from([*MOODS, "Calm", " glad", "", "0", "nan", '"calm"', "=1+1", "<b>"]), st.text(max_size=5)
)
HEADERS = st.sampled_from(
    [
        "item,mood",
        "item,mood",
        "item,mood",
        "Item,Mood",
        "mood,item",
        "item;mood",
        "item",
        "item,mood,mood",
        "item,mood,x",
        "",
    ]
)
ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n"])
ENCODINGS = st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252"])
FILE_NAMES = st.sampled_from(["p.csv", "p.txt", "p.CSV", "p.zip", "p", "p.pkl"])


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """A right table, with a change here and there."""
    rows = [[name, draw(st.sampled_from(MOODS))] for name in NAMES]
    for _ in range(draw(st.integers(0, 2))):
        row = draw(st.integers(0, len(rows) - 1)) if rows else 0
        match draw(st.sampled_from(["key", "cell", "drop", "twice", "longer", "shuffle"])):
            case "key":
                rows[row][0] = draw(KEYS)
            case "cell":
                rows[row][1] = draw(CELLS)
            case "drop":
                del rows[row]
            case "twice":
                rows.append(list(rows[row]))
            case "longer":
                rows[row] = [*rows[row], "more"]
            case _:
                rows = draw(st.permutations(rows))
    end = draw(ENDS)
    text = end.join([draw(HEADERS), *(",".join(row) for row in rows)]) + draw(st.sampled_from(["", end]))
    return text.encode(draw(ENCODINGS), "replace")


@st.composite
def zips(draw: st.DrawFn) -> bytes:
    """Tables in an archive, beside other files."""
    import io
    import zipfile

    kept = io.BytesIO()
    members = draw(st.sampled_from(["p.csv", "a/p.csv", "../p.csv", "__MACOSX/._p.csv", "p.txt", "P.csv"]))
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(members, draw(tables()))
        if draw(st.booleans()):
            archive.writestr(draw(st.sampled_from(["README.md", "q.csv", ".DS_Store", "in.zip"])), b"x")
    data = kept.getvalue()
    return data[: draw(st.integers(0, len(data)))] if draw(st.integers(0, 9)) == 0 else data


FILES = st.one_of(tables(), tables(), zips(), st.binary(max_size=60))


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A track and a list of items, as an organiser gives them out."""
    from affectcheck.annotations.toml_text import toml_text

    with tempfile.TemporaryDirectory(prefix="affectcheck-") as name:
        folder = Path(name)
        (folder / "faces.toml").write_text(toml_text(plain(moods_track())))
        (folder / "items.csv").write_text("item\n" + "".join(f"{one}\n" for one in NAMES))
        write_wanted(read_wanted(folder / "items.csv", moods_track()), folder / "items.parquet")
        yield folder


def _by_the_portal(place: Path, name: str, data: bytes) -> tuple[bool, str]:
    """What the child of a worker answers to the request of a worker."""
    upload = place / "upload"
    upload.write_bytes(data)
    said: list[dict[str, Any]] = []
    request = {
        "kind": "check",
        "track": plain(moods_track()),
        "upload": str(upload),
        "name": name,
        "items": str(place / "items.parquet"),
        "predictions": str(place / "predictions.parquet"),
        "upload_limits": asdict(Limits()),
        "paths": {str(upload): name, str(place / "items.parquet"): "the list"},
    }
    answer(request, lambda one: said.append(dict(one)))
    if "result" in said[-1]:
        return True, str(said[-1]["result"]["rows"])
    assert "fault" in said[-1], said[-1]
    return False, said[-1]["fault"]["what"]


def _by_the_team(place: Path, name: str, data: bytes, capsys: pytest.CaptureFixture[str]) -> tuple[bool, str]:
    """What ``affectcheck challenge check`` says."""
    with tempfile.TemporaryDirectory(prefix="affectcheck-") as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        words = [
            "challenge",
            "check",
            str(path),
            "--track",
            str(place / "faces.toml"),
            "--items",
            str(place / "items.csv"),
        ]
        capsys.readouterr()
        code = program.run([*words, "--json"])
        told = capsys.readouterr()
        if code == 0:
            return True, str(json.loads(told.out)["items"] if "items" in told.out else COUNT)
        assert code == 2, told.err
        return False, told.err.replace(folder + "/", "")


def _agree(place: Path, name: str, data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    ours, what = _by_the_portal(place, name, data)
    theirs, told = _by_the_team(place, name, data, capsys)
    assert ours is theirs, (what, told)
    if not ours:
        assert what.splitlines()[0] in told


QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=50, deadline=None, suppress_health_check=QUIET, derandomize=True, database=None)
@given(name=FILE_NAMES, data=FILES)
def test_t18_team_and_portal_say_the_same_of_50_files(
    place: Path, capsys: pytest.CaptureFixture[str], name: str, data: bytes
) -> None:
    _agree(place, name, data, capsys)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=QUIET, derandomize=True, database=None)
@given(name=FILE_NAMES, data=FILES)
def test_t18_team_and_portal_say_the_same_of_1000_files(
    place: Path, capsys: pytest.CaptureFixture[str], name: str, data: bytes
) -> None:
    _agree(place, name, data, capsys)


def test_t18_both_take_what_is_right(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Else they might agree by refusing all."""
    data = ("item,mood\n" + "".join(f"{name},calm\n" for name in NAMES)).encode()
    assert _by_the_portal(place, "p.csv", data)[0]
    assert _by_the_team(place, "p.csv", data, capsys)[0]
