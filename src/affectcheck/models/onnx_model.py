"""ONNX graphs of sound or pictures: ``onnx:FOLDER`` or ``onnx:FILE.onnx``. Those of pictures have four axes.

A folder may hold a ``model.yaml`` as audonnx writes it: the name of the graph and the labels of its outputs. So the
public model of ``audeering/wav2vec2-large-robust-12-ft-emotion-msp-dim`` (input ``signal``, outputs ``hidden_states``
and ``logits`` of arousal, dominance and valence) loads without an option. Items go through one by one: the graph takes
one, and no answer may depend on a neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import InputError, MissingPathError, ModelError
from affectcheck.models.activations import ACTIVATION_OPTION
from affectcheck.models.declaring import Declared, chosen, declared_card, refuse, require_known
from affectcheck.models.devices import DEVICE_OPTION
from affectcheck.models.onnx_folder import OnnxFiles, find_onnx
from affectcheck.models.onnx_pictures import OnnxPictures, onnx_pictures, takes_pictures
from affectcheck.models.onnx_session import (
    HERE,
    Running,
    input_port,
    numbers_of,
    open_session,
    output_name,
    require_width,
    running_of,
)
from affectcheck.models.options import SOURCE, Option, describe, where_files_do_not_say
from affectcheck.models.picture_input import PICTURE_NAMES, PICTURE_OPTIONS
from affectcheck.models.python_model import ModelRaisedError, as_scores, foreign_code
from affectcheck.models.registry import MODELS
from affectcheck.models.waveform import normalised, softmax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.clip import Item
    from affectcheck.models.card import ModelCard, Output

_OPTIONS: Final = describe(
    "onnx",
    Option(
        SOURCE, "folder with one .onnx file, or with model.yaml as audonnx writes it; or an .onnx file", needed="yes"
    ),
    *where_files_do_not_say(output="logit; probability with activation=softmax"),
    Option(
        "output_node",
        "output of the graph that holds the numbers; two joined by a comma stand side by side",
        "logits, or the only one",
        "if there are several",
    ),
    Option("input_node", "input of the graph that takes sound", "the only one", "if there are several"),
    Option("normalize", "none, or zscore: zero mean and unit variance of each clip", "none"),
    ACTIVATION_OPTION,
    Option("threads", "of each process; processes run side by side", "1"),
    DEVICE_OPTION,
    *PICTURE_OPTIONS,
)
_TYPES: Final = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(float16)": np.float16}
_RANKS: Final = (1, 2, 3)


@dataclass(frozen=True)
class Ports:
    """Where sound goes in and numbers come out.

    Attributes:
        signal: name of the input.
        rank: its number of axes, the last of them time.
        dtype: its type.
        output: name of the output.
        length: samples that a clip must have; 0 where the graph takes any.
    """

    signal: str
    rank: int
    dtype: Any
    output: str
    length: int = 0


@dataclass(frozen=True, eq=False)
class OnnxModel:
    """A graph as a model; it travels to other processes as the path of its file.

    Attributes:
        path: the graph.
        card: what it returns.
        ports: its input and output.
        normalize: ``none`` or ``zscore``.
        activation: ``none`` or ``softmax``.
        running: how it is run.
    """

    path: Path
    card: ModelCard
    ports: Ports
    normalize: str = "none"
    activation: str = "none"
    running: Running = HERE

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Run the graph on each clip.

        Raises:
            ModelRaisedError: the graph failed on a clip, such as one shorter than its first layer.
            ModelError: it returned another number of values than declared.
        """
        return np.array([self._one(item) for item in items]).reshape(len(items), len(self.card.parts))

    def _one(self, item: Item) -> np.ndarray:
        where = f"model {self.card.name!r}, item {item.key!r}"
        samples = normalised(item.audio.samples, self.normalize).astype(self.ports.dtype)
        signal = samples.reshape((1,) * (self.ports.rank - 1) + (-1,))
        if self.ports.length not in {0, len(samples)}:
            raise ModelRaisedError(
                f"the graph takes clips of {self.ports.length} samples, this one has {len(samples)}",
                where=where,
                expected="a graph whose time axis is free",
                cause="a length that was fixed when the graph was exported; export it with a dynamic axis",
            )
        with foreign_code(where):
            returned = numbers_of(self._session, self.ports.output, {self.ports.signal: signal})
        values = as_scores(returned, self.card, where=where)
        return softmax(values) if self.activation == "softmax" else values

    @cached_property
    def _session(self) -> Any:
        return open_session(self.path, self.running)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_session"}


