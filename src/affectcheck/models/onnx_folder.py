"""The files of an ONNX model: its graph, its weights, and the labels that a ``model.yaml`` beside it names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import ExtraMissingError, InputError, MissingPathError, ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

YAML: Final = "model.yaml"
#: Bytes of a graph that holds its weights itself; one whose weights lie in other files is smaller.
_ALONE: Final = 100_000_000
_MARK: Final = "$audonnx.core.model.Model"


@dataclass(frozen=True)
class OnnxFiles:
    """The files of a model.

    Attributes:
        name: of the folder, or of the file where that says more.
        graph: the .onnx file.
        weights: the graph and the files that may hold its weights, sorted.
        labels: output to its labels, as ``model.yaml`` names them.
    """

    name: str
    graph: Path
    weights: tuple[Path, ...]
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def find_onnx(path: Path) -> OnnxFiles:
    """The files of a model in a folder, or beside a graph.

    Raises:
        InputError: the folder holds no graph, or several and no ``model.yaml``.
        MissingPathError: the graph that ``model.yaml`` names is not there.
        ModelError: ``model.yaml`` is not one of audonnx, or names a transform of the sound.
    """
    folder = path if path.is_dir() else path.parent
    named = folder / YAML
    described = _described(named) if named.is_file() else {}
    if path.is_dir():
        graph = folder / str(described["path"]) if described.get("path") else _only_graph(folder)
    else:
        graph = path
    if not graph.is_file():
        raise MissingPathError.of("ONNX graph", graph, expected=f"the graph that {named} names")
    if described and graph.resolve() != (folder / str(described.get("path", graph.name))).resolve():
        described = {}  # the description is of another graph in the same folder
    name = graph.stem if graph.stem != "model" else graph.resolve().parent.name
    return OnnxFiles(name, graph, _weights(graph), _labels(described, named))


def _only_graph(folder: Path) -> Path:
    graphs = sorted(folder.glob("*.onnx"))
    if len(graphs) != 1:
        found = f"{len(graphs)} .onnx files: {', '.join(one.name for one in graphs)}" if graphs else "no .onnx file"
        raise InputError(f"the folder holds {found}", where=str(folder), expected="one, or onnx:FILE.onnx")
    return graphs[0]


def _weights(graph: Path) -> tuple[Path, ...]:
    """The graph, and files beside it that carry its name or that it names: large graphs keep their weights there."""
    content = graph.read_bytes() if graph.stat().st_size < _ALONE else b""
    beside = (one for one in graph.parent.iterdir() if one.suffix not in {".yaml", ".onnx"} and one.is_file())
    named = (one for one in beside if one.name.startswith(graph.stem) or one.name.encode() in content)
    return (graph, *sorted(named))


def _described(path: Path) -> Mapping[str, Any]:
    try:
        import yaml  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise ExtraMissingError.of("reading model.yaml", "onnx", "pyyaml") from error
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ModelError(f"not YAML: {path}", expected="model.yaml as audonnx writes it", cause=str(error)) from error
    entries = list(found.items()) if isinstance(found, dict) else []
    if len(entries) != 1 or not str(entries[0][0]).startswith(_MARK) or not isinstance(entries[0][1], dict):
        raise ModelError(
            f"not a description of an ONNX model: {path}",
            expected=f"one entry {_MARK}==VERSION with path, labels and transform",
            cause="a file of another program that is called model.yaml",
        )
    return dict(entries[0][1])


def _labels(described: Mapping[str, Any], path: Path) -> dict[str, tuple[str, ...]]:
    """Labels of each output; a graph that is fed something else than sound is refused."""
    transforms = described.get("transform")
    transforms = {} if transforms is None else transforms
    used = (
        transforms
        if not isinstance(transforms, dict)
        else [name for name, what in transforms.items() if what is not None]
    )
    if used:
        raise ModelError(
            f"the sound is transformed before it goes into the graph: {', '.join(map(str, used))}",
            where=str(path),
            expected="a graph that takes samples",
            cause="a model of spectrograms; wrap it in Python code, as FILE.py:OBJECT",
        )
    labels = described.get("labels") or {}
    return {str(name): tuple(map(str, held)) for name, held in labels.items() if held}
