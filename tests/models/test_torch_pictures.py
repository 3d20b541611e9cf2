"""Networks of PyTorch, by a stand-in of the library where it is not installed."""

from __future__ import annotations

import pickle
import sys
import zipfile
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.errors import AffectcheckError, ExtraMissingError, InputError, MissingPathError, ModelError
from affectcheck.media.clip import Image, Item
from affectcheck.models import load_model

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("cv2")


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


@pytest.mark.parametrize(
    ("parts", "stated", "found"),
    [
        ("labels=a,b,c", "", [1, 0.2, 0]),
        ("dimensions=v,a", "&output_node=0,1", [1, 0.2]),
        ("dimensions=v", "&output_node=1", [0.2]),
    ],
)
def test_several_outputs(parts: str, stated: str, found: list[float], tmp_path: Path, fake: dict[str, Any]) -> None:
    fake["how"] = "heads"
    (tmp_path / "net.pt").write_bytes(b"x")
    model = load_model(f"torchscript:{tmp_path / 'net.pt'}?{parts}&size=4{stated}")
    assert model.predict([item()])[0].tolist() == pytest.approx(found)


def test_a_failure_is_told_without_the_listings_of_the_code(tmp_path: Path, fake: dict[str, Any]) -> None:
    fake["how"] = "fails"
    (tmp_path / "net.pt").write_bytes(b"x")
    with pytest.raises(ModelError) as caught:
        load_model(f"torchscript:{tmp_path / 'net.pt'}?labels=a,b,c&size=4").predict([item()])
    assert caught.value.what.endswith(
        "RuntimeError: expected input[1, 1, 4, 4] to have 3 channels, but got 1 channels instead"
    )


def test_another_device(tmp_path: Path, fake: dict[str, Any]) -> None:
    (tmp_path / "net.pt").write_bytes(b"x")
    spec = f"torchscript:{tmp_path / 'net.pt'}?labels=a,b,c&size=4"
    torch = sys.modules["torch"]
    torch.version = SimpleNamespace(cuda=None)  # type: ignore[attr-defined]  # modules take any attribute
    torch.cuda = SimpleNamespace(is_available=lambda: False)  # type: ignore[attr-defined]  # as above
    with pytest.raises(InputError, match="nothing can be run on device=cuda here") as caught:
        load_model(f"{spec}&device=cuda")
    assert caught.value.cause == "a PyTorch without CUDA"
    torch.cuda = SimpleNamespace(is_available=lambda: True, device_count=lambda: 1)  # type: ignore[attr-defined]  # as above
    with pytest.raises(InputError, match="device=cuda:1"):
        load_model(f"{spec}&device=cuda:1")
    with pytest.raises(InputError, match="device is 'gpu'"):
        load_model(f"{spec}&device=gpu")
    there = load_model(f"{spec}&device=cuda")
    assert there.card.digest != load_model(spec).card.digest
    assert there.card.notes[0].endswith("; on cuda:0")
    assert there.predict([item()])[0].tolist() == pytest.approx([1, 0.2, 0])
    assert fake["moved"] == ["cuda:0", "cuda:0"], "the network, then the picture"


def test_weights_alone_are_no_torchscript(tmp_path: Path, fake: dict[str, Any]) -> None:
    with zipfile.ZipFile(tmp_path / "net.pt", "w") as archive:
        archive.writestr("net/data.pkl", b"x")
    fake["broken"] = True
    with pytest.raises(ModelError, match="not a TorchScript network") as caught:
        load_model(f"torchscript:{tmp_path / 'net.pt'}?labels=a,b&size=4")
    assert "what torch.save writes" in str(caught.value.cause)


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
