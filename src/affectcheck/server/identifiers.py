"""Public names of rows: UUIDs of version 7 (RFC 9562), which sort by time and of which 74 bits are random."""

from __future__ import annotations

import secrets
import uuid
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


def new_id(now: datetime) -> str:
    """A new name for a row made at this moment."""
    milliseconds = int(now.timestamp() * 1000) & (2**48 - 1)
    bits = milliseconds << 80 | 0x7 << 76 | secrets.randbits(12) << 64 | 0b10 << 62 | secrets.randbits(62)
    return str(uuid.UUID(int=bits))
