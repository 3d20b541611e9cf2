"""People who visit the pages of a portal, each with cookies of their own, as a browser without scripts would."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("httpx", reason="httpx is not installed (extra test)")

import anyio.from_thread
import httpx

from affectcheck.server.web.app import create_app
from portal_scene import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from anyio.from_thread import BlockingPortal
    from fastapi import FastAPI

    from affectcheck.server.portal import Portal

BASE = "http://127.0.0.1:8000"
CODE = re.compile(r'name="form_code" value="([0-9a-f]{64})"')


@dataclass
class Person:
    """A browser without scripts."""

    app: FastAPI
    loop: BlockingPortal
    base: str = BASE
    cookies: httpx.Cookies = field(default_factory=httpx.Cookies)

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def one() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(
                transport=transport, base_url=self.base, timeout=60, cookies=self.cookies
            ) as client:
                answer = await client.request(method, path, **more)
                self.cookies = client.cookies
                return answer

        return self.loop.call(one)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def code(self, path: str) -> str:
        """The code of a form on a page."""
        page = self.get(path).text
        found = CODE.search(page)
        assert found, f"no form on {path}: {page[:500]}"
        return found[1]

    def post(self, page: str, path: str = "", /, **values: str) -> httpx.Response:
        """Send a form as it stands on a page."""
        return self.request("POST", path or page, data={"form_code": self.code(page), **values})

    def upload(self, page: str, path: str, name: str, data: bytes, **values: str) -> httpx.Response:
        """Send a form with a file, its texts first as browsers do."""
        fields: list[tuple[str, Any]] = [("form_code", (None, self.code(page)))]
        fields += [(key, (None, value)) for key, value in values.items()]
        return self.request("POST", path, files=[*fields, ("file", (name, data))])

    def log_in(self, email: str) -> Person:
        answer = self.post("/login", email=email, password=PASSWORD)
        assert answer.status_code == 303, main_of(answer)
        return self


def main_of(answer: httpx.Response) -> str:
    """What a page says, without its tags."""
    text = answer.text.partition("<main")[2].partition("</main>")[0] or answer.text
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", text))).strip()


@pytest.fixture
def app(sqlite_portal: Portal) -> FastAPI:
    return create_app(sqlite_portal)


@pytest.fixture
def loop() -> Iterator[BlockingPortal]:
    with anyio.from_thread.start_blocking_portal() as opened:
        yield opened


@pytest.fixture
def person(app: FastAPI, loop: BlockingPortal) -> Callable[..., Person]:
    """``person()``: a visitor; ``person("address")``: somebody who is logged in."""

    def make(email: str = "") -> Person:
        found = Person(app, loop)
        return found.log_in(email) if email else found

    return make


@pytest.fixture
def visitor(person: Callable[..., Person]) -> Person:
    return person()
