"""Shards of a folder and where they are counted: one after the other in this process, or in tasks of Ray.

Shards are the same on every engine, and are merged in their order, so that the engine changes no number.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from affectcheck.errors import AffectcheckError, InputError
from affectcheck.evaluation.batches import read
from affectcheck.evaluation.streamed_counts import Counting, together
from affectcheck.predictions.cluster import connected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy as np
    import polars as pl

    from affectcheck.evaluation.batches import Piece
    from affectcheck.evaluation.streamed_counts import Counted, Keys
    from affectcheck.evaluation.streamed_rows import RowReader
    from affectcheck.tallies import Tally

Engine: TypeAlias = Literal["polars", "ray"]
Shard: TypeAlias = "tuple[Piece, ...]"

ENGINES: Final[tuple[Engine, ...]] = ("polars", "ray")
#: Pieces of one file that are counted as one shard: some four million rows.
LARGEST_SHARD: Final = 16


@dataclass(frozen=True, eq=False)
class Job:
    """What is counted of every shard.

    Attributes:
        reader: how rows become what is scored.
        keys: which cell a row is in.
        kinds: the tallies that are wanted.
        points: numbers of the items that a figure shows.
        types: the columns that are read, with the types that all files share.
    """

    reader: RowReader
    keys: Keys
    kinds: tuple[type[Tally], ...]
    points: np.ndarray
    types: Mapping[str, pl.DataType]

    def count(self, shard: Shard, done: Callable[[int], None] | None = None) -> Counted:
        """Count a shard.

        Args:
            shard: its pieces.
            done: is told the number of rows after each piece.

        Raises:
            InputError: a file cannot be read, or holds what does not fit; the message names it.
        """
        counting = Counting(self.reader, self.keys, self.kinds, self.points)
        for piece, rows in ahead(shard, self.types):
            counting.add(piece, rows)
            if done is not None:
                done(piece.rows)
        return counting.found


def shards_of(pieces: Sequence[Piece]) -> tuple[Shard, ...]:
    """The files, each cut into shards of neighbouring pieces."""
    found: list[Shard] = []
    for _, group in groupby(pieces, key=lambda piece: piece.path):
        file = tuple(group)
        found += [file[start : start + LARGEST_SHARD] for start in range(0, len(file), LARGEST_SHARD)]
    return tuple(found)


def ahead(pieces: Sequence[Piece], types: Mapping[str, pl.DataType]) -> Iterator[tuple[Piece, pl.DataFrame]]:
    """Pieces with their rows; the next one is read while one is worked on."""
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(read, pieces[0], types)
        for place, piece in enumerate(pieces):
            rows = waiting.result()
            if place + 1 < len(pieces):
                waiting = pool.submit(read, pieces[place + 1], types)
            yield piece, rows


def count_here(job: Job, shards: Sequence[Shard], progress: Callable[[int, int], None]) -> Counted:
    """One shard after the other."""
    total, done = sum(piece.rows for shard in shards for piece in shard), 0

    def add(rows: int) -> None:
        nonlocal done
        done += rows
        progress(done, total)

    return _in_order(job.count(shard, add) for shard in shards)


def _in_order(counts: Iterator[Counted]) -> Counted:
    """Counts of at least one shard, merged as they come."""
    found = next(counts)
    for counted in counts:
        found = together((found, counted))
    return found


def count_with_ray(job: Job, shards: Sequence[Shard], progress: Callable[[int, int], None]) -> Counted:
    """Shards in tasks of Ray, a few at a time for each processor, merged in order as they come in.

    Raises:
        ExtraMissingError: Ray is not installed.
        InputError: a shard does not fit, or its task died; the message names the file.
    """
    # One thread of Polars a task: tasks share the processors already.
    with connected(max(min(os.cpu_count() or 1, len(shards)), 1), variables={"POLARS_MAX_THREADS": "1"}) as ray:
        return _in_order(_from_tasks(ray, job, shards, progress))


def _from_tasks(ray: Any, job: Job, shards: Sequence[Shard], progress: Callable[[int, int], None]) -> Iterator[Counted]:
    """Counts of the shards in their order; as many tasks are under way as keep the processors busy."""
    total, done = sum(piece.rows for shard in shards for piece in shard), 0
    task, shared = ray.remote(_count), ray.put(job)
    in_flight = 2 * max(int(ray.cluster_resources().get("CPU", 1)), 1)
    waiting = [task.remote(shared, shard) for shard in shards[:in_flight]]
    for place, shard in enumerate(shards):
        yield _result(ray, waiting.pop(0), shard)
        if place + in_flight < len(shards):
            waiting.append(task.remote(shared, shards[place + in_flight]))
        done += sum(piece.rows for piece in shard)
        progress(done, total)


def _count(job: Job, shard: Shard) -> Counted:
    return job.count(shard)


def _result(ray: Any, waiting: Any, shard: Shard) -> Counted:  # Ray is optional, so it has no type here
    try:
        found: Counted = ray.get(waiting)
    except Exception as error:
        cause = getattr(error, "cause", None)
        if isinstance(cause, AffectcheckError):
            raise type(cause)(cause.what, where=cause.where, expected=cause.expected, cause=cause.cause) from error
        raise InputError(
            f"the task that counts it failed: {type(error).__name__}: {cause or error}",
            where=str(shard[0].path),
            expected="a task that lives to its end",
            cause="a process out of memory, or a file that not every machine can read",
        ) from error
    return found
