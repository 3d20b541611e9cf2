"""What databases call the sets of the protocol."""

from __future__ import annotations

import pytest

from affectcheck.partitions.set_names import default_names, meant

PROTOCOL = ("train", "validation", "test")


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        ("train", PROTOCOL, "train"),
        (" Test ", PROTOCOL, "test"),
        ("dev", PROTOCOL, "validation"),
        ("VALID", PROTOCOL, "validation"),
        ("training", PROTOCOL, "train"),
        ("dev", ("train", "dev"), "dev"),
        ("DEV", ("train", "Dev"), "Dev"),
        ("dev", ("Train", "Validation", "Test"), "Validation"),
        ("fold 1", PROTOCOL, "fold 1"),
        ("eval", ("a", "b"), "test"),
    ],
)
def test_a_set_is_understood(name: str, known: tuple[str, ...], found: str) -> None:
    assert meant(name, known) == found


def test_sets_without_names() -> None:
    assert default_names(3) == PROTOCOL
    assert default_names(5)[-1] == "set-5"
