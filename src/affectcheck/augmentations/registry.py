"""Registry of augmentations, and their construction from the plain values of a test definition."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from affectcheck.augmentations.collection import ROLES, Sounds
from affectcheck.augmentations.perturbation import Perturbation
from affectcheck.augmentations.pictures.perturbation import PicturePerturbation
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.augmentations.augmentation import Augmentation

Part = TypeVar("Part")
AnyPerturbation: TypeAlias = Perturbation | PicturePerturbation

AUGMENTATIONS: Registry[Callable[..., Augmentation]] = Registry("augmentation", "affectcheck.augmentations")


def make_perturbation(
    name: str, parameters: dict[str, Any] | None = None, sounds: Sounds | None = None, seed: int = 0
) -> AnyPerturbation:
    """A perturbation of sound or of pictures by name; as ``make_augmentation`` otherwise.

    Raises:
        UnknownNameError: neither sound nor pictures have a perturbation of the name.
    """
    if name in PICTURE_AUGMENTATIONS:
        return PicturePerturbation(_made(PICTURE_AUGMENTATIONS.get(name), name, _plain(parameters)), seed)
    if name not in AUGMENTATIONS:
        raise UnknownNameError.of("augmentation", name, [*AUGMENTATIONS.names(), *PICTURE_AUGMENTATIONS.names()])
    return Perturbation(make_augmentation(name, parameters, sounds), seed)


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
    kind, plain = AUGMENTATIONS.get(name), _plain(parameters)
    role = _role(kind, plain)
    if role and "collection" not in plain:
        plain["collection"] = (sounds or Sounds()).get(role)
    return _made(kind, name, plain)


def _plain(parameters: dict[str, Any] | None) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in (parameters or {}).items()}


def _made(kind: Callable[..., Part], name: str, plain: dict[str, Any]) -> Part:
    """One of its kind with these parameters; a name that it has not, or a value that it does not take, is told."""
    known = [f.name for f in fields(kind)]  # type: ignore[arg-type]
    for parameter in plain:
        if parameter not in known:
            raise UnknownNameError.of(f"parameter of augmentation {name!r}", parameter, known)
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
