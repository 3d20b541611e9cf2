"""A fairness test over any column: templates in which the column is filled in."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from affectcheck.behaviour.column_bins import JOIN
from affectcheck.behaviour.parsing import parse_definition
from affectcheck.digest import digest_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.behaviour.definition import Definition

_TEMPLATES: Final = Path(__file__).parent / "group_templates"


def group_test(column: str, *, labelled: bool, values: Sequence[str] = ()) -> Definition:
    """The test of one column.

    Args:
        column: a group column of the table, such as ``race``, ``dialect`` or ``device``; or several with stars between,
            such as ``device*sex``, whose combinations are the groups.
        labelled: whether metrics against the labels are compared, on sets of equal truth; else only what is predicted.
        values: the groups of one column that are compared; none for all that the table has.

    Returns:
        A definition called ``fairness-by-`` and the column's name.

    Example:
        >>> group_test("native language", labelled=False).name
        'fairness-by-native-language'
    """
    first, *crossed = column.split(JOIN)
    found: dict[str, Any] = _filled(_template(labelled=labelled), column)
    groups = {**found["groups"], "columns": [first], "crossed": crossed, "values": list(values)}
    return parse_definition({**found, "groups": groups}, where=f"the test of column {column!r}")


def _slug(column: str) -> str:
    """A name for files and commands; columns that have no such letters are told apart by a digest."""
    plain = re.sub(r"[^a-z0-9]+", "-", column.casefold()).strip("-")
    return plain if plain and column.isascii() else "-".join(filter(None, [plain, digest_bytes(column)[:8]]))


def _filled(value: Any, column: str) -> Any:
    """The template with the column in the place of its mark."""
    if isinstance(value, str):
        return value.replace("{slug}", _slug(column)).replace("{column}", column)
    if isinstance(value, list):
        return [_filled(one, column) for one in value]
    if isinstance(value, dict):
        return {key: _filled(one, column) for key, one in value.items()}
    return value


@cache
def _template(*, labelled: bool) -> dict[str, Any]:
    name = "labelled" if labelled else "unlabelled"
    return tomllib.loads((_TEMPLATES / f"{name}.toml").read_text(encoding="utf-8"))
