"""Files that pages load: under names that change with their content, kept for good, none from elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from affectcheck.server.web.assets import asset_path, assets

from .conftest import main_of

if TYPE_CHECKING:
    from .conftest import Person


def test_files_are_served_for_good_and_packed(visitor: Person) -> None:
    for name, asset in assets().items():
        answer = visitor.get(asset_path(name))
        assert answer.content == asset.body
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-encoding"] == "gzip"
        plain = visitor.get(asset_path(name), headers={"accept-encoding": "identity"})
        assert plain.content == asset.body
        assert "content-encoding" not in plain.headers
    assert set(assets()) == {"portal.css", "portal.js", "icon.svg"}


def test_a_file_of_another_name_is_not_there(visitor: Person) -> None:
    for path in ("/static/portal.css", "/static/..%2fapp.py", "/static/", "/static/portal.000000000000.css"):
        assert visitor.get(path).status_code == 404, path


def test_pages_load_nothing_from_elsewhere_and_carry_no_style_and_no_script(visitor: Person) -> None:
    for path in ("/", "/login", "/register", "/nowhere"):
        page = visitor.get(path).text
        loaded = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="([^"]+)"', page)
        assert loaded
        assert all(one.startswith("/static/") for one in loaded), loaded
        assert not re.search(r"<style|style=|<script>|\son\w+=|javascript:", page)


def test_the_style_begins_with_that_of_reports() -> None:
    style = assets()["portal.css"].body.decode()
    assert style.startswith(":root {")
    assert "url(" not in style
    assert "@import" not in style


def test_other_methods_are_told(visitor: Person) -> None:
    answer = visitor.request("DELETE", "/login")
    assert answer.status_code == 405
    assert "That does not work here" in main_of(answer)
    api = visitor.request("DELETE", "/api/v1/events", headers={"origin": "http://127.0.0.1:8000"})
    assert api.status_code in {401, 405}
    assert api.headers["content-type"] == "application/problem+json"
