"""What a team declares with each submission: its method, what was trained on, and what else was used."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from affectcheck.annotations.listing import plural, suggestion
from affectcheck.challenges.characters import JOINERS, character_fault
from affectcheck.challenges.member_names import shown
from affectcheck.challenges.public_names import LONGEST_METHOD, parse_method
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.challenges.track import Track

#: The most characters of each text.
LONGEST_TEXTS: Final[Mapping[str, int]] = MappingProxyType(
    {"method": LONGEST_METHOD, "link": 300, "pretraining": 500, "other_data": 500, "affiliation": 120, "text": 2000}
)
_YES: Final = ("yes", "true", "on", "1")
_NO: Final = ("no", "false", "off", "0")
#: An ASCII name of a host, so that no letter passes for another one; then what a link may consist of.
_HOST: Final = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+")
_UNSAFE: Final = re.compile(r"[\s<>\"'`{}|\\^]")


@dataclass(frozen=True)
class Declaration:
    """What a team says about a submission, for the organiser and the board.

    Attributes:
        method: name of the method.
        link: where it is described, by https; empty for none.
        pretraining: what models had been trained on before; ``none`` where they had not.
        uni_task: whether no other annotations than those of this track were used; None where it was not asked.
        other_data: what other data or annotations were used.
        affiliation: of the team; empty where it says none.
        text: whatever else is to be known, in lines.
        notes: what the organiser and readers of the board should notice.
    """

    method: str
    link: str = ""
    pretraining: str = ""
    uni_task: bool | None = None
    other_data: str = ""
    affiliation: str = ""
    text: str = ""
    notes: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """The values as JSON holds them."""
        return asdict(self) | {"notes": list(self.notes)}


FIELDS: Final = tuple(one.name for one in fields(Declaration) if one.name != "notes")


class DeclarationError(InputError):
    """A declaration that cannot be taken.

    Attributes:
        faults: what is wrong, by field.
    """

    faults: Mapping[str, str]

    @classmethod
    def of(cls, faults: Mapping[str, str]) -> DeclarationError:
        """Build the error with all faults."""
        found = cls(
            f"{plural(len(faults), 'fault')} in a declaration:"
            + "".join(f"\n  {shown(name)[1:-1]}: {fault}" for name, fault in list(faults.items())[:20]),
            expected=f"the fields {', '.join(FIELDS)}",
            code="E_DECLARATION",
        )
        found.faults = MappingProxyType(dict(faults))
        return found


def parse_declaration(values: Mapping[str, object], track: Track) -> Declaration:
    """A declaration from the fields of a form or the keys of JSON.

    Args:
        values: texts, and for ``uni_task`` a truth value or one of ``yes`` and ``no``; what is missing is empty.
        track: the uni-task rule must be answered where a track has it.

    Returns:
        Texts in a normal form: the method's name in NFKC, others in NFC, which keeps what is written (10² stays a square).
        That another rule than the track's was followed is no fault, but a note.

    Raises:
        DeclarationError: all faults at once.
    """
    faults = {name: f"unknown{suggestion(name[:60], FIELDS)}" for name in values if name not in FIELDS}
    found: dict[str, Any] = {}
    for name in FIELDS:
        try:
            found[name] = _field(name, values.get(name))
        except InputError as error:
            faults[name] = f"{error.what}; {error.expected}" if error.expected else error.what
    if track.use.uni_task and found.get("uni_task", False) is None:
        faults["uni_task"] = "not answered; the track asks whether only its own annotations were used"
    if not found.get("pretraining", "-"):
        faults["pretraining"] = "not answered; write none where no model had been trained before"
    if found.get("uni_task") is False and not found.get("other_data", "-"):
        faults["other_data"] = "not answered; other annotations were used, and it is not said which"
    if faults:
        raise DeclarationError.of({name: faults[name] for name in (*FIELDS, *faults) if name in faults})
    broken = track.use.uni_task and not found["uni_task"]
    notes = ("other annotations than those of this track were used, which its rules do not allow",) if broken else ()
    return Declaration(**found, notes=notes)


def read_declaration(values: Mapping[str, Any]) -> Declaration:
    """A declaration as ``plain`` wrote it; what was once taken is not judged anew."""
    return Declaration(**{**values, "notes": tuple(values["notes"])})


def _field(name: str, value: object) -> Any:
    if name == "uni_task":
        return _answer(value)
    if value is None:
        value = ""
    if not isinstance(value, str):
        raise InputError(f"a {type(value).__name__}, not a text")
    if len(value) > 2 * LONGEST_TEXTS[name]:  # line ends of two characters and letters of several become shorter
        raise InputError(_too_long(len(value), name))
    if name == "method":
        if not value.strip():
            raise InputError("not answered; a name is needed")
        return parse_method(value)
    text = _normal(value, lines=name == "text")
    if len(text) > LONGEST_TEXTS[name]:
        raise InputError(_too_long(len(text), name))
    fault = character_fault(text.replace("\n", " "), allowed=JOINERS) or (_link_fault(text) if name == "link" else "")
    if fault:
        raise InputError(f"it {fault}")
    return text


def _answer(value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    word = value.strip().casefold() if isinstance(value, str) else repr(value)
    if word in ("", *_YES, *_NO):
        return None if not word else word in _YES
    raise InputError(f"{shown(str(value))} is neither yes nor no")


def _normal(value: str, *, lines: bool) -> str:
    """In NFC, with single blanks and, where there may be several lines, no blank one at the ends."""
    text = unicodedata.normalize("NFC", value).replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    if lines:
        return "\n".join(line.rstrip(" ") for line in text.split("\n")).strip("\n")
    return re.sub("[ \n]+", " ", text).strip(" ")


def _too_long(length: int, name: str) -> str:
    return f"has {length} characters, more than {LONGEST_TEXTS[name]}"


def _link_fault(link: str) -> str:
    if not link:
        return ""
    try:
        parts = urlsplit(link)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return "is no link"
    if parts.scheme != "https" or not link.lower().startswith("https://"):
        return "does not begin with https://"
    if "@" in parts.netloc:
        return "has a name before its host, which hides where it leads"
    if not _HOST.fullmatch(host):
        return "names no host, such as example.org"
    return "has a blank or a character that links do not have" if _UNSAFE.search(link) else ""
