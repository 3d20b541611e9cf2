"""What is asked of a worker, what becomes of it, and what a journal holds of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from affectcheck.digest import digest_bytes
from affectcheck.errors import AffectcheckError, NoPredictionError
from affectcheck.media.landmarks import COLUMNS as LANDMARKS
from affectcheck.models.python_model import ModelRaisedError
from affectcheck.records import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from affectcheck.predictions.kept import Record

NOT_APPLICABLE: Final = "perturbation not applicable"
UNREADABLE: Final = "unreadable media"
RAISED: Final = "model raised"
NO_PREDICTION: Final = "no prediction"
MEDIA_CAUTION: Final = "media caution"
LONGEST: Final = 600  # characters of what a model's own code says of one item
FORMAT: Final = "1"  # part of every key: raise it when the meaning of a record changes
DRAWS: Final = "2"  # in its place where media were changed: raise it when perturbations draw otherwise
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


def record_key(item: str, media_digest: str, perturbation: str) -> str:
    """Key of an item's record; the item's own is part of it: a model may look it up, a perturbation draws by it."""
    return digest_bytes(DRAWS if perturbation else FORMAT, item, media_digest, perturbation)


def recorded(job: Job, number: int, record: Record, met: tuple[Fault, ...]) -> Outcome:
    """What a journal holds of an item in a set.

    Args:
        job: the item.
        number: the set.
        record: what the journal holds.
        met: cautions of its medium.
    """
    if "refused" in record:
        return faulty(job, number, NOT_APPLICABLE, record["refused"])
    return Outcome(job.place, number, tuple(record["values"]), met + cautions(job.item, record.get("notes", ())))


def cautions(item: str, notes: Iterable[str]) -> tuple[Fault, ...]:
    """Notes of a medium, of the model on it, or of what changed it, as warnings of its item."""
    return tuple(Fault(item, MEDIA_CAUTION, note, "warning") for note in notes)


def failed(job: Job, number: int, model: str, error: BaseException) -> Outcome:
    """An item that a model raised on.

    Args:
        job: the item.
        number: the set.
        model: the model's name.
        error: what it raised, or what was raised of that.
    """
    if isinstance(error, NoPredictionError):
        return faulty(job, number, NO_PREDICTION, str(error))
    cause = error.__cause__ or error if isinstance(error, ModelRaisedError) else error
    return faulty(job, number, RAISED, f"model {model!r}: {_said(cause)}")


def without_item(message: str, item: str) -> str:
    """The message without the item's name at its head: a fault has that beside it."""
    return message.removeprefix(f"item {item!r}").lstrip(":, ")


def faulty(job: Job, number: int, kind: str, message: str) -> Outcome:
    """An item without a prediction in a set, and why."""
    return Outcome(job.place, number, None, (Fault(job.item, kind, message),))


def _said(error: BaseException) -> str:
    """What an exception says: our own without where, since a fault has the item beside it; another's with its class."""
    if isinstance(error, AffectcheckError):
        return str(type(error)(error.what, expected=error.expected, cause=error.cause))
    told = f"{type(error).__name__}: {error}"
    return told if len(told) <= LONGEST else f"{told[:LONGEST]}… ({len(told)} characters)"
