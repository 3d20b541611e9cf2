"""Texts of strangers that cost much, or that are written as another text than was read."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

pytest.importorskip("argon2", reason="argon2-cffi is not installed (extra server)")

from affectcheck.challenges.member_names import require_names
from affectcheck.errors import InputError
from affectcheck.server.accounts.emails import folded
from affectcheck.server.accounts.passwords import matches, take_password
from affectcheck.server.faults import RefusedError

#: Marks of two classes: to put n of them in order takes n² / 4 steps, and Python does nothing else meanwhile.
MARKS = "\u0301" * 20_000 + "\u0316" * 20_000
LONGEST_S = 1.0


@pytest.mark.parametrize("email", [f"a{MARKS}@example.org", f"a@{MARKS}.org", MARKS])
def test_marks_of_an_address_are_not_put_in_order(email: str) -> None:
    begun = time.process_time()
    with pytest.raises(RefusedError, match="not an e-mail address"):
        folded(email)
    assert time.process_time() - begun < LONGEST_S


def test_marks_of_a_password_are_not_put_in_order() -> None:
    begun = time.process_time()
    with pytest.raises(RefusedError, match="more than 200 characters"):
        take_password(MARKS)
    assert not matches(None, MARKS)
    assert time.process_time() - begun < LONGEST_S


def test_a_password_in_the_longer_form_is_the_same() -> None:
    composed, decomposed = "\u00e9" * 120 + "quiet7", "e\u0301" * 120 + "quiet7"
    assert len(decomposed) > 200
    assert matches(take_password(decomposed), decomposed)
    assert matches(take_password(decomposed), composed)


def test_marks_of_a_members_name_are_not_put_in_order() -> None:
    begun = time.process_time()
    with pytest.raises(InputError, match="more than 120"):
        require_names([f"{MARKS}.txt"], longest=120, where="a.zip")
    assert time.process_time() - begun < LONGEST_S


@pytest.mark.parametrize(
    "email",
    [
        "=?utf-8?q?ada?=@example.org",
        "=?utf-8?q?eve=40example.net=2C?=@example.org",
        "=?utf-8?b?YWRh?=@example.org",
        "a=?utf-8?q?=0A?=@example.org",
    ],
)
def test_no_address_is_written_as_another_one(email: str) -> None:
    with pytest.raises(RefusedError, match="not an e-mail address"):
        folded(email)


@pytest.mark.parametrize("email", ["ada=mail?@example.org", "a!#$%&'*+-/?=^_`{|}~z@example.org"])
def test_addresses_with_unusual_signs_are_written_as_they_are(email: str) -> None:
    from email.message import EmailMessage

    message = EmailMessage()
    message["To"] = folded(email)
    message["Date"] = datetime.now(UTC)
    assert [one.addr_spec for one in message["To"].addresses] == [email]
