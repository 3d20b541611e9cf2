"""Where networks run: what is not there is told, and nothing runs elsewhere instead."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from affectcheck.errors import ExtraMissingError, InputError
from affectcheck.models.devices import installed, onnx_providers
from affectcheck.models.onnx_session import Running, open_session

if TYPE_CHECKING:
    from pathlib import Path

CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"


def test_what_onnx_runtime_is_told() -> None:
    assert onnx_providers("cpu", list, where="m") == [CPU]
    assert onnx_providers("cuda:1", lambda: [CUDA, CPU], where="m") == [(CUDA, {"device_id": 1}), CPU]


@pytest.mark.parametrize(
    ("device", "told"),
    [("cuda", "an onnxruntime without CUDA"), ("gpu", "cuda:1 and so on"), ("cpu:1", "cpu, cuda"), ("cuda:x", "cuda")],
)
def test_what_is_not_there(device: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        onnx_providers(device, lambda: [CPU], where="m")


def test_a_session_that_falls_back_to_the_processor_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = SimpleNamespace(get_providers=lambda: [CPU])
    runtime = SimpleNamespace(
        get_available_providers=lambda: [CUDA, CPU],
        SessionOptions=SimpleNamespace,
        InferenceSession=lambda *_, **__: session,
    )
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    with pytest.raises(InputError, match="libraries of CUDA that ONNX Runtime cannot load"):
        open_session(tmp_path / "a.onnx", Running(device="cuda"))
    assert open_session(tmp_path / "a.onnx", Running()) is session


def test_a_package_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nowhere", None)
    with pytest.raises(ExtraMissingError, match=r"affectcheck\[timm\]"):
        installed("nowhere", feature="running it", extra="timm")
