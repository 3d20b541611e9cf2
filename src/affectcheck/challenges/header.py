"""The header of a submission: which column of the file is which of the track."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from affectcheck.annotations.listing import suggestion
from affectcheck.annotations.plain import NUMBER
from affectcheck.challenges.member_names import shown
from affectcheck.errors import InputError
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.challenges.track import Track

_DELIMITERS: Final = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_SHOWN: Final = 12


def column_order(names: Sequence[str], track: Track, where: str) -> list[int]:
    """Where in the file the key and each column of the track stands.

    Args:
        names: the header as it is written.
        track: whose columns are looked for, whatever the case and blanks of their names.
        where: the file, for messages.

    Returns:
        Places of the key's column and of ``track.columns``, in this order.

    Raises:
        InputError: a column that lacks, is there twice or is unknown; a file without header or with another delimiter.
    """
    wanted = (track.file.item, *track.columns)
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(folded_name(name), []).append(place)
    missing = [name for name in wanted if folded_name(name) not in places]
    unknown = [name for name in names if folded_name(name) not in {folded_name(one) for one in wanted}]
    twice = [names[found[0]] for found in places.values() if len(found) > 1]
    if missing or unknown or twice:
        told = [
            f"{what} {', '.join(shown(name) for name in found[:_SHOWN])}{' …' if len(found) > _SHOWN else ''}"
            for what, found in (("without the columns", missing), ("with unknown columns", unknown), ("twice", twice))
            if found
        ]
        raise InputError(
            f"a header {', '.join(told)}",
            where=f"{where}:1",
            expected=",".join(wanted),
            cause=_cause(names, missing, unknown),
            code="E_WRONG_COLUMNS",
        )
    return [places[folded_name(name)][0] for name in wanted]


def folded_name(name: str) -> str:
    """A header without case, quotation marks, blanks, underscores and hyphens: ``Empathic-Pain`` is ``empathic pain``."""
    return fold(re.sub(r"[\s_-]+", "", name.strip().strip('"')))


def _cause(names: Sequence[str], missing: Sequence[str], unknown: Sequence[str]) -> str:
    if len(names) == 1:
        other = next((words for mark, words in _DELIMITERS.items() if mark in names[0]), "")
        return f"columns that are separated by {other}, not by commas" if other else ""
    if any(re.match(NUMBER, name.strip()) for name in names):
        return "a file without its header"
    if list(unknown) == [""]:
        return "numbers of the rows, which a program wrote as a column without a name"
    if not missing:
        return ""
    near = ((name, suggestion(name, missing)) for name in unknown[:_SHOWN])
    return next((f"{shown(name)}{told}" for name, told in near if told), "")
