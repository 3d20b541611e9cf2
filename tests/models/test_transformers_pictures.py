"""Image classifiers of the library transformers: what their folders say, and the network by a stand-in."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.errors import AffectcheckError
from affectcheck.media.clip import Image, Item
from affectcheck.models import load_model
from affectcheck.models.transformers_folder import HubFolder
from affectcheck.models.transformers_pictures import of_pictures
from affectcheck.models.transformers_processors import prepared

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("cv2")
VIT = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3, "size": {"height": 8, "width": 6}, "do_resize": True}


def folder(path: Path, preprocessor: dict[str, Any], **config: object) -> Path:
    said = {
        "architectures": ["ViTForImageClassification"],
        "model_type": "vit",
        "id2label": {"0": "a", "1": "b", "2": "c"},
    }
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps(said | config))
    (path / "preprocessor_config.json").write_text(json.dumps(preprocessor))
    (path / "model.safetensors").write_bytes(b"weights")
    return path


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    told: dict[str, Any] = {"missing_keys": []}

    class Tensor:
        def __init__(self, values: np.ndarray) -> None:
            self.values = values

        def detach(self) -> Tensor:
            return self

        cpu = float = detach

        def numpy(self) -> np.ndarray:
            return self.values

    class Network:
        def eval(self) -> Network:
            return self

        def __call__(self, pixel_values: Tensor) -> Any:
            told["shape"] = pixel_values.values.shape
            return SimpleNamespace(logits=Tensor(pixel_values.values.mean(axis=(2, 3))))

    class Auto:
        @staticmethod
        def from_pretrained(path: Path, **options: Any) -> tuple[Network, dict[str, Any]]:
            assert options == {"local_files_only": True, "output_loading_info": True}
            if told.get("broken"):
                raise OSError("no such thing")
            return Network(), told

    quiet = SimpleNamespace(set_verbosity_error=lambda: None, disable_progress_bar=lambda: None)
    torch, transformers = ModuleType("torch"), ModuleType("transformers")
    vars(torch).update(as_tensor=Tensor, inference_mode=nullcontext, set_num_threads=lambda _: None)
    vars(transformers).update(AutoModelForImageClassification=Auto, utils=SimpleNamespace(logging=quiet))
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "transformers", transformers)
    return told


def item() -> Item:
    return Item("a", {"image": Image(np.full((9, 9, 3), (255, 51, 0), np.uint8))})


def test_a_folder_says_all(tmp_path: Path, fake: dict[str, Any]) -> None:
    model = load_model(f"hf:{folder(tmp_path / 'net', VIT)}")
    assert (model.card.name, model.card.parts, model.card.kind) == ("net", ("a", "b", "c"), "categories")
    assert (model.card.media, model.card.rate_hz, model.card.output) == (("image",), None, "logit")
    assert model.predict([item()])[0].tolist() == pytest.approx([1, -0.6, -1])
    assert fake["shape"] == (1, 3, 8, 6)
    assert "vit, image classification; pictures: whole, 6×8 pixels" in model.card.notes[0]


@pytest.mark.parametrize(("problem", "kind"), [("regression", "dimensions"), ("multi_label_classification", "units")])
def test_the_kind_of_its_numbers(problem: str, kind: str, tmp_path: Path, fake: dict[str, Any]) -> None:
    assert load_model(f"hf:{folder(tmp_path / 'net', VIT, problem_type=problem)}").card.kind == kind


def test_what_is_stated_goes_first(tmp_path: Path, fake: dict[str, Any]) -> None:
    place = folder(tmp_path / "net", VIT)
    found = load_model(f"hf:{place}?labels=x,y,z&size=4&mean=0&std=1&channels=bgr&activation=softmax")
    assert found.card.output == "probability"
    assert found.predict([item()])[0].argmax() == 2
    assert fake["shape"] == (1, 3, 4, 4)


@pytest.mark.parametrize(
    ("said", "size", "fit", "share"),
    [
        ({"size": 224}, (224, 224), "stretch", 1.0),
        ({"size": {"shortest_edge": 256}, "do_center_crop": True, "crop_size": 224}, (224, 224), "centre", 0.875),
        ({"size": {"shortest_edge": 224}, "crop_pct": 0.875}, (224, 224), "centre", 0.875),
        ({"size": {"shortest_edge": 384}, "crop_pct": 0.875}, (384, 384), "stretch", 1.0),
        (
            {"size": {"shortest_edge": 224}, "image_processor_type": "ConvNextImageProcessor"},
            (224, 224),
            "centre",
            0.875,
        ),
        ({"size": {"shortest_edge": 100}}, (100, 100), "centre", 1.0),
        ({"size": 80, "do_center_crop": True, "crop_size": 60}, (60, 60), "stretch", 0.75),
        (
            {"size": {"shortest_edge": 90}, "crop_pct": 0.9, "do_center_crop": True, "crop_size": 90},
            (90, 90),
            "centre",
            0.9,
        ),
        (
            {
                "size": {"shortest_edge": 224},
                "do_center_crop": True,
                "crop_size": 224,
                "feature_extractor_type": "LevitFeatureExtractor",
            },
            (224, 224),
            "centre",
            0.875,
        ),
        ({"do_center_crop": False, "crop_size": 3, "size": {"height": 5, "width": 4}}, (4, 5), "stretch", 1.0),
        ({"do_resize": True}, (96, 96), "stretch", 1.0),
    ],
)
def test_sizes(said: dict[str, Any], size: tuple[int, int], fit: str, share: float, tmp_path: Path) -> None:
    found = prepared(HubFolder(tmp_path, {"image_size": 96}, said, ()))
    assert ((found.width, found.height), found.fit, found.share) == (size, fit, share)


def test_numbers(tmp_path: Path) -> None:
    found = prepared(HubFolder(tmp_path, {}, VIT | {"do_normalize": False, "do_rescale": False}, ()))
    assert (found.high, found.mean, found.std) == (255, (0.0,), (1.0,))
    assert prepared(HubFolder(tmp_path, {}, VIT | {"rescale_factor": 2 / 255}, ())).high == pytest.approx(2)


def test_what_some_processors_do_besides(tmp_path: Path) -> None:
    mobile = {"size": 8, "do_flip_channel_order": True, "image_mean": [0.5] * 3, "image_std": [0.5] * 3, "resample": 3}
    found = prepared(HubFolder(tmp_path, {}, mobile, ()))
    assert (found.channels, found.mean, found.std, found.filter) == ("bgr", (0.0,), (1.0,), "bicubic")
    efficient = VIT | {"rescale_factor": 2 / 255, "rescale_offset": True, "include_top": True, "image_std": [0.5, 1, 2]}
    found = prepared(HubFolder(tmp_path, {}, efficient, ()))
    assert (found.low, found.high, found.std, found.filter) == (-1, pytest.approx(1), (0.25, 1, 4), "bilinear")


def test_a_folder_without_a_processor_takes_what_is_stated(tmp_path: Path, fake: dict[str, Any]) -> None:
    place = folder(tmp_path / "net", {})
    with pytest.raises(AffectcheckError, match="the folder holds no preprocessor_config"):
        load_model(f"hf:{place}?size=4")
    assert load_model(f"hf:{place}?size=4&mean=0&std=1").predict([item()]).shape == (1, 3)


def test_a_network_of_timm_in_the_library(tmp_path: Path, fake: dict[str, Any]) -> None:
    said = {"input_size": [3, 6, 6], "mean": [0] * 3, "std": [1] * 3, "interpolation": "bilinear"}
    place = folder(tmp_path / "net", {}, pretrained_cfg=said)
    assert "the middle 0.875, 6×6 pixels by bilinear" in load_model(f"hf:{place}").card.notes[0]


def test_which_folders_are_of_pictures(tmp_path: Path) -> None:
    assert of_pictures(HubFolder(tmp_path, {"architectures": ["ResNetForImageClassification"]}, {}, ()))
    assert of_pictures(HubFolder(tmp_path, {}, VIT, ()))
    assert not of_pictures(HubFolder(tmp_path, {"architectures": ["HubertForSequenceClassification"]}, {}, ()))


@pytest.mark.parametrize(
    ("preprocessor", "options", "told"),
    [
        ({"size": {"longest_edge": 4}}, "", "what becomes of pictures cannot be read"),
        ({}, "", "holds no preprocessor_config.json: nothing says what its pictures are scaled to"),
        (VIT | {"do_resize": False}, "", "do_resize is false"),
        (VIT | {"do_center_crop": True, "crop_size": 6}, "", "other proportions"),
        (VIT | {"size": 4, "do_center_crop": True, "crop_size": 6}, "", "6 pixels are cut out of 4"),
        (VIT | {"resample": 9}, "", "IndexError"),
        (VIT, "?rate_hz=8000", "'rate_hz' says nothing of a model of pictures"),
        (VIT, "?activation=sigmoid", "a sigmoid of classes"),
    ],
)
def test_what_does_not_fit(
    preprocessor: dict[str, Any], options: str, told: str, tmp_path: Path, fake: dict[str, Any]
) -> None:
    with pytest.raises(AffectcheckError, match=told):
        load_model(f"hf:{folder(tmp_path / 'net', preprocessor)}{options}")


def test_what_cannot_be_loaded(tmp_path: Path, fake: dict[str, Any]) -> None:
    fake["missing_keys"] = ["classifier.weight"]
    with pytest.raises(AffectcheckError, match=r"1 weights are missing, such as classifier\.weight"):
        load_model(f"hf:{folder(tmp_path / 'net', VIT)}")
    fake["broken"] = True
    with pytest.raises(AffectcheckError, match="not an image classifier"):
        load_model(f"hf:{tmp_path / 'net'}")
