"""Forms with files are read the same wherever the network cuts them, and what is no form is refused."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import anyio
import anyio.from_thread
import anyio.to_thread
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import Request

from affectcheck.server.faults import RefusedError
from affectcheck.server.web.forms import Form, sentence_of
from affectcheck.server.web.uploads import Upload
from own_loop import run_apart

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAD = b'--b\r\nContent-Disposition: form-data; name="method"\r\n\r\nTr\xc3\xa4ume\r\n'
FILE = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a b.csv"\r\nContent-Type: text/csv\r\n\r\n'
BODY = HEAD + FILE + b"item,mood\r\n--not the end\r\n" + b"\r\n--b--\r\n"


def read(
    body: bytes, cuts: Sequence[int] = (), *, kind: str = "multipart/form-data; boundary=b"
) -> tuple[Upload, bytes]:
    """What is read of a form that comes in pieces."""
    ends = sorted({min(cut, len(body)) for cut in cuts} | {0, len(body)})
    pieces = [body[at:to] for at, to in pairwise(ends)] or [b""]
    messages: list[dict[str, Any]] = [{"type": "http.request", "body": one, "more_body": True} for one in pieces]
    messages[-1]["more_body"] = False

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    def work() -> tuple[Upload, bytes]:
        scope = {"type": "http", "method": "POST", "headers": [(b"content-type", kind.encode())]}
        upload = Upload(Request(scope, receive))
        upload.read_fields()
        return upload, b"".join(upload.blocks())

    return run_apart(lambda: anyio.to_thread.run_sync(work))


@given(st.lists(st.integers(0, len(BODY)), max_size=30))
@settings(max_examples=40, deadline=None)
def test_it_does_not_matter_where_a_form_is_cut(cuts: list[int]) -> None:
    upload, data = read(BODY, cuts)
    assert upload.fields == {"method": "Träume"}
    assert upload.file_name == "a b.csv"
    assert data == b"item,mood\r\n--not the end\r\n"


@given(st.binary(max_size=400))
@settings(max_examples=80, deadline=None)
def test_whatever_is_sent_is_read_or_refused(noise: bytes) -> None:
    for body in (noise, HEAD + noise, HEAD + FILE + noise, noise + BODY):
        assert outcome(body) in {"", "E_NOT_A_FORM", "E_TWO_FILES", "E_TOO_LARGE"}


def outcome(body: bytes) -> str:
    """The code of what is refused; empty for a form that is read."""
    try:
        read(body, (7, 50))
    except RefusedError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (HEAD + FILE + b"x\r\n" + FILE + b"y\r\n--b--\r\n", "E_TWO_FILES"),
        (HEAD[:-2] + b"x" * 70_000 + b"\r\n--b--\r\n", "E_TOO_LARGE"),
        (HEAD * 60 + b"--b--\r\n", ""),
        (b"".join(HEAD.replace(b"method", b"m%d" % n) for n in range(60)) + b"--b--\r\n", "E_TOO_LARGE"),
        (b"nothing", "E_NOT_A_FORM"),
        (HEAD + FILE + b"the connection breaks", "E_NOT_A_FORM"),
    ],
)
def test_what_is_refused(body: bytes, code: str) -> None:
    if not code:
        assert read(body)[0].fields == {"method": "Träume"}
        return
    with pytest.raises(RefusedError) as error:
        read(body)
    assert error.value.code == code


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"])
def test_other_kinds_of_bodies_are_refused(kind: str) -> None:
    with pytest.raises(RefusedError) as error:
        read(BODY, kind=kind)
    assert error.value.code == "E_NOT_A_FORM"


def test_texts_behind_the_file_are_not_heeded() -> None:
    upload, data = read(HEAD + FILE + b"x\r\n" + HEAD.replace(b"method", b"late") + b"--b--\r\n")
    assert (upload.fields, data) == ({"method": "Träume"}, b"x")


def test_a_form_without_a_file_is_read_whole() -> None:
    upload, data = read(HEAD + b"--b--\r\n", (9,))
    assert (upload.fields, upload.file_name, data) == ({"method": "Träume"}, "", b"")


def test_secrets_are_not_shown_again() -> None:
    form = Form({"password": "x", "old_password": "y", "name": "z"})
    assert (form.kept("password"), form.kept("old_password"), form.kept("name"), form.kept("other", None)) == (
        "",
        "",
        "z",
        "",
    )


def test_an_error_in_sentences() -> None:
    told = sentence_of(RefusedError("no such thing", code="E", expected="another", cause="a mistake."))
    assert told == "No such thing; expected: another; likely cause: a mistake."
    assert sentence_of(ValueError("odd")) == "Odd."
