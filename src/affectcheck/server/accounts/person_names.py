"""Names of people: any script, one line, nothing that hides or turns what stands beside it."""

from __future__ import annotations

import unicodedata
from typing import Final

from affectcheck.server.faults import RefusedError

MOST: Final = 80
#: Zero-width joiners are letters' business in some scripts; every other control or format character is refused.
_JOINERS: Final = frozenset("\u200c\u200d")


def person_name(name: str) -> str:
    """A person's name as it is kept.

    Raises:
        RefusedError: it is empty, too long, or holds characters that are not seen.

    Example:
        >>> person_name("  Ada   Lovelace ")
        'Ada Lovelace'
    """
    text = line_of_text(name, "a name", most=MOST)
    if not any(unicodedata.category(c)[0] in "LN" for c in text):
        raise RefusedError(
            "not a name", code="E_NAME", expected=f"1 to {MOST} characters in one line, with a letter among them"
        )
    return text


def line_of_text(text: str, what: str, *, most: int) -> str:
    """A line as it is kept: in the normal form NFC, with single blanks; it may be empty.

    Raises:
        RefusedError: it is too long, or holds characters that are not seen.
    """
    line = " ".join(unicodedata.normalize("NFC", text[: 10 * most]).split())
    hidden = any(unicodedata.category(c).startswith("C") and c not in _JOINERS for c in line)
    if hidden or len(text) > 10 * most or len(line) > most:
        fault = f"{what} with characters that are not seen" if hidden else f"{what} of more than {most} characters"
        raise RefusedError(fault, code="E_NAME", expected=f"at most {most} characters in one line")
    return line
