"""Sentences about parts of a table as sentences about the whole: what they count adds up."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from affectcheck.annotations.listing import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: A sentence begins with what it counts, such as ``3 items``; numbers by name are listed in brackets or at its end.
_LEAD: Final = re.compile(r"^(\d+) ([a-z]+?)s? (?=\w)")
_LISTED: Final = re.compile(r"(?<=[(:])( ?)([^(),:]+ \d+(?:, [^(),:]+ \d+)*)(?=\)|$)")


@dataclass(eq=False)
class Notes:
    """Sentences, each once, with the sum of what its parts count.

    Attributes:
        names: classes, units or dimensions, in the order in which numbers by name are told.
    """

    names: Sequence[str] = ()
    _items: dict[str, int] = field(default_factory=dict)
    _listed: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, sentences: Iterable[str]) -> None:
        """Add the sentences about one part.

        Example:
            >>> notes = Notes()
            >>> notes.add(["1 item without a label: left out", "cells not annotated: AU1 2"])
            >>> notes.add(["2 items without a label: left out", "cells not annotated: AU1 1, AU2 1", "as declared"])
            >>> notes.told
            ('3 items without a label: left out', 'cells not annotated: AU1 3, AU2 1', 'as declared')
        """
        for sentence in sentences:
            lead, listed = _LEAD.match(sentence), _LISTED.search(sentence)
            form = sentence
            if listed:
                form = f"{form[: listed.start(2)]}\0{form[listed.end(2) :]}"
            if lead:
                form = f"\1{lead[2]}\1{form[lead.end() :]}"
            self._items[form] = self._items.get(form, 0) + (int(lead[1]) if lead else 0)
            if listed:
                told = (pair.rpartition(" ") for pair in listed[2].split(", "))
                self._listed.setdefault(form, Counter()).update({name: int(number) for name, _, number in told})

    @property
    def told(self) -> tuple[str, ...]:
        """The sentences."""
        return tuple(self._told(form, number) for form, number in self._items.items())

    def _told(self, form: str, number: int) -> str:
        counts = self._listed.get(form, Counter())
        places = {name: place for place, name in enumerate(self.names)}
        ordered = sorted(counts, key=lambda name: places.get(name, len(places)))
        text = form.replace("\0", ", ".join(f"{name} {counts[name]}" for name in ordered))
        _, noun, rest = text.split("\1") if text.startswith("\1") else ("", "", text)
        return f"{plural(number, noun)} {rest}" if noun else rest
