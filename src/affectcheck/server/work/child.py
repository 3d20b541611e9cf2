"""A child process: one request as JSON on its standard input, progress and the answer as JSON lines on its output.

Run as ``python -m affectcheck.server.work.child``. It is given paths of files and nothing else: no database, no secret. A
check is given the upload and the list of items, so that no fault can tell a label.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import ExtraMissingError, InputError, WriteError
from affectcheck.server.work.limits import ChildLimits, die_with_parent, obey

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TextIO

#: Characters of one text of a fault.
_LONGEST: Final = 4000
#: Errors that are none of the file that was sent.
_OURS: Final = (WriteError, ExtraMissingError)


def main() -> int:
    """Carry out the request."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)  # whatever a library prints is none of the answer
        request = json.loads(sys.stdin.buffer.readline())
        die_with_parent(sys.stdin.fileno())
        obey(ChildLimits.from_plain(request["limits"]))
        return answer(request, lambda said: _say(answers, said))


def answer(request: Mapping[str, Any], say: Callable[[Mapping[str, Any]], None]) -> int:
    """Carry out a request and say what came of it.

    Args:
        request: ``kind`` and what that kind needs.
        say: takes ``progress``, and at the end one of ``result``, ``fault`` (of the file that was sent), ``limit``, or
            ``error``, which is for the log alone.

    Returns:
        The exit code.
    """
    from affectcheck.server.work.tasks import TASKS  # noqa: PLC0415  # limits hold before anything large is imported

    try:
        result = TASKS[request["kind"]](request, lambda done, total: say({"progress": [done, total]}))
    except _OURS:
        say({"error": traceback.format_exc()})
    except InputError as error:
        say({"fault": fault_of(error, request)})
    except MemoryError:
        say({"limit": "memory"})
    except Exception:  # noqa: BLE001  # the last door: the worker writes it to the log
        say({"error": traceback.format_exc()})
    else:
        say({"result": result})
        return 0
    return 1


def fault_of(error: InputError, request: Mapping[str, Any]) -> dict[str, str]:
    """A fault as it is kept and shown: no path of the portal stands in it."""
    found = {"code": error.code or "E_INVALID", "what": error.what, "where": error.where}
    found |= {"expected": error.expected, "cause": error.cause}
    for path, told in sorted(request.get("paths", {}).items(), key=lambda pair: -len(pair[0])):
        found = {key: text.replace(path, told) for key, text in found.items()}
    return {key: text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …" for key, text in found.items()}


def _say(answers: TextIO, said: Mapping[str, Any]) -> None:
    answers.write(json.dumps(said, allow_nan=False) + "\n")
    answers.flush()


if __name__ == "__main__":
    sys.exit(main())
