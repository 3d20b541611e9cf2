"""PyTorch's files read without it: both forms, every type, and nothing run of what a pickle may hold."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.media.faces.torch_file import _Storage, _Tensor, read_tensors
from media.faces.torch_files import archive, pickles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Writer = Callable[[Mapping[str, np.ndarray]], bytes]

TENSORS = {
    "body.weight": np.arange(24, dtype="<f4").reshape(2, 3, 4),
    "body.transposed": np.asfortranarray(np.arange(6, dtype="<f8").reshape(2, 3)),
    "half": np.array([0.5, -2], "<f2"),
    "num_batches_tracked": np.array(7, "<i8"),
}
both = pytest.mark.parametrize("write", [archive, pickles])


@both
def test_tensors_are_what_was_saved(write: Writer) -> None:
    found = read_tensors(write(TENSORS))
    assert list(found) == list(TENSORS)
    for name, values in TENSORS.items():
        assert found[name].dtype == values.dtype
        np.testing.assert_array_equal(found[name], values)
        assert found[name].flags.writeable


@both
def test_what_parallel_training_puts_before_names_is_left_out(write: Writer) -> None:
    assert list(read_tensors(write({"module.body.weight": TENSORS["half"]}))) == ["body.weight"]


@pytest.mark.parametrize("wrap", ["state_dict", "model"])
def test_weights_within_a_checkpoint_are_found(wrap: str) -> None:
    assert list(read_tensors(archive(TENSORS, wrap=wrap))) == list(TENSORS)


class Harmful:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (f"touch {self.path}",)


def test_nothing_is_run(tmp_path: Path) -> None:
    path = tmp_path / "harm"
    with pytest.raises(InputError, match=r"more than tensors: the file refers to \w+\.system") as raised:
        read_tensors(pickle.dumps(Harmful(path)), where="weights.pth")
    assert str(raised.value).startswith("weights.pth: ")
    assert not path.exists()


@both
@pytest.mark.parametrize("share", [0.2, 0.6, 0.99])
def test_files_that_are_broken_off_are_told(write: Writer, share: float) -> None:
    content = write(TENSORS)
    with pytest.raises(InputError, match="not a file of weights"):
        read_tensors(content[: int(len(content) * share)])


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04", pickle.dumps({"a": 1}), pickle.dumps([1, 2])])
def test_other_files_are_told(content: bytes) -> None:
    with pytest.raises(InputError, match="not a file of weights"):
        read_tensors(content)


def test_a_tensor_that_repeats_its_numbers_without_end_is_told() -> None:
    """Steps of 0 make a tensor of any size out of one number: this one would fill the memory."""
    one = _Tensor(_Storage(np.dtype("<f4"), 1, np.zeros(1, "<f4")), 0, (1 << 40,), (0,))
    with pytest.raises(ValueError, match="more numbers than there are"):
        one.array()


def test_tensors_beyond_their_numbers_are_told() -> None:
    short, long = (zipfile.ZipFile(io.BytesIO(archive({"weight": np.zeros(count, "<f4")}))) for count in (4, 8))
    out = io.BytesIO()
    with short, long, zipfile.ZipFile(out, "w") as file:
        file.writestr("archive/data.pkl", long.read("archive/data.pkl"))
        file.writestr("archive/data/0", short.read("archive/data/0"))
    with pytest.raises(InputError, match="not a file of weights"):
        read_tensors(out.getvalue())
