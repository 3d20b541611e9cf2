"""One worker's task: load an item, change it, predict it, and journal it before anything else happens.

Every process has one. Journals are shared by appending, so nothing that a worker finished is lost with another.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.digest import digest_bytes, digest_mapping
from affectcheck.errors import ExtraMissingError, InputError, MediaError, ModelError, NoPredictionError, WriteError
from affectcheck.media.clip import Clip, Item
from affectcheck.models.python_model import ModelRaisedError
from affectcheck.predictions.checks import require_output
from affectcheck.records import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from affectcheck.models.card import ModelCard, Predictor
    from affectcheck.predictions.journal import Journal
    from affectcheck.predictions.options import Perturbation

NOT_APPLICABLE: Final = "perturbation not applicable"
UNREADABLE: Final = "unreadable media"
RAISED: Final = "model raised"
NO_PREDICTION: Final = "no prediction"
FORMAT: Final = "1"  # part of every key: raise it when the meaning of a record changes


@dataclass(frozen=True)
class Job:
    """One item to be predicted.

    Attributes:
        row: its row of the annotation table.
        media_key: digest of its media file, segment and decoding; empty where there is no file.
    """

    row: Mapping[str, Any]
    media_key: str = ""

    @property
    def item(self) -> str:
        """The item's key."""
        return str(self.row["item"])


@dataclass(frozen=True)
class Outcome:
    """What became of one item: numbers or a fault, with the cautions met on the way.

    Attributes:
        item: the item's key.
        values: a number a part; None where there is none.
        faults: the error, or cautions.
    """

    item: str
    values: tuple[float, ...] | None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True)
class _Loaded:
    item: Item
    key: str
    cautions: tuple[Fault, ...]


