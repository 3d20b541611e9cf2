"""From the plain values of a file to a definition: every fault in one message, with the nearest key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from pydantic import ValidationError

from affectcheck.behaviour.definition import Definition
from affectcheck.behaviour.requirements import Strict
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping


def parse_definition(values: Mapping[str, Any], *, where: str = "") -> Definition:
    """A definition from the plain values of a file.

    Raises:
        InputError: a key is unknown or missing, or a value is refused; all faults are in one message.
    """
    try:
        return Definition.model_validate(dict(values))
    except ValidationError as error:
        found = error.errors()
        faults = [_fault(one["loc"], one["type"], one["msg"]) for one in found if not _follows(one, found)]
        raise InputError(
            f"{len(faults)} fault{'s' if len(faults) > 1 else ''} in a test definition:\n  " + "\n  ".join(faults),
            where=where,
            expected="the keys of the definition format",
        ) from error


def _follows(fault: Any, faults: Any) -> bool:
    """Whether a list counts as too short only because an entry of it is at fault."""
    place = fault["loc"]
    return fault["type"] == "too_short" and any(one["loc"][: len(place)] == place for one in faults if one != fault)


def _fault(location: tuple[int | str, ...], kind: str, message: str) -> str:
    path = ".".join(str(step) for step in location)
    if kind == "extra_forbidden":
        known = _model_at(location[:-1]).model_fields
        return str(UnknownNameError.of("key", str(location[-1]), known, where=path)).replace("\n", ";")
    return f"{path or 'definition'}: {message.removeprefix('Value error, ')}".replace("\n", ";")


def _model_at(location: tuple[int | str, ...]) -> type[Strict]:
    """The model whose keys are found at a place of a file."""
    model: type[Strict] = Definition
    for step in (str(one) for one in location):
        found = _types(model.model_fields[step].annotation) if step in model.model_fields else []
        model = next((one for one in found if isinstance(one, type) and issubclass(one, Strict)), model)
    return model


def _types(annotation: Any) -> list[Any]:
    inner = get_args(annotation)
    return [annotation, *(deep for one in inner for deep in _types(one))]
