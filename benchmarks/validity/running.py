"""Simulating: many data sets in two processes, each kept as soon as it is done, so that an ended run goes on."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import affectcheck

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from validity.claim import Claim

CHUNK = 20  # data sets a task
ROOMS = ("tallies", "metrics", "uncertainty")


def simulate(claim: Claim, repetitions: int, store: Path, processes: int) -> list[Mapping[str, float]]:
    """What each data set gave, in the order of their seeds; what the store holds is not simulated again."""
    path = store / f"{claim.name}-{_code()}.jsonl"
    known = _kept(path)
    missing = [seed for seed in range(repetitions) if seed not in known]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        start = time.monotonic()
        for done, found in enumerate(_drawn(claim.name, missing, processes), start=1):
            for seed, values in found:
                known[seed] = values
                file.write(json.dumps([seed, dict(values)]) + "\n")
            file.flush()
            _tell(claim.name, min(done * CHUNK, len(missing)), len(missing), start)
    return [known[seed] for seed in range(repetitions)]


def _drawn(name: str, seeds: list[int], processes: int) -> Iterator[list[tuple[int, Mapping[str, float]]]]:
    tasks = [(name, tuple(seeds[i : i + CHUNK])) for i in range(0, len(seeds), CHUNK)]
    if processes < 2 or len(tasks) < 2:
        yield from map(_task, tasks)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(_task, tasks)


def _task(task: tuple[str, tuple[int, ...]]) -> list[tuple[int, Mapping[str, float]]]:
    from validity.claims import CLAIMS

    name, seeds = task
    return [(seed, {key: float(value) for key, value in CLAIMS[name].draw(seed).items()}) for seed in seeds]


def _kept(path: Path) -> dict[int, Mapping[str, float]]:
    found: dict[int, Mapping[str, float]] = {}
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                seed, values = json.loads(line)
            except ValueError:  # the line at which an earlier run was ended
                continue
            found[seed] = values
    return found


def _code() -> str:
    """Digest of the code whose numbers are kept: a change of it starts anew."""
    package = Path(affectcheck.__file__).parent
    files = [path for room in ROOMS for path in sorted((package / room).glob("*.py"))]
    files += sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.blake2b(b"".join(path.read_bytes() for path in files), digest_size=6).hexdigest()


def _tell(name: str, done: int, total: int, start: float) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{name}: {done} of {total}, {time.monotonic() - start:.0f} s" + ("\n" * (done == total)))
