"""Networks of PyTorch, by a stand-in of the library where it is not installed."""

from __future__ import annotations

import json
import pickle
import sys
from contextlib import nullcontext
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.errors import AffectcheckError, ExtraMissingError, MissingPathError, ModelError
from affectcheck.media.clip import Image, Item
from affectcheck.models import load_model

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("cv2")


class Tensor:
    """As much of a tensor as is asked for."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def detach(self) -> Tensor:
        return self

    cpu = float = detach

    def numpy(self) -> np.ndarray:
        return self.values


class Means:
    """A network that returns the mean of each channel, wrapped in one way or another."""

    def __init__(self, how: str) -> None:
        self.how = how

    def eval(self) -> Means:
        return self

    def __call__(self, given: Tensor | None = None, **named: Tensor) -> Any:
        given = given or named["pixel_values"]
        found = Tensor(given.values.mean(axis=(2, 3)))
        ways = {"plain": found, "tuple": (found, "more"), "mapping": {"logits": found}, "object": None}
        return ways[self.how] or SimpleNamespace(logits=found)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Stand-ins of torch and timm; what they were asked for."""
    told: dict[str, Any] = {"how": "plain"}

    def load(path: str, map_location: str) -> Means:
        if told.get("broken"):
            raise RuntimeError("PytorchStreamReader failed\nmore")
        told["loaded"] = (path, map_location)
        return Means(told["how"])

    def create(name: str, **options: Any) -> Means:
        if name == "none":
            raise RuntimeError("Unknown model (none)")
        told["made"] = (name, options)
        return Means(told["how"])

    torch, timm = ModuleType("torch"), ModuleType("timm")
    torch.jit = SimpleNamespace(load=load)  # type: ignore[attr-defined]  # modules take any attribute
    torch.as_tensor = Tensor  # type: ignore[attr-defined]  # as above
    torch.inference_mode = nullcontext  # type: ignore[attr-defined]  # as above
    torch.set_num_threads = lambda count: told.update(threads=count)  # type: ignore[attr-defined]  # as above
    timm.create_model = create  # type: ignore[attr-defined]  # as above
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "timm", timm)
    return told


def item() -> Item:
    return Item("a", {"image": Image(np.full((6, 6, 3), (255, 51, 0), np.uint8))})


@pytest.mark.parametrize("how", ["plain", "tuple", "mapping", "object"])
def test_a_file_of_torchscript(how: str, tmp_path: Path, fake: dict[str, Any]) -> None:
    fake["how"] = how
    (tmp_path / "net.pt").write_bytes(b"x")
    model = load_model(f"torchscript:{tmp_path / 'net.pt'}?labels=a,b,c&size=4&threads=2")
    assert (model.card.name, model.card.output, model.card.media) == ("net", "logit", ("image",))
    assert fake["loaded"] == (str(tmp_path / "net.pt"), "cpu")
    assert fake["threads"] == 2
    assert model.predict([item()])[0].tolist() == pytest.approx([1, 0.2, 0])
    assert pickle.loads(pickle.dumps(model)).predict([item()]).shape == (1, 3)


def test_units_and_an_activation(tmp_path: Path, fake: dict[str, Any]) -> None:
    (tmp_path / "net.pt").write_bytes(b"x")
    model = load_model(f"torchscript:{tmp_path / 'net.pt'}?units=AU1,AU2,AU4&size=4&activation=sigmoid&channels=bgr")
    assert model.predict([item()])[0].tolist() == pytest.approx([0.5, 1 / (1 + np.exp(-0.2)), 1 / (1 + np.exp(-1))])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("labels=a,b,c", "size of the pictures"),
        ("size=4", "what the model returns is not declared"),
        ("labels=a,b,c&size=4&rate_hz=8000", "unknown option 'rate_hz'"),
        ("labels=a,b,c&size=4&activation=sigmoid", "a sigmoid of classes"),
    ],
)
def test_what_is_not_declared(options: str, told: str, tmp_path: Path, fake: dict[str, Any]) -> None:
    (tmp_path / "net.pt").write_bytes(b"x")
    with pytest.raises(AffectcheckError, match=told):
        load_model(f"torchscript:{tmp_path / 'net.pt'}?{options}")


