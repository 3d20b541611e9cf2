"""A program of the user's as a model: it reads paths of WAV or PNG files and answers with a line of JSON for each.

``command:PROGRAM ARGUMENTS?labels=anger,neutral``. The program is started once a process and kept: it reads a path a
line on its standard input and writes one line of JSON to its standard output, in the same order (see ``answers``), and
flushes it. With ``feed=arguments`` it is started anew for each file, with the path as its last argument. What it says
on its standard error is shown where it fails. No shell stands between: quote as a shell would, but nothing is expanded.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import InputError, MissingPathError, ModelError
from affectcheck.models.answers import AnswerError, read_answer
from affectcheck.models.command_process import CommandProcess, run_once
from affectcheck.models.declaring import Declared, chosen, declared_card, positive, require_known
from affectcheck.models.handing import AS_SOUND, HANDING_OPTIONS, Handing, handing
from affectcheck.models.options import SOURCE, WHAT_IT_RETURNS, Option, describe
from affectcheck.models.python_model import ModelRaisedError
from affectcheck.models.registry import MODELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.clip import Image, Item
    from affectcheck.models.card import ModelCard

TIMEOUT_S: Final = 60.0
_OPTIONS: Final = describe(
    "command",
    Option(SOURCE, "program and arguments, quoted as in a shell; nothing is expanded", needed="yes"),
    *WHAT_IT_RETURNS,
    Option(
        "feed", "lines: one process, a path a line; arguments: a process a clip, its path as last argument", "lines"
    ),
    Option("timeout_s", "seconds for one clip; the first also waits for the program to start", f"{TIMEOUT_S:g}"),
    *HANDING_OPTIONS,
    Option("version", "whatever changes when the program does: part of what predictions are kept under"),
)
#: Clips that a program may fail on before it has answered any.
IN_VAIN: Final = 3
NOTE: Final = (
    "a program of its own: its digest is that of its command line and of the files named there, not of what they load; "
    "where that has changed, predictions must be made afresh, or ?version= stated anew"
)


@dataclass(frozen=True, eq=False)
class CommandModel:
    """A program as a model; in another process it is started anew.

    Attributes:
        command: program and arguments.
        card: what it returns.
        feed: ``lines`` or ``arguments``.
        timeout_s: seconds for one clip.
        handing: how items are handed over.
    """

    command: tuple[str, ...]
    card: ModelCard
    feed: str = "lines"
    timeout_s: float = TIMEOUT_S
    handing: Handing = AS_SOUND
    _own: dict[str, Any] = field(default_factory=dict, repr=False)

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Hand each clip to the program.

        Raises:
            ModelRaisedError: it failed on a clip: it said so, ended, took too long, or answered without JSON.
            ModelError: it cannot be started, or answers with other classes or dimensions than declared.
        """
        return np.array([self._one(item) for item in items]).reshape(len(items), len(self.card.parts))

    def received(self, image: Image) -> np.ndarray:
        """What the file shows of a picture."""
        return self.handing.input.seen(image)

    def _one(self, item: Item) -> np.ndarray:
        where = f"model {self.card.name!r}, item {item.key!r}"
        handle, name = tempfile.mkstemp(self.handing.suffix, "affectcheck-")
        path = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(self.handing.content(item))
            answer = self._answered(path, where)
            return read_answer(answer, self.card, where=where)
        except AnswerError:
            self.close()  # its lines may be out of step with the paths
            raise
        finally:
            path.unlink(missing_ok=True)

    def _answered(self, path: Path, where: str) -> str:
        """The answer; a program that never gave one is not waited for, and not started again, for clip after clip."""
        try:
            answer = self._answer(path, where)
        except ModelRaisedError as error:
            in_vain = self._own["in vain"] = self._own.get("in vain", 0) + 1
            if in_vain < IN_VAIN or self._own.get("answered"):
                raise
            raise ModelError(
                f"the program answered none of the first {in_vain} clips; the last time: {error.what}",
                where=where,
                expected=error.expected,
                cause=error.cause,
            ) from error
        self._own["answered"] = True
        return answer

    def _answer(self, path: Path, where: str) -> str:
        if self.feed == "arguments":
            return run_once((*self.command, str(path)), self.timeout_s, where=where)
        process = self._own.get("process")
        if process is None or not process.alive:
            process = self._own["process"] = CommandProcess.start(self.command, where=where)
        return str(process.ask(str(path), self.timeout_s, where=where))

    def close(self) -> None:
        """End the program; the next clip starts it anew."""
        process = self._own.pop("process", None)
        if process is not None:
            process.end()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_own": {}}


@MODELS.register("command")
def load_command_model(source: str, **options: Any) -> CommandModel:
    """Run a program of yours that reads paths of WAV or PNG files and answers with a line of JSON each.

    Args:
        source: program and arguments.
        **options: as described above.

    Raises:
        MissingPathError: there is no such program.
        InputError: an option is unknown, or the classes or dimensions are not declared.
    """
    where = f"command:{source}"
    require_known(options, _OPTIONS, where=where)
    try:
        words = shlex.split(source)
    except ValueError as error:
        raise InputError(f"not a command line: {error}", where=where, expected="PROGRAM ARGUMENTS") from error
    if not words:
        raise InputError("no program is named", where=where, expected="command:PROGRAM ARGUMENTS")
    program = shutil.which(words[0])
    if program is None:
        raise MissingPathError.of("program", words[0], expected="one that is on the path, or a path to one")
    named = [Path(word) for word in (program, *words[1:])]
    content = [digest_file(path) for path in named if path.is_file()]
    how = handing(options, where=where)
    told = digest_bytes("command", *words[1:], *content, how.digest, str(options.get("version", "")))
    last = next((path.stem for path in reversed(named) if path.is_file()), words[0])
    card = declared_card(
        options, Declared(last, digest=told, notes=(NOTE, *how.notes), media=(how.medium,)), where=where
    )
    feed = chosen(options, "feed", ("lines", "arguments"), where=where)
    timeout_s = positive(options, "timeout_s", TIMEOUT_S, where=where)
    return CommandModel((program, *words[1:]), card, feed, timeout_s, how)
