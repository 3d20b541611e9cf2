"""Tiny ONNX graphs of sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

YAML = """$audonnx.core.model.Model==0.3.2:
  path: model.onnx
  labels:
    logits:
    - arousal
    - dominance
    - valence
  transform: null
"""


def write_graph(
    path: Path, *, shape: Sequence[int | str] = (1, "time"), kind: int = 1, weights: Sequence[float] = (1.0, 2.0, 3.0)
) -> Path:
    """Input ``signal``; outputs ``hidden_states`` (mean square of the clip) and ``logits`` (that times the weights)."""
    from onnx import TensorProto, checker, helper, save

    numbers = helper.make_tensor("weights", kind, [1, len(weights)], list(weights))
    nodes = [
        helper.make_node("Mul", ["signal", "signal"], ["squares"]),
        helper.make_node("ReduceMean", ["squares"], ["mean"], axes=[len(shape) - 1], keepdims=1),
        helper.make_node("Reshape", ["mean", "one"], ["hidden_states"]),
        helper.make_node("Mul", ["hidden_states", "weights"], ["logits"]),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("signal", kind, list(shape))],
        [
            helper.make_tensor_value_info("hidden_states", kind, [1, 1]),
            helper.make_tensor_value_info("logits", kind, [1, len(weights)]),
        ],
        [numbers, helper.make_tensor("one", TensorProto.INT64, [2], [1, 1])],
    )
    model: Any = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    checker.check_model(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    save(model, str(path))
    return path
