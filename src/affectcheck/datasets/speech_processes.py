"""Processes that speak or draw: each does its share and says what it has done, one line of JSON each.

Engines of speech keep state and change their process, so that data sets speak in processes of their own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import EXIT_BAD_INPUT, AffectcheckError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_MOST_WORKERS: Final = 8


def worker_count(workers: int, clips: int) -> int:
    """How many processes: as many as asked for, one a core (at most 8) if 0 is, and never more than clips."""
    return min(workers or min(os.cpu_count() or 1, _MOST_WORKERS), clips)


def run_shares(
    module: str, words: Sequence[str], shares: int, *, making: str = "synthetic speech"
) -> Iterator[dict[str, Any]]:
    """Run ``python -m module WORDS SHARE SHARES`` once a share; yield what the processes say, as it comes.

    Args:
        module: one of ours, whose ``main`` is under ``run_worker``.
        words: arguments of every process.
        shares: how many processes.
        making: what is made, for the message of a process that failed.

    Raises:
        InputError: a process refused its input; the same error.
        AffectcheckError: a process failed otherwise; the message is its last line.
    """
    lines: SimpleQueue[str | None] = SimpleQueue()
    processes = [_start(module, [*words, str(share), str(shares)]) for share in range(shares)]
    threads = [Thread(target=_listen, args=(process, lines), daemon=True) for process in processes]
    try:
        for thread in threads:  # the threads only read
            thread.start()
        running = shares
        while running:
            line = lines.get()
            if line is None:
                running -= 1
                continue
            yield json.loads(line)
        for process in processes:
            require_success(process, making)
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def _start(module: str, words: list[str]) -> subprocess.Popen[str]:
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(  # noqa: S603  # our own module, in this interpreter
        [sys.executable, "-m", module, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": paths},
    )


def _listen(process: subprocess.Popen[str], lines: SimpleQueue[str | None]) -> None:
    assert process.stdout is not None  # told to the type checker
    for line in process.stdout:
        lines.put(line)
    lines.put(None)


def require_success(process: subprocess.Popen[str], making: str = "synthetic speech") -> None:
    """Wait for a process to end; raise what it failed with."""
    _, errors = process.communicate()
    if process.returncode != 0:
        said = errors.strip().splitlines() or [f"exit code {process.returncode}"]
        if process.returncode == EXIT_BAD_INPUT and said[-1].startswith("{"):
            raise InputError(**json.loads(said[-1]))
        raise AffectcheckError(f"making {making} failed: {said[-1]}")


def say(done: Iterable[object]) -> None:
    """Within a process: write one line of JSON for everything done, at once."""
    for each in done:
        sys.stdout.write(json.dumps(vars(each)) + "\n")
        sys.stdout.flush()


def run_worker(main: Callable[[list[str]], int]) -> None:
    """Within a process: run its ``main`` and end; errors of input go to the parent, which says them to the user."""
    try:
        sys.exit(main(sys.argv[1:]))
    except InputError as error:
        sys.stderr.write(json.dumps(vars(error)) + "\n")
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the parent is gone: stop, and keep quiet about it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
