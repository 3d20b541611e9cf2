"""Passwords: which ones are taken, and what is kept of them."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from affectcheck.server.accounts.weak_passwords import WEAK
from affectcheck.server.faults import RefusedError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

LEAST: Final = 10
MOST: Final = 200
#: Fewer different characters than this are a pattern and no password.
_DIFFERENT: Final = 5
_RUNS: Final = (
    "01234567890123456789",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjklzxcvbnm",
    "qwertzuiopasdfghjklyxcvbnm",
)


@lru_cache(maxsize=1)
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher  # noqa: PLC0415  # with the extra alone

    # 19 MiB and two passes, as OWASP has it: some 30 ms on one core, so that a login costs little and a guess enough.
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@lru_cache(maxsize=1)
def _nobody() -> str:
    """What a password is compared with where there is no account, so that both take equally long."""
    return _hasher().hash("nobody has this password")


def take_password(password: str, *, email: str = "", name: str = "") -> str:
    """What is kept of a new password.

    Raises:
        RefusedError: it is too short, too long, or one that is tried first.
    """
    # As sent, it may be twice as long: marks put in order take time by the square of their number.
    fault = _too_long(password, 2 * MOST) or _fault(_plain(password), email, name)
    if fault:
        raise RefusedError(
            fault, code="E_PASSWORD", expected=f"{LEAST} to {MOST} characters that others would not try first"
        )
    return _hasher().hash(_plain(password))


def matches(kept: str | None, password: str) -> bool:
    """Whether a password is the one that is kept; takes equally long where none is."""
    from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415  # with the extra alone

    given = _plain(password) if len(password) <= 2 * MOST else ""
    try:
        _hasher().verify(kept or _nobody(), given.encode("utf-8", "replace"))
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


def is_old(kept: str) -> bool:
    """Whether it was hashed at other costs than are used now."""
    return _hasher().check_needs_rehash(kept)


def rehashed(password: str) -> str:
    """What is kept of a password that was accepted before."""
    return _hasher().hash(_plain(password))


def _plain(password: str) -> str:
    """One form of equal characters, since keyboards differ in which they send (RFC 8265)."""
    return unicodedata.normalize("NFC", password)


def _fault(password: str, email: str, name: str) -> str:
    if len(password) < LEAST:
        return f"a password of {len(password)} characters"
    if fault := _too_long(password, MOST):
        return fault
    try:
        password.encode()
    except UnicodeEncodeError:
        return "a password with characters that are none"
    folded = password.casefold()
    own = {text.casefold() for text in (email, email.partition("@")[0], name) if text}
    if folded in own or folded.strip("0123456789!.-_ ") in own:
        return "a password that is the e-mail address or the name"
    if folded in WEAK or folded.rstrip("0123456789!.") in WEAK or _is_pattern(folded):
        return "a password that is among the first to be tried"
    return ""


def _too_long(password: str, most: int) -> str:
    return f"a password of more than {MOST} characters" if len(password) > most else ""


def _is_pattern(folded: str) -> bool:
    if len(set(folded)) < _DIFFERENT:
        return True
    return any(folded in run or folded in run[::-1] for run in _RUNS)
