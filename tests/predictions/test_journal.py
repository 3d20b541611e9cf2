"""The journal: what was written whole is found again, whatever happened to the rest."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.predictions.journal import Journal

if TYPE_CHECKING:
    from pathlib import Path


def _filled(path: Path, count: int = 5) -> Journal:
    journal = Journal(path)
    for number in range(count):
        journal.put([{"key": f"k{number}", "values": [number / 3, -0.0, 1e-300]}])
    journal.close()
    return journal


def test_records_are_found_again_with_every_bit(tmp_path: Path) -> None:
    _filled(tmp_path / "a" / "j.jsonl")
    again = Journal(tmp_path / "a" / "j.jsonl")
    assert len(again) == 5
    assert again.get("k1") == {"key": "k1", "values": [1 / 3, -0.0, 1e-300]}
    assert again.get("k9") is None


def test_no_file_is_made_without_records(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    journal.close()
    assert not (tmp_path / "j.jsonl").exists()


def test_every_cut_leaves_the_whole_records_before_it(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    _filled(path, 3)
    data = path.read_bytes()
    ends = [*[index for index in range(len(data)) if data[index : index + 1] == b"\n"][1:], len(data)]
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        assert len(Journal(path)) == sum(end <= cut for end in ends)


def test_a_torn_record_spoils_none_that_follows(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    _filled(path, 3)
    path.write_bytes(path.read_bytes()[:-7])
    journal = Journal(path)
    journal.put([{"key": "after", "values": [1.0]}])
    journal.close()
    again = Journal(path)
    assert again.get("after") == {"key": "after", "values": [1.0]}
    assert again.get("k2") is None
    assert len(again) == 3


@given(st.integers(0, 10_000), st.integers(0, 7))
def test_a_flipped_bit_is_noticed(tmp_path_factory: pytest.TempPathFactory, position: int, bit: int) -> None:
    path = tmp_path_factory.mktemp("flip") / "j.jsonl"
    before = _filled(path, 3)
    data = bytearray(path.read_bytes())
    data[position % len(data)] ^= 1 << bit
    path.write_bytes(bytes(data))
    again = Journal(path)
    assert len(again) >= 1
    assert all(again.get(key) in (None, before.get(key)) for key in ("k0", "k1", "k2"))


def test_two_writers_share_one_file(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    first, second = Journal(path), Journal(path)
    for number in range(20):
        (first if number % 2 else second).put([{"key": str(number), "values": []}])
    first.close()
    second.close()
    assert len(Journal(path)) == 20


def test_a_full_disk_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "j.jsonl"
    _filled(path, 2)
    write = os.write

    def half(file: int, data: bytes) -> int:
        if len(data) < 40:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(InputError, match="No space left") as caught:
        Journal(path).put([{"key": "new", "values": [0.5] * 50}])
    assert "disk is full" in str(caught.value)
    monkeypatch.undo()
    assert len(Journal(path)) == 2
