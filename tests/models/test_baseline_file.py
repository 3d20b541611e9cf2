from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import InputError, MissingPathError
from affectcheck.models import Baseline, baseline_file

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def saved(trained: Baseline, tmp_path: Path) -> Path:
    path = tmp_path / "m.npz"
    trained.save(path)
    return path


def rewrite(path: Path, **changes: object) -> None:
    """Change arrays, or entries of the header."""
    with np.load(path) as archive:
        arrays = dict(archive)
    header = json.loads(arrays.pop("header").tobytes())
    header |= {name: value for name, value in changes.items() if name not in arrays}
    arrays |= {name: value for name, value in changes.items() if name in arrays}
    np.savez(path, header=np.frombuffer(json.dumps(header).encode(), np.uint8), **arrays)


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        Baseline.load(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="model not found"):
        Baseline.load(tmp_path / "none.npz")


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 cut off", b"\x93NUMPY\x01\x00"])
def test_another_kind_of_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(content)
    assert "not a saved baseline" in refused(path)


def test_an_array_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    with path.open("wb") as file:
        np.save(file, np.ones(3))
    assert "not a saved baseline" in refused(path)


def test_arrays_of_somebody_else(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    np.savez(path, header=np.frombuffer(b"[1]", np.uint8))
    assert "not a saved baseline" in refused(path)
    np.savez(path, header=np.frombuffer(b'{"format": "other"}', np.uint8))
    assert "not a saved baseline" in refused(path)


def test_pickled_objects_are_never_loaded(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    np.savez(path, header=np.array([print], dtype=object))
    assert "not a saved baseline" in refused(path)


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_file_that_was_cut_off(saved: Path, share: float) -> None:
    content = saved.read_bytes()
    saved.write_bytes(content[: int(share * len(content))])
    assert "not a saved baseline" in refused(saved)


def test_a_flipped_bit(saved: Path) -> None:
    content = bytearray(saved.read_bytes())
    content[len(content) // 2] ^= 1
    saved.write_bytes(content)
    refused(saved)


def test_a_newer_version(saved: Path) -> None:
    rewrite(saved, version=99)
    assert "upgrade" in refused(saved)


@pytest.mark.parametrize(
    "changes",
    [{"bias": np.ones(3)}, {"level": "loud"}, {"card": {"colour": "red"}}, {"card": None}, {"arrays": {}}],
    ids=["arrays", "level", "card", "no card", "digests"],
)
def test_a_damaged_file(saved: Path, changes: dict[str, object]) -> None:
    rewrite(saved, **changes)
    assert "damaged" in refused(saved)


def test_arrays_that_do_not_fit_the_card(trained: Baseline, tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    arrays = vars(trained.weights) | {"bias": np.ones(2)}
    baseline_file.write_baseline(path, trained.card, "normalised", arrays)
    assert "damaged" in refused(path)


def test_features_that_have_changed_since(saved: Path) -> None:
    rewrite(saved, features="of another version")
    assert "train it again" in refused(saved)


def test_another_suffix_is_refused(trained: Baseline, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ends in \.npz"):
        trained.save(tmp_path / "m.bin")
