"""What a model returns, from the options that a user states behind its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, get_args

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.models.card import ModelCard, Output
from affectcheck.models.registry import number, whole, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from affectcheck.schemes import Kind

#: Names that stand for dimensions where a model's own files do not say what kind of thing it predicts.
DIMENSIONS: Final = frozenset(
    {"arousal", "activation", "dominance", "control", "valence", "liking", "power", "pleasure"}
)
_OUTPUTS: Final = get_args(Output)


@dataclass(frozen=True)
class Declared:
    """What a model's own files say about it, before the user's options.

    Attributes:
        name: what it is called.
        parts: its classes or dimensions; empty where its files do not say.
        kind: which of both; None where its files do not say.
        rate_hz: sampling rate.
        scores: what the numbers of classes are.
        digest: of its weights.
        notes: sentences for the reader of a report.
        parent: the model it was tuned from.
        parameters: number of trained parameters.
        media: what it takes.
    """

    name: str
    parts: tuple[str, ...] = ()
    kind: Kind | None = None
    rate_hz: int = 16_000
    scores: Output = "score"
    digest: str = ""
    notes: tuple[str, ...] = ()
    parent: str = ""
    parameters: int | None = None
    media: tuple[str, ...] = ("audio",)


def declared_card(options: Mapping[str, Any], found: Declared, *, where: str) -> ModelCard:
    """The card of a model from its files and the user's options; what is stated goes before what is found.

    Args:
        options: of ``DECLARED``, those that are stated.
        found: what the model's files say.
        where: the model as it was named.

    Raises:
        InputError: neither classes nor dimensions are known, or both are stated.
    """
    stated = stated_parts(options, where=where)
    parts = stated.parts or found.parts
    if not parts:
        raise InputError(
            "what the model returns is not declared",
            where=where,
            expected="?labels=ANGER,NEUTRAL,… or ?dimensions=AROUSAL,… behind its name, in the order of its numbers",
        )
    kind: Kind = stated.kind or found.kind or kind_of(parts)
    output = str(options.get("output", found.scores if kind != "dimensions" else "value"))
    if output not in _OUTPUTS:
        raise UnknownNameError.of("output", output, _OUTPUTS, where=where)
    return ModelCard(
        name=str(options.get("name") or found.name),
        kind=kind,
        parts=parts,
        output=output,  # type: ignore[arg-type]  # checked above
        media=found.media,
        rate_hz=whole("rate_hz", options.get("rate_hz", found.rate_hz)) if "audio" in found.media else None,
        low=number("low", options.get("low", 0.0)),
        high=number("high", options.get("high", 1.0)),
        parameters=found.parameters,
        parent=found.parent,
        digest=found.digest,
        notes=found.notes,
    )


@dataclass(frozen=True)
class StatedParts:
    """Names that are stated, and of what; none and None where nothing is."""

    parts: tuple[str, ...] = ()
    kind: Kind | None = None


def stated_parts(options: Mapping[str, Any], *, where: str) -> StatedParts:
    """The classes, dimensions or units that are stated.

    Raises:
        InputError: more than one of these is.
    """
    named: dict[str, Kind] = {"labels": "categories", "dimensions": "dimensions", "units": "units"}
    found = {name: words(options.get(name, ())) for name in named}
    stated = [name for name, parts in found.items() if parts]
    if len(stated) > 1:
        raise InputError(f"both {' and '.join(stated)} are stated", where=where, expected="one of them")
    return StatedParts(found[stated[0]], named[stated[0]]) if stated else StatedParts()


def kind_of(parts: Iterable[str]) -> Kind:
    """Dimensions if every name is one of a dimension, else categories."""
    return "dimensions" if {part.casefold() for part in parts} <= DIMENSIONS else "categories"


def require_known(options: Mapping[str, Any], known: Iterable[str], *, where: str) -> None:
    """Every stated option is one of the adapter's.

    Raises:
        UnknownNameError: one is not.
    """
    names = tuple(known)
    for name in options:
        if name not in names:
            raise UnknownNameError.of("option", name, names, where=where)


def refuse(options: Mapping[str, Any], names: Iterable[str], what: str, *, where: str) -> None:
    """None of these options is stated, since they are about something else.

    Raises:
        InputError: one is.
    """
    for name in names:
        if name in options:
            raise InputError(f"option {name!r} says nothing of {what}", where=where, expected="it left out")


def chosen(options: Mapping[str, Any], name: str, known: tuple[str, ...], *, where: str) -> str:
    """One of several words; the first is the default.

    Raises:
        UnknownNameError: another word is stated.
    """
    value = str(options.get(name, known[0]))
    if value not in known:
        raise UnknownNameError.of(f"value of {name}", value, known, where=where)
    return value


def positive(options: Mapping[str, Any], name: str, default: float, *, where: str) -> float:
    """A number above zero.

    Raises:
        InputError: it is none.
    """
    value = number(name, options.get(name, default))
    if not value > 0:
        raise InputError(f"option {name!r} is {value:g}", where=where, expected="a number above 0")
    return value
