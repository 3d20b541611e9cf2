"""One worker's task: load an item once, change it, predict it, and keep that before anything else happens.

Every process has one. Journals are shared by appending, so nothing that a worker finished is lost with another.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from affectcheck.digest import digest_mapping
from affectcheck.errors import ExtraMissingError, InputError, MediaError, ModelError, NoPredictionError, WriteError
from affectcheck.media.clip import Clip, Item
from affectcheck.models.preparing import prepared
from affectcheck.models.python_model import ModelRaisedError
from affectcheck.predictions.checks import require_output
from affectcheck.predictions.kept import MEDIA
from affectcheck.predictions.media_keys import MediaKeys
from affectcheck.predictions.options import key_of
from affectcheck.predictions.outcomes import (
    NOT_APPLICABLE,
    UNREADABLE,
    Outcome,
    cautions,
    failed,
    faulty,
    record_key,
    recorded,
    without_item,
)
from affectcheck.predictions.repeating import Again
from affectcheck.records import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from affectcheck.media.clip import Media
    from affectcheck.models.card import ModelCard, Predictor
    from affectcheck.predictions.kept import Keeping, Record
    from affectcheck.predictions.options import Perturbation
    from affectcheck.predictions.outcomes import Job


@dataclass
class _Loaded:
    job: Job
    item: Item
    digest: str
    notes: tuple[str, ...]
    prepared: Item | BaseException | None = None

    def told(self, more: Sequence[str] = ()) -> tuple[Fault, ...]:
        """What was noted while its media were decoded, and since."""
        return cautions(self.job.item, (*self.notes, *more))

    def own(self, prepared: Item) -> Item:
        """The item with media of its own where others need them too: foreign code may write into what it gets."""
        if len(self.job.sets) == 1:
            return prepared
        return replace(prepared, media={name: _copied(medium) for name, medium in prepared.media.items()})


def _copied(medium: Media) -> Media:
    if isinstance(medium, Clip):
        return replace(medium, samples=medium.samples.copy())
    return replace(medium, pixels=medium.pixels.copy())


class _Ready(NamedTuple):
    loaded: _Loaded
    key: str
    item: Item

    @property
    def noted(self) -> list[str]:
        """What the model noted while it prepared the item, and what changed it."""
        return [note for note in _notes(self.item) if note not in self.loaded.notes]


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
                fault = Fault(job.item, UNREADABLE, without_item(str(error), job.item))
                unreadable += [Outcome(job.place, number, None, (fault,)) for number in job.sets]
        if unreadable:
            yield unreadable
        for number in sorted({number for one in loaded for number in one.job.sets}):
            chosen = [one for one in loaded if number in one.job.sets]
            alone = isinstance(self.perturbations[number], Again)
            for together in [[one] for one in chosen] if alone else [chosen]:
                yield self._set(number, together)

    def _loaded(self, job: Job) -> _Loaded:
        if not self.hears:
            return _Loaded(job, Item(job.item), "", ())
        from affectcheck.media.loader import load_item  # noqa: PLC0415  # decoders load with the first file only

        card = self.model.card
        item = load_item(job.row, self.root, rate_hz=card.rate_hz, media=card.media)
        notes = _notes(item)
        digest = job.digest or (item.digest if self.kept is not None else "")
        if self.kept is not None and not job.digest and (key := self._media_keys.of(job.row)):
            self.kept.keep(MEDIA, [{"key": key, "digest": digest, "notes": list(notes)}])
        return _Loaded(job, item, digest, notes)

    def _set(self, number: int, loaded: list[_Loaded]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        ready: list[_Ready] = []
        for one in loaded:
            key = record_key(one.job.item, one.digest, self.keys[number]) if self.kept is not None else ""
            asked = bool(one.job.digest) or not self.hears  # the journals, when the run was planned
            record = self.kept.finished(number, key) if self.kept is not None and not asked else None
            if record is not None:
                outcomes.append(recorded(one.job, number, record, one.told()))
                continue
            item = self._given(number, one, key)
            if isinstance(item, Outcome):
                outcomes.append(item)
            else:
                ready.append(_Ready(one, key, item))
        return outcomes + self._predict(number, ready)

    def _given(self, number: int, loaded: _Loaded, key: str) -> Item | Outcome:
        """The item as the model gets it in a set; what it prepares it prepares once, for the first set that lacks it."""
        if loaded.prepared is None:
            try:
                loaded.prepared = prepared(self.model, loaded.item)
            except Exception as error:  # a model is foreign code and may raise anything
                if _ends_the_run(error):
                    raise
                loaded.prepared = error
        if isinstance(loaded.prepared, BaseException):
            return failed(loaded.job, number, self.model.card.name, loaded.prepared)
        return self._perturbed(number, loaded, loaded.own(loaded.prepared), key)

    def _perturbed(self, number: int, loaded: _Loaded, item: Item, key: str) -> Item | Outcome:
        perturbation = self.perturbations[number]
        if perturbation is None or isinstance(perturbation, Again):
            return item
        names = [name for name in perturbation.media if name in item.media]
        if not names:  # an unchanged answer here would pass for robustness
            wanted = " or ".join(perturbation.media)
            told = f"model {self.model.card.name!r} gets no {wanted} of this item that could be changed"
            return faulty(loaded.job, number, NOT_APPLICABLE, told)
        try:
            changed = {name: perturbation(item.media[name], item.key) for name in names}
        except ExtraMissingError:
            raise
        except InputError as error:
            return faulty(loaded.job, number, "perturbation failed", str(error))
        made = {name: medium for name, medium in changed.items() if medium is not None}
        if len(made) < len(changed):
            told = f"{self.keys[number]} cannot be applied to this item"
            if self.kept is not None:
                self.kept.keep(number, [{"key": key, "refused": told}])
            return faulty(loaded.job, number, NOT_APPLICABLE, told)
        return replace(item, media={**item.media, **made})

    def _predict(self, number: int, ready: list[_Ready]) -> list[Outcome]:
        if not ready:
            return []
        try:
            with redirect_stdout(sys.stderr):  # a model may print; stdout is for data
                returned = self.model.predict([one.item for one in ready])
        except Exception as error:  # a model is foreign code and may raise anything
            if _ends_the_run(error):
                raise
            return self._raised(number, ready, error)
        values = require_output(returned, self.model.card, [one.item.key for one in ready]) + 0.0
        rows = values.tolist()
        if self.kept is not None:
            self.kept.keep(number, [_record(one, row) for one, row in zip(ready, rows, strict=True)])
        return [
            Outcome(one.loaded.job.place, number, tuple(row), one.loaded.told(one.noted))
            for one, row in zip(ready, rows, strict=True)
        ]

    def _raised(self, number: int, ready: list[_Ready], error: BaseException) -> list[Outcome]:
        """One by one, so that the item that is at fault is known and the others are not lost."""
        if len(ready) > 1:
            return [outcome for one in ready for outcome in self._predict(number, [one])]
        return [failed(ready[0].loaded.job, number, self.model.card.name, error)]


def _ends_the_run(error: Exception) -> bool:
    """Whether something is wrong with the model or this machine, and not with one item."""
    of_one = isinstance(error, ModelRaisedError | NoPredictionError)
    return isinstance(error, ExtraMissingError | ModelError | WriteError) and not of_one


def _notes(item: Item) -> tuple[str, ...]:
    return tuple(note for medium in item.media.values() for note in getattr(medium, "notes", ()))


def _record(ready: _Ready, values: list[float]) -> Record:
    """What a journal holds of an item in a set; notes that are not those of its medium, where there are any."""
    found: Record = {"key": ready.key, "values": values}
    return found | {"notes": ready.noted} if ready.noted else found


def model_digest(card: ModelCard) -> str:
    """Digest of all that a card says, its weights' digest among it."""
    return digest_mapping(vars(card))
