"""Registry of augmentations, and their construction from the plain values of a test definition."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from affectcheck.augmentations.collection import ROLES, Sounds
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.augmentations.augmentation import Augmentation

AUGMENTATIONS: Registry[Callable[..., Augmentation]] = Registry("augmentation", "affectcheck.augmentations")


def make_augmentation(
    name: str, parameters: dict[str, Any] | None = None, sounds: Sounds | None = None
) -> Augmentation:
    """An augmentation by name, with parameters as plain values (lists become tuples).

    Args:
        name: the registered name.
        parameters: its parameters; what is not stated has its default.
        sounds: recordings and impulse responses, for those that mix them in.

    Raises:
        UnknownNameError: no augmentation has the name, or it has no such parameter.
        InputError: a parameter's value is refused.
        SoundsMissingError: it needs sounds of a role that ``sounds`` lacks.
    """
    kind = AUGMENTATIONS.get(name)
    known = [f.name for f in fields(kind)]  # type: ignore[arg-type]
    for parameter in parameters or {}:
        if parameter not in known:
            raise UnknownNameError.of(f"parameter of augmentation {name!r}", parameter, known)
    plain = {key: tuple(value) if isinstance(value, list) else value for key, value in (parameters or {}).items()}
    role = _role(kind, plain)
    if role and "collection" not in plain:
        plain["collection"] = (sounds or Sounds()).get(role)
    try:
        return kind(**plain)
    except TypeError as error:
        raise InputError(f"augmentation {name!r} cannot be made: {error}", expected=f"numbers for {known}") from error


def _role(kind: Callable[..., Augmentation], plain: dict[str, Any]) -> str:
    """The role of the sounds that it mixes in: always the same one, or a parameter; empty for none.

    A role that is not known is left to the augmentation to refuse.
    """
    defaults = {f.name: f.default for f in fields(kind)}  # type: ignore[arg-type]
    if "collection" not in defaults:
        return ""
    role = getattr(kind, "ROLE", None) or plain.get("role", defaults.get("role"))
    return role if isinstance(role, str) and role in ROLES else ""
