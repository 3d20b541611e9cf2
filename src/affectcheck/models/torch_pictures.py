"""Networks of pictures in PyTorch: one picture in, as its input is declared, and a number for each part out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from affectcheck.errors import ExtraMissingError, ModelError
from affectcheck.models.activations import ACTIVATION_OPTION, activated
from affectcheck.models.options import Option
from affectcheck.models.picture_input import PICTURE_OPTIONS
from affectcheck.models.python_model import as_scores, foreign_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.clip import Image, Item
    from affectcheck.models.card import ModelCard
    from affectcheck.models.picture_input import PictureInput

#: What is stated of every such network, beside what it returns.
NETWORK_OPTIONS: Final = (
    ACTIVATION_OPTION,
    Option("threads", "of each process; processes run side by side", "1"),
    *PICTURE_OPTIONS,
)


class NetworkFiles(Protocol):
    """Where a network comes from; travels to other processes in place of the network."""

    def load(self) -> Any:
        """The network, on the processor, set to evaluate."""


@dataclass(frozen=True, eq=False)
class TorchPictures:
    """A network of pictures as a model; in another process it is loaded anew from its files.

    Attributes:
        files: where it comes from.
        card: what it returns.
        input: what it takes of a picture.
        activation: ``none``, ``softmax`` or ``sigmoid``.
        threads: of one process.
    """

    files: NetworkFiles
    card: ModelCard
    input: PictureInput
    activation: str = "none"
    threads: int = 1

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Run the network on each picture.

        Raises:
            ModelRaisedError: it failed on a picture.
            ModelError: it returned another number of values than declared.
        """
        return np.array([self._one(item) for item in items]).reshape(len(items), len(self.card.parts))

    def received(self, image: Image) -> np.ndarray:
        """What goes into the network of a picture."""
        return self.input.array(image)

    def _one(self, item: Item) -> np.ndarray:
        where = f"model {self.card.name!r}, item {item.key!r}"
        given = self.received(item.image)
        with foreign_code(where):
            returned = _numbers(self._network, given)
        return activated(as_scores(returned, self.card, where=where), self.activation)

    @cached_property
    def _network(self) -> Any:
        torch_library().set_num_threads(self.threads)
        return self.files.load()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_network"}


def torch_library() -> Any:
    """PyTorch.

    Raises:
        ExtraMissingError: it is not installed.
    """
    try:
        import torch  # noqa: PLC0415  # heavy, and an extra
    except ImportError as error:
        raise ExtraMissingError.of("running PyTorch models", "transformers", "torch") from error
    return torch


def not_loaded(what: str, path: object, expected: str, error: BaseException) -> ModelError:
    """The one error for whatever a library raised while it loaded a network."""
    said = str(error).strip()
    return ModelError(
        f"not {what} that can be loaded: {path}",
        expected=expected,
        cause=said.splitlines()[0] if said else type(error).__name__,
    )


def _numbers(network: Any, given: np.ndarray) -> np.ndarray:
    """What a network returns for one picture: its logits, the first of several outputs, or all that there is."""
    torch = torch_library()
    with torch.inference_mode():
        returned = network(torch.as_tensor(given))
    if hasattr(returned, "logits"):
        returned = returned.logits
    elif isinstance(returned, dict):
        returned = returned["logits"] if "logits" in returned else next(iter(returned.values()))
    elif isinstance(returned, tuple | list):
        returned = returned[0]
    return np.asarray(returned.detach().cpu().float().numpy())
