"""What of a run is finished already, and what is left, each item with the sets that lack it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from affectcheck.predictions.gathered import Gathered
from affectcheck.predictions.media_keys import MediaKeys
from affectcheck.predictions.outcomes import COLUMNS, Job, cautions, record_key, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.predictions.kept import Journals
    from affectcheck.predictions.work import Worker


@dataclass(frozen=True)
class Planned:
    """A run before its first prediction.

    Attributes:
        found: what the journals hold of each set.
        jobs: what is left, in the order of the table.
    """

    found: tuple[Gathered, ...]
    jobs: list[Job]

    @property
    def done(self) -> int:
        """Predictions that are settled, over all sets."""
        return sum(int(one.settled.sum()) for one in self.found)


@dataclass(frozen=True)
class _Known:
    """A row, and what its medium decodes to as far as that is known."""

    job: Job
    notes: tuple[str, ...] = ()


def plan_run(
    worker: Worker, table: AnnotationTable, journals: Journals | None, only: Mapping[int, frozenset[int]]
) -> Planned:
    """Ask the journals for every item; nothing is decoded.

    Args:
        worker: model and perturbations.
        table: the items.
        journals: those of the run; None without a cache.
        only: number of a set to the places of its items, where it is not of all of them.
    """
    card = worker.model.card
    found = tuple(Gathered(table.height, len(card.parts)) for _ in worker.perturbations)
    rows = list(_known(worker, table, journals))
    if journals is not None:
        for number, gathered in enumerate(found):
            places = only.get(number)
            asked = rows if places is None else [rows[place] for place in sorted(places)]
            _look_up(number, worker, asked, journals, gathered)
    lacking = [gathered.settled for gathered in found]
    spelt: dict[tuple[int, ...], tuple[int, ...]] = {}  # most items lack the same sets, which are kept once
    jobs = []
    for known in rows:
        place = known.job.place
        sets = tuple(n for n, settled in enumerate(lacking) if not settled[place] and place in only.get(n, (place,)))
        if sets:
            jobs.append(known.job._replace(sets=spelt.setdefault(sets, sets)))
    return Planned(found, jobs)


def _known(worker: Worker, table: AnnotationTable, journals: Journals | None) -> Iterator[_Known]:
    """Every row, with the digest of its medium where a journal holds it."""
    names = [name for name in COLUMNS if name in table.frame.columns]
    keys = (
        MediaKeys(worker.model.card, table.root)
        if worker.hears and journals is not None and len(journals.media)
        else None
    )
    for place, row in enumerate(table.frame.select(names).iter_rows(named=True)):
        job = Job(place, row, ())
        media = journals.media.get(keys.of(row)) if keys is not None and journals is not None else None
        yield _Known(job._replace(digest=media["digest"]), tuple(media["notes"])) if media else _Known(job)
    if journals is not None:
        journals.media.forget()


def _look_up(number: int, worker: Worker, rows: list[_Known], journals: Journals, found: Gathered) -> None:
    """Take from one journal what it holds of these items; then it is dropped from memory."""
    journal, perturbation = journals.sets[number], worker.keys[number]
    for known in rows if len(journal) else ():
        job = known.job
        if worker.hears and not job.digest:
            continue
        record = journal.get(record_key(job.item, job.digest, perturbation))
        if record is not None:
            found.add(recorded(job, number, record, cautions(job.item, known.notes)))
    journal.forget()
