"""What a perturbation is: a frozen set of parameters in physical units that turns samples into other samples."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import numpy as np

from affectcheck.augmentations.collection import Collection

if TYPE_CHECKING:
    from collections.abc import Mapping

_PART: Final = 1_024


@dataclass(frozen=True, eq=False)
class Augmented:
    """What an augmentation made of one clip.

    Attributes:
        samples: (n,) float32; the samples that were given, if nothing was changed.
        changed: whether the sound really differs. An item that was not changed says nothing about robustness: it is
            left out and counted.
        drawn: what was drawn for this clip, and level changes, in the units that their names end in.
        notes: sentences, such as why nothing was changed or that samples exceed full scale.
    """

    samples: np.ndarray
    changed: bool
    drawn: Mapping[str, float | str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def unchanged(samples: np.ndarray, reason: str, drawn: Mapping[str, float | str] | None = None) -> Augmented:
    """The samples that were given, and why nothing was done to them."""
    return Augmented(samples, changed=False, drawn=drawn or {}, notes=(reason,))


def changed(
    samples: np.ndarray, made: np.ndarray, drawn: Mapping[str, float | str], notes: tuple[str, ...] = ()
) -> Augmented:
    """What was made of samples, if it differs from them once it is stored.

    Args:
        samples: (n,) as given.
        made: (m,) of any floating type.
        drawn: what was drawn.
        notes: what is to be said of it.
    """
    stored = np.asarray(made, np.float32)
    if _same(stored, samples):
        return unchanged(samples, "too small a change for 32-bit samples: nothing differs", drawn)
    return Augmented(stored, changed=True, drawn=drawn, notes=notes)


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    middle = len(other) // 2  # where most changes are seen at once
    if one.shape != other.shape or (len(other) and one[middle] != other[middle]):
        return False
    part = slice(middle, middle + _PART)
    return np.array_equal(one[part], other[part]) and np.array_equal(one, other)


@runtime_checkable
class Augmentation(Protocol):
    """A perturbation of sound, registered under a name."""

    @property
    def key(self) -> str:
        """Name and all parameters in one line; equal keys mean equal output for equal draws."""

    def apply(self, samples: np.ndarray, rate_hz: int, rng: np.random.Generator) -> Augmented:
        """Perturb one clip.

        Args:
            samples: (n,) float, full scale at ±1; never written to.
            rate_hz: sampling rate.
            rng: the generator of this item, from which every draw is made.
        """


def describe_parameters(name: str, augmentation: object) -> str:
    """The key of an augmentation: its name, then every field with its value; a collection by its content.

    Args:
        name: the registered name.
        augmentation: a dataclass instance.
    """
    values: dict[str, Any] = {f.name: getattr(augmentation, f.name) for f in fields(augmentation)}  # type: ignore[arg-type]
    return f"{name}({','.join(f'{field}={_plain(value)}' for field, value in values.items())})"


def _plain(value: object) -> str:
    if isinstance(value, Collection):
        return value.digest[:16]
    if isinstance(value, tuple):
        return "/".join(_plain(one) for one in value)
    return repr(float(value)) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
