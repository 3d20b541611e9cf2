"""The card of a data set: where it is from, what it holds, what it can and cannot show, and its known faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from affectcheck.schemes import Target

OptionValue: TypeAlias = str | int | float | bool


@dataclass(frozen=True)
class Option:
    """One option of a reader, as ``name:root?option=value`` states it.

    Attributes:
        name: as it is written in a specification and as the keyword of ``read``.
        description: what it changes.
        default: its value when it is not stated; also says which type a stated text is turned into.
    """

    name: str
    description: str
    default: OptionValue = ""


@dataclass(frozen=True)
class Card:
    """What a data set is.

    Attributes:
        name: as it is loaded, and as it stands in signatures.
        title: its full name.
        licence: licence or terms of use, as far as known.
        citation: how its makers wish to be cited.
        url: where it is obtained.
        description: what was recorded, and how the labels came about.
        can_show: what a score on it says.
        cannot_show: what it does not say.
        layout: what the root must hold, in words; empty where the data set needs no root.
        targets: what is annotated.
        groups: names of its group columns.
        speakers: number of subjects; None where it depends on the user's data, or where nothing says who is who.
        items: number of items; None where it depends on the user's data or options.
        options: what its reader takes besides the root.
        notes: known faults, and cautions for whoever reads a score.
        access: how a copy is had, in a word or two: open, on request, made here; the licence says on which terms.
        provenance: who or what made the labels, and the groups.
    """

    name: str
    title: str
    licence: str
    citation: str
    url: str
    description: str
    can_show: str
    cannot_show: str
    layout: str = ""
    targets: tuple[Target, ...] = ()
    groups: tuple[str, ...] = ()
    speakers: int | None = None
    items: int | None = None
    options: tuple[Option, ...] = ()
    notes: tuple[str, ...] = ()
    access: str = ""
    provenance: str = ""

    @property
    def needs_root(self) -> bool:
        """Whether the user must say where the data lie."""
        return bool(self.layout)