def test_what_cannot_be_loaded(tmp_path: Path, fake: dict[str, Any]) -> None:
    with pytest.raises(MissingPathError, match="TorchScript file"):
        load_model(f"torchscript:{tmp_path / 'net.pt'}?labels=a&size=4")
    (tmp_path / "net.pt").write_bytes(b"x")
    fake["broken"] = True
    with pytest.raises(ModelError, match="not a TorchScript network") as caught:
        load_model(f"torchscript:{tmp_path / 'net.pt'}?labels=a,b&size=4")
    assert caught.value.cause == "PytorchStreamReader failed"


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    (tmp_path / "net.pt").write_bytes(b"x")
    with pytest.raises(ExtraMissingError, match="PyTorch models"):
        load_model(f"torchscript:{tmp_path / 'net.pt'}?labels=a,b&size=4")


def folder(path: Path, **config: object) -> Path:
    path.mkdir(exist_ok=True)
    (path / "model.safetensors").write_bytes(b"weights")
    (path / "config.json").write_text(json.dumps(config))
    return path


CFG = {"input_size": [3, 8, 8], "mean": [0.5, 0.5, 0.5], "std": [0.5, 0.25, 0.5], "crop_pct": 0.5}


def test_a_folder_of_timm(tmp_path: Path, fake: dict[str, Any]) -> None:
    place = folder(tmp_path / "net", architecture="resnet18", label_names=["a", "b", "c"], pretrained_cfg=CFG)
    model = load_model(f"timm:{place}")
    assert (model.card.name, model.card.parts, model.card.output) == ("net", ("a", "b", "c"), "logit")
    assert fake["made"] == (
        "resnet18",
        {"pretrained": False, "num_classes": 3, "checkpoint_path": str(place / "model.safetensors")},
    )
    assert model.predict([item()])[0].tolist() == pytest.approx([1, -1.2, -1])
    assert "timm's resnet18; pictures: whole, the middle 0.5, 8×8 pixels" in model.card.notes[0]


def test_what_is_stated_goes_before_what_the_folder_says(tmp_path: Path, fake: dict[str, Any]) -> None:
    place = folder(tmp_path / "net", architecture="resnet18", pretrained_cfg=CFG)
    model = load_model(f"timm:{place}?dimensions=x,y,z&mean=0&std=1&size=4&fit=stretch")
    assert model.predict([item()])[0].tolist() == pytest.approx([1, 0.2, 0])


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "not JSON"),
        ("{}", "names no architecture"),
        (
            '{"architecture": "none", "label_names": ["a", "b"], "pretrained_cfg": {"input_size": [3, 4, 4]}}',
            "Unknown model",
        ),
        ('{"architecture": "resnet18"}', "is not declared"),
        ('{"architecture": "resnet18", "pretrained_cfg": {"input_size": 4}}', "is not what timm writes"),
        ('{"architecture": "resnet18", "pretrained_cfg": [4]}', "is not what timm writes"),
    ],
)
def test_folders_that_are_none(content: str, told: str, tmp_path: Path, fake: dict[str, Any]) -> None:
    place = folder(tmp_path / "net")
    (place / "config.json").write_text(content)
    with pytest.raises(AffectcheckError, match=told):
        load_model(f"timm:{place}")


def test_files_that_are_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake: dict[str, Any]) -> None:
    with pytest.raises(MissingPathError, match="nothing is downloaded"):
        load_model("timm:resnet18")
    place = folder(tmp_path / "net", architecture="resnet18", label_names=["a", "b"], pretrained_cfg=CFG)
    monkeypatch.setitem(sys.modules, "timm", None)
    with pytest.raises(ExtraMissingError, match="timm"):
        load_model(f"timm:{place}")
    (place / "model.safetensors").unlink()
    with pytest.raises(MissingPathError, match="weights of timm"):
        load_model(f"timm:{place}")
