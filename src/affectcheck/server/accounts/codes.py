"""Secrets that are shown once, and what is kept of them."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

#: Random bytes of a secret; none can be guessed, so that a plain hash of it is enough.
_BYTES: Final = 24


def new_code(prefix: str = "") -> str:
    """A new secret: letters, digits, ``-`` and ``_``."""
    code = secrets.token_urlsafe(_BYTES)
    while code[0] in "-_":  # a command line would take it for an option
        code = secrets.token_urlsafe(_BYTES)
    return prefix + code


def hash_of(code: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(code.strip().encode("utf-8", "surrogatepass")).hexdigest()
