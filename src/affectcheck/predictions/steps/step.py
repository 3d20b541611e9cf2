"""What a step is: parameters that read from and write to one line of text, and a change of a model's numbers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final, Self, TypeAlias

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from affectcheck.models.card import ModelCard
    from affectcheck.predictions.steps.signal import Signal

#: Characters that part the words of a step's text, so that no name in it may hold one.
SEPARATORS: Final = "|,="
#: Letters of a digest that a step's text shows, as many as a signature does.
SHOWN: Final = 12
#: A number for each of some classes or dimensions, by name.
ByName: TypeAlias = Mapping[str, float] | Iterable[tuple[str, float]]


@dataclass(frozen=True, kw_only=True)
class Step(ABC):
    """One change of a model's numbers between prediction and score. Its parameters are its fields.

    Attributes:
        fitted: digest of the annotations on which the parameters were chosen; empty where they were stated beforehand.
    """

    fitted: str = ""

    NAME: ClassVar[str] = ""

    @classmethod
    @abstractmethod
    def read(cls, told: Told) -> Self:
        """From the words after the name in a step's text.

        Raises:
            InputError: a word that does not belong there.
        """

    @abstractmethod
    def words(self) -> tuple[str, ...]:
        """The parameters as words, which ``read`` takes."""

    @abstractmethod
    def apply(self, signal: Signal) -> Signal:
        """The changed numbers.

        Raises:
            InputError: they are not of the kind that the step takes, or lack what it needs.
        """

    def bound(self, card: ModelCard) -> Step:
        """The step with every parameter settled that the model's card decides, as it stands in signatures."""
        del card
        return self

    def __str__(self) -> str:
        """Canonical text, such as ``smooth:mean,11``."""
        words = [*self.words(), *([f"fitted={self.fitted}"] if self.fitted else [])]
        return f"{self.NAME}:{','.join(words)}" if words else self.NAME


@dataclass(frozen=True)
class Told:
    """The words after a step's name: plain ones in order, then ``key=value`` pairs.

    Attributes:
        step: name of the step, for messages.
        plain: words without an equals sign.
        pairs: the others.
    """

    step: str
    plain: tuple[str, ...] = ()
    pairs: Mapping[str, str] = field(default_factory=dict)

    @property
    def fitted(self) -> str:
        """Digest of the data on which the parameters were chosen."""
        return self.pairs.get("fitted", "")

    def take(self, *names: str) -> tuple[str, ...]:
        """The values of some keys, empty where absent; any other key but ``fitted`` is an error.

        Raises:
            InputError: another key is there.
        """
        strange = [key for key in self.pairs if key not in {*names, "fitted"}]
        if strange:
            raise InputError(
                f"the step {self.step!r} has no parameter {strange[0]!r}",
                expected=f"of {', '.join(names)}" if names else "no parameter with an equals sign",
            )
        return tuple(self.pairs.get(name, "") for name in names)

    def require(self, low: int, high: int, expected: str) -> tuple[str, ...]:
        """The plain words, if their number is right.

        Raises:
            InputError: too few or too many.
        """
        if not low <= len(self.plain) <= high:
            given = f"{self.step}:{','.join(self.plain)}" if self.plain else self.step
            raise InputError(f"{given!r} is no step", expected=expected)
        return self.plain

    def number(self, text: str, what: str) -> float:
        """A finite number.

        Raises:
            InputError: it is none.
        """
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not math.isfinite(found):
            raise InputError(f"the step {self.step!r} has the {what} {text!r}", expected="a number such as 0.5 or -2")
        return found

    def whole(self, text: str, what: str) -> int:
        """A whole number.

        Raises:
            InputError: it is none.
        """
        found = self.number(text, what)
        if found != int(found):
            raise InputError(f"the step {self.step!r} has the {what} {text!r}", expected="a whole number")
        return int(found)


def plain_number(value: float) -> str:
    """A number in the shortest text that reads back as it.

    Example:
        >>> plain_number(11.0), plain_number(-0.2), plain_number(1e-7)
        ('11', '-0.2', '1e-07')
    """
    return repr(float(value)).removesuffix(".0")


def by_name(values: ByName, what: str) -> tuple[tuple[str, float], ...]:
    """Named numbers as sorted pairs, so that a step is hashable and has one text.

    Raises:
        InputError: none, one twice, one that is not finite, or a name that a step's text cannot hold.
    """
    pairs = sorted(values.items() if isinstance(values, Mapping) else values)
    names = [name for name, _ in pairs]
    if not pairs or len(set(names)) < len(names):
        raise InputError(f"{what} of {', '.join(names) or 'nothing'}", expected="each class or dimension once")
    require_spellable(names, what)
    wild = [name for name, value in pairs if not math.isfinite(value)]
    if wild:
        raise InputError(f"the {what} of {wild[0]!r} is not finite", expected="a number such as -0.2")
    return tuple((name, float(value)) for name, value in pairs)


def require_spellable(names: Iterable[str], what: str) -> None:
    """Raise where a name holds a character that parts the words of a step's text.

    Raises:
        InputError: one does.
    """
    for name in names:
        if not name or any(character in name for character in SEPARATORS):
            raise InputError(
                f"{what} of {name!r}",
                expected=f"a name without any of {' '.join(SEPARATORS)}, which part a step's words",
            )
