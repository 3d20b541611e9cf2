"""Registry of augmentations, and their construction from the plain values of a test definition."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.augmentations.augmentation import Augmentation

AUGMENTATIONS: Registry[Callable[..., Augmentation]] = Registry("augmentation", "affectcheck.augmentations")


def make_augmentation(name: str, parameters: dict[str, Any] | None = None) -> Augmentation:
    """An augmentation by name, with parameters as plain values (lists become tuples).

    Raises:
        UnknownNameError: no augmentation has the name, or it has no such parameter.
        InputError: a parameter's value is refused.
    """
    kind = AUGMENTATIONS.get(name)
    known = [f.name for f in fields(kind)]  # type: ignore[arg-type]
    for parameter in parameters or {}:
        if parameter not in known:
            raise UnknownNameError.of(f"parameter of augmentation {name!r}", parameter, known)
    plain = {key: tuple(value) if isinstance(value, list) else value for key, value in (parameters or {}).items()}
    try:
        return kind(**plain)
    except TypeError as error:
        raise InputError(f"augmentation {name!r} cannot be made: {error}", expected=f"numbers for {known}") from error
