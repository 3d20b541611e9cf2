"""Names of teams and methods, as they stand on boards: short, of seen characters, and none that passes for another."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from affectcheck.annotations.listing import plural
from affectcheck.challenges.characters import character_fault, named
from affectcheck.challenges.look_alikes import skeleton
from affectcheck.errors import InputError

SHORTEST: Final = 2
LONGEST: Final = 40
#: What names of methods have besides, such as ``ViT-B/16 + LSTM (frozen), 2 seeds``, which are of no use to pass for another.
LONGEST_METHOD: Final = 80
_OF_METHODS: Final = ",;:+/&()[]='’×·%#*@"
#: How many times longer a text may be before it is normalised, which may lengthen it manyfold.
_RAW: Final = 10
_SEPARATORS: Final = re.compile(r"[ \-_.]+")
#: Names that seem to speak for the organiser, or to be no name.
RESERVED: Final = (
    "admin",
    "administrator",
    "affectcheck",
    "anonymous",
    "baseline",
    "committee",
    "deleted",
    "disqualified",
    "everybody",
    "everyone",
    "host",
    "judge",
    "jury",
    "moderator",
    "nobody",
    "none",
    "null",
    "official",
    "organisation",
    "organiser",
    "organization",
    "organizer",
    "owner",
    "root",
    "server",
    "staff",
    "support",
    "system",
    "undefined",
    "unknown",
    "webmaster",
    "withdrawn",
)


def parse_name(text: str) -> str:
    """The name of a team as it will be shown: in the normal form NFKC, with single blanks.

    Args:
        text: what somebody typed.

    Raises:
        InputError: it is too short or too long, has other characters than letters, digits, blanks and ``-_.``, has no
            letter or digit, or is reserved.

    Example:
        >>> parse_name("  Team   \uff21 ")
        'Team A'
    """
    return _parsed(text, "team", LONGEST, "")


def parse_method(text: str) -> str:
    """The name of a method as it will be shown; the rules are those of teams, with more characters.

    Args:
        text: what somebody typed.

    Raises:
        InputError: as of a team's name.

    Example:
        >>> parse_method("ViT-B/16 + LSTM,  frozen")
        'ViT-B/16 + LSTM, frozen'
    """
    return _parsed(text, "method", LONGEST_METHOD, _OF_METHODS)


def _parsed(text: str, kind: str, longest: int, more: str) -> str:
    name = re.sub(" +", " ", unicodedata.normalize("NFKC", text)).strip(" ") if len(text) <= _RAW * longest else text
    fault = _fault(name, longest, more)
    if fault:
        raise InputError(
            f"a {kind} whose name {fault}",
            where=f"the name of the {kind}",
            expected=f"{SHORTEST} to {longest} characters: letters and digits of any script, blanks, and "
            + " ".join(f"-_.{more}"),
            code="E_NAME",
        )
    return name


def confusable_key(name: str) -> str:
    """What two names share that a reader could take for one another: of teams of an event each key occurs once.

    Example:
        >>> confusable_key("T\u0435am_1") == confusable_key("team-l")
        True
    """
    return _SEPARATORS.sub(" ", skeleton(unicodedata.normalize("NFKC", name))).strip()


def is_reserved(name: str) -> bool:
    """Whether a name seems to be the organiser's or a baseline, as ``The Organisers``, ``Base-line 2`` do."""
    return _bare(name) in _RESERVED or _bare(name).removeprefix("the") in _RESERVED


def _bare(name: str) -> str:
    """The key without separators, digits at its end and a plural's s."""
    return _SEPARATORS.sub("", skeleton(re.sub(r"[\W\d_]+$", "", name))).removesuffix("s")


_RESERVED: Final = frozenset(_bare(word) for word in RESERVED)


def _fault(name: str, longest: int, more: str) -> str:
    """The first thing wrong, as the end of a sentence; empty where nothing is."""
    if not SHORTEST <= len(name) <= longest:
        return f"has {plural(len(name), 'character')}"
    unseen = character_fault(name)
    if unseen:
        return unseen
    plain = f" -_.{more}"
    other = next(
        (one for one in name if unicodedata.category(one)[0] not in "LM" and one not in plain and not one.isdecimal()),
        "",
    )
    if other:
        return f"has the character {named(other)}"
    if unicodedata.category(name[0])[0] == "M":
        return "begins with a mark that belongs over a letter"
    if not any(letter.isalnum() for letter in name):
        return "has no letter and no digit"
    return f"is kept for the organiser: {name!r}" if is_reserved(name) else ""
