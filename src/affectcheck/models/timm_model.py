"""Networks of pictures of the library timm from a local folder: ``timm:FOLDER``. Nothing is downloaded.

The folder is as timm saves models: ``config.json`` with the architecture and how pictures are prepared, and the weights
in ``model.safetensors`` or ``pytorch_model.bin``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import ExtraMissingError, MissingPathError, ModelError
from affectcheck.models.activations import ACTIVATIONS, output_of, require_activation
from affectcheck.models.declaring import Declared, chosen, declared_card, require_known
from affectcheck.models.options import SOURCE, Option, describe, where_files_do_not_say
from affectcheck.models.picture_input import PictureInput, picture_input
from affectcheck.models.registry import MODELS, whole
from affectcheck.models.torch_pictures import NETWORK_OPTIONS, TorchPictures, not_loaded, torch_library

if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG: Final = "config.json"
WEIGHTS: Final = ("model.safetensors", "pytorch_model.bin")
_OPTIONS: Final = describe(
    "timm",
    Option(SOURCE, "local folder with config.json and weights, as timm saves models", needed="yes"),
    *(one for one in where_files_do_not_say(output="logit; probability with an activation") if one.name != "rate_hz"),
    *NETWORK_OPTIONS,
)


@dataclass(frozen=True)
class TimmFiles:
    """A network of timm: its architecture by name, its number of outputs, its weights."""

    architecture: str
    outputs: int
    weights: Path

    def load(self) -> Any:
        """The network; weights that the file lacks are an error.

        Raises:
            ExtraMissingError: timm or PyTorch is not installed.
            ModelError: it cannot be loaded.
        """
        torch_library()
        try:
            timm: Any = import_module("timm")  # heavy, and an extra
        except ImportError as error:
            raise ExtraMissingError.of("running timm models", "timm", "timm") from error
        try:
            return timm.create_model(
                self.architecture, pretrained=False, num_classes=self.outputs, checkpoint_path=str(self.weights)
            ).eval()
        except Exception as error:  # its errors have no common class
            expected = f"weights of {self.architecture!r} with {self.outputs} outputs"
            raise not_loaded("a network of timm", self.weights, expected, error) from error


@MODELS.register("timm")
def load_timm_model(source: str, **options: Any) -> TorchPictures:
    """Run a network of pictures of the library timm from a local folder with config.json and weights.

    Args:
        source: the folder.
        **options: as described above.

    Raises:
        MissingPathError: no such folder, or a file of it is not there.
        ExtraMissingError: timm or PyTorch is not installed.
        ModelError: the folder is none of such a model.
        InputError: an option is unknown, or the classes, dimensions or units are not declared.
    """
    where = f"timm:{source}"
    require_known(options, _OPTIONS, where=where)
    folder = Path(source).expanduser()
    config, weights = _config(folder), _weights(folder)
    threads = whole("threads", options.get("threads", 1), least=1)
    activation = chosen(options, "activation", ACTIVATIONS, where=where)
    made = picture_input(options, prepared(config.get("pretrained_cfg") or {}, where=str(folder / CONFIG)), where=where)
    architecture = str(config["architecture"])
    digests = (digest_file(folder / CONFIG), digest_file(weights))
    declared = Declared(
        folder.resolve().name,
        _labels(config),
        scores=output_of(activation),
        digest=digest_bytes("timm", *digests, made.digest, activation),
        notes=(f"timm's {architecture}; {made.told}",),
        media=("image",),
    )
    card = declared_card(options, declared, where=where)
    require_activation(activation, card, where=where)
    model = TorchPictures(TimmFiles(architecture, len(card.parts), weights), card, made, activation, threads)
    _ = model._network  # what cannot be loaded is told when it is named
    return model


def prepared(said: Mapping[str, Any], *, where: str) -> PictureInput:
    """How pictures are prepared, by what timm writes as ``pretrained_cfg``: the middle, as ImageNet's are.

    Raises:
        ModelError: it is not what timm writes.
    """
    try:
        sides = [int(side) for side in said.get("input_size", (3, 0, 0))]
        return PictureInput(
            width=sides[2],
            height=sides[1],
            mean=tuple(float(value) for value in said.get("mean", (0.485, 0.456, 0.406))),
            std=tuple(float(value) for value in said.get("std", (0.229, 0.224, 0.225))),
            fit="centre" if said.get("crop_mode", "center") == "center" else "stretch",
            share=float(said.get("crop_pct") or 1.0),
        )
    except (AttributeError, TypeError, ValueError, IndexError) as error:
        raise ModelError(
            "'pretrained_cfg' is not what timm writes",
            where=where,
            expected='"input_size": [3, 224, 224], "mean": [three numbers], "std": [three numbers], "crop_pct": 0.875',
            cause=str(error),
        ) from error


def _config(folder: Path) -> Mapping[str, Any]:
    path = folder / CONFIG
    if not path.is_file():
        raise MissingPathError.of(
            "model of timm",
            path,
            expected=f"a local folder with {CONFIG} and weights; nothing is downloaded",
            cause="the name of a model on the Hub: download it first",
        )
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(f"not JSON: {path}", expected="a file as timm writes it", cause=str(error)) from error
    if not isinstance(found, dict) or "architecture" not in found:
        raise ModelError(
            "the configuration names no architecture",
            where=str(path),
            expected='"architecture": "resnet18" and what else timm writes',
            cause="a folder of another library; those of transformers are hf:FOLDER",
        )
    return found


def _weights(folder: Path) -> Path:
    for name in WEIGHTS:
        if (folder / name).is_file():
            return folder / name
    raise MissingPathError.of(
        "weights of timm", folder / WEIGHTS[0], expected=f"one of {', '.join(WEIGHTS)} beside {CONFIG}"
    )


def _labels(config: Mapping[str, Any]) -> tuple[str, ...]:
    said = config.get("label_names") or (config.get("pretrained_cfg") or {}).get("label_names") or ()
    return tuple(str(name) for name in said) if isinstance(said, list | tuple) else ()
