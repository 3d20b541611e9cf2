"""``python``: a speaker of the user's own, as an object in a module."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from affectcheck.datasets.speech_synthesis.speaker import SPEAKERS, Speaker
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from typing import Any


@SPEAKERS.register("python")
def python(detail: str) -> Speaker:
    """``python:MODULE:OBJECT``, where the object is a speaker, or a class or function that gives one.

    Raises:
        InputError: there is no such module or object.
    """
    module, _, name = detail.partition(":")
    if not module or not name:
        raise InputError(f"no speaker is named in {detail!r}", expected="python:MODULE:OBJECT")
    try:
        found: Any = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"there is no speaker {name!r} in {module!r}: {error}",
            expected="a module that can be imported from here, with an object of this name",
        ) from error
    is_object = isinstance(found, Speaker) and not isinstance(found, type)
    made: Speaker = found if is_object or not callable(found) else found()
    return made  # whether it is a speaker, ``load_speaker`` sees
