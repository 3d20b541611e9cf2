"""Files as PyTorch writes them, made without it: an archive, and one pickle after another."""

from __future__ import annotations

import io
import pickle
import struct
import sys
import types
import zipfile
from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np

KINDS = {"<f4": "FloatStorage", "<f8": "DoubleStorage", "<f2": "HalfStorage", "<i8": "LongStorage"}


class _Saved:
    """A tensor that is pickled as PyTorch pickles one."""

    def __init__(self, key: str, values: np.ndarray) -> None:
        self.key, self.values = key, values

    def __reduce__(self) -> Any:
        strides = tuple(step // self.values.itemsize for step in self.values.strides)
        rebuild = sys.modules["torch._utils"]._rebuild_tensor_v2
        return rebuild, (_Numbers(self), 0, self.values.shape, strides, False, OrderedDict())


class _Numbers:
    def __init__(self, tensor: _Saved) -> None:
        self.tensor = tensor


class _Pickler(pickle.Pickler):
    def persistent_id(self, thing: Any) -> Any:
        if not isinstance(thing, _Numbers):
            return None
        values = thing.tensor.values
        kind = getattr(sys.modules["torch"], KINDS[values.dtype.str])
        return ("storage", kind, thing.tensor.key, "cpu", values.size)


@contextmanager
def _torch_names() -> Iterator[None]:
    """Modules of PyTorch's names, with what its pickles refer to."""
    kept = {name: sys.modules.get(name) for name in ("torch", "torch._utils")}
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
    for name in KINDS.values():
        setattr(torch, name, type(name, (), {"__module__": "torch"}))

    def _rebuild_tensor_v2() -> None:
        """Only its name is written."""

    _rebuild_tensor_v2.__module__, _rebuild_tensor_v2.__qualname__ = "torch._utils", "_rebuild_tensor_v2"
    utils._rebuild_tensor_v2 = _rebuild_tensor_v2  # type: ignore[attr-defined]
    sys.modules.update({"torch": torch, "torch._utils": utils})
    try:
        yield
    finally:
        for name, module in kept.items():
            sys.modules.pop(name)
            if module is not None:
                sys.modules[name] = module


def archive(tensors: Mapping[str, np.ndarray], *, wrap: str = "") -> bytes:
    """As ``torch.save`` writes since PyTorch 1.6."""
    saved = {name: _Saved(str(place), values) for place, (name, values) in enumerate(tensors.items())}
    out, index = io.BytesIO(), io.BytesIO()
    with _torch_names():
        _Pickler(index, protocol=2).dump({wrap: OrderedDict(saved), "epoch": 3} if wrap else OrderedDict(saved))
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("archive/data.pkl", index.getvalue())
        for one in saved.values():
            file.writestr(f"archive/data/{one.key}", one.values.tobytes("A"))
        file.writestr("archive/version", "3\n")
    return out.getvalue()


def pickles(tensors: Mapping[str, np.ndarray]) -> bytes:
    """As ``torch.save`` wrote before."""
    saved = {name: _Saved(str(1000 + place), values) for place, (name, values) in enumerate(tensors.items())}
    out = io.BytesIO()
    with _torch_names():
        for part in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}):
            pickle.dump(part, out, protocol=2)
        _Pickler(out, protocol=2).dump(OrderedDict(saved))
        pickle.dump([one.key for one in saved.values()], out, protocol=2)
    for one in saved.values():
        out.write(struct.pack("<q", one.values.size) + one.values.tobytes("A"))
    return out.getvalue()
