"""As much of PyTorch and timm as the adapters of pictures ask for, where neither is installed."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pytest

MOVED: list[str] = []


class Tensor:
    """As much of a tensor as is asked for."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def detach(self) -> Tensor:
        return self

    cpu = float = detach

    def to(self, device: str) -> Tensor:
        MOVED.append(device)
        return self

    def numpy(self) -> np.ndarray:
        return self.values


FAILURE = """The following operation failed in the TorchScript interpreter.
Traceback of TorchScript, serialized code (most recent call last):
  File "code/__torch__.py", line 18, in forward
RuntimeError: expected input[1, 1, 4, 4] to have 3 channels, but got 1 channels instead

"""


class Means:
    """A network that returns the mean of each channel, wrapped in one way or another."""

    def __init__(self, how: str) -> None:
        self.how = how

    def eval(self) -> Means:
        return self

    def to(self, device: str) -> Means:
        MOVED.append(device)
        return self

    def __call__(self, given: Tensor | None = None, **named: Tensor) -> Any:
        given = given or named["pixel_values"]
        found = Tensor(given.values.mean(axis=(2, 3)))
        ways = {"plain": found, "tuple": (found, "more"), "mapping": {"logits": found}, "object": None}
        ways |= {"heads": (Tensor(found.values[:, :1]), Tensor(found.values[:, 1:2]), Tensor(found.values))}
        if self.how == "fails":
            raise RuntimeError(FAILURE)
        return ways[self.how] or SimpleNamespace(logits=found)


def put_in_place(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Stand-ins of torch and timm; what they are asked for."""
    MOVED.clear()
    told: dict[str, Any] = {"how": "plain", "moved": MOVED}

    def load(path: str, map_location: str) -> Means:
        if told.get("broken"):
            raise RuntimeError("PytorchStreamReader failed\nmore")
        told["loaded"] = (path, map_location)
        return Means(told["how"])

    def create(name: str, **options: Any) -> Means:
        if name == "none":
            raise RuntimeError("Unknown model (none)")
        told["made"] = (name, options)
        return Means(told["how"])

    torch, timm = ModuleType("torch"), ModuleType("timm")
    torch.jit = SimpleNamespace(load=load)  # type: ignore[attr-defined]  # modules take any attribute
    torch.as_tensor = Tensor  # type: ignore[attr-defined]  # as above
    torch.inference_mode = nullcontext  # type: ignore[attr-defined]  # as above
    torch.set_num_threads = lambda count: told.update(threads=count)  # type: ignore[attr-defined]  # as above
    timm.create_model = create  # type: ignore[attr-defined]  # as above
    timm.is_model = lambda name: name != "none"  # type: ignore[attr-defined]  # as above
    timm.list_models = lambda: ["resnet18", "nones"]  # type: ignore[attr-defined]  # as above
    timm.get_pretrained_cfg = lambda name, **_: told.get("defaults")  # type: ignore[attr-defined]  # as above
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "timm", timm)
    return told
