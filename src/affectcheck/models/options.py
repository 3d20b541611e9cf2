"""What a model is told behind its name: described where it is read, so that help, checks and documentation say the same."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from affectcheck.models.registry import MODELS

if TYPE_CHECKING:
    from collections.abc import Callable

#: What stands behind the colon.
SOURCE: Final = "source"


@dataclass(frozen=True)
class Option:
    """One option of a model or adapter.

    Attributes:
        name: as it is stated: NAME=VALUE; ``source`` is what stands behind the colon.
        meaning: what it says, and the values that it takes.
        default: what holds where it is not stated; empty where it must be, or where nothing holds then.
        needed: ``yes``, ``no``, or when.
    """

    name: str
    meaning: str
    default: str = ""
    needed: str = "no"


_DESCRIBED: Final[dict[str, tuple[Option, ...]]] = {}


def describe(name: str, *options: Option) -> tuple[str, ...]:
    """State the options of a model, source first where it takes one.

    Args:
        name: of the model, as it is registered.
        *options: what it takes.

    Returns:
        The names of the options behind the question mark.
    """
    _DESCRIBED[name] = options
    return tuple(option.name for option in options if option.name != SOURCE)


def options_of(name: str) -> tuple[Option, ...]:
    """The options of a model; of one of another package that describes none, what its factory's signature says.

    Raises:
        UnknownNameError: no such model.
    """
    factory = MODELS.get(name)
    return _DESCRIBED.get(name) or tuple(_of_signature(factory))


def _of_signature(factory: Callable[..., object]) -> list[Option]:
    named = [
        one for one in inspect.signature(factory).parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    return [
        Option(one.name, "", "" if one.default is one.empty else str(one.default), _needed(one.default is one.empty))
        for one in named
    ]


def _needed(needed: bool) -> str:
    return "yes" if needed else "no"


#: Options that say what a model returns and takes, where its own files do not; those of most adapters.
WHAT_IT_RETURNS: Final = (
    Option("labels", "its classes, separated by commas, in the order of its numbers", needed="this, or dimensions"),
    Option("dimensions", "its dimensions, separated by commas, in the order of its numbers", needed="this, or labels"),
    Option("units", "its action units, such as AU1,AU4, in the order of its numbers", needed="this, or labels"),
    Option("output", "what its numbers of classes or units are: probability, logit, score or label", "score"),
    Option("low", "lower end of the range of its dimensions", "0"),
    Option("high", "upper end of the range of its dimensions", "1"),
    Option("rate_hz", "sampling rate that it takes, to which sound is resampled", "16000"),
    Option("name", "what reports call it", "after its file, program or address"),
)


def where_files_do_not_say(**defaults: str) -> tuple[Option, ...]:
    """``WHAT_IT_RETURNS`` of a model whose own files may say it.

    Args:
        **defaults: option to another default.
    """
    needed = {"labels": "where its files do not say: this, or dimensions", "dimensions": "the same: this, or labels"}
    needed["units"] = needed["dimensions"]
    return tuple(
        Option(one.name, one.meaning, defaults.get(one.name, one.default), needed.get(one.name, one.needed))
        for one in WHAT_IT_RETURNS
    )
