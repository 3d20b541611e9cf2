"""Which of a network's outputs is taken, with a stand-in for tensors."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.models.network_outputs import chosen_output


class Tensor:
    def __init__(self, *values: float) -> None:
        self.values = np.array([values])

    def detach(self) -> Tensor:
        return self

    cpu = float = detach

    def numpy(self) -> np.ndarray:
        return self.values


HEADS = (Tensor(1), Tensor(2), Tensor(3, 4), "more")
NAMED = {"valence": Tensor(1), "arousal": Tensor(2), "logits": Tensor(3, 4)}


@pytest.mark.parametrize(
    ("returned", "stated", "parts", "found"),
    [
        (Tensor(1, 2), "", 2, [1, 2]),
        (Tensor(1, 2), "0", 2, [1, 2]),
        ([Tensor(1, 2)], "", 3, [1, 2]),
        (HEADS, "", 2, [3, 4]),
        (HEADS, "0,1", 2, [1, 2]),
        (HEADS, "1", 1, [2]),
        (NAMED, "", 1, [3, 4]),
        (NAMED, "arousal,valence", 2, [2, 1]),
        (SimpleNamespace(logits=Tensor(5), items=NAMED.items), "", 1, [5]),
        (SimpleNamespace(logits=Tensor(5), items=NAMED.items), "valence", 1, [1]),
    ],
)
def test_what_is_taken(returned: Any, stated: str, parts: int, found: list[float]) -> None:
    assert chosen_output(returned, stated, parts, where="m").ravel().tolist() == found


@pytest.mark.parametrize(
    ("stated", "parts", "told"),
    [
        ("", 1, "returns 3 outputs, 2 of them with 1 numbers"),
        ("", 7, r"0 of them with 7 numbers: 0 of shape \(1, 1\)"),
        ("3", 1, "no output '3'"),
        ("0,x", 2, "no output 'x'"),
    ],
)
def test_what_is_not_clear(stated: str, parts: int, told: str) -> None:
    with pytest.raises(InputError, match=told):
        chosen_output(HEADS, stated, parts, where="m")
