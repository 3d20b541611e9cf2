"""Times: told in zones as their clocks show them, on both sides of a change of clocks, and a second around an end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.challenges.times import ANYWHERE, moment_of, remaining, told, zone_of
from affectcheck.errors import InputError, UnknownNameError

NOON = datetime(2027, 3, 14, 12, tzinfo=UTC)
#: What clocks show, without a zone.
wall = datetime.fromisoformat


def test_a_moment_is_told_three_times() -> None:
    found = told(datetime(2027, 3, 14, 11, 59, 59, 999_999, tzinfo=UTC), "Asia/Kathmandu")
    assert found.utc == "2027-03-14 11:59:59 UTC"
    assert found.local == "2027-03-14 17:44:59 +0545 (UTC+05:45)"
    assert found.anywhere == "2027-03-13 23:59:59 AoE"
    assert found.iso == "2027-03-14T11:59:59Z"
    assert told(NOON).local == told(NOON).utc


@pytest.mark.parametrize(
    ("hour", "minute", "local"),
    [
        (0, 59, "2027-03-28 01:59:00 CET (UTC+01:00)"),
        (1, 0, "2027-03-28 03:00:00 CEST (UTC+02:00)"),
    ],
)
def test_clocks_are_put_forward(hour: int, minute: int, local: str) -> None:
    assert told(datetime(2027, 3, 28, hour, minute, tzinfo=UTC), "Europe/Berlin").local == local


def test_the_hour_that_clocks_show_twice_is_told_apart() -> None:
    first, second = (told(datetime(2027, 10, 31, hour, 30, tzinfo=UTC), "Europe/Berlin").local for hour in (0, 1))
    assert (first, second) == ("2027-10-31 02:30:00 CEST (UTC+02:00)", "2027-10-31 02:30:00 CET (UTC+01:00)")


def test_what_clocks_show_is_a_moment() -> None:
    assert moment_of(wall("2027-07-01T12:00"), "Europe/Berlin") == datetime(2027, 7, 1, 10, tzinfo=UTC)
    assert moment_of(wall("2027-03-13T23:59:59"), "AoE") == datetime(2027, 3, 14, 11, 59, 59, tzinfo=UTC)
    assert zone_of("AoE") is ANYWHERE


def test_what_clocks_never_show_or_show_twice_is_refused() -> None:
    with pytest.raises(InputError, match="never show 2027-03-28 02:30:00") as caught:
        moment_of(wall("2027-03-28T02:30"), "Europe/Berlin")
    assert caught.value.cause == "clocks are put forward in that night"
    with pytest.raises(InputError, match="show twice 2027-10-31 02:30:00") as caught:
        moment_of(wall("2027-10-31T02:30"), "Europe/Berlin")
    assert caught.value.cause == "clocks are put back in that night"
    with pytest.raises(InputError, match="a time that has a zone"):
        moment_of(NOON, "Europe/Berlin")


@given(st.datetimes(wall("1970-01-02"), wall("2100-01-01")), st.sampled_from(["Europe/Berlin", "America/New_York"]))
def test_a_wall_time_that_is_a_moment_is_told_as_it_was(shown: datetime, zone: str) -> None:
    try:
        found = moment_of(shown, zone)
    except InputError:
        return
    assert told(found, zone).local.startswith(f"{shown:%Y-%m-%d %H:%M:%S} ")


@pytest.mark.parametrize("zone", ["Europe/Berln", "../etc/passwd", "", "Europe", "/etc/passwd", "a\0b"])
def test_an_unknown_zone_is_an_error(zone: str) -> None:
    with pytest.raises(UnknownNameError, match="unknown time zone"):
        told(NOON, zone)


def test_a_time_without_a_zone_is_refused() -> None:
    for call in (lambda: told(wall("2027-01-01")), lambda: remaining(wall("2027-01-01"), NOON)):
        with pytest.raises(InputError, match="a time without a zone: 2027-01-01"):
            call()


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=12, hours=3, minutes=59, seconds=59), "12 days 3 hours"),
        (timedelta(days=1, minutes=59), "1 day"),
        (timedelta(hours=23, minutes=59, seconds=59), "23 hours 59 minutes"),
        (timedelta(minutes=1, seconds=1), "1 minute 1 second"),
        (timedelta(seconds=59, milliseconds=999), "59 seconds"),
        (timedelta(seconds=1), "1 second"),
        (timedelta(microseconds=1), "less than a second"),
        (timedelta(0), "over"),
        (-timedelta(seconds=1), "over"),
    ],
)
def test_what_remains_is_told_in_words(left: timedelta, words: str) -> None:
    assert remaining(NOON, NOON + left) == words
