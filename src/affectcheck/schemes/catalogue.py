"""Every built-in scheme by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.errors import UnknownNameError
from affectcheck.schemes.action_units import ACTION_UNITS
from affectcheck.schemes.demographics import DEMOGRAPHICS
from affectcheck.schemes.dimensions import DIMENSIONS
from affectcheck.schemes.expressions import COMPOUND, EXPRESSIONS
from affectcheck.schemes.speech_sets import SPEECH_SETS

if TYPE_CHECKING:
    from affectcheck.schemes.scheme import Scheme

_SCHEMES: Final[dict[str, Scheme]] = {
    found.name: found for found in (*EXPRESSIONS, *COMPOUND, *SPEECH_SETS, *ACTION_UNITS, *DIMENSIONS, *DEMOGRAPHICS)
}


def scheme(name: str) -> Scheme:
    """The built-in scheme of this name.

    Raises:
        UnknownNameError: there is none; the message lists the known ones.
    """
    if name not in _SCHEMES:
        raise UnknownNameError.of("scheme", name, _SCHEMES, listed="affectcheck schemes list")
    return _SCHEMES[name]


def scheme_names() -> tuple[str, ...]:
    """Names of the built-in schemes, sorted."""
    return tuple(sorted(_SCHEMES))
