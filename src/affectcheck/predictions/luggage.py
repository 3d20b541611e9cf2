"""A worker on its way to another process: model and perturbations, pickled, with the code files that they refer to."""

from __future__ import annotations

import pickle
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affectcheck.errors import ModelError
from affectcheck.models.python_code import code_files, load_code
from affectcheck.predictions.work import Worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.predictions.kept import Keeping


@dataclass(frozen=True)
class Luggage:
    """What a worker is made of again elsewhere.

    Attributes:
        pickled: model and perturbations, for our own processes only.
        root: folder that media paths are relative to.
        files: the Python files that they refer to, to be loaded first; see ``code_files``.
        paths: where Python searches for modules here.
    """

    pickled: bytes
    root: Path | None
    files: dict[str, Path]
    paths: tuple[str, ...]


def packed(worker: Worker, dumps: Callable[[object], bytes] = pickle.dumps) -> Luggage:
    """Packed here, so that a model that cannot travel is one clear error.

    Args:
        worker: the worker of this process; what it keeps does not travel.
        dumps: how objects are pickled.

    Raises:
        ModelError: model or perturbation cannot be pickled.
    """
    try:
        pickled = dumps((worker.model, worker.perturbations))
    except Exception as error:
        raise ModelError(
            f"model {worker.model.card.name!r} cannot be sent to another process: {error}",
            expected="a picklable model, or workers=1",
            cause="it holds an open file, a lock or a function defined inside another",
        ) from error
    files = {name: path for name, path in code_files().items() if name.encode() in pickled}
    return Luggage(pickled, worker.root, files, tuple(sys.path))


def unpacked(luggage: Luggage, kept: Keeping | None) -> Worker:
    """The worker, in another process.

    Raises:
        ModelError: its code cannot be loaded there.
    """
    sys.path += [path for path in luggage.paths if path not in sys.path]
    try:
        load_code(luggage.files)
        model, perturbations = pickle.loads(luggage.pickled)  # noqa: S301  # packed by our own parent process
    except (Exception, SystemExit) as error:  # foreign code, which may call for an exit
        raise ModelError(
            f"the model cannot be set up in another process: {type(error).__name__}: {error}",
            expected="a model whose class can be imported there, or workers=1",
            cause="a class defined in a notebook or in a script without `if __name__ == '__main__'`",
        ) from error
    return Worker(model, luggage.root, perturbations, kept)
