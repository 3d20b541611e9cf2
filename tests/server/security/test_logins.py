"""Logins that end while browsers still send their cookies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.server.accounts import people
from portal_scene import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.server.portal import Portal

    from ..web.conftest import Person  # noqa: TID252  # tests are no package

NEW = "twelve red herrings, one net"


def test_a_browser_whose_login_was_ended_elsewhere_logs_in_again(
    sqlite_portal: Portal, person: Callable[..., Person]
) -> None:
    ada = people.register(sqlite_portal, "ada@example.org", "Ada", PASSWORD)
    browser = person("ada@example.org")
    people.change_password(sqlite_portal, ada, PASSWORD, NEW)
    assert browser.get("/account").status_code == 303  # to the login
    answer = browser.post("/login", email="ada@example.org", password=NEW)
    assert answer.status_code == 303
    assert browser.get("/account").status_code == 200


def test_the_code_of_a_login_that_ended_opens_nothing_of_another_browser(
    sqlite_portal: Portal, person: Callable[..., Person]
) -> None:
    ada = people.register(sqlite_portal, "ada@example.org", "Ada", PASSWORD)
    ended, other = person("ada@example.org"), person()
    people.change_password(sqlite_portal, ada, PASSWORD, NEW)
    code = ended.code("/login")
    values = {"form_code": code, "email": "ada@example.org", "password": NEW}
    assert other.request("POST", "/login", data=values).status_code == 403
