"""Moments for people: in UTC, in a zone of their own, and as Anywhere on Earth; never a time without its zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from affectcheck.errors import InputError, UnknownNameError

#: The zone in which a day ends last: as long as it is some day anywhere, it is that day here.
ANYWHERE: Final = timezone(timedelta(hours=-12), "AoE")
_UNITS: Final = (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1))


@dataclass(frozen=True)
class Told:
    """A moment, three times.

    Attributes:
        utc: in UTC, such as ``2027-03-14 11:59:59 UTC``.
        local: in the zone asked for, with its name there and then and its distance to UTC.
        anywhere: as Anywhere on Earth, twelve hours behind UTC.
        iso: in UTC for machines, such as ``2027-03-14T11:59:59Z``.
    """

    utc: str
    local: str
    anywhere: str
    iso: str


def told(moment: datetime, zone: str = "UTC") -> Told:
    """Tell a moment; fractions of a second are left out.

    Args:
        moment: with its time zone.
        zone: name of a zone, such as ``Europe/Berlin``.

    Raises:
        UnknownNameError: no such zone.
        InputError: the moment has no zone.

    Example:
        >>> told(datetime(2027, 7, 14, 11, 59, tzinfo=UTC), "Europe/Berlin").local
        '2027-07-14 13:59:00 CEST (UTC+02:00)'
    """
    require_zone(moment)
    utc, local = moment.astimezone(UTC), moment.astimezone(zone_of(zone))
    return Told(
        f"{utc:%Y-%m-%d %H:%M:%S} UTC",
        f"{local:%Y-%m-%d %H:%M:%S %Z}{'' if zone == 'UTC' else f' (UTC{local.isoformat()[-6:]})'}",
        f"{moment.astimezone(ANYWHERE):%Y-%m-%d %H:%M:%S} AoE",
        f"{utc:%Y-%m-%dT%H:%M:%S}Z",
    )


def moment_of(wall: datetime, zone: str) -> datetime:
    """The moment, in UTC, at which clocks of a zone show a time.

    Args:
        wall: what the clocks show, without a zone.
        zone: name of the zone, ``AoE`` among them.

    Raises:
        UnknownNameError: no such zone.
        InputError: the time has a zone already, or clocks never show it, or show it twice, because they are changed.
    """
    if wall.tzinfo is not None:
        raise InputError(f"a time that has a zone: {wall}", expected=f"a time as clocks of {zone} show it")
    found = wall.replace(tzinfo=zone_of(zone), fold=0)
    first, second = found.astimezone(UTC), found.replace(fold=1).astimezone(UTC)
    if first != second:
        missing = first > second
        raise InputError(
            f"clocks of {zone} {'never show' if missing else 'show twice'} {wall}",
            expected="another time, or one with its distance to UTC, such as 2027-03-28T02:30:00+01:00",
            cause=f"clocks are put {'forward' if missing else 'back'} in that night",
        )
    return first


def zone_of(name: str) -> ZoneInfo | timezone:
    """A zone by name.

    Raises:
        UnknownNameError: no such zone.
    """
    if name == "AoE":
        return ANYWHERE
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # a path, a folder of zones
        raise UnknownNameError.of("time zone", name, available_timezones()) from error


def remaining(now: datetime, end: datetime) -> str:
    """How long it is until an end: the two largest units, rounded down so that nobody is promised too much.

    Example:
        >>> remaining(datetime(2027, 3, 1, tzinfo=UTC), datetime(2027, 3, 3, 4, 59, tzinfo=UTC))
        '2 days 4 hours'
    """
    require_zone(now)
    require_zone(end)
    if now >= end:
        return "over"
    left = (end - now) // timedelta(seconds=1)
    counts = []
    for unit, seconds in _UNITS:
        count, left = divmod(left, seconds)
        counts.append((count, unit))
    first = next((place for place, (count, _) in enumerate(counts) if count), None)
    if first is None:
        return "less than a second"
    return " ".join(f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in counts[first : first + 2] if count)


def require_zone(moment: datetime) -> None:
    """Refuse a time without its zone.

    Raises:
        InputError: it has none.
    """
    if moment.tzinfo is None:
        raise InputError(f"a time without a zone: {moment}", expected="such as 2024-03-01T10:00:00Z")