@dataclass
class Worker:
    """Predicts batches of items and journals them.

    Attributes:
        model: the model.
        root: folder that media paths are relative to.
        perturbation: changes the sound first.
        done: journal of predictions; None without a cache.
        known: journal of what media files decode to; None without a cache.
    """

    model: Predictor
    root: Path | None = None
    perturbation: Perturbation | None = None
    done: Journal | None = None
    known: Journal | None = None

    def process(self, jobs: Sequence[Job]) -> list[Outcome]:
        """Predict a batch; a fault of one item does not touch the others."""
        outcomes: dict[str, Outcome] = {}
        loaded: list[_Loaded] = []
        for job in jobs:
            found = self._prepare(job)
            if isinstance(found, Outcome):
                outcomes[job.item] = found
            else:
                loaded.append(found)
        for outcome in self._predict(loaded):
            outcomes[outcome.item] = outcome
        return [outcomes[job.item] for job in jobs]

    def lookup(self, job: Job) -> Outcome | None:
        """What the journals hold of an item, without decoding it."""
        if self.done is None:
            return None
        if not self.model.card.media:
            return self._finished(job.item, self._key(job.item, ""), ())
        media = self.known.get(job.media_key) if self.known is not None and job.media_key else None
        if media is None:
            return None
        return self._finished(job.item, self._key(job.item, media["digest"]), tuple(media["notes"]))

    def _prepare(self, job: Job) -> _Loaded | Outcome:
        try:
            item = self._load(job)
        except MediaError as error:
            return _fault(job.item, UNREADABLE, _without_item(str(error), job.item))
        notes = tuple(note for medium in item.media.values() for note in getattr(medium, "notes", ()))
        media_digest = item.digest if item.media else ""
        if self.known is not None and job.media_key and self.known.get(job.media_key) is None:
            self.known.put([{"key": job.media_key, "digest": media_digest, "notes": list(notes)}])
        key = self._key(job.item, media_digest)
        finished = self._finished(job.item, key, notes)
        if finished:
            return finished
        return self._perturb(_Loaded(item, key, _cautions(job.item, notes)))

    def _load(self, job: Job) -> Item:
        if not self.model.card.media:
            return Item(job.item)
        from affectcheck.media.loader import load_item  # noqa: PLC0415  # decoders load with the first file only

        return load_item(job.row, self.root, rate_hz=self.model.card.rate_hz)

    def _perturb(self, loaded: _Loaded) -> _Loaded | Outcome:
        if self.perturbation is None:
            return loaded
        item = loaded.item
        if not isinstance(item.media.get("audio"), Clip):  # an unchanged answer here would pass for robustness
            told = f"model {self.model.card.name!r} gets no sound that could be changed"
            return _fault(item.key, NOT_APPLICABLE, told)
        try:
            changed = self.perturbation(item.audio, item.key)
        except InputError as error:
            return _fault(item.key, "perturbation failed", str(error))
        if changed is None:
            return _fault(item.key, NOT_APPLICABLE, f"{self.perturbation.key} cannot be applied to this item")
        return replace(loaded, item=replace(item, media={**item.media, "audio": changed}))

    def _predict(self, loaded: list[_Loaded]) -> list[Outcome]:
        if not loaded:
            return []
        try:
            with redirect_stdout(sys.stderr):  # a model may print; stdout is for data
                returned = self.model.predict([entry.item for entry in loaded])
        except ModelRaisedError as error:
            return self._raised(loaded, error.__cause__ or error)
        except NoPredictionError as error:
            return self._raised(loaded, error)
        except (ExtraMissingError, ModelError, WriteError):
            raise
        except Exception as error:  # noqa: BLE001  # a model is foreign code and may raise anything
            return self._raised(loaded, error)
        values = require_output(returned, self.model.card, [entry.item.key for entry in loaded]) + 0.0
        if self.done is not None:
            self.done.put({"key": e.key, "values": row} for e, row in zip(loaded, values.tolist(), strict=True))
        return [
            Outcome(entry.item.key, tuple(row), entry.cautions)
            for entry, row in zip(loaded, values.tolist(), strict=True)
        ]

    def _raised(self, loaded: list[_Loaded], error: BaseException) -> list[Outcome]:
        """One by one, so that the item that is at fault is known and the others are not lost."""
        if len(loaded) > 1:
            return [outcome for entry in loaded for outcome in self._predict([entry])]
        if isinstance(error, NoPredictionError):
            return [_fault(loaded[0].item.key, NO_PREDICTION, str(error))]
        message = f"model {self.model.card.name!r}: {type(error).__name__}: {error}"
        return [_fault(loaded[0].item.key, RAISED, message)]

    def _key(self, item: str, media_digest: str) -> str:
        """The item's key belongs to it: a model may look it up, a perturbation draws by it."""
        return digest_bytes(FORMAT, item, media_digest, self.perturbation.key if self.perturbation else "")

    def _finished(self, item: str, key: str, notes: tuple[str, ...]) -> Outcome | None:
        record = self.done.get(key) if self.done is not None else None
        return Outcome(item, tuple(record["values"]), _cautions(item, notes)) if record else None


def model_digest(card: ModelCard) -> str:
    """Digest of all that a card says, its weights' digest among it."""
    return digest_mapping(vars(card))


def _without_item(message: str, item: str) -> str:
    """The message without the item's name at its head: a fault has that beside it."""
    return message.removeprefix(f"item {item!r}").lstrip(":, ")


def _fault(item: str, kind: str, message: str) -> Outcome:
    return Outcome(item, None, (Fault(item, kind, message),))


def _cautions(item: str, notes: tuple[str, ...]) -> tuple[Fault, ...]:
    return tuple(Fault(item, "media caution", note, "warning") for note in notes)


def as_array(outcomes: Sequence[Outcome], parts: int) -> np.ndarray:
    """The numbers of the outcomes that have some, (n, parts) float64."""
    rows = [outcome.values for outcome in outcomes if outcome.values is not None]
    return np.array(rows, dtype=np.float64).reshape(len(rows), parts)
