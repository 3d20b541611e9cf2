"""Networks of pictures of the library timm from local files: ``timm:FOLDER`` or ``timm:FILE``. Nothing is downloaded.

A folder is as timm saves models: ``config.json`` with the architecture and how pictures are prepared, and the weights
in ``model.safetensors`` or ``pytorch_model.bin``. A file holds the weights alone, as training scripts keep them: the
architecture is stated, and pictures are prepared as timm has it for that one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import InputError, MissingPathError, ModelError, UnknownNameError
from affectcheck.models.activations import output_of, require_activation
from affectcheck.models.declaring import Declared, declared_card, refuse, require_known
from affectcheck.models.devices import installed, torch_library
from affectcheck.models.options import SOURCE, Option, describe, where_files_do_not_say
from affectcheck.models.picture_input import PictureInput, picture_input
from affectcheck.models.picture_scaling import PILLOW
from affectcheck.models.registry import MODELS
from affectcheck.models.torch_pictures import NETWORK_OPTIONS, TorchPictures, not_loaded, running_of

if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG: Final = "config.json"
WEIGHTS: Final = ("model.safetensors", "pytorch_model.bin")
#: timm's words for what becomes of the sides, and of the pixels; ``random`` is bilinear where nothing is trained.
_FITS: Final = {"center": "centre", "squash": "stretch"}
_FILTERS: Final = dict(zip(PILLOW, PILLOW, strict=True)) | {"random": "bilinear"}
_OPTIONS: Final = describe(
    "timm",
    Option(
        SOURCE, "local folder with config.json and weights, as timm saves models, or a file of weights", needed="yes"
    ),
    Option("architecture", "timm's name of the network, such as resnet18", needed="with a file of weights"),
    *(one for one in where_files_do_not_say(output="logit; probability with an activation") if one.name != "rate_hz"),
    *NETWORK_OPTIONS,
)


@dataclass(frozen=True)
class TimmFiles:
    """A network of timm: its architecture by name, its number of outputs, its weights, and what else it is made with."""

    architecture: str
    outputs: int
    weights: Path
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Any:
        """The network; weights that the file lacks are an error.

        Raises:
            ExtraMissingError: timm or PyTorch is not installed.
            ModelError: it cannot be loaded.
        """
        torch_library()
        timm = _timm()
        told = dict(self.arguments) | {"num_classes": self.outputs, "checkpoint_path": str(self.weights)}
        try:
            return timm.create_model(self.architecture, pretrained=False, **told).eval()
        except Exception as error:  # its errors have no common class
            expected = f"weights of {self.architecture!r} with {self.outputs} outputs"
            raise not_loaded("a network of timm", self.weights, expected, error) from error


@MODELS.register("timm")
def load_timm_model(source: str, **options: Any) -> TorchPictures:
    """Run a network of pictures of the library timm from a local folder, or from a file of weights.

    Args:
        source: the folder, with config.json and weights, or the file.
        **options: as described above.

    Raises:
        MissingPathError: no such folder, or a file of it is not there.
        ExtraMissingError: timm or PyTorch is not installed.
        ModelError: the folder is none of such a model.
        InputError: an option is unknown, or the classes, dimensions or units are not declared.
    """
    where = f"timm:{source}"
    require_known(options, _OPTIONS, where=where)
    path = Path(source).expanduser()
    config, weights = _found(path, options, where=where)
    running = running_of(options, where=where)
    architecture = str(config["architecture"])
    said = config.get("pretrained_cfg") or _by_default(architecture, where=where)
    made = picture_input(options, prepared(said, where=where), where=where)
    arguments = _arguments(config, where=where)
    digests = [digest_file(one) for one in (path / CONFIG, weights) if one.is_file()]
    declared = Declared(
        path.resolve().name if path.is_dir() else path.stem,
        _labels(config),
        scores=output_of(running.activation),
        digest=digest_bytes("timm", architecture, *digests, made.digest, running.digest),
        notes=(f"timm's {architecture}; {made.told}{running.told}",),
        media=("image",),
    )
    card = declared_card(options, declared, where=where)
    require_activation(running.activation, card, where=where)
    return TorchPictures(TimmFiles(architecture, len(card.parts), weights, arguments), card, made, running).loaded()


def _found(path: Path, options: Mapping[str, Any], *, where: str) -> tuple[Mapping[str, Any], Path]:
    """What is known of the network, and its weights."""
    if not path.is_file():
        refuse(options, ("architecture",), f"a folder, whose {CONFIG} names it", where=where)
        return _config(path), _weights(path)
    if "architecture" not in options:
        raise InputError(
            f"a file of weights alone: {path}", where=where, expected="?architecture=resnet18, timm's name of it"
        )
    return {"architecture": options["architecture"]}, path


def _by_default(architecture: str, *, where: str) -> Mapping[str, Any]:
    """How timm prepares pictures for an architecture, where no file says it.

    Raises:
        UnknownNameError: timm has none of that name.
    """
    timm = _timm()
    if not timm.is_model(architecture):
        raise UnknownNameError.of("architecture of timm", architecture, timm.list_models(), where=where)
    found = timm.get_pretrained_cfg(architecture, allow_unregistered=True)
    return found.to_dict() if found is not None else {}


def _timm() -> Any:
    return installed("timm", feature="running timm models", extra="timm")


def _arguments(config: Mapping[str, Any], *, where: str) -> Mapping[str, Any]:
    """What the network is made with besides its name; newer versions of timm write it."""
    found = config.get("model_args") or {}
    if not isinstance(found, dict):
        raise ModelError(
            f"'model_args' is {found!r}", where=where, expected='an object of JSON, such as {"img_size": 112}'
        )
    return found


def prepared(said: Mapping[str, Any], *, where: str) -> PictureInput:
    """How pictures are prepared, by what timm writes as ``pretrained_cfg``, with timm's own defaults.

    Raises:
        ModelError: it is not what timm writes, or pictures get a border.
    """
    mode = said.get("crop_mode") or "center" if isinstance(said, dict) else "center"
    try:
        sides = [int(side) for side in said.get("input_size", (3, 0, 0))]
        return PictureInput(
            width=sides[2],
            height=sides[1],
            mean=tuple(float(value) for value in said.get("mean", (0.485, 0.456, 0.406))),
            std=tuple(float(value) for value in said.get("std", (0.229, 0.224, 0.225))),
            channels="grey" if sides[0] == 1 else "rgb",
            fit=_FITS[mode],
            share=float(said.get("crop_pct") or 0.875),
            filter=_FILTERS[str(said.get("interpolation") or "bicubic")],
            halves_even=True,
        )
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelError(
            "'pretrained_cfg' is not what timm writes, or asks for what is not done here",
            where=where,
            expected='"input_size": [3, 224, 224], "mean": [three numbers], "std": [three numbers], "crop_pct": 0.875, '
            f'"crop_mode": {" or ".join(_FITS)}, "interpolation": {", ".join(_FILTERS)}',
            cause=f"{type(error).__name__}: {error}",
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
