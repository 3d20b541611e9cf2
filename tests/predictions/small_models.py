"""Small models that tests run, at module level so that they travel to other processes."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import WriteError
from affectcheck.models.card import ModelCard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.clip import Clip, Item

CARD = ModelCard("loudness", "dimensions", ("level", "length"), "value", high=1e9, digest="weights-1")
SILENT = ModelCard("keys", "categories", ("anger", "neutral"), "score", media=(), digest="weights-1")


@dataclass
class Loudness:
    """Hears: root mean square and number of samples."""

    card: ModelCard = CARD
    calls: list[str] = field(default_factory=list)

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        self.calls += [item.key for item in items]
        return np.array([[np.sqrt(np.mean(i.audio.samples**2.0)), len(i.audio.samples)] for i in items])


@dataclass
class ByKey:
    """Needs no media: two numbers from the item's key. Raises on the items named in ``fails``."""

    card: ModelCard = SILENT
    fails: tuple[str, ...] = ()
    error: type[BaseException] = ValueError
    calls: list[str] = field(default_factory=list)

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        self.calls += [item.key for item in items]
        for item in items:
            if item.key in self.fails:
                raise self.error(f"cannot do {item.key}")
        return np.array([[len(item.key), sum(item.key.encode()) / 100] for item in items])


@dataclass
class Returning:
    """Returns whatever it is told."""

    made: object
    card: ModelCard = SILENT

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        return self.made  # type: ignore[return-value]


@dataclass
class Saying:
    """Raises this on every item."""

    error: Exception
    card: ModelCard = SILENT

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        raise self.error


@dataclass(frozen=True)
class Deaf:
    """Says ``anger`` where it runs in a process that Ctrl-C does not reach."""

    card: ModelCard = SILENT

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        deaf = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
        return np.array([[float(deaf), 0.5]] * len(items))


@dataclass(frozen=True)
class Unwritable:
    """Cannot keep what it made."""

    card: ModelCard = SILENT

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        raise WriteError("cannot write")


@dataclass(frozen=True)
class Louder:
    """Doubles the sound of all but silent clips, and cannot do items of some keys."""

    media = ("audio",)
    key: str = "louder|gain=2"
    refuses: tuple[str, ...] = ()

    def __call__(self, clip: Clip, item_key: str) -> Clip | None:
        if item_key in self.refuses:
            return None
        return replace(clip, samples=clip.samples * np.float32(2))


@dataclass(frozen=True)
class Hanging:
    """Answers for a while, and then for no item any more."""

    card: ModelCard = SILENT

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        if int(items[0].key.removeprefix("i")) > 3:
            time.sleep(600)
        return np.array([[0.0, 1.0]] * len(items))


class Dying:
    """Takes its process with it."""

    card = SILENT

    def predict(self, items: object) -> np.ndarray:
        os._exit(3)


class Unloadable:
    """Travels, but cannot be unpacked."""

    card = SILENT

    def __reduce__(self) -> tuple[object, ...]:
        return (_refuse, ())


def _refuse() -> None:
    raise ImportError("not here")
