"""From the plain values of a file to a definition: every fault in one message, with the nearest key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.behaviour.definition import Definition
from affectcheck.strict import parsed

if TYPE_CHECKING:
    from collections.abc import Mapping


def parse_definition(values: Mapping[str, Any], *, where: str = "") -> Definition:
    """A definition from the plain values of a file.

    Raises:
        InputError: a key is unknown or missing, or a value is refused; all faults are in one message.
    """
    return parsed(Definition, values, kind="test definition", where=where)
