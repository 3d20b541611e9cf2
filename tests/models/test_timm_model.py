"""Networks of timm, by a stand-in of the library."""

from __future__ import annotations

import json
import sys
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


def test_a_library_that_cannot_be_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake: dict[str, Any]
) -> None:
    (tmp_path / "timm.py").write_text("raise RuntimeError('operator torchvision::nms does not exist')")
    monkeypatch.delitem(sys.modules, "timm")
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "net.pth").write_bytes(b"x")
    with pytest.raises(ModelError, match="timm is installed, but cannot be imported: RuntimeError: operator"):
        load_model(f"timm:{tmp_path / 'net.pth'}?labels=a,b,c&architecture=resnet18")


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
        ('{"architecture": "resnet18", "pretrained_cfg": {"crop_mode": "border"}}', "KeyError: 'border'"),
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


def test_a_file_of_weights(tmp_path: Path, fake: dict[str, Any]) -> None:
    (tmp_path / "best.pth").write_bytes(b"weights")
    spec = f"timm:{tmp_path / 'best.pth'}?labels=a,b,c"
    with pytest.raises(InputError, match="a file of weights alone"):
        load_model(spec)
    fake["defaults"] = SimpleNamespace(to_dict=lambda: CFG)
    model = load_model(f"{spec}&architecture=resnet18")
    assert fake["made"][1]["checkpoint_path"] == str(tmp_path / "best.pth")
    assert (model.card.name, model.predict([item()])[0].tolist()) == ("best", pytest.approx([1, -1.2, -1]))
    with pytest.raises(AffectcheckError, match="unknown architecture of timm 'none'"):
        load_model(f"{spec}&architecture=none")
    fake["defaults"] = None
    with pytest.raises(InputError, match="size of the pictures"):
        load_model(f"{spec}&architecture=resnet18")


def test_a_folder_names_its_architecture_and_arguments(tmp_path: Path, fake: dict[str, Any]) -> None:
    said = {"architecture": "vit", "label_names": ["a", "b", "c"], "pretrained_cfg": CFG | {"crop_mode": "squash"}}
    place = folder(tmp_path / "net", **said, model_args={"depth": 2, "num_classes": 9})
    model = load_model(f"timm:{place}")
    assert (fake["made"][1]["depth"], fake["made"][1]["num_classes"]) == (2, 3)
    assert model.input.fit == "stretch"  # type: ignore[attr-defined]  # this adapter has it
    with pytest.raises(InputError, match="'architecture' says nothing of a folder"):
        load_model(f"timm:{place}?architecture=resnet18")
    folder(place, **said, model_args=3)
    with pytest.raises(ModelError, match="'model_args' is 3"):
        load_model(f"timm:{place}")
