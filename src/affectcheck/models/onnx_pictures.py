"""ONNX graphs of pictures: an input of four axes, whose shape says layout, channels and, where it is fixed, the size."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import InputError, ModelError
from affectcheck.models.activations import ACTIVATIONS, activated, output_of, require_activation
from affectcheck.models.declaring import Declared, chosen, declared_card
from affectcheck.models.onnx_session import (
    HERE,
    Running,
    numbers_of,
    open_session,
    output_name,
    require_width,
    running_of,
)
from affectcheck.models.picture_input import PictureInput, picture_input
from affectcheck.models.python_model import as_scores, foreign_code

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from affectcheck.media.clip import Image, Item
    from affectcheck.models.card import ModelCard
    from affectcheck.models.onnx_folder import OnnxFiles

_AXES: Final = 4
_DEPTHS: Final = {1: "grey", 3: "rgb"}
_TYPES: Final = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
    "tensor(uint8)": np.uint8,
}


@dataclass(frozen=True, eq=False)
class OnnxPictures:
    """A graph of pictures as a model; it travels to other processes as the path of its file.

    Attributes:
        path: the graph.
        card: what it returns.
        input: what it takes of a picture.
        dtype: the type of its input.
        nodes: names of its input and output.
        activation: ``none``, ``softmax`` or ``sigmoid``.
        running: how it is run.
    """

    path: Path
    card: ModelCard
    input: PictureInput
    dtype: Any
    nodes: tuple[str, str]
    activation: str = "none"
    running: Running = HERE

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Run the graph on each picture.

        Raises:
            ModelRaisedError: the graph failed on a picture.
            ModelError: it returned another number of values than declared.
        """
        return np.array([self._one(item) for item in items]).reshape(len(items), len(self.card.parts))

    def received(self, image: Image) -> np.ndarray:
        """What goes into the graph of a picture."""
        values = self.input.array(image)
        return values.round().clip(0, 255).astype(np.uint8) if self.dtype is np.uint8 else values.astype(self.dtype)

    def _one(self, item: Item) -> np.ndarray:
        where = f"model {self.card.name!r}, item {item.key!r}"
        given = self.received(item.image)
        with foreign_code(where):
            returned = numbers_of(self._session, self.nodes[1], {self.nodes[0]: given})
        return activated(as_scores(returned, self.card, where=where), self.activation)

    @cached_property
    def _session(self) -> Any:
        return open_session(self.path, self.running)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_session"}


def takes_pictures(port: Any) -> bool:
    """Whether an input has four axes."""
    return len(port.shape) == _AXES


def onnx_pictures(session: Any, port: Any, files: OnnxFiles, options: Mapping[str, Any], *, where: str) -> OnnxPictures:
    """A graph of pictures with what its input says and what is stated.

    Raises:
        ModelError: its input takes no pictures.
        InputError, UnknownNameError: an option is none of those it takes, or contradicts the graph.
    """
    shape = _Shape.of(port, options, where=where)
    found = replace(shape.input, high=255.0) if port.type == "tensor(uint8)" else shape.input
    made = picture_input(options, found, where=where)
    shape.require(made, where=where)
    _require_whole(made, port, where=where)
    output, running = output_name(session, files, options), running_of(options, where=where)
    activation = chosen(options, "activation", ACTIVATIONS, where=where)
    told = digest_bytes(
        "onnx", *(digest_file(one) for one in files.weights), output, made.digest, activation, *running.digest
    )
    declared = Declared(
        files.name,
        tuple(files.labels.get(output, ())),
        scores=output_of(activation),
        digest=told,
        notes=(f"ONNX graph; {made.told}",),
        media=("image",),
    )
    card = declared_card(options, declared, where=where)
    require_activation(activation, card, where=where)
    require_width(session, output, card, where)
    return OnnxPictures(files.graph, card, made, _TYPES[port.type], (port.name, output), activation, running)


def _require_whole(made: PictureInput, port: Any, *, where: str) -> None:
    """A graph of whole numbers gets 0 to 255 as they are: anything else would be rounded away.

    Raises:
        InputError: something else is stated.
    """
    if port.type == "tensor(uint8)" and (made.low, made.high, made.mean, made.std) != (0.0, 255.0, (0.0,), (1.0,)):
        raise InputError(
            f"the input {port.name!r} takes whole numbers from 0 to 255; range, mean or std make others of them",
            where=where,
            expected="none of them stated: the graph scales its pictures itself",
        )


@dataclass(frozen=True)
class _Shape:
    """What the shape of an input says; sides that are free are None."""

    input: PictureInput
    height: int | None
    width: int | None
    depth: int | None

    @classmethod
    def of(cls, port: Any, options: Mapping[str, Any], *, where: str) -> _Shape:
        batch, *axes = (axis if isinstance(axis, int) and axis > 0 else None for axis in port.shape)
        if port.type not in _TYPES or batch not in {None, 1}:
            raise ModelError(
                f"the input {port.name!r} is a {port.type} of shape {port.shape}",
                where=where,
                expected="numbers of one picture: a first axis that is 1 or free, then channels, height and width",
                cause="a batch that was fixed when the graph was exported, or a graph of something else",
            )
        last = str(options.get("layout", "nhwc" if axes[2] in _DEPTHS and axes[0] not in _DEPTHS else "nchw")) == "nhwc"
        depth, height, width = (axes[2], axes[0], axes[1]) if last else (axes[0], axes[1], axes[2])
        if depth is not None and depth not in _DEPTHS:
            raise ModelError(
                f"the input {port.name!r} has {depth} channels: its shape is {port.shape}",
                where=where,
                expected="3 channels, or 1 of grey",
                cause="another order of axes (?layout=), or a graph of something else than pictures",
            )
        found = PictureInput(
            width=width or 0 if height else 0,
            height=height or 0 if width else 0,
            channels=_DEPTHS[depth or 3],
            layout="nhwc" if last else "nchw",
        )
        return cls(found, height, width, depth)

    def require(self, made: PictureInput, *, where: str) -> None:
        """What is stated does not contradict the graph."""
        depth = 1 if made.channels == "grey" else 3
        told = (
            ("height", self.height, made.height),
            ("width", self.width, made.width),
            ("channels", self.depth, depth),
        )
        for name, graph, stated in told:
            if graph not in {None, stated}:
                raise InputError(
                    f"the graph takes pictures of {name} {graph}, stated is {stated}",
                    where=where,
                    expected="what the graph's own shape says, which need not be stated",
                )
