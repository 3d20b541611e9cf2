"""Mappings between label schemes. One exists only where the finer scheme truly coarsens into the other.

A mapping that would have to guess (an age group that straddles two others, a race that another scheme divides
elsewhere) is refused with the labels that stand in the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes.scheme import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.schemes.scheme import CategoryScheme


@dataclass(frozen=True)
class LabelMapping:
    """From the labels of one scheme to those of another.

    Attributes:
        source: name of the scheme mapped from.
        target: name of the scheme mapped to.
        table: source label to target label.
        dropped: source labels without a counterpart, whose items are left out and counted.
        reason: why the mapping is a true coarsening.
    """

    source: str
    target: str
    table: Mapping[str, str]
    dropped: tuple[str, ...] = ()
    reason: str = ""

    def __str__(self) -> str:
        """As it stands in a signature: only the labels that change, then those dropped."""
        changed = [f"{a}>{b}" for a, b in self.table.items() if a != b]
        return ",".join([*changed, *(f"{label}>" for label in self.dropped)])


_TRUE_COARSENINGS: Final = (
    LabelMapping(
        "race-7-fairface",
        "race-5",
        {
            "white": "white",
            "black": "black",
            "east asian": "asian",
            "southeast asian": "asian",
            "indian": "indian",
        },
        dropped=("latino_hispanic", "middle eastern"),
        reason="East and Southeast Asian are both Asian; Latino/Hispanic and Middle Eastern have no counterpart",
    ),
    LabelMapping("sex-2", "gender-3", {"female": "female", "male": "male"}, reason="a subset of the labels"),
    LabelMapping(
        "age-years-gft",
        "age-9",
        {str(age): "20-29" for age in range(21, 29)},
        reason="every single year lies within one decade",
    ),
    LabelMapping(
        "race-4-gft",
        "race-5",
        {"asian": "asian", "black": "black", "white": "white"},
        dropped=("other",),
        reason="a subset of the labels; Other has no counterpart",
    ),
)

_REFUSALS: Final = {
    ("age-9", "age-5-rafdb"): "00-02 and 03-09 straddle RAF-DB's border between 3 and 4 years",
    ("age-5-rafdb", "age-9"): "RAF-DB's groups are wider than a decade, so an item's decade is not known",
    ("race-5", "race-7-fairface"): "asian may be East or Southeast Asian",
    ("age-9", "age-years-gft"): "a decade does not tell the year",
}


def mapping_between(source: CategoryScheme, target: CategoryScheme) -> LabelMapping:
    """The mapping from one scheme to another.

    Raises:
        InputError: no true coarsening exists; the message says which labels stand in the way.
    """
    for mapping in _TRUE_COARSENINGS:
        if (mapping.source, mapping.target) == (source.name, target.name):
            return mapping
    shared = {label: target.spellings()[fold(label)] for label in source.labels if fold(label) in target.spellings()}
    if len(shared) == len(source.labels):
        return LabelMapping(source.name, target.name, shared, reason="every label has its namesake")
    reason = _REFUSALS.get((source.name, target.name))
    missing = [label for label in source.labels if label not in shared]
    raise InputError(
        f"no mapping from {source.name!r} to {target.name!r}",
        expected="a scheme whose labels each lie within one label of the other",
        cause=reason or f"no counterpart for {', '.join(missing)}; state a mapping yourself if you know better",
    )


@dataclass(frozen=True)
class StatedMapping:
    """A mapping that the user states, such as ``joy=happiness,calm=``.

    Attributes:
        table: label to label; an empty right side leaves the label's items out.
    """

    table: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> StatedMapping:
        """Read ``from=to`` pairs separated by commas.

        Raises:
            InputError: a pair has no equals sign, or a label is mapped twice.
        """
        table: dict[str, str] = {}
        for pair in filter(None, (piece.strip() for piece in text.split(","))):
            old, equals, new = (piece.strip() for piece in pair.partition("="))
            if not equals or not old or old in table:
                raise InputError(
                    f"not a label mapping: {pair!r}",
                    expected="FROM=TO,FROM=TO (an empty TO leaves the label out)",
                    cause=f"{old!r} is mapped twice" if old in table else "",
                )
            table[old] = new
        return cls(table)

    def resolve(self, scheme: CategoryScheme) -> dict[str, str | None]:
        """The stated pairs in folded spelling, each target a label of the scheme, None where left out.

        Raises:
            UnknownNameError: a target is no label of the scheme.
        """
        known = scheme.spellings()
        for new in filter(None, self.table.values()):
            if fold(new) not in known:
                raise UnknownNameError.of(f"label of {scheme.name}", new, scheme.labels)
        return {fold(old): known[fold(new)] if new else None for old, new in self.table.items()}
