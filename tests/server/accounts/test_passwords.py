from __future__ import annotations

import time

import pytest

pytest.importorskip("argon2", reason="argon2-cffi is not installed (extra server)")

from affectcheck.server.accounts.passwords import LEAST, MOST, matches, take_password
from affectcheck.server.faults import RefusedError


@pytest.mark.parametrize(
    "password",
    [
        "x7!kQ29zp"[:9],
        "lamp 7 " * 30,
        "password1234",
        "Password1234!",
        "aaaaaaaaaaaa",
        "1212121212",
        "1234567890",
        "qwertyuiop",
        "0987654321",
        "ada@example.org",
        "Ada@Example.org",
        "ada@example.org99",
        "Ada Lovelace",
        "iloveyou2024",
        "a lone half \ud800",
    ],
)
def test_passwords_that_are_tried_first_are_refused(password: str) -> None:
    with pytest.raises(RefusedError) as caught:
        take_password(password, email="ada@example.org", name="Ada Lovelace")
    assert caught.value.code == "E_PASSWORD"
    assert password not in str(caught.value)


@pytest.mark.parametrize("password", ["x7!kQ29zpw", "a phrase of 5 words", "пароль-из-слов", "lamp 7 zebra " * 15])
def test_others_are_taken_and_are_right_alone(password: str) -> None:
    assert LEAST <= len(password) <= MOST
    kept = take_password(password)
    assert matches(kept, password)
    assert not matches(kept, password + "x")
    assert not matches(None, password)
    assert take_password(password) != kept


def test_one_password_typed_in_two_forms_is_one() -> None:
    assert matches(take_password("caf\u00e9 au lait 7"), "cafe\u0301 au lait 7")


def test_nothing_kept_matches_nothing() -> None:
    assert not matches("", "x")
    assert not matches("no hash", "x")
    assert not matches(None, "nobody has this password")
    assert not matches(take_password("x7!kQ29zpw"), "\ud800")
    assert not matches(take_password("x7!kQ29zpw"), "x" * 1_000_000)


def test_a_login_costs_less_than_a_tenth_of_a_second() -> None:
    kept = take_password("x7!kQ29zpw")
    costs = []
    for _ in range(3):
        began = time.process_time()
        matches(kept, "x7!kQ29zpw")
        costs.append(time.process_time() - began)
    assert min(costs) < 0.1
