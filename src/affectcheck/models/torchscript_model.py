"""TorchScript networks of pictures: ``torchscript:FILE.pt``, as ``torch.jit.save`` writes it.

Such a file holds the network's own code, which runs within PyTorch; no code of Python's is loaded from it.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import MissingPathError, ModelError
from affectcheck.models.activations import output_of, require_activation
from affectcheck.models.declaring import Declared, declared_card, require_known
from affectcheck.models.devices import torch_library
from affectcheck.models.options import SOURCE, WHAT_IT_RETURNS, Option, describe
from affectcheck.models.picture_input import AS_IT_IS, picture_input
from affectcheck.models.registry import MODELS
from affectcheck.models.torch_pictures import NETWORK_OPTIONS, TorchPictures, not_loaded, running_of

#: Layers that do something else in training: their operations, and the input that says so.
_TRAINED: Final = {
    "dropout": (("aten::dropout", "aten::dropout_", "aten::feature_dropout", "aten::feature_dropout_"), 2),
    "batch normalisation": (("aten::batch_norm",), 5),
}
_OPTIONS: Final = describe(
    "torchscript",
    Option(SOURCE, "file of a network of pictures, as torch.jit.save writes it", needed="yes"),
    *(one for one in WHAT_IT_RETURNS if one.name != "rate_hz"),
    *NETWORK_OPTIONS,
)


@dataclass(frozen=True)
class TorchScriptFile:
    """A file of TorchScript."""

    path: Path

    def load(self) -> Any:
        """The network.

        Raises:
            ExtraMissingError: PyTorch is not installed.
            ModelError: the file is none of TorchScript.
        """
        torch = torch_library()
        try:
            return torch.jit.load(str(self.path), map_location="cpu").eval()
        except Exception as error:  # its errors have no common class
            expected = "a file that torch.jit.save wrote"
            if _is_of_weights(self.path):
                raise ModelError(
                    f"not a TorchScript network: {self.path}",
                    expected=f"{expected}, of what torch.jit.trace or torch.jit.script made",
                    cause="what torch.save writes: weights without their network, or a network whose code lies in "
                    "Python files; weights of timm are timm:FILE?architecture=NAME",
                ) from error
            raise not_loaded("a TorchScript network", self.path, expected, error) from error


@MODELS.register("torchscript")
def load_torchscript_model(source: str, **options: Any) -> TorchPictures:
    """Run a TorchScript network of pictures: a file as torch.jit.save writes it.

    Args:
        source: the file.
        **options: as described above.

    Raises:
        MissingPathError: no such file.
        ExtraMissingError: PyTorch is not installed.
        ModelError: the file is none of TorchScript.
        InputError: an option is unknown, or classes, dimensions or units, or the size of pictures are not declared.
    """
    where = f"torchscript:{source}"
    require_known(options, _OPTIONS, where=where)
    path = Path(source).expanduser()
    if not path.is_file():
        raise MissingPathError.of("TorchScript file", path, expected="torchscript:FILE.pt")
    running = running_of(options, where=where)
    made = picture_input(options, AS_IT_IS, where=where)
    declared = Declared(
        path.stem,
        scores=output_of(running.activation),
        digest=digest_bytes("torchscript", digest_file(path), made.digest, running.digest),
        notes=(f"TorchScript network; {made.told}{running.told}",),
        media=("image",),
    )
    card = declared_card(options, declared, where=where)
    require_activation(running.activation, card, where=where)
    model = TorchPictures(TorchScriptFile(path), card, made, running).loaded()
    told = _left_in_training(model.network)
    return replace(model, card=replace(card, notes=(*card.notes, told))) if told else model


def _left_in_training(network: Any) -> str:
    """What was traced while the network was set to train, in words: no ``eval()`` changes it any more."""
    graph = getattr(network, "inlined_graph", None)
    if graph is None:
        return ""
    found = [
        name
        for name, (places, at) in _TRAINED.items()
        if any(list(node.inputs())[at].toIValue() is True for place in places for node in graph.findAllNodes(place))
    ]
    if not found:
        return ""
    return f"traced while set to train: {' and '.join(found)} as in training, for good; trace it after eval()"


def _is_of_weights(path: Path) -> bool:
    """Whether a file is what ``torch.save`` writes: an archive without the constants of a network's code."""
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        names = {name.rpartition("/")[2] for name in archive.namelist()}
    return "data.pkl" in names and "constants.pkl" not in names
