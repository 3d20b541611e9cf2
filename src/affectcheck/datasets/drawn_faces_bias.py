"""Biases that can be planted into the drawn faces, so that what should find them can be tried.

One is written ``KIND:GROUP:VALUE:AMOUNT``, some with expressions behind; several are separated by commas.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Final

from affectcheck.datasets.drawn_faces_appearance import AGES, GENDERS, GLASSES, TONES
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes.expressions import BASIC_7
from affectcheck.seeds import entropy

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Kind of bias to the number of expressions that it names.
KINDS: Final = {"faint": 0, "dim": 0, "mislabel": 2, "rare": 1}
#: Kinds that change the pictures; the others change what is written about them.
_OF_PICTURES: Final = ("faint", "dim")
_VALUES: Final = {"gender": GENDERS, "age": AGES, "tone": TONES, "glasses": GLASSES}
_FORM: Final = (
    "faint:GROUP:VALUE:AMOUNT (what the group does is drawn weaker by this share), dim:GROUP:VALUE:AMOUNT (its "
    "pictures are darker), mislabel:GROUP:VALUE:AMOUNT:FROM:TO (this share of its pictures of one expression is "
    "labelled as another) or rare:GROUP:VALUE:AMOUNT:EXPRESSION (this share of its pictures of it is left out)"
)


@dataclass(frozen=True)
class Bias:
    """One planted bias.

    Attributes:
        kind: one of ``KINDS``.
        group: column, such as ``tone``.
        value: label of the group that is treated otherwise.
        amount: share, above 0 and at most 1 (below 1 for ``dim``).
        expressions: those that it is about.
    """

    kind: str
    group: str
    value: str
    amount: float
    expressions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ":".join((self.kind, self.group, self.value, f"{self.amount:g}", *self.expressions))

    @property
    def changes_pictures(self) -> bool:
        """Whether the pictures are drawn otherwise."""
        return self.kind in _OF_PICTURES


def parse_biases(text: str) -> tuple[Bias, ...]:
    """The biases of a text.

    Raises:
        InputError: one of another form, or an amount that is no share.
        UnknownNameError: an unknown kind, group, value or expression.

    Example:
        >>> [str(bias) for bias in parse_biases("mislabel:gender:female:0.30:anger:neutral")]
        ['mislabel:gender:female:0.3:anger:neutral']
    """
    return tuple(_parsed(piece.strip()) for piece in text.split(",") if piece.strip())


def _parsed(text: str) -> Bias:
    kind, *rest = (word.strip() for word in text.split(":"))
    _require("kind of planted bias", kind, tuple(KINDS), text)
    if len(rest) != 3 + KINDS[kind]:
        raise InputError(f"not a planted bias: {text!r}", expected=_FORM)
    group, value, amount, *expressions = rest
    _require("group of drawn faces", group, tuple(_VALUES), text)
    _require(f"{group} of drawn faces", value, _VALUES[group], text)
    for expression in expressions:
        _require("expression", expression, BASIC_7, text)
    if len(set(expressions)) < len(expressions):
        raise InputError(f"a label that stays as it is: {text!r}", expected="two expressions that differ")
    return Bias(kind, group, value, _share(amount, kind, text), tuple(expressions))


def _require(what: str, name: str, known: Sequence[str], text: str) -> None:
    if name not in known:
        raise UnknownNameError.of(what, name, known, where=f"bias {text!r}")


def _share(text: str, kind: str, where: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = float("nan")
    if not (isfinite(share) and 0 < share <= 1) or (kind == "dim" and share == 1):
        raise InputError(
            f"the amount {text!r} is no share", where=f"bias {where!r}", expected="above 0, at most 1 (below 1 for dim)"
        )
    return share


def chosen(items: Sequence[str], seed: int, bias: Bias) -> frozenset[str]:
    """The items that a bias falls on: as many as its amount says, to the nearest whole number."""

    def place(item: str) -> int:
        return entropy(seed, "planted bias", bias.kind, bias.group, bias.value, item)

    return frozenset(sorted(items, key=place)[: round(bias.amount * len(items))])
