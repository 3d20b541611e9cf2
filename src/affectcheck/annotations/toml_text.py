"""TOML as we write it: strings, numbers, yes/no, lists of them or of tables, and tables within tables."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def toml_text(content: Mapping[str, Any]) -> str:
    r"""The text of a TOML file; plain keys first, then one heading a table.

    Example:
        >>> toml_text({"name": "a", "targets": {"x y": {"labels": ["b"]}}})
        'name = "a"\n\n[targets."x y"]\nlabels = ["b"]\n'
    """
    return "\n".join(_lines(content, ())).lstrip("\n") + "\n"


def _lines(content: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    plain = {key: value for key, value in content.items() if not isinstance(value, dict)}
    if path and (plain or not content):
        yield f"\n[{'.'.join(path)}]"
    for key, value in plain.items():
        yield f"{_key(key)} = {_value(value)}"
    for key, value in content.items():
        if isinstance(value, dict):
            yield from _lines(value, (*path, _key(key)))


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _string(key)


def _value(value: object) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(member) for member in value)}]"
    if isinstance(value, dict):  # within a list
        return "{ " + ", ".join(f"{_key(key)} = {_value(member)}" for key, member in value.items()) + " }"
    return json.dumps(value)


def _string(text: str) -> str:
    """JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
