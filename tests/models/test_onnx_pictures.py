"""ONNX graphs of pictures."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import AffectcheckError, InputError, ModelError
from affectcheck.media.clip import Image, Item
from affectcheck.models import load_model

pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed (extra onnx)")
pytest.importorskip("onnx", reason="onnx, which makes the graphs, is not installed (extra check)")
pytest.importorskip("cv2")

if TYPE_CHECKING:
    from pathlib import Path


def graph(path: Path, shape: tuple[object, ...], *, kind: str = "FLOAT", axes: tuple[int, int] = (2, 3)) -> Path:
    """The mean of each channel, (1, channels)."""
    import onnx
    from onnx import TensorProto, helper

    of = getattr(TensorProto, kind)
    nodes = [
        helper.make_node("Cast", ["picture"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMean", ["numbers", "axes"], ["logits"], keepdims=0),
    ]
    depth = shape[1] if axes == (2, 3) else shape[3]
    made = helper.make_graph(
        nodes,
        "means",
        [helper.make_tensor_value_info("picture", of, shape)],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, (shape[0], depth))],
        [helper.make_tensor("axes", TensorProto.INT64, [2], axes)],
    )
    onnx.save(helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), str(path))
    return path


def item(red: int, green: int, blue: int, *, side: int = 6) -> Item:
    return Item("a", {"image": Image(np.full((side, side, 3), (red, green, blue), np.uint8))})


def test_the_graph_says_size_and_layout(tmp_path: Path) -> None:
    model = load_model(f"onnx:{graph(tmp_path / 'm.onnx', (1, 3, 4, 4))}?labels=a,b,c")
    card = model.card
    assert (card.name, card.kind, card.output, card.media, card.rate_hz) == (
        "m",
        "categories",
        "logit",
        ("image",),
        None,
    )
    assert model.predict([item(255, 51, 0)]).tolist() == [pytest.approx([1.0, 0.2, 0.0])]
    assert model.predict([]).shape == (0, 3)
    assert "4×4 pixels by area, rgb, nchw" in card.notes[0]


def test_channels_last_are_seen_in_the_shape(tmp_path: Path) -> None:
    path = graph(tmp_path / "m.onnx", ("batch", 4, 4, 3), axes=(1, 2))
    model = load_model(f"onnx:{path}?units=AU1,AU2,AU4&activation=sigmoid&channels=bgr&range=0,2")
    assert (model.card.kind, model.card.output) == ("units", "probability")
    found = model.predict([item(255, 0, 0)])[0]
    assert found.tolist() == pytest.approx([0.5, 0.5, 1 / (1 + np.exp(-2))])


def test_bytes_stay_bytes(tmp_path: Path) -> None:
    path = graph(tmp_path / "m.onnx", (1, 3, 4, 4), kind="UINT8")
    found = load_model(f"onnx:{path}?dimensions=x,y,z&high=255").predict([item(255, 17, 3)])
    assert found.tolist() == [[255.0, 17.0, 3.0]]


@pytest.mark.parametrize("way", ["range=0,1", "mean=127.5", "std=58,57,57"])
def test_bytes_are_not_made_other_numbers(way: str, tmp_path: Path) -> None:
    path = graph(tmp_path / "m.onnx", (1, 3, 4, 4), kind="UINT8")
    with pytest.raises(InputError, match="takes whole numbers from 0 to 255"):
        load_model(f"onnx:{path}?dimensions=x,y,z&{way}")


def test_two_heads_stand_side_by_side(tmp_path: Path) -> None:
    import onnx
    from onnx import TensorProto, helper

    made = onnx.load(str(graph(tmp_path / "m.onnx", (1, 3, 4, 4))))
    for name, number in (("arousal", 0), ("valence", 1)):
        start, stop = (helper.make_tensor(f"{name}-{n}", TensorProto.INT64, [1], [n]) for n in (number, number + 1))
        made.graph.initializer.extend([start, stop])
        made.graph.node.append(helper.make_node("Slice", ["logits", start.name, stop.name, "one"], [name]))
        made.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, (1, 1)))
    made.graph.initializer.append(helper.make_tensor("one", TensorProto.INT64, [1], [1]))
    del made.graph.output[0]
    onnx.save(made, str(tmp_path / "heads.onnx"))
    spec = f"onnx:{tmp_path / 'heads.onnx'}?dimensions=valence,arousal"
    with pytest.raises(InputError, match="the graph has 2 outputs"):
        load_model(spec)
    assert load_model(f"{spec}&output_node=valence,arousal").predict([item(255, 51, 0)])[0].tolist() == pytest.approx(
        [0.2, 1]
    )
    with pytest.raises(AffectcheckError, match="unknown output of the graph 'arousl'"):
        load_model(f"{spec}&output_node=valence,arousl")
    with pytest.raises(ModelError, match="has 2 numbers, 3 are named"):
        load_model(f"onnx:{tmp_path / 'heads.onnx'}?labels=a,b,c&output_node=valence,arousal")


def test_free_sides_need_a_size(tmp_path: Path) -> None:
    path = graph(tmp_path / "m.onnx", ("n", 3, "h", "w"))
    with pytest.raises(InputError, match="is not declared"):
        load_model(f"onnx:{path}?labels=a,b,c")
    assert load_model(f"onnx:{path}?labels=a,b,c&size=8x6").predict([item(0, 255, 0)]).tolist() == [[0.0, 1.0, 0.0]]


def test_one_channel_is_grey(tmp_path: Path) -> None:
    path = graph(tmp_path / "m.onnx", (1, 1, 4, 4))
    model = load_model(f"onnx:{path}?dimensions=valence&range=0,255&high=255")
    assert model.predict([item(255, 0, 0)]).tolist() == [[76.0]]


def test_half_precision(tmp_path: Path) -> None:
    path = graph(tmp_path / "m.onnx", (1, 3, 4, 4), kind="FLOAT16")
    assert load_model(f"onnx:{path}?labels=a,b,c").predict([item(255, 0, 255)]).tolist() == [[1.0, 0.0, 1.0]]


def test_what_is_stated_is_part_of_what_predictions_are_kept_under(tmp_path: Path) -> None:
    path = graph(tmp_path / "m.onnx", (1, 3, 4, 4))
    ways = ("", "&mean=0.5", "&channels=bgr", "&fit=centre", "&activation=softmax")
    assert len({load_model(f"onnx:{path}?labels=a,b,c{way}").card.digest for way in ways}) == len(ways)


def test_it_travels_as_its_path(tmp_path: Path) -> None:
    model = load_model(f"onnx:{graph(tmp_path / 'm.onnx', (1, 3, 4, 4))}?labels=a,b,c")
    before = model.predict([item(1, 2, 3)])
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict([item(1, 2, 3)]), before)


@pytest.mark.parametrize(
    ("shape", "stated", "words"),
    [
        ((8, 3, 4, 4), "", "a batch that was fixed"),
        ((1, 5, 4, 4), "", "5 channels"),
        ((1, 3, 4, 4), "&size=8", "height 4, stated is 8"),
        ((1, 3, 4, 4), "&channels=grey", "channels 3, stated is 1"),
        ((1, 3, 4, 4), "&layout=nhwc", "4 channels"),
        ((1, 3, 4, 4), "&rate_hz=8000", "'rate_hz' says nothing of a graph of pictures"),
        ((1, 3, 4, 4), "&activation=sigmoid", "a sigmoid of classes"),
        ((1, 3, 4, 4), "&colour=red", "unknown option"),
    ],
)
def test_what_does_not_fit(tmp_path: Path, shape: tuple[int, ...], stated: str, words: str) -> None:
    path = graph(tmp_path / "m.onnx", shape)
    with pytest.raises(AffectcheckError, match=words):
        load_model(f"onnx:{path}?labels=a,b,c{stated}")


def test_a_number_too_few(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="has 3 numbers, 2 are named"):
        load_model(f"onnx:{graph(tmp_path / 'm.onnx', (1, 3, 4, 4))}?labels=a,b")
