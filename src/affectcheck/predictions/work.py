"""One worker's task: load an item once, change it, predict it, and keep that before anything else happens.

Every process has one. Journals are shared by appending, so nothing that a worker finished is lost with another.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from affectcheck.digest import digest_bytes, digest_mapping
from affectcheck.errors import (
    AffectcheckError,
    ExtraMissingError,
    InputError,
    MediaError,
    ModelError,
    NoPredictionError,
    WriteError,
)
from affectcheck.media.clip import Clip, Item
from affectcheck.media.landmarks import COLUMNS as LANDMARKS
from affectcheck.models.python_model import ModelRaisedError
from affectcheck.predictions.checks import require_output
from affectcheck.predictions.kept import MEDIA
from affectcheck.predictions.media_keys import MediaKeys
from affectcheck.predictions.options import key_of
from affectcheck.records import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from affectcheck.media.clip import Media
    from affectcheck.models.card import ModelCard, Predictor
    from affectcheck.predictions.kept import Keeping, Record
    from affectcheck.predictions.options import Perturbation

NOT_APPLICABLE: Final = "perturbation not applicable"
UNREADABLE: Final = "unreadable media"
RAISED: Final = "model raised"
NO_PREDICTION: Final = "no prediction"
LONGEST: Final = 600  # characters of what a model's own code says of one item
FORMAT: Final = "1"  # part of every key: raise it when the meaning of a record changes
#: What of an item's row matters here; labels do not travel.
COLUMNS: Final = ("item", "media", "start_us", "end_us", "frame", *LANDMARKS)


class Job(NamedTuple):
    """One item to be predicted.

    Attributes:
        place: number of its row in the table.
        row: what of its row says where its media are.
        sets: numbers of the sets that lack it.
        digest: digest of its media as decoded; empty where that is not known, so that no journal was asked yet.
    """

    place: int
    row: Mapping[str, Any]
    sets: tuple[int, ...]
    digest: str = ""

    @property
    def item(self) -> str:
        """The item's key."""
        return str(self.row["item"])


class Outcome(NamedTuple):
    """What became of one item in one set: numbers or a fault, with the cautions met on the way.

    Attributes:
        place: number of the item's row in the table.
        number: number of the set.
        values: a number a part; None where there is none.
        faults: the error, or cautions.
    """

    place: int
    number: int
    values: tuple[float, ...] | None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True)
class _Loaded:
    job: Job
    item: Item
    digest: str
    cautions: tuple[Fault, ...]

    def own(self) -> Item:
        """The item with media of its own where others need them too: foreign code may write into what it gets."""
        if len(self.job.sets) == 1:
            return self.item
        return replace(self.item, media={name: _copied(medium) for name, medium in self.item.media.items()})


def _copied(medium: Media) -> Media:
    if isinstance(medium, Clip):
        return replace(medium, samples=medium.samples.copy())
    return replace(medium, pixels=medium.pixels.copy())


class _Ready(NamedTuple):
    loaded: _Loaded
    key: str
    item: Item


