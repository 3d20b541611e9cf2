"""Networks of pictures in PyTorch: one picture in, as its input is declared, and a number for each part out."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from affectcheck.errors import ModelError
from affectcheck.models.activations import ACTIVATION_OPTION, ACTIVATIONS, activated
from affectcheck.models.declaring import chosen
from affectcheck.models.devices import DEVICE_OPTION, PROCESSOR, moved, torch_device, torch_library
from affectcheck.models.network_outputs import OUTPUT_OPTION, chosen_output
from affectcheck.models.options import Option
from affectcheck.models.picture_input import PICTURE_OPTIONS
from affectcheck.models.python_model import as_scores, foreign_code
from affectcheck.models.registry import whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from affectcheck.media.clip import Image, Item
    from affectcheck.models.card import ModelCard
    from affectcheck.models.picture_input import PictureInput

#: What is stated of every such network, beside what it returns.
NETWORK_OPTIONS: Final = (
    ACTIVATION_OPTION,
    OUTPUT_OPTION,
    Option("threads", "of each process; processes run side by side", "1"),
    DEVICE_OPTION,
    *PICTURE_OPTIONS,
)
_SHOWN: Final = 300  # letters of what a library says, which may name every weight
_SCRIPTED: Final = "The following operation failed in the TorchScript interpreter"


class NetworkFiles(Protocol):
    """Where a network comes from; travels to other processes in place of the network."""

    def load(self) -> Any:
        """The network, on the processor, set to evaluate."""


@dataclass(frozen=True)
class Running:
    """How a network is run.

    Attributes:
        activation: ``none``, ``softmax`` or ``sigmoid``.
        threads: of one process.
        device: as PyTorch names it.
        output: which of several outputs; empty for the one that has as many numbers as are declared.
    """

    activation: str = "none"
    threads: int = 1
    device: str = PROCESSOR
    output: str = ""

    @property
    def digest(self) -> str:
        """Of all that changes a number: another device adds in another order."""
        return "|".join((self.activation, self.device, self.output))

    @property
    def told(self) -> str:
        """In words, for the card; empty on the processor."""
        return f"; on {self.device}" if self.device != PROCESSOR else ""


@dataclass(frozen=True, eq=False)
class TorchPictures:
    """A network of pictures as a model; in another process it is loaded anew from its files.

    Attributes:
        files: where it comes from.
        card: what it returns.
        input: what it takes of a picture.
        running: how it is run.
    """

    files: NetworkFiles
    card: ModelCard
    input: PictureInput
    running: Running = Running()

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

    def loaded(self) -> TorchPictures:
        """The model with its network loaded, so that what cannot be is told when it is named."""
        _ = self.network
        return self

    def _one(self, item: Item) -> np.ndarray:
        where = f"model {self.card.name!r}, item {item.key!r}"
        given = torch_library().as_tensor(self.received(item.image))
        network = self.network
        with foreign_code(where), _failures_in_short(), torch_library().inference_mode():
            returned = network(moved(given, self.running.device))
        found = chosen_output(returned, self.running.output, len(self.card.parts), where=where)
        return activated(as_scores(found, self.card, where=where), self.running.activation)

    @cached_property
    def network(self) -> Any:
        """The network, loaded once in each process."""
        torch_library().set_num_threads(self.running.threads)
        return moved(self.files.load(), self.running.device)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "network"}


def running_of(options: Mapping[str, Any], *, where: str) -> Running:
    """How a network is run, as it is stated.

    Raises:
        InputError, UnknownNameError: a value that an option does not take, or a device that is not there.
    """
    return Running(
        chosen(options, "activation", ACTIVATIONS, where=where),
        whole("threads", options.get("threads", 1), least=1),
        torch_device(options, where=where),
        str(options.get("output_node", "")),
    )


def not_loaded(what: str, path: object, expected: str, error: BaseException) -> ModelError:
    """The one error for whatever a library raised while it loaded a network."""
    said = [line.strip() for line in str(error).splitlines() if line.strip()]
    # A first line that ends with a colon says nothing without the next.
    told = " ".join(said[: 2 if said and said[0].endswith(":") else 1])
    told = told if len(told) <= _SHOWN else f"{told[:_SHOWN]}…"
    return ModelError(f"not {what} that can be loaded: {path}", expected=expected, cause=told or type(error).__name__)


@contextmanager
def _failures_in_short() -> Iterator[None]:
    """What TorchScript raises, without the listings of its code: the last line says what is wrong."""
    try:
        yield
    except RuntimeError as error:
        said = str(error)
        if not said.startswith(_SCRIPTED):
            raise
        last = [line for line in said.splitlines() if line.strip()][-1]
        raise RuntimeError(last.removeprefix("RuntimeError: ")) from error
