"""T5: every bomb is refused by the real child within 2 s of a processor and 200 MB, and writes nothing anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from affectcheck.challenges import Limits, plain
from portal_bombs import BOMBS, GOOD, ITEMS, NAMES, member, table, two_members
from portal_scene import item_names, moods_track

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_S, MOST_MB = 2.0, 200


#: Between the test and the child, since a process is held to have taken at least what its parent did when it was begun.
MEASURED = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-P", "-m", "affectcheck.server.work.child"])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


class Ended(NamedTuple):
    """What a child said, and what it took."""

    said: Mapping[str, Any]
    seconds: float
    megabytes: float


@pytest.fixture(scope="session")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from affectcheck.challenges import read_wanted, write_wanted

    folder = tmp_path_factory.mktemp("items")
    (folder / "items.csv").write_text("item\n" + "".join(f"{name}\n" for name in item_names(ITEMS)))
    write_wanted(read_wanted(folder / "items.csv", moods_track()), folder / "items.parquet")
    return folder / "items.parquet"


def _check(tmp_path: Path, listed: Path, name: str, data: bytes) -> Ended:
    """The child that a worker starts, with the request of a worker; what it took is asked of the system."""
    upload = tmp_path / "0123"  # as it lies among the uploads: by digest, without an ending
    upload.write_bytes(data)
    request = {
        "kind": "check",
        "track": plain(moods_track()),
        "upload": str(upload),
        "name": name,
        "items": str(listed),
        "predictions": str(tmp_path / "predictions.parquet"),
        "upload_limits": asdict(Limits()),
        "limits": {"seconds": 60, "memory": 4 << 30},
        "paths": {str(upload): name, str(listed): "the list of items"},
    }
    child = subprocess.Popen(
        [sys.executable, "-c", MEASURED],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "POLARS_MAX_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        },
    )
    child.stdin.write(json.dumps(request).encode() + b"\n")
    child.stdin.flush()
    lines = child.stdout.readlines()
    child.stdin.close()
    child.stdout.close()
    child.wait()
    seconds, kilobytes = map(float, lines[-1].split())
    return Ended(json.loads(lines[-2]), seconds, kilobytes / 1000)


def _refused(tmp_path: Path, listed: Path, name: str, data: bytes) -> Mapping[str, str]:
    before = set(tmp_path.rglob("*")) | {tmp_path / "0123"}
    ended = _check(tmp_path, listed, name, data)
    assert "fault" in ended.said, ended.said
    assert ended.seconds < MOST_S, f"{ended.seconds} s"
    assert ended.megabytes < MOST_MB, f"{ended.megabytes} MB"
    assert set(tmp_path.rglob("*")) == before
    fault = ended.said["fault"]
    assert fault["code"].startswith("E_")
    assert str(tmp_path) not in json.dumps(fault)
    return fault


def test_t5_a_right_file_passes_and_costs_little(tmp_path: Path, listed: Path) -> None:
    ended = _check(tmp_path, listed, "x.csv", GOOD.encode())
    assert ended.said["result"]["rows"] == ITEMS
    assert ended.megabytes < MOST_MB


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_t5_a_bomb_is_refused(tmp_path: Path, listed: Path, name: str) -> None:
    file_name, make = BOMBS[name]
    _refused(tmp_path, listed, file_name, make())
    assert not Path("/tmp/affectcheck-was-here").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_t5_a_member_s_name_leads_nowhere(tmp_path: Path, listed: Path, name: str) -> None:
    """Taken from within or refused; in neither case is anything written under the name."""
    data = member(NAMES[name])
    before = set(tmp_path.rglob("*")) | {tmp_path / "0123", tmp_path / "predictions.parquet"}
    ended = _check(tmp_path, listed, "x.zip", data)
    assert "fault" in ended.said, ended.said
    assert set(tmp_path.rglob("*")) <= before
    assert not list(tmp_path.parent.rglob("evil*"))


@pytest.mark.slow
def test_t5_names_that_differ_in_case_alone_are_refused(tmp_path: Path, listed: Path) -> None:
    _refused(tmp_path, listed, "x.zip", two_members("a.csv", "A.csv"))


CELLS = {
    "a number": "1",
    "nan": "nan",
    "a script": "<script>alert(1)</script>",
    "ten thousand letters": "x" * 10_000,
    "nothing": "",
    "a formula": "=cmd|' /C calc'!A0",
    "a null": "ca\x00lm",
    "a surrogate": "\ufffd",
    "another class": "furious",
}


@pytest.mark.slow
@pytest.mark.parametrize("cell", CELLS)
def test_t5_a_cell_that_is_no_class_is_refused(tmp_path: Path, listed: Path, cell: str) -> None:
    rows = [f"{name},calm" for name in item_names(ITEMS)]
    fault = _refused(tmp_path, listed, "x.csv", table(*rows[:-1], f"{item_names(ITEMS)[-1]},{CELLS[cell]}"))
    assert len(json.dumps(fault)) < 5000
