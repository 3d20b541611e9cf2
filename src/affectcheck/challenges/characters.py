"""Which characters a text of strangers may hold: none that is not seen, turns the direction, or piles up over others."""

from __future__ import annotations

import unicodedata
from typing import Final

#: Categories of Unicode without ink: controls, direction marks, surrogates, private and unassigned characters.
UNSEEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn")
#: Letters and marks that are not seen either: fillers of Hangul, a joiner, inherent vowels of Khmer, selectors of variants.
_BLANK: Final = frozenset(
    "\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f"
    + "".join(chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
#: What Persian and Indic scripts, and emoji of several parts, need between letters.
JOINERS: Final = "\u200c\u200d"
#: Marks in a row over or under a letter; no writing needs more.
MOST_MARKS: Final = 4


def character_fault(text: str, *, allowed: str = "") -> str:
    """What is wrong with the characters of a text, as the end of a sentence that begins with its name; empty if nothing is.

    Args:
        text: any text.
        allowed: characters that are let pass though they are not seen.

    Example:
        >>> character_fault("Te\u200bam")
        'has an invisible or direction-changing character, U+200B (ZERO WIDTH SPACE)'
    """
    marks = 0
    for letter in text:
        category = unicodedata.category(letter)
        if letter not in allowed and (category in UNSEEN or letter in _BLANK):
            return f"has an invisible or direction-changing character, {named(letter)}"
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks > MOST_MARKS:
            return f"has more than {MOST_MARKS} marks over one letter"
    return ""


def named(letter: str) -> str:
    """A character by its number, and its name where it has one."""
    name = unicodedata.name(letter, "")
    return f"U+{ord(letter):04X} ({name})" if name else f"U+{ord(letter):04X}"
