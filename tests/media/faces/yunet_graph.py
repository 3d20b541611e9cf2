"""An ONNX graph with the inputs and outputs of YuNet that takes every bright cell of 8 × 8 pixels for a face."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

#: Places of the five points from the corner of their cell, in cells.
POINTS = (-1.0, -0.5, 2.0, -0.4, 0.5, 0.6, -0.8, 1.5, 1.8, 1.6)
#: Width and height of a face in cells.
SIZE = (4.0, 5.0)


def write_yunet(path: Path, side: int) -> Path:
    """For pictures of ``side`` × ``side`` pixels."""
    from onnx import TensorProto, checker, helper, save

    nodes, tensors, outputs = [], [], []
    for stride in (8, 16, 32):
        cells = (side // stride) ** 2
        brightness = 1 / (3 * 255) if stride == 8 else 0.0
        rows = {
            "cls": [brightness] * 3 + [0.0],
            "obj": [brightness] * 3 + [0.0],
            "bbox": [
                [0.0, 0.0, 0.0, 0.5],
                [0.0, 0.0, 0.0, 0.5],
                [0.0, 0.0, 0.0, math.log(SIZE[0])],
                [0.0, 0.0, 0.0, math.log(SIZE[1])],
            ],
            "kps": [[0.0, 0.0, 0.0, value] for value in POINTS],
        }
        nodes.append(
            helper.make_node(
                "AveragePool", ["input"], [f"mean_{stride}"], kernel_shape=[stride] * 2, strides=[stride] * 2
            )
        )
        for kind, stated in rows.items():
            listed: Any = stated if isinstance(stated[0], list) else [stated]
            name = f"{kind}_{stride}"
            tensors += [
                helper.make_tensor(
                    f"w_{name}", TensorProto.FLOAT, [len(listed), 3, 1, 1], [v for row in listed for v in row[:3]]
                ),
                helper.make_tensor(f"b_{name}", TensorProto.FLOAT, [len(listed)], [row[3] for row in listed]),
                helper.make_tensor(f"s_{name}", TensorProto.INT64, [3], [1, cells, len(listed)]),
            ]
            nodes += [
                helper.make_node(
                    "Conv", [f"mean_{stride}", f"w_{name}", f"b_{name}"], [f"c_{name}"], kernel_shape=[1, 1]
                ),
                helper.make_node("Transpose", [f"c_{name}"], [f"t_{name}"], perm=[0, 2, 3, 1]),
                helper.make_node("Reshape", [f"t_{name}", f"s_{name}"], [name]),
            ]
    for kind, width in (("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)):
        outputs += [
            helper.make_tensor_value_info(f"{kind}_{stride}", TensorProto.FLOAT, [1, (side // stride) ** 2, width])
            for stride in (8, 16, 32)
        ]
    graph = helper.make_graph(
        nodes,
        "yunet",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 3, side, side])],
        outputs,
        tensors,
    )
    model: Any = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    checker.check_model(model)
    save(model, str(path))
    return path
