"""Files of settings: models that take no unknown key, and one error that names every fault of a file."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from affectcheck.errors import InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


class Strict(BaseModel):
    """A table of a file: an unknown key is an error, and nothing is changed after it was read."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True, allow_inf_nan=False)


Model = TypeVar("Model", bound=Strict)


def read_toml(path: Path, kind: str) -> dict[str, Any]:
    """The plain values of a TOML file.

    Args:
        path: the file.
        kind: what it is called in messages, such as "track".

    Raises:
        MissingPathError: there is no such file.
        InputError: it is not TOML in UTF-8.
    """
    if not path.is_file():
        raise MissingPathError.of(kind, path, expected="a .toml file")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"not TOML: {error}",
            where=str(path),
            expected='lines such as name = "text", in UTF-8',
            cause="a text without quotation marks, or a backslash in a path; write / in paths",
        ) from error


def parsed(model: type[Model], values: Mapping[str, Any], *, kind: str, where: str = "") -> Model:
    """A model from the plain values of a file.

    Args:
        model: what is read.
        values: keys and values as TOML gives them.
        kind: what it is called in messages, such as "test definition".
        where: the file.

    Raises:
        InputError: a key is unknown (with the nearest known one) or missing, or a value is refused; all faults are in
            one message.

    Example:
        >>> class Point(Strict):
        ...     x: float
        >>> parsed(Point, {"x": 1}, kind="point").x
        1.0
    """
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        found = error.errors()
        faults = [_fault(model, one["loc"], one["type"], one["msg"]) for one in found if not _follows(one, found)]
        raise InputError(
            f"{len(faults)} fault{'s' if len(faults) > 1 else ''} in a {kind}:\n  " + "\n  ".join(faults),
            where=where,
            expected=f"the keys of the format of a {kind}",
        ) from error


def _follows(fault: Any, faults: Sequence[Any]) -> bool:
    """Whether a list counts as too short only because an entry of it is at fault."""
    place = fault["loc"]
    return fault["type"] == "too_short" and any(one["loc"][: len(place)] == place for one in faults if one != fault)


def _fault(root: type[Strict], location: tuple[int | str, ...], kind: str, message: str) -> str:
    path = ".".join(str(step) for step in location)
    if kind == "extra_forbidden":
        known = _model_at(root, location[:-1]).model_fields
        return str(UnknownNameError.of("key", str(location[-1]), known, where=path)).replace("\n", ";")
    return f"{path or 'the file'}: {message.removeprefix('Value error, ')}".replace("\n", ";")


def _model_at(root: type[Strict], location: tuple[int | str, ...]) -> type[Strict]:
    """The model whose keys are found at a place of a file."""
    model = root
    for step in (str(one) for one in location):
        found = _types(model.model_fields[step].annotation) if step in model.model_fields else []
        model = next((one for one in found if isinstance(one, type) and issubclass(one, Strict)), model)
    return model


def _types(annotation: Any) -> list[Any]:
    inner = get_args(annotation)
    return [annotation, *(deep for one in inner for deep in _types(one))]
