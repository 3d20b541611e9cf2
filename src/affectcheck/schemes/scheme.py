"""What can be annotated: categories, units and dimensions, each with its declared label set."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal["categories", "units", "dimensions"]

#: How labels were made: by people; by people who corrected a program, or a program that people spot-checked; by a program.
PROVENANCES: Final = ("manual", "semi-automatic", "automatic")

#: Marks without width or ink that spreadsheets and web pages leave in cells: byte-order mark, zero-width space,
#: direction marks, word joiner.
_INVISIBLE: Final = dict.fromkeys((0xFEFF, 0x200B, 0x200E, 0x200F, 0x2060))


@dataclass(frozen=True)
class CategoryScheme:
    """One of C classes.

    Attributes:
        name: name of the scheme, such as ``expressions-7``.
        labels: the declared classes, in order; metrics divide by their number whatever the data hold.
        aliases: other spellings that mean a label, compared without case and surrounding blanks.
        codes: what integer codes mean, where a file uses them.
        ordered: whether the order of the labels is meaningful (age groups).
        source: where the label set is defined.
    """

    name: str
    labels: tuple[str, ...]
    aliases: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[int, str] = field(default_factory=dict)
    ordered: bool = False
    source: str = ""

    kind: Literal["categories"] = "categories"

    def __post_init__(self) -> None:
        """Labels are distinct after folding, every alias and code names one, and no spelling means two."""
        folded = [fold(label) for label in self.labels]
        if len(set(folded)) < len(folded):
            raise InputError(f"scheme {self.name!r} has two labels of one spelling: {self.labels}")
        strangers = {*self.aliases.values(), *self.codes.values()} - set(self.labels)
        if strangers:
            raise InputError(f"scheme {self.name!r} maps to labels it does not have: {sorted(strangers)}")
        meanings = dict(zip(folded, self.labels, strict=True))
        for alias, label in self.aliases.items():
            if meanings.setdefault(fold(alias), label) != label:
                raise InputError(
                    f"scheme {self.name!r} reads {alias!r} both as {meanings[fold(alias)]!r} and as {label!r}",
                    expected="one meaning a spelling",
                )

    def resolve(self, text: str, *, where: str = "") -> str:
        """The label that a cell's text means, after trimming and case folding.

        Raises:
            UnknownNameError: neither a label nor an alias; the nearest labels are named, never taken.
        """
        found = self.spellings().get(fold(text))
        if found is None:
            raise UnknownNameError.of(f"label of {self.name}", text, self.labels, where=where)
        return found

    def spellings(self) -> dict[str, str]:
        """Folded spelling to label, for labels and aliases."""
        table = {fold(alias): label for alias, label in self.aliases.items()}
        return table | {fold(label): label for label in self.labels}


@dataclass(frozen=True)
class UnitScheme:
    """M binary labels, each present, absent or unknown.

    Attributes:
        name: name of the scheme, such as ``au-12-affwild2``.
        units: names such as ``AU1``, in order.
        source: where the set is defined.
    """

    name: str
    units: tuple[str, ...]
    source: str = ""

    kind: Literal["units"] = "units"


@dataclass(frozen=True)
class DimensionScheme:
    """D real values on one range.

    Attributes:
        name: name of the scheme.
        dimensions: names such as ``valence``, in order.
        low, high: the closed range of every dimension.
        source: where it is defined.
    """

    name: str
    dimensions: tuple[str, ...]
    low: float = -1.0
    high: float = 1.0
    source: str = ""

    kind: Literal["dimensions"] = "dimensions"

    def __post_init__(self) -> None:
        """A range has a positive width."""
        if not self.low < self.high:
            raise InputError(
                f"scheme {self.name!r} has the range [{self.low}, {self.high}]", expected="a low end below the high one"
            )


Scheme: TypeAlias = CategoryScheme | UnitScheme | DimensionScheme


def parts(scheme: Scheme) -> tuple[str, ...]:
    """Names of the classes, units or dimensions."""
    if isinstance(scheme, CategoryScheme):
        return scheme.labels
    return scheme.units if isinstance(scheme, UnitScheme) else scheme.dimensions


def fold(text: str) -> str:
    r"""A spelling by which two cells that look alike compare equal.

    Without case, without white space around (no-break space included) and one blank for any within, without
    zero-width marks, and with accents composed.

    Example:
        >>> fold(" Sadly\u00a0 ANGRY ")
        'sadly angry'
    """
    composed = unicodedata.normalize("NFC", text.translate(_INVISIBLE))
    return unicodedata.normalize("NFC", " ".join(composed.split()).casefold())


@dataclass(frozen=True)
class Target:
    """What a model predicts and a table annotates: a name, and the scheme its columns follow.

    Attributes:
        name: such as ``expression``; for categories also the name of the label column.
        scheme: the declared label set.
        provenance: how the labels were made: ``manual``, ``semi-automatic`` or ``automatic``. Acted labels are
            manual; the card says that they are acted.

    Raises:
        UnknownNameError: another provenance.
    """

    name: str
    scheme: Scheme
    provenance: str = "manual"

    def __post_init__(self) -> None:
        """The provenance is one that rules know."""
        if self.provenance not in PROVENANCES:
            raise UnknownNameError.of(f"provenance of the target {self.name!r}:", self.provenance, PROVENANCES)

    @property
    def columns(self) -> tuple[str, ...]:
        """The label columns in an annotation table."""
        return (self.name,) if isinstance(self.scheme, CategoryScheme) else parts(self.scheme)
