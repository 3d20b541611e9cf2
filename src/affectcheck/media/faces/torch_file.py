"""Tensors from the files that PyTorch saves, read without PyTorch and without running what a pickle may hold.

Both forms are read: a ZIP archive (PyTorch 1.6 and later), and one pickle after another with the numbers behind them.
Of a pickle only what builds tensors is let through: dictionaries, numbers, text, and the storages of numbers.
"""

from __future__ import annotations

import io
import math
import pickle
import struct
import zipfile
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import numpy as np

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

_MAGIC: Final = 0x1950A86A20F9469CFC6C  # first pickle of the older form
_PROTOCOL: Final = 1001
_TYPES: Final = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ShortStorage": "<i2",
    "CharStorage": "<i1",
    "ByteStorage": "<u1",
    "BoolStorage": "?",
}


@dataclass(eq=False)
class _Storage:
    """Numbers that tensors are views of; those of the older form come after the pickle."""

    kind: np.dtype[Any]
    count: int
    values: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class _Tensor:
    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def array(self) -> np.ndarray:
        """A copy of its numbers.

        Raises:
            ValueError: it reaches beyond its storage, or repeats numbers without end.
        """
        values = self.storage.values
        if values is None:
            raise ValueError("a tensor without numbers")
        lengths = [(length - 1) * stride for length, stride in zip(self.shape, self.strides, strict=True)]
        if self.offset < 0 or any(length < 0 for length in lengths) or self.offset + sum(lengths) >= len(values):
            raise ValueError("a tensor beyond its numbers")
        if math.prod(self.shape) > len(values):  # steps of 0 make any size out of one number
            raise ValueError("a tensor of more numbers than there are")
        strides = tuple(stride * values.itemsize for stride in self.strides)
        return np.lib.stride_tricks.as_strided(values[self.offset :], self.shape, strides).copy()


def read_tensors(content: bytes, *, where: str = "") -> dict[str, np.ndarray]:
    """Tensors by name, from the content of a file that ``torch.save`` wrote of a state dictionary.

    What data-parallel training puts before each name, ``module.``, is left out; a dictionary that holds the weights
    as ``state_dict`` or ``model`` is opened.

    Raises:
        InputError: the file is no such file, is damaged, or holds more than tensors.
    """
    try:
        loaded = _from_archive(content) if content.startswith(b"PK") else _from_pickles(io.BytesIO(content))
        for name in ("state_dict", "model"):
            loaded = loaded[name] if isinstance(loaded.get(name), dict) else loaded
        tensors = {name: tensor.array() for name, tensor in loaded.items() if isinstance(tensor, _Tensor)}
    except InputError as error:
        error.where = where
        raise
    except Exception as error:  # a damaged pickle raises anything
        raise InputError(
            "not a file of weights that PyTorch has saved",
            where=where,
            expected="a file that torch.save has written of a state dictionary",
            cause=f"another kind of file, or a damaged one ({type(error).__name__})",
        ) from error
    return {name.removeprefix("module."): values for name, values in tensors.items()}


class _Reader(pickle.Unpickler):
    """A reader of pickles that knows tensors only."""

    def __init__(self, file: BinaryIO, storage: Callable[[str, _Storage], _Storage]) -> None:
        super().__init__(file, encoding="utf-8")
        self._storage = storage

    def find_class(self, module: str, name: str) -> Any:
        if module == "torch" and name in _TYPES:
            return np.dtype(_TYPES[name])
        known = {
            ("collections", "OrderedDict"): OrderedDict,
            ("torch._utils", "_rebuild_tensor_v2"): _tensor,
            ("torch._utils", "_rebuild_parameter"): _parameter,
        }
        if (module, name) not in known:
            raise InputError(
                f"more than tensors: the file refers to {module}.{name}",
                expected="a state dictionary: torch.save(model.state_dict(), FILE)",
                cause="a whole model was saved, or the file is not what it is taken for; nothing of it was run",
            )
        return known[module, name]

    def persistent_load(self, reference: Any) -> _Storage:
        _, kind, key, _, count = reference[:5]
        return self._storage(str(key), _Storage(kind, int(count)))


def _tensor(storage: _Storage, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], *_: object) -> _Tensor:
    return _Tensor(storage, offset, tuple(shape), tuple(strides))


def _parameter(tensor: _Tensor, *_: object) -> _Tensor:
    return tensor


def _from_archive(content: bytes) -> Any:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        (index,) = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        folder = index.removesuffix("data.pkl") + "data/"

        def storage(key: str, empty: _Storage) -> _Storage:
            empty.values = np.frombuffer(archive.read(folder + key), empty.kind)
            return empty

        with archive.open(index) as file:
            return _Reader(io.BytesIO(file.read()), storage).load()


def _from_pickles(file: BinaryIO) -> Any:
    storages: dict[str, _Storage] = {}

    def read() -> Any:
        return _Reader(file, storages.setdefault).load()

    if read() != _MAGIC or read() != _PROTOCOL:
        raise ValueError("not the file's first numbers")
    read()  # on which machine it was written
    loaded = read()
    for key in read():
        (count,) = struct.unpack("<q", file.read(8))
        one = storages[str(key)]
        one.values = np.frombuffer(file.read(count * one.kind.itemsize), one.kind)
        if len(one.values) != count:
            raise ValueError("broken off")
    return loaded
