"""A program that is kept: a line in, a line out, within a time."""

from __future__ import annotations

import ctypes
import queue
import signal
import subprocess
import sys
import threading
import weakref
from collections import deque
from dataclasses import dataclass
from functools import cache, partial
from typing import IO, TYPE_CHECKING, Final

from affectcheck.errors import ModelError
from affectcheck.models.python_model import ModelRaisedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ENDING_S: Final = 2.0
_LINES: Final = 5
_SHOWN: Final = 80
_PR_SET_PDEATHSIG: Final = 1  # of Linux's <sys/prctl.h>


@dataclass(eq=False)
class CommandProcess:
    """A running program.

    Attributes:
        process: the program.
        answers: lines of its standard output; None at its end.
        errors: the last lines of its standard error.
    """

    process: subprocess.Popen[str]
    answers: queue.SimpleQueue[str | None]
    errors: deque[str]

    @classmethod
    def start(cls, command: Sequence[str], *, where: str) -> CommandProcess:
        """Start the program.

        Raises:
            ModelError: it cannot be started.
        """
        try:
            process = subprocess.Popen(  # noqa: S603  # the user named it, and no shell reads the words
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                preexec_fn=_dies_with_us(),  # noqa: PLW1509  # one system call, which takes no lock
            )
        except OSError as error:
            raise _no_start(command, error, where) from error
        made = cls(process, queue.SimpleQueue(), deque(maxlen=_LINES))
        threading.Thread(target=_collect, args=(process.stdout, made.answers), daemon=True).start()
        made._listener = threading.Thread(target=_remember, args=(process.stderr, made.errors), daemon=True)
        made._listener.start()
        weakref.finalize(made, _end, process)  # a model that is forgotten leaves no program behind
        return made

    _listener: threading.Thread | None = None

    asked: bool = False

    @property
    def alive(self) -> bool:
        """Whether the program still runs."""
        return self.process.poll() is None

    def ask(self, line: str, timeout_s: float, *, where: str) -> str:
        """Write a line and wait for one; a program that does not answer is ended.

        Raises:
            ModelRaisedError: it ended, or gave no answer in time.
            ModelError: it wrote more than it was asked, so that nobody knows which clip a line is about.
        """
        if self.asked and not self.answers.empty():
            self._require_end(where)
        self.asked = True
        try:
            if self.process.stdin is None:
                raise BrokenPipeError
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.answers.get(timeout=timeout_s)
        except queue.Empty:
            self.end()
            raise ModelRaisedError(
                f"no answer within {timeout_s:g} s",
                where=where,
                expected="a line of JSON for each path, flushed",
                cause="a program that waits for the end of its input, or ?timeout_s= is too short",
            ) from None
        except (BrokenPipeError, OSError):
            answer = None
        if answer is None:
            raise self._ended(where)
        return answer

    def _require_end(self, where: str) -> None:
        """What stands in the queue before anything is asked is the end, or a line too many."""
        early = self.answers.get()
        if early is None:
            raise self._ended(where)
        self.end()
        raise ModelError(
            f"the program wrote more than one line for a clip: {early.strip()[:_SHOWN]!r}",
            where=f"{where}, which it was not asked about yet",
            expected="one line for each path",
            cause="a message of the program, which belongs on its standard error, or an answer over several lines",
        )

    def end(self) -> None:
        """End the program."""
        _end(self.process)

    def _ended(self, where: str) -> ModelRaisedError:
        self.end()
        if self._listener is not None:
            self._listener.join(_ENDING_S)
        said = " | ".join(self.errors)
        return ModelRaisedError(
            _ending(self.process.returncode, said),
            where=where,
            expected="a program that goes on until its input ends",
            cause="a clip that it fails on, or a fault at its start",
        )


def run_once(command: Sequence[str], timeout_s: float, *, where: str) -> str:
    """Run a program to its end and return the last line that it wrote.

    Raises:
        ModelError: it cannot be started.
        ModelRaisedError: it failed, or took too long.
    """
    try:
        done = subprocess.run(  # noqa: S603  # the user named it, and no shell reads the words
            list(command),
            capture_output=True,
            timeout=timeout_s,
            check=False,
            stdin=subprocess.DEVNULL,
            preexec_fn=_dies_with_us(),
        )
    except subprocess.TimeoutExpired as error:
        raise ModelRaisedError(f"no answer within {timeout_s:g} s", where=where, expected="a line of JSON") from error
    except OSError as error:
        raise _no_start(command, error, where) from error
    if done.returncode:
        said = " | ".join(_lines(done.stderr.decode(errors="replace").splitlines())[-_LINES:])
        raise ModelRaisedError(
            _ending(done.returncode, said), where=where, expected="0", cause="a clip that it fails on"
        )
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


def _no_start(command: Sequence[str], error: OSError, where: str) -> ModelError:
    return ModelError(
        f"the program {command[0]!r} cannot be started: {error.strerror}",
        where=where,
        expected="a program that can be run here",
        cause="a file that is not executable, or one without #! in its first line",
    )


def _collect(stream: IO[str], answers: queue.SimpleQueue[str | None]) -> None:
    with stream:
        for line in stream:
            if line.strip():
                answers.put(line)
    answers.put(None)


def _remember(stream: IO[str], errors: deque[str]) -> None:
    with stream:
        for line in stream:
            errors.extend(_lines([line]))


def _lines(lines: Sequence[str]) -> list[str]:
    """Lines that say something: neither empty ones, nor the marks below a line of a traceback."""
    return [line.strip() for line in lines if line.strip(" ^~\t\r\n")]


def _ending(code: int, said: str) -> str:
    """How a program ended, in words."""
    try:
        how = f"was ended by signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"ended with {code}"
    except ValueError:  # one that has no name here
        how = f"was ended by signal {-code}"
    return f"the program {how}" + (f": {said}" if said else "")


@cache
def _dies_with_us() -> Callable[[], object] | None:
    """What a program does before it starts, so that it ends when we are killed; only Linux has it."""
    if sys.platform != "linux":
        return None
    return partial(ctypes.CDLL(None).prctl, _PR_SET_PDEATHSIG, int(signal.SIGKILL))


def _end(process: subprocess.Popen[str]) -> None:
    """Close its input, which ends a program that reads to the end; then end it."""
    for stop in (_close, subprocess.Popen.terminate, subprocess.Popen.kill):
        stop(process)
        try:
            process.wait(_ENDING_S if stop is not _close else 0.1)
        except subprocess.TimeoutExpired:
            continue
        break


def _close(process: subprocess.Popen[str]) -> None:
    if process.stdin is not None:
        try:
            process.stdin.close()
        except OSError:
            return
