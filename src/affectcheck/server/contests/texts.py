"""Texts of organisers: of a length that fits, with characters that are seen."""

from __future__ import annotations

import re
from typing import Final

from affectcheck.challenges.characters import JOINERS, character_fault
from affectcheck.server.faults import RefusedError

_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_LINES: Final = "\n\r\t"
#: The most characters of a reason about submissions.
REASON: Final = 2000


def slug(text: str) -> str:
    """A short name as it stands in addresses.

    Raises:
        RefusedError: it is none.
    """
    if not _SLUG.fullmatch(text):
        raise RefusedError(
            f"the short name {text[:80]!r}",
            code="E_SLUG",
            expected="1 to 64 small letters a to z, digits and hyphens, such as abaw-2027",
        )
    return text


def line(what: str, text: str, *, most: int, least: int = 1) -> str:
    """A text of one line, without blanks around it.

    Raises:
        RefusedError: it is too short or too long, or has a character that is not seen.
    """
    return _checked(what, " ".join(text[: 4 * most + 1].split()), most, least)


def paragraphs(what: str, text: str, *, most: int) -> str:
    """A text of any number of lines, which may be empty.

    Raises:
        RefusedError: it is too long, or has a character that is not seen.
    """
    return _checked(what, text.strip(), most, 0, allowed=_LINES)


def stated(reason: str) -> str:
    """Why something is done, for the audit log and those whom it concerns.

    Raises:
        RefusedError: none is stated.
    """
    return line("reason", reason, most=1000, least=3)


def why(reason: str) -> str:
    """Why submissions are taken off a board or scored anew; teams and the audit log are told.

    Raises:
        RefusedError: none is stated, it is too long, or has a character that is not seen.
    """
    found = reason.strip()
    if not found or len(found) > REASON:
        raise RefusedError(
            "no reason" if not found else f"a reason of {len(found)} characters",
            code="E_REASON",
            expected=f"why, in up to {REASON} characters; teams and the audit log are told",
        )
    fault = character_fault(found, allowed=JOINERS + _LINES)
    if fault:
        raise RefusedError(f"the reason {fault}", code="E_REASON", expected="letters, digits and signs that are seen")
    return found


def _checked(what: str, text: str, most: int, least: int, allowed: str = "") -> str:
    if not least <= len(text) <= most:
        raise RefusedError(
            f"a {what} of {len(text)} characters" if text else f"no {what}",
            code="E_TEXT",
            expected=f"{least} to {most} characters",
        )
    fault = character_fault(text, allowed=JOINERS + allowed)
    if fault:
        raise RefusedError(f"the {what} {fault}", code="E_TEXT", expected="letters, digits and signs that are seen")
    return text
