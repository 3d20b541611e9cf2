from __future__ import annotations

import sys

import pytest

from affectcheck.cache import cache_folder


@pytest.mark.parametrize(
    ("platform", "variables", "end"),
    [
        ("linux", {"AFFECTCHECK_CACHE": "/x/y"}, "/x/y"),
        ("linux", {"XDG_CACHE_HOME": "/c"}, "/c/affectcheck"),
        ("linux", {}, ".cache/affectcheck"),
        ("darwin", {}, "Library/Caches/affectcheck"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/affectcheck"),
    ],
)
def test_the_cache_folder(platform: str, variables: dict[str, str], end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AFFECTCHECK_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder().as_posix().endswith(end)
