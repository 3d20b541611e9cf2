"""ONNX Runtime: graphs opened, and their inputs and outputs by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.errors import InputError, ModelError, UnknownNameError
from affectcheck.models.devices import PROCESSOR, absent, installed, onnx_providers
from affectcheck.models.registry import whole, words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from affectcheck.models.card import ModelCard
    from affectcheck.models.onnx_folder import OnnxFiles


@dataclass(frozen=True)
class Running:
    """How a graph is run.

    Attributes:
        threads: of one process.
        device: ``cpu``, or ``cuda:0`` and so on.
    """

    threads: int = 1
    device: str = PROCESSOR

    @property
    def digest(self) -> tuple[str, ...]:
        """The device, where it is not the processor: another adds in another order."""
        return () if self.device == PROCESSOR else (self.device,)


#: On the processor, in one thread.
HERE: Final = Running()


def running_of(options: Mapping[str, Any], *, where: str) -> Running:
    """How a graph is run, as it is stated.

    Raises:
        InputError: a value that an option does not take.
    """
    return Running(whole("threads", options.get("threads", 1), least=1), str(options.get("device", PROCESSOR)))


def open_session(path: Path, running: Running) -> Any:
    """A session of a graph.

    Raises:
        ExtraMissingError: ONNX Runtime is not installed.
        ModelError: the file is no ONNX graph that can be run.
        InputError: the device is not there; a graph never runs elsewhere than it is told.
    """
    onnxruntime = installed("onnxruntime", feature="running ONNX models", extra="onnx")
    providers = onnx_providers(running.device, onnxruntime.get_available_providers, where=str(path))
    threads = running.threads
    told = onnxruntime.SessionOptions()
    told.intra_op_num_threads = told.inter_op_num_threads = threads
    told.log_severity_level = 3  # warnings of the graph's optimiser are not for users of the model
    try:
        session = onnxruntime.InferenceSession(str(path), told, providers=providers)
    except Exception as error:  # its errors have no common class
        raise ModelError(
            f"not an ONNX graph that can be run: {path}",
            expected="an .onnx file with all of its weights beside it",
            cause=str(error).splitlines()[0],
        ) from error
    if running.device != PROCESSOR and session.get_providers()[0] == "CPUExecutionProvider":
        raise absent(running.device, str(path), "a driver or libraries of CUDA that ONNX Runtime cannot load")
    return session


def input_port(session: Any, files: OnnxFiles, options: Mapping[str, Any]) -> Any:
    """The input that is stated, or the only one.

    Raises:
        UnknownNameError, InputError: no such input, or several.
    """
    inputs = {one.name: one for one in session.get_inputs()}
    return inputs[_named(str(options.get("input_node", "")), "input", tuple(inputs), tuple(inputs), files)]


def output_name(session: Any, files: OnnxFiles, options: Mapping[str, Any]) -> str:
    """The output that is stated, called logits, described beside the graph, or the only one.

    Several that are stated stay joined by commas, as ``numbers_of`` takes them.

    Raises:
        UnknownNameError, InputError: no such output, or several.
    """
    outputs = tuple(one.name for one in session.get_outputs())
    preferred = ("logits",) if "logits" in outputs else tuple(name for name in outputs if name in files.labels)
    stated = str(options.get("output_node", ""))
    if "," not in stated:
        return _named(stated, "output", outputs, preferred or outputs, files)
    return ",".join(_named(one, "output", outputs, outputs, files) for one in words(stated))


def numbers_of(session: Any, output: str, given: Mapping[str, np.ndarray]) -> np.ndarray:
    """What a graph says in an output; of several, joined by commas, side by side."""
    parts = [np.asarray(part) for part in session.run(output.split(","), dict(given))]
    return parts[0] if len(parts) == 1 else np.concatenate([part.reshape(1, -1) for part in parts], axis=1)


def require_width(session: Any, output: str, card: ModelCard, where: str) -> None:
    """As many names as numbers, where the graph says how many there are.

    Raises:
        ModelError: another number.
    """
    shapes = {one.name: one.shape for one in session.get_outputs()}
    each = [shapes[name] for name in output.split(",")]
    widths = [shape[-1] if shape else 1 for shape in each]
    width = sum(widths) if all(isinstance(one, int) for one in widths) else None
    if width not in {None, len(card.parts)}:
        raise ModelError(
            f"the output {output!r} has {width} numbers, {len(card.parts)} are named: {', '.join(card.parts)}",
            where=where,
            expected="a name for each number, in the order of the model's",
        )


def _named(stated: str, kind: str, known: tuple[str, ...], preferred: tuple[str, ...], files: OnnxFiles) -> str:
    if stated:
        if stated not in known:
            raise UnknownNameError.of(f"{kind} of the graph", stated, known, where=str(files.graph))
        return stated
    if len(preferred) != 1:
        raise InputError(
            f"the graph has {len(preferred)} {kind}s: {', '.join(preferred)}",
            where=str(files.graph),
            expected=f"?{kind}_node=NAME, which of them"
            + ("; ?output_node=NAME,NAME for two side by side" if kind == "output" else ""),
        )
    return preferred[0]
