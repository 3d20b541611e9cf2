"""One job in one fresh process: its CPU seconds and the memory that it takes above its data; and a table of several.

A script names its jobs; called with ``--job NAME`` it runs that one alone. Data are read, libraries imported and the
memory's high-water mark reset before the clock starts; what is timed is the first call.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")


@dataclass(frozen=True)
class Job:
    """Something to be measured.

    Attributes:
        told: what it is, as it stands in the table.
        prepare: reads the data in a folder, and returns what is timed; imports belong here.
        times: what the figure is multiplied by, where only a share of the work is done.
        ours: whether it is ours; else a peer.
        bar_s: CPU seconds that it should stay within.
    """

    told: str
    prepare: Callable[[Path], Callable[[], object]]
    times: float = 1.0
    ours: bool = False
    bar_s: float = 0.0


@dataclass(frozen=True)
class Measured:
    """What a job took.

    Attributes:
        cpu_s, wall_s: seconds.
        above_mb: highest resident memory during the job, above that before it.
        peak_mb: highest resident memory of the process.
        result: what it found, to compare.
    """

    cpu_s: float
    wall_s: float
    above_mb: float
    peak_mb: float
    result: object = None


def main(jobs: Mapping[str, Job], write: Callable[[Path, int], None], rows: int, description: str) -> None:
    """Write the data, run every job in a process of its own, and print a table; or run the one that is asked for."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=rows, help=f"default: {rows:,}")
    parser.add_argument("--runs", type=int, default=3, help="processes a job; the least CPU seconds count")
    parser.add_argument("--peers", type=int, default=1, help="processes a peer; 0 leaves peers out")
    parser.add_argument("--job", default="", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, default=None, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.job:
        print(json.dumps(asdict(measure(jobs[told.job].prepare(told.folder)))))
        return
    with tempfile.TemporaryDirectory(prefix="affectcheck-") as folder:
        write(Path(folder), told.rows)
        found = {}
        for name, job in jobs.items():
            runs = told.runs if job.ours else told.peers
            if runs:
                found[name] = min((_child(name, Path(folder)) for _ in range(runs)), key=lambda one: one.cpu_s)
        _print(jobs, found, f"{told.rows:,} rows")


def measure(call: Callable[[], object]) -> Measured:
    """Run something once in this process."""
    before = _resident_mb("VmRSS")
    _reset_peak()
    cpu, wall = _cpu_s(), time.perf_counter()
    result = call()
    cpu, wall = _cpu_s() - cpu, time.perf_counter() - wall
    peak = _resident_mb("VmHWM")
    return Measured(cpu, wall, max(peak - before, 0.0), peak, result)


def _child(name: str, folder: Path) -> Measured:
    words = [sys.executable, "-W", "ignore", sys.argv[0], "--job", name, "--folder", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"job {name} failed:\n{done.stderr}")
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _reset_peak() -> None:
    with contextlib.suppress(OSError):  # then the peak is that of the whole process, data included
        Path("/proc/self/clear_refs").write_text("5")


def _resident_mb(name: str) -> float:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return next(float(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:"))


def _print(jobs: Mapping[str, Job], found: Mapping[str, Measured], what: str) -> None:
    first = next(found[name].cpu_s * jobs[name].times for name in found if jobs[name].ours)
    print(f"{what}; CPU seconds of the first call, least of its runs; memory above the data; ratio to the first line")
    print(f"{'':64} {'CPU s':>9} {'bar':>6} {'wall s':>8} {'MB':>7} {'ratio':>8}")
    for name, one in found.items():
        job = jobs[name]
        cpu, wall = one.cpu_s * job.times, one.wall_s * job.times
        told = job.told + (f" (x{job.times:g})" if job.times != 1.0 else "")
        bar = f"{job.bar_s:g}" if job.bar_s else ""
        print(f"{told:64} {cpu:9.3f} {bar:>6} {wall:8.3f} {one.above_mb:7.0f} {cpu / first:8.1f}")
    for name, one in found.items():
        if one.result is not None:
            print(f"  {name}: {one.result}")
