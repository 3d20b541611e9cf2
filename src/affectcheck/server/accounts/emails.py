"""E-mail addresses: one spelling of each, and nothing that is none."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from affectcheck.server.faults import RefusedError

MOST: Final = 254  # RFC 5321, with the brackets of a path left out
_MOST_LOCAL: Final = 64
#: Characters that are looked at: marks put in order take time by the square of their number.
_MOST_SENT: Final = 1000
#: Begins a word that mail programs decode, by which one address would be written as another one (RFC 2047).
_ENCODED: Final = "=?"
_LOCAL: Final = re.compile(r"[^\s@<>()\[\]\\,;:\"\x00-\x1f\x7f]+")
_DOMAIN: Final = re.compile(r"(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}")


def folded(email: str) -> str:
    """The one spelling of an address: without blanks around it, in lower case, its domain in ASCII.

    Raises:
        RefusedError: it is no address.

    Example:
        >>> folded(" Ada@Example.ORG ")
        'ada@example.org'
    """
    if len(email) > _MOST_SENT:
        raise _none()
    # Not NFKC: a look-alike of an address must stay another address.
    text = unicodedata.normalize("NFC", email.strip()).lower()
    local, at, domain = text.rpartition("@")
    plain = _ascii(domain)
    found = f"{local}@{plain}"
    if not at or len(found) > MOST or not _is_local(local) or not _DOMAIN.fullmatch(plain):
        raise _none()
    return found


def _none() -> RefusedError:
    return RefusedError("not an e-mail address", code="E_EMAIL", expected="one such as ada@example.org")


def _is_local(text: str) -> bool:
    dots = text.startswith(".") or text.endswith(".") or ".." in text
    plain = len(text) <= _MOST_LOCAL and text.isprintable() and _ENCODED not in text
    return not dots and plain and _LOCAL.fullmatch(text) is not None


def _ascii(domain: str) -> str:
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        return ""
