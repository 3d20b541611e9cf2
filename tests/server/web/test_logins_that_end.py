"""A login that ends while somebody fills in a form: what was typed, and the file that was chosen, stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from portal_scene import PASSWORD, predictions

from .served import Site, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from portal_scene import Crew, Scene

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SUBMIT = "/tracks/faces/submit"


@pytest.fixture
def crew(scene: Scene) -> Crew:
    scene.contest()
    return scene.team("Alpha")


@pytest.fixture
def site(scene: Scene, crew: Crew) -> Iterator[Site]:
    with served(scene.portal) as found:
        yield found


def logged_in(page: Any, site: Site, email: str) -> Any:
    page.goto(f"{site.address}/login")
    page.fill("#f-email", email)
    page.fill("#f-password", PASSWORD)
    with page.expect_navigation():
        page.click("main button")
    return page


def filled(page: Any, site: Site) -> None:
    page.goto(site.address + SUBMIT)
    page.fill("[name=method]", "Trees of many words")
    page.fill("[name=pretraining]", "none")
    page.set_input_files("#f-file", {"name": "mine.csv", "mimeType": "text/csv", "buffer": predictions()})


def test_an_upload_outlasts_its_login(browser: Any, site: Site, crew: Crew) -> None:
    context = browser.new_context()
    page = logged_in(context.new_page(), site, crew.email)
    filled(page, site)
    context.clear_cookies()
    page.click("main button:has-text('Send')")
    page.wait_for_selector("text=Your login has ended")
    assert page.input_value("[name=method]") == "Trees of many words"
    logged_in(context.new_page(), site, crew.email)
    page.click("main button:has-text('Send')")
    page.wait_for_url("**/submissions/*")
    assert "Trees of many words" in page.inner_text("main")
    context.close()


def test_nothing_is_sent_in_the_name_of_somebody_else(browser: Any, scene: Scene, site: Site, crew: Crew) -> None:
    other = scene.team("Beta")
    context = browser.new_context()
    page = logged_in(context.new_page(), site, crew.email)
    filled(page, site)
    context.clear_cookies()
    second = logged_in(context.new_page(), site, other.email)
    page.click("main button:has-text('Send')")
    page.wait_for_selector("text=Somebody else is logged in")
    second.goto(f"{site.address}/tracks/faces/submissions")
    assert "has sent nothing yet" in second.inner_text("main")
    context.close()


def test_texts_outlast_a_login_too_and_two_presses_are_one(browser: Any, scene: Scene, site: Site, crew: Crew) -> None:
    context = browser.new_context()
    page = logged_in(context.new_page(), site, "olga@example.org")
    page.goto(f"{site.address}/organise/tracks/faces")
    page.fill("[name=text]", "A long text with the rules.")
    context.clear_cookies()
    page.click("text=Save the settings")
    page.wait_for_selector("text=Your login has ended")
    assert page.input_value("[name=text]") == "A long text with the rules."
    logged_in(context.new_page(), site, "olga@example.org")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.dblclick("text=Save the settings")
    page.wait_for_url("**done=saved")
    assert len(sent) == 1
    assert page.input_value("[name=text]") == "A long text with the rules."
    context.close()
