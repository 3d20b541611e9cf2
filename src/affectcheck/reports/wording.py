"""How numbers, places and intervals read: the only place where values are rounded or become percent."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from affectcheck.reports.glossary import title_of

if TYPE_CHECKING:
    from affectcheck.records import Interval, NoiseFloor, Place, Scored, Threshold

DECIMALS: Final = 3
SMALL_SUPPORT: Final = 30  # groups below it are shown greyed with their n, never dropped
MINUS: Final = "\N{MINUS SIGN}"
_SYMBOLS: Final = {"gt": ">", "lt": "<", "abs_lt": "<", "abs_gt": ">"}
# Control characters break XML and terminals; direction overrides make one name look like another.
_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_DIGEST: Final = re.compile(r"@[0-9a-f]{6,}")

Value = TypeVar("Value")


def clean(value: Value) -> Value:
    """A copy of a record, or of any part of it, whose texts hold no control characters."""
    cleaned: Value = _clean(value)
    return cleaned


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_clean(item) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _clean(getattr(value, f.name)) for f in fields(value)})
    return value


def number(value: float, *, signed: bool = False) -> str:
    """A value with three decimals, a true minus sign, and never a negative zero."""
    text = f"{value:.{DECIMALS}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    if signed and float(text) > 0:
        text = f"+{text}"
    return text.replace("-", MINUS)


def interval_text(interval: Interval | None, *, signed: bool = False) -> str:
    """The bounds in brackets; empty where there is no interval."""
    if interval is None:
        return ""
    return f"[{number(interval.low, signed=signed)}, {number(interval.high, signed=signed)}]"


def apart(value: float, *others: float) -> str:
    """A value with as many decimals as tell it apart from others that it is judged by, three or more."""
    texts = (f"{value:.{d}f}" for d in range(DECIMALS, DECIMALS + 6) if _told_apart(value, others, d))
    return next(texts, number(value)).replace("-", MINUS)


def _told_apart(value: float, others: tuple[float, ...], decimals: int) -> bool:
    return all(value == other or f"{value:.{decimals}f}" != f"{other:.{decimals}f}" for other in others)


def band_text(floor: NoiseFloor, value: float | None = None) -> str:
    """A null band, mean and 95 % mark, that is not broken; the mark is told apart from the value beside it."""
    mark = number(floor.quantile) if value is None else apart(floor.quantile, value)
    return f"{number(floor.mean)} … {mark}".replace(" ", "\N{NO-BREAK SPACE}")


def judged_text(value: float | None, threshold: Threshold | None) -> str:
    """A judged value; with more digits where rounding would make it look equal to its limit."""
    if value is None:
        return "\N{EN DASH}"
    near = threshold is not None and number(abs(value)) == number(abs(threshold.value))
    return f"{value:.6g}".replace("-", MINUS) if near else number(value)


def score_text(score: Scored | None, *, signed: bool = False) -> str:
    """The value, or why there is none."""
    if score is None:
        return "\N{EN DASH}"
    if not score.defined:
        return f"undefined: {score.reason}"  # type: ignore[union-attr]
    return number(score.value, signed=signed)  # type: ignore[union-attr]


def limit_text(threshold: Threshold | None, *values: float | None) -> str:
    """The limit as a condition that a value passes, such as ``> 0.5``.

    Args:
        threshold: the limit.
        *values: what is judged by it and stands beside it: a simulated limit has as many decimals as they have.
    """
    if threshold is None:
        return "\N{EN DASH}"
    size = "|value| " if threshold.rule.startswith("abs") else ""
    told, short = f"{threshold.value:.6g}", f"{threshold.value:.{DECIMALS}f}"
    beside = [abs(value) for value in values if value is not None]
    if beside and len(told) > len(short) and number(abs(threshold.value)) not in map(number, beside):
        told = short
    return f"{size}{_SYMBOLS[threshold.rule]} {told}".replace("-", MINUS)


def percent(share: float) -> str:
    """A share as percent, with one decimal where it is below ten."""
    value = 100 * share
    text = f"{value:.1f}" if 0 < value < 9.95 else f"{value:.0f}"
    return f"{text}\N{NO-BREAK SPACE}%"


def p_text(p_value: float) -> str:
    """A p-value with three decimals, or that it is below them."""
    return f"{p_value:.3f}" if p_value >= 0.0005 else "< 0.001"


def without_digests(text: str) -> str:
    """A sentence on data without their digests, which stand in the signatures."""
    return _DIGEST.sub("", text)


def count_text(count: int, one: str, many: str = "") -> str:
    """A count with its noun, such as ``1 item`` or ``1,440 items``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def place_text(place: Place) -> str:
    """What a score is of, such as ``sex = female, class anger``; empty for the whole set."""
    group = f"{place.attribute} = {place.group}" if place.group else place.attribute
    return ", ".join(text for text in (group, place.part) if text)


def method_text(*intervals: Interval) -> str:
    """How intervals of one level, method and unit were made, for a caption."""
    first, clusters = intervals[0], [interval.clusters for interval in intervals]
    fewest, most = min(clusters), count_text(max(clusters), first.unit or "cluster")
    over = most if fewest == max(clusters) else f"{fewest:,} to {most}"
    method = f" ({first.method})" if first.method else ""
    return f"{percent(first.level)} interval{method}{f' over {over}' if max(clusters) else ''}"


def plain(value: object) -> str:
    """A value of a card or of arguments as text: nested ones on one line, absent ones as a dash."""
    if value is None or value in ("", [], {}, ()):
        return "\N{EN DASH}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(f"{key}: {plain(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(plain(item) for item in value)
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def score_title(score: Scored) -> str:
    """The metric's title, with the convention where it is not the default one."""
    convention = score.signature.convention
    suffix = f" ({convention})" if convention not in ("", "paper") else ""
    return title_of(score.metric) + suffix
