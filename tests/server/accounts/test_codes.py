"""Codes that people hand on."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from affectcheck.server.accounts.codes import new_code

if TYPE_CHECKING:
    import pytest


def test_no_code_looks_like_an_option_of_a_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(["-tQ9", "_tQ9", "tQ9-"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _: next(made))
    assert new_code() == "tQ9-"
