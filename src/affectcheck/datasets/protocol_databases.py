"""The databases that the fair protocol partitions: what their lists annotate, and where they lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from affectcheck.datasets.declared import UNITS_TARGET, categories, units
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from affectcheck.schemes import CategoryScheme

_AGES: Final = categories("age-9")
_GENDERS: Final = categories("gender-3")
_RACES: Final = categories("race-5")


@dataclass(frozen=True)
class Database:
    """One of the databases that the protocol partitions.

    Attributes:
        key: as the option names it.
        target: what its lists annotate.
        folders: chains of folders that lead to its lists; hyphens, underscores and a plural s do not count.
        age, race: schemes of these columns.
        aligned: whether pictures on disk are called ``_aligned``, which the lists leave out.
    """

    key: str
    target: Target
    folders: tuple[tuple[str, ...], ...]
    age: CategoryScheme = _AGES
    race: CategoryScheme = _RACES
    aligned: bool = False

    @property
    def groups(self) -> dict[str, CategoryScheme]:
        """Group columns, in the order that the tables of paper 1 have."""
        return {"gender": _GENDERS, "race": self.race, "age": self.age}


def _expression(name: str) -> Target:
    return Target("expression", scheme(name))


def _unit(name: str) -> Target:
    return Target(UNITS_TARGET, units(name))


DATABASES: Final = {
    database.key: database
    for database in (
        Database("affectnet-7", _expression("expressions-7"), (("AffectNet", "annotations", "EXPR", "expr7"),)),
        Database(
            "affectnet-8", _expression("expressions-8-contempt"), (("AffectNet", "annotations", "EXPR", "expr8"),)
        ),
        Database("affectnet-va", Target("affect", scheme("valence-arousal")), (("AffectNet", "annotations", "VA"),)),
        Database(
            "raf-db",
            _expression("expressions-7"),
            (("RAF-DB", "basic", "annotations"), ("RAF-DB", "annotations")),
            age=categories("age-5-rafdb"),
        ),
        Database("disfa", _unit("au-12-disfa"), (("DISFA", "annotations"),)),
        Database("emotionet", _unit("au-11-emotionet"), (("EmotioNet", "annotations"),)),
        Database(
            "gft",
            _unit("au-14-gft"),
            (("GFT", "annotations"),),
            age=categories("age-years-gft"),
            race=categories("race-4-gft"),
        ),
        Database("raf-au", _unit("au-13-rafau"), (("RAF-AU", "annotations"),), aligned=True),
    )
}
