"""Hugging Face models from a local folder: ``hf:FOLDER``. Nothing is downloaded, and no code of the folder runs.

Image classifiers are those of the library (``…ForImageClassification``). Of sound, two kinds of head are known. Audio classification as the library has it (``…ForSequenceClassification`` and
``…ForAudioClassification``). And the head of the public models of emotion that the library does not have: the hidden
states pooled over time, then ``classifier.dense``, tanh and ``classifier.out_proj``, over wav2vec 2.0, HuBERT or WavLM;
so ``audeering/wav2vec2-large-robust-12-ft-emotion-msp-dim`` loads without an option.

Weights that the head needs and the folder lacks are an error: a head of random numbers would predict as well. Items go
through one by one, so that no answer depends on the padding that a longer neighbour asks for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import InputError, MissingPathError
from affectcheck.models.declaring import Declared, chosen, declared_card, kind_of, refuse, require_known
from affectcheck.models.devices import PROCESSOR, torch_device
from affectcheck.models.network_outputs import OUTPUT_OPTION
from affectcheck.models.options import SOURCE, Option, describe, where_files_do_not_say
from affectcheck.models.picture_input import PICTURE_NAMES
from affectcheck.models.python_model import as_scores, foreign_code
from affectcheck.models.registry import MODELS, whole
from affectcheck.models.torch_pictures import NETWORK_OPTIONS, TorchPictures
from affectcheck.models.transformers_folder import CONFIG, PREPROCESSOR, HubFolder, read_folder
from affectcheck.models.transformers_heads import load_network
from affectcheck.models.transformers_pictures import load_pictures, of_pictures
from affectcheck.models.waveform import normalised, softmax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.clip import Item
    from affectcheck.models.card import ModelCard, Output
    from affectcheck.models.transformers_heads import Network

_OPTIONS: Final = describe(
    "hf",
    Option(SOURCE, "local folder with config.json, preprocessor_config.json and weights", needed="yes"),
    *where_files_do_not_say(
        output="logit; probability with activation=softmax", rate_hz="as preprocessor_config.json says"
    ),
    Option("normalize", "folder: as preprocessor_config.json says; none; zscore: mean 0, variance 1", "folder"),
    *NETWORK_OPTIONS,
)


@dataclass(frozen=True, eq=False)
class TransformersModel:
    """A network with its head as a model; it travels to other processes as the path of its folder.

    Attributes:
        folder: where its files lie.
        card: what it returns.
        normalize: ``none`` or ``zscore``; ``folder`` where the folder's own feature extractor does it.
        activation: ``none`` or ``softmax``.
        threads: of one process.
        device: as PyTorch names it.
    """

    folder: HubFolder
    card: ModelCard
    normalize: str = "zscore"
    activation: str = "none"
    threads: int = 1
    device: str = PROCESSOR

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Run the network on each clip.

        Raises:
            ModelRaisedError: it failed on a clip, such as one shorter than its first layer.
            ModelError: it returned another number of values than declared.
        """
        return np.array([self._one(item) for item in items]).reshape(len(items), len(self.card.parts))

    def _one(self, item: Item) -> np.ndarray:
        where = f"model {self.card.name!r}, item {item.key!r}"
        with foreign_code(where):
            returned = self._network.run(self._features(item))
        values = as_scores(returned, self.card, where=where)
        return softmax(values) if self.activation == "softmax" else values

    def _features(self, item: Item) -> Any:
        """What the network takes: samples, or what the folder's feature extractor makes of them."""
        clip = item.audio
        if self.normalize == "folder":
            return self._network.extract(clip.samples, clip.rate_hz)
        return normalised(clip.samples, self.normalize)[None, :]

    @cached_property
    def _network(self) -> Network:
        return load_network(self.folder, self.threads, self.device)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_network"}


@MODELS.register("hf")
def load_transformers_model(source: str, **options: Any) -> TransformersModel | TorchPictures:
    """Run a Hugging Face model from a local folder: audio or image classification, or a regression head on sound.

    Args:
        source: the folder.
        **options: as described above.

    Raises:
        MissingPathError: no such folder.
        ExtraMissingError: transformers or PyTorch is not installed.
        ModelError: the folder is none of such a model, or weights are missing.
        InputError: an option is unknown, or the classes or dimensions are not declared.
    """
    where = f"hf:{source}"
    require_known(options, _OPTIONS, where=where)
    normalize = chosen(options, "normalize", ("folder", "none", "zscore"), where=where)
    path = Path(source).expanduser()
    if not path.is_dir():
        raise MissingPathError.of(
            "folder of a Hugging Face model",
            path,
            expected=f"a local folder with {CONFIG} and weights; nothing is downloaded",
            cause="the name of a model on the Hub: download it first, with git or huggingface-cli",
        )
    folder = read_folder(path)
    if of_pictures(folder):
        refuse(options, ("normalize", "rate_hz"), "a model of pictures", where=where)
        return load_pictures(folder, options, where=where)
    refuse(options, (*PICTURE_NAMES, OUTPUT_OPTION.name), "a model of sound", where=where)
    return _of_sound(folder, options, normalize, where=where)


def _of_sound(folder: HubFolder, options: dict[str, Any], normalize: str, *, where: str) -> TransformersModel:
    path = folder.path
    threads = whole("threads", options.get("threads", 1), least=1)
    activation = chosen(options, "activation", ("none", "softmax"), where=where)
    how = folder.normalisation if normalize == "folder" else normalize
    labels, rate_hz = folder.labels, folder.rate_hz  # what cannot be read is told before the weights are loaded
    device = torch_device(options, where=where)
    network = load_network(folder, threads, device)
    files = [*folder.weights, *(one for one in (path / CONFIG, path / PREPROCESSOR) if one.is_file())]
    told = digest_bytes("hf", *(digest_file(one) for one in files), how, activation, *_elsewhere(device))
    scores: Output = "probability" if activation == "softmax" else "logit"
    regression = folder.config.get("problem_type") == "regression"
    found = Declared(
        folder.name,
        labels,
        "dimensions" if regression else kind_of(labels),
        rate_hz,
        scores,
        told,
        (f"{folder.config.get('model_type')} with a head of {network.head}, sound normalised: {how}",),
        str(folder.config.get("_name_or_path", "")),
        network.parameters,
    )
    card = declared_card(options, found, where=where)
    if activation == "softmax" and card.kind != "categories":
        raise InputError("a softmax of dimensions", where=where, expected="activation=softmax for classes only")
    return TransformersModel(folder, card, how, activation, threads, device)


def _elsewhere(device: str) -> tuple[str, ...]:
    """The device as part of a digest, since another adds in another order; nothing for the processor."""
    return () if device == PROCESSOR else (device,)
