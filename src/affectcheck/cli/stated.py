"""What was stated on the command line, in the environment or in a configuration file, as a record says it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import typer

#: Where a value was stated, by typer's name for it.
ORIGINS: Final = {"COMMANDLINE": "command line", "ENVIRONMENT": "environment", "DEFAULT_MAP": "configuration file"}

#: Options that say where and how fast, not what: they cannot change a result.
NOT_RECORDED: Final = frozenset({"cache", "engine", "fresh", "json", "output", "overwrite", "workers"})


def stated(context: typer.Context) -> dict[str, Any]:
    """The options that were stated, and those of them that were stated elsewhere than on the command line."""
    given: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for name, value in context.params.items():
        source = context.get_parameter_source(name)
        if source is None or source.name not in ORIGINS or name in NOT_RECORDED:
            continue
        given[name] = _plain(value)
        if source.name != "COMMANDLINE":
            origins[name] = ORIGINS[source.name]
    return given | ({"origins": origins} if origins else {})


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, Path) else value
