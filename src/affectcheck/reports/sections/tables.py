"""The record's tables, as rows."""

from __future__ import annotations

from typing import Any


def rows_of(table: dict[str, list[Any]] | None) -> list[dict[str, Any]]:
    """Rows of a record's table as mappings; empty where there is none."""
    if not table:
        return []
    return [dict(zip(table["columns"], row, strict=False)) for row in table["rows"]]