@dataclass
class Worker:
    """Predicts batches of items under every perturbation that lacks them, and keeps what is finished.

    Attributes:
        model: the model.
        root: folder that media paths are relative to.
        perturbations: what changes the media first, by number of the set; None is everything as recorded.
        kept: where finished work is kept; None without a cache.
    """

    model: Predictor
    root: Path | None = None
    perturbations: tuple[Perturbation | None, ...] = (None,)
    kept: Keeping | None = None

    def __post_init__(self) -> None:
        """What belongs to the run as a whole is asked for once."""
        self._media_keys = MediaKeys(self.model.card, self.root)
        self.keys = tuple(map(key_of, self.perturbations))

    @property
    def hears(self) -> bool:
        """Whether the model takes media at all."""
        return bool(self.model.card.media)

    def process(self, jobs: Sequence[Job]) -> Iterator[list[Outcome]]:
        """Predict a batch, one set after the other; a fault of one item does not touch the others."""
        loaded: list[_Loaded] = []
        unreadable: list[Outcome] = []
        for job in jobs:
            try:
                loaded.append(self._loaded(job))
            except MediaError as error:
                fault = Fault(job.item, UNREADABLE, _without_item(str(error), job.item))
                unreadable += [Outcome(job.place, number, None, (fault,)) for number in job.sets]
        if unreadable:
            yield unreadable
        for number in sorted({number for one in loaded for number in one.job.sets}):
            yield self._set(number, [one for one in loaded if number in one.job.sets])

    def _loaded(self, job: Job) -> _Loaded:
        if not self.hears:
            return _Loaded(job, Item(job.item), "", ())
        from affectcheck.media.loader import load_item  # noqa: PLC0415  # decoders load with the first file only

        card = self.model.card
        item = load_item(job.row, self.root, rate_hz=card.rate_hz, media=card.media)
        notes = tuple(note for medium in item.media.values() for note in getattr(medium, "notes", ()))
        digest = job.digest or (item.digest if self.kept is not None else "")
        if self.kept is not None and not job.digest and (key := self._media_keys.of(job.row)):
            self.kept.keep(MEDIA, [{"key": key, "digest": digest, "notes": list(notes)}])
        return _Loaded(job, item, digest, cautions(job.item, notes))

    def _set(self, number: int, loaded: list[_Loaded]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        ready: list[_Ready] = []
        for one in loaded:
            key = record_key(one.job.item, one.digest, self.keys[number]) if self.kept is not None else ""
            asked = bool(one.job.digest) or not self.hears  # the journals, when the run was planned
            record = self.kept.finished(number, key) if self.kept is not None and not asked else None
            if record is not None:
                outcomes.append(recorded(one.job, number, record, one.cautions))
                continue
            item = self._perturbed(number, one, key)
            if isinstance(item, Outcome):
                outcomes.append(item)
            else:
                ready.append(_Ready(one, key, item))
        return outcomes + self._predict(number, ready)

    def _perturbed(self, number: int, loaded: _Loaded, key: str) -> Item | Outcome:
        perturbation, item = self.perturbations[number], loaded.own()
        if perturbation is None:
            return item
        names = [name for name in perturbation.media if name in item.media]
        if not names:  # an unchanged answer here would pass for robustness
            wanted = " or ".join(perturbation.media)
            told = f"model {self.model.card.name!r} gets no {wanted} of this item that could be changed"
            return _fault(loaded.job, number, NOT_APPLICABLE, told)
        try:
            changed = {name: perturbation(item.media[name], item.key) for name in names}
        except ExtraMissingError:
            raise
        except InputError as error:
            return _fault(loaded.job, number, "perturbation failed", str(error))
        made = {name: medium for name, medium in changed.items() if medium is not None}
        if len(made) < len(changed):
            told = f"{self.keys[number]} cannot be applied to this item"
            if self.kept is not None:
                self.kept.keep(number, [{"key": key, "refused": told}])
            return _fault(loaded.job, number, NOT_APPLICABLE, told)
        return replace(item, media={**item.media, **made})

    def _predict(self, number: int, ready: list[_Ready]) -> list[Outcome]:
        if not ready:
            return []
        try:
            with redirect_stdout(sys.stderr):  # a model may print; stdout is for data
                returned = self.model.predict([one.item for one in ready])
        except ModelRaisedError as error:
            return self._raised(number, ready, error.__cause__ or error)
        except NoPredictionError as error:
            return self._raised(number, ready, error)
        except (ExtraMissingError, ModelError, WriteError):
            raise
        except Exception as error:  # noqa: BLE001  # a model is foreign code and may raise anything
            return self._raised(number, ready, error)
        values = require_output(returned, self.model.card, [one.item.key for one in ready]) + 0.0
        rows = values.tolist()
        if self.kept is not None:
            self.kept.keep(number, [{"key": o.key, "values": row} for o, row in zip(ready, rows, strict=True)])
        return [
            Outcome(one.loaded.job.place, number, tuple(row), one.loaded.cautions)
            for one, row in zip(ready, rows, strict=True)
        ]

    def _raised(self, number: int, ready: list[_Ready], error: BaseException) -> list[Outcome]:
        """One by one, so that the item that is at fault is known and the others are not lost."""
        if len(ready) > 1:
            return [outcome for one in ready for outcome in self._predict(number, [one])]
        job = ready[0].loaded.job
        if isinstance(error, NoPredictionError):
            return [_fault(job, number, NO_PREDICTION, str(error))]
        return [_fault(job, number, RAISED, f"model {self.model.card.name!r}: {_said(error)}")]


def model_digest(card: ModelCard) -> str:
    """Digest of all that a card says, its weights' digest among it."""
    return digest_mapping(vars(card))


def record_key(item: str, media_digest: str, perturbation: str) -> str:
    """Key of an item's record; the item's own is part of it: a model may look it up, a perturbation draws by it."""
    return digest_bytes(FORMAT, item, media_digest, perturbation)


def recorded(job: Job, number: int, record: Record, met: tuple[Fault, ...]) -> Outcome:
    """What a journal holds of an item in a set.

    Args:
        job: the item.
        number: the set.
        record: what the journal holds.
        met: cautions of its medium.
    """
    if "refused" in record:
        return _fault(job, number, NOT_APPLICABLE, record["refused"])
    return Outcome(job.place, number, tuple(record["values"]), met)


def cautions(item: str, notes: Sequence[str]) -> tuple[Fault, ...]:
    """Notes of a medium as warnings of its item."""
    return tuple(Fault(item, "media caution", note, "warning") for note in notes)


def _said(error: BaseException) -> str:
    """What an exception says: our own without where, since a fault has the item beside it; another's with its class."""
    if isinstance(error, AffectcheckError):
        return str(type(error)(error.what, expected=error.expected, cause=error.cause))
    told = f"{type(error).__name__}: {error}"
    return told if len(told) <= LONGEST else f"{told[:LONGEST]}… ({len(told)} characters)"


def _without_item(message: str, item: str) -> str:
    """The message without the item's name at its head: a fault has that beside it."""
    return message.removeprefix(f"item {item!r}").lstrip(":, ")


def _fault(job: Job, number: int, kind: str, message: str) -> Outcome:
    return Outcome(job.place, number, None, (Fault(job.item, kind, message),))