@MODELS.register("onnx")
def load_onnx_model(source: str, **options: Any) -> OnnxModel | OnnxPictures:
    """Run an ONNX graph of sound or pictures: a folder with model.yaml, as of the public audEERING model, or a file.

    Args:
        source: folder or file.
        **options: as described above.

    Raises:
        MissingPathError: no such file.
        ExtraMissingError: ONNX Runtime is not installed.
        ModelError: the file is no ONNX graph, or none that takes sound or pictures.
        InputError: an option is unknown, or the classes or dimensions are not declared.
    """
    where = f"onnx:{source}"
    require_known(options, _OPTIONS, where=where)
    running = running_of(options, where=where)
    path = Path(source).expanduser()
    if not path.exists():
        raise MissingPathError.of("ONNX model", path, expected="an .onnx file, or a folder with one")
    files = find_onnx(path)
    session = open_session(files.graph, running)
    port = input_port(session, files, options)
    if takes_pictures(port):
        refuse(options, ("normalize", "rate_hz"), "a graph of pictures", where=where)
        return onnx_pictures(session, port, files, options, where=where)
    refuse(options, PICTURE_NAMES, "a graph of sound", where=where)
    return _of_sound(session, files, options, where=where)


def _of_sound(session: Any, files: OnnxFiles, options: dict[str, Any], *, where: str) -> OnnxModel:
    running = running_of(options, where=where)
    normalize = chosen(options, "normalize", ("none", "zscore"), where=where)
    activation = chosen(options, "activation", ("none", "softmax"), where=where)
    ports = _ports(session, files, options)
    parts = files.labels.get(ports.output, ())
    told = digest_bytes(
        "onnx", *(digest_file(one) for one in files.weights), ports.output, normalize, activation, *running.digest
    )
    scores: Output = "probability" if activation == "softmax" else "logit"
    found = Declared(
        files.name, tuple(parts), scores=scores, digest=told, notes=(f"ONNX graph, sound normalised: {normalize}",)
    )  # fmt: skip
    card = declared_card(options, found, where=where)
    if activation == "softmax" and card.kind != "categories":
        raise InputError("a softmax of dimensions", where=where, expected="activation=softmax for classes only")
    require_width(session, ports.output, card, where)
    return OnnxModel(files.graph, card, ports, normalize, activation, running)


def _ports(session: Any, files: OnnxFiles, options: dict[str, Any]) -> Ports:
    port, output = input_port(session, files, options), output_name(session, files, options)
    signal = port.name
    if port.type not in _TYPES or len(port.shape) not in _RANKS:
        raise ModelError(
            f"the input {signal!r} is a {port.type} of shape {port.shape}",
            where=str(files.graph),
            expected="numbers of one clip, with time as the last axis",
            cause="a graph of features, not of sound or pictures",
        )
    fixed = [axis for axis in port.shape[:-1] if isinstance(axis, int) and axis != 1]
    if fixed:
        raise ModelError(
            f"the input {signal!r} has the shape {port.shape}: it takes {fixed[0]} clips or channels at a time",
            where=str(files.graph),
            expected="a graph that takes one clip of one channel: every axis but the last is 1, or free",
            cause="a batch that was fixed when the graph was exported; export it with a dynamic axis",
        )
    length = port.shape[-1] if isinstance(port.shape[-1], int) else 0
    return Ports(signal, len(port.shape), _TYPES[port.type], output, length)
