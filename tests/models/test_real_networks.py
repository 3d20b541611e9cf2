"""Networks of the real libraries, where they are installed: their own answers, to 1e-5, over pictures of any size."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.media.clip import Image, Item
from affectcheck.models import known_picture, load_model, try_picture
from affectcheck.seeds import rng

torch = pytest.importorskip("torch", reason="PyTorch is not installed", exc_type=ImportError)
pytest.importorskip("cv2")
Pillow = pytest.importorskip("PIL.Image")

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
NAMES = ("anger", "disgust", "fear", "happiness", "neutral", "sadness", "surprise")


def library(name: str) -> Any:
    """A library, where it and what it needs can be imported."""
    try:
        return pytest.importorskip(name, reason=f"{name} is not installed", exc_type=ImportError)
    except RuntimeError as error:  # torchvision of another build than torch's
        pytest.skip(f"{name} cannot be imported: {error}")


def pictures(count: int = 12) -> list[Any]:
    """Smooth noise of sizes and proportions that differ."""
    draw = rng(0, "pictures")
    found = []
    for number in range(count):
        small = draw.integers(0, 256, (9, 7, 3), np.uint8)
        found.append(Pillow.fromarray(small).resize((61 + 37 * (number % 5), 97 + 23 * (number % 3))))
    return found


def items(images: list[Any]) -> list[Item]:
    return [Item(str(number), {"image": Image(np.asarray(one))}) for number, one in enumerate(images)]


def small() -> Any:
    torch.manual_seed(0)
    layers = (torch.nn.Conv2d(3, 6, 5, 2), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten())
    return torch.nn.Sequential(*layers, torch.nn.Dropout(0.5), torch.nn.Linear(6, 7)).eval()


def resized(image: Any, side: int) -> Any:
    values = np.asarray(image.resize((side, side), Pillow.Resampling.BICUBIC), np.float32).transpose(2, 0, 1) / 255
    return torch.as_tensor(values[None])


def answers(network: Callable[[Any], Any], tensors: list[Any]) -> np.ndarray:
    with torch.inference_mode():
        return np.concatenate([network(one).numpy() for one in tensors])


@pytest.mark.parametrize("made", [torch.jit.script, lambda one: torch.jit.trace(one, torch.zeros(1, 3, 64, 64))])
def test_torchscript(made: Callable[[Any], Any], tmp_path: Path) -> None:
    network, images = small(), pictures()
    made(network).save(str(tmp_path / "net.pt"))
    model = load_model(f"torchscript:{tmp_path / 'net.pt'}?labels={','.join(NAMES)}&size=64&filter=bicubic")
    expected = answers(network, [resized(one, 64) for one in images])
    assert model.predict(items(images)) == pytest.approx(expected, abs=1e-5)


def test_what_torch_saves_is_told_from_torchscript(tmp_path: Path) -> None:
    torch.save(small().state_dict(), tmp_path / "net.pt")
    with pytest.raises(Exception, match="not a TorchScript network") as caught:
        load_model(f"torchscript:{tmp_path / 'net.pt'}?labels=a,b&size=64")
    assert "torch.save" in str(caught.value)
    torch.jit.script(small()).save(str(tmp_path / "net.pt"))
    model = load_model(f"torchscript:{tmp_path / 'net.pt'}?labels={','.join(NAMES)}&size=64&channels=grey")
    with pytest.raises(Exception, match=r"raised RuntimeError: .*but got 1 channels") as caught:
        model.predict(items(pictures(1)))
    assert len(str(caught.value).splitlines()) <= 4


def test_what_was_traced_while_it_was_set_to_train_says_so(tmp_path: Path) -> None:
    network = small().train()
    torch.jit.trace(network, torch.zeros(1, 3, 64, 64), check_trace=False).save(str(tmp_path / "net.pt"))
    spec = f"torchscript:{tmp_path / 'net.pt'}?labels={','.join(NAMES)}&size=64"
    assert "traced while set to train: dropout as in training" in load_model(spec).card.notes[1]
    assert "another answer each time" in try_picture(load_model(spec), known_picture()).cautions[0]
    torch.jit.trace(network.eval(), torch.zeros(1, 3, 64, 64)).save(str(tmp_path / "net.pt"))
    assert len(load_model(spec).card.notes) == 1
    assert try_picture(load_model(spec), known_picture()).cautions == ()


def test_a_card_that_is_not_there(tmp_path: Path) -> None:
    torch.jit.script(small()).save(str(tmp_path / "net.pt"))
    with pytest.raises(Exception, match="nothing can be run on device=cuda:77"):
        load_model(f"torchscript:{tmp_path / 'net.pt'}?labels={','.join(NAMES)}&size=64&device=cuda:77")


def test_one_thread_a_process(tmp_path: Path) -> None:
    torch.jit.script(small()).save(str(tmp_path / "net.pt"))
    spec = f"torchscript:{tmp_path / 'net.pt'}?labels={','.join(NAMES)}&size=64"
    code = (
        f"from affectcheck.models import load_model; load_model({spec!r}); import torch; print(torch.get_num_threads())"
    )
    told = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True, env=told
    )
    assert done.stdout.strip() == "1"


@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
def test_onnx(layout: str, tmp_path: Path) -> None:
    library("onnx")
    library("onnxruntime")
    network, images = small(), pictures()

    class Last(torch.nn.Module):  # type: ignore[misc]  # the library is not seen by the type checker
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, x: Any) -> Any:
            return self.network(x.permute(0, 3, 1, 2))

    shape = (1, 3, 64, 64) if layout == "nchw" else (1, 64, 64, 3)
    torch.onnx.export(
        network if layout == "nchw" else Last().eval(),
        (torch.zeros(shape),),
        str(tmp_path / "net.onnx"),
        output_names=["logits"],
        dynamo=False,
    )
    model = load_model(f"onnx:{tmp_path / 'net.onnx'}?labels={','.join(NAMES)}&filter=bicubic")
    expected = answers(network, [resized(one, 64) for one in images])
    assert model.predict(items(images)) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("source", ["folder", "file", "squash"])
def test_timm(source: str, tmp_path: Path) -> None:
    timm = library("timm")
    torch.manual_seed(0)
    network = timm.create_model("resnet10t", num_classes=7, pretrained=False).eval()
    said = network.pretrained_cfg | ({"crop_mode": "squash", "crop_pct": 0.9} if source == "squash" else {})
    torch.save(network.state_dict(), tmp_path / "pytorch_model.bin")
    spec = f"timm:{tmp_path}"
    if source == "file":
        spec = f"timm:{tmp_path / 'pytorch_model.bin'}?architecture=resnet10t&labels={','.join(NAMES)}"
    else:
        config = {"architecture": "resnet10t", "label_names": NAMES, "pretrained_cfg": said}
        (tmp_path / "config.json").write_text(json.dumps(config))
    images = pictures()
    prepared = timm.data.create_transform(**timm.data.resolve_data_config(said), is_training=False)
    expected = answers(network, [prepared(one)[None] for one in images])
    assert load_model(spec).predict(items(images)) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("processor", ["vit", "convnext", "mobile", "beit", "efficient", "levit", "pool", "flipped"])
def test_transformers(processor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    known = library("transformers")
    edge = {"size": {"shortest_edge": 72}, "crop_size": {"height": 64, "width": 64}}
    processors = {
        "vit": ("ViTImageProcessor", {"size": {"height": 64, "width": 64}}),
        "convnext": ("ConvNextImageProcessor", {"size": {"shortest_edge": 64}, "crop_pct": 0.875}),
        "mobile": ("MobileNetV2ImageProcessor", edge),
        "beit": ("BeitImageProcessor", edge | {"size": {"height": 72, "width": 72}, "do_center_crop": True}),
        "efficient": ("EfficientNetImageProcessor", {"size": {"height": 64, "width": 64}}),
        "levit": ("LevitImageProcessor", edge | {"size": {"shortest_edge": 64}}),
        "pool": ("PoolFormerImageProcessor", edge | {"size": {"shortest_edge": 64}}),
        "flipped": ("MobileViTImageProcessor", edge),
    }
    name, options = processors[processor]
    torch.manual_seed(0)
    config = known.ResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 8],
        depths=[1, 1],
        id2label=dict(enumerate(NAMES)),
        label2id={one: number for number, one in enumerate(NAMES)},
    )
    network = known.ResNetForImageClassification(config).eval()
    network.save_pretrained(tmp_path)
    getattr(known, name)(**options).save_pretrained(tmp_path)
    theirs = known.AutoImageProcessor.from_pretrained(tmp_path, backend="pil")
    images = pictures()
    given = [torch.as_tensor(np.asarray(theirs(images=one, return_tensors="np")["pixel_values"])) for one in images]
    expected = answers(lambda one: network(one).logits, given)
    model = load_model(f"hf:{tmp_path}")
    assert model.predict(items(images)) == pytest.approx(expected, abs=1e-5)
