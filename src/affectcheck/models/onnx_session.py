"""ONNX Runtime: graphs opened, and their inputs and outputs by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.errors import ExtraMissingError, InputError, ModelError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from affectcheck.models.card import ModelCard
    from affectcheck.models.onnx_folder import OnnxFiles


def open_session(path: Path, threads: int) -> Any:
    """A session of a graph, on the processor.

    Raises:
        ExtraMissingError: ONNX Runtime is not installed.
        ModelError: the file is no ONNX graph that can be run.
    """
    try:
        import onnxruntime  # noqa: PLC0415  # heavy, and an extra
    except ImportError as error:
        raise ExtraMissingError.of("running ONNX models", "onnx", "onnxruntime") from error
    told = onnxruntime.SessionOptions()
    told.intra_op_num_threads = told.inter_op_num_threads = threads
    told.log_severity_level = 3  # warnings of the graph's optimiser are not for users of the model
    try:
        return onnxruntime.InferenceSession(str(path), told, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors have no common class
        raise ModelError(
            f"not an ONNX graph that can be run: {path}",
            expected="an .onnx file with all of its weights beside it",
            cause=str(error).splitlines()[0],
        ) from error


def input_port(session: Any, files: OnnxFiles, options: Mapping[str, Any]) -> Any:
    """The input that is stated, or the only one.

    Raises:
        UnknownNameError, InputError: no such input, or several.
    """
    inputs = {one.name: one for one in session.get_inputs()}
    return inputs[_named(str(options.get("input_node", "")), "input", tuple(inputs), tuple(inputs), files)]


def output_name(session: Any, files: OnnxFiles, options: Mapping[str, Any]) -> str:
    """The output that is stated, called logits, described beside the graph, or the only one.

    Raises:
        UnknownNameError, InputError: no such output, or several.
    """
    outputs = tuple(one.name for one in session.get_outputs())
    preferred = ("logits",) if "logits" in outputs else tuple(name for name in outputs if name in files.labels)
    return _named(str(options.get("output_node", "")), "output", outputs, preferred or outputs, files)


def require_width(session: Any, output: str, card: ModelCard, where: str) -> None:
    """As many names as numbers, where the graph says how many there are.

    Raises:
        ModelError: another number.
    """
    (shape,) = [one.shape for one in session.get_outputs() if one.name == output]
    width = shape[-1] if shape else 1
    if isinstance(width, int) and width != len(card.parts):
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
            expected=f"?{kind}_node=NAME, which of them",
        )
    return preferred[0]
