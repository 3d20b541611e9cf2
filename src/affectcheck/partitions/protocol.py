"""A protocol's text: shares of the sets, in percent or as fractions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from affectcheck.errors import InputError

_BETWEEN: Final = re.compile(r"\s*[-,:/;]\s*|\s+")
_CLOSE: Final = Decimal("1e-9")  # of a hundred; thirds have no end
_EXPECTED: Final = "positive percentages that add up to 100, such as 55-15-30 or 80-20; or fractions that add up to 1"


@dataclass(frozen=True)
class Protocol:
    """Shares of the sets.

    Attributes:
        text: in percent, joined by hyphens, one spelling for equal shares.
        ratios: as fractions.
    """

    text: str
    ratios: tuple[float, ...]


def read_protocol(text: str) -> Protocol:
    """Shares in percent or as fractions; between them hyphens, commas, colons, slashes or blanks.

    Raises:
        InputError: not at least two positive numbers that add up to 100 or to 1; the sum is told.

    Example:
        >>> read_protocol(".55, .15, .30")
        Protocol(text='55-15-30', ratios=(0.55, 0.15, 0.3))
    """
    try:
        shares = [Decimal(part) for part in _BETWEEN.split(text.strip())]
    except InvalidOperation:
        shares = []
    if len(shares) < 2 or not all(share.is_finite() and share > 0 for share in shares):
        raise InputError(f"not a protocol: {text!r}", expected=_EXPECTED)
    total = sum(shares, Decimal(0))
    if abs(total - 1) <= _CLOSE / 100:
        shares = [100 * share for share in shares]
    elif abs(total - 100) > _CLOSE:
        raise InputError(
            f"not a protocol: {text!r}: its shares do not sum to 100, but to {_plain(total)}",
            expected=_EXPECTED,
        )
    texts = [_plain(share) for share in shares]
    return Protocol("-".join(texts), tuple(float(share) / 100 for share in texts))


def parse_protocol(text: str) -> tuple[float, ...]:
    """Shares of the sets as fractions; see ``read_protocol``.

    Raises:
        InputError: not a protocol.

    Example:
        >>> parse_protocol("55-15-30")
        (0.55, 0.15, 0.3)
    """
    return read_protocol(text).ratios


def _plain(number: Decimal) -> str:
    return format(number.normalize(), "f")
