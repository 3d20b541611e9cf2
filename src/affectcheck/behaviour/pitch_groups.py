"""STUB of the lead so that imports work; the fairness owner replaces this file."""

from __future__ import annotations

from typing import Any


def add_pitch(table: Any, **options: Any) -> Any:
    """To be written."""
    raise NotImplementedError
