"""The configuration file: defaults of the verbs' options, below the command line and the environment.

```toml
# affectcheck.toml
[audit]
data = "emodb:~/corpora/EmoDB"
by = ["sex"]
resamples = 2000

[partition.make]
seed = 7
```

An option is taken from the command line, else from ``AFFECTCHECK_<VERB>_<OPTION>``, else from the file, else from its
default. An unknown key is an error, since a mistyped one would otherwise change nothing.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affectcheck.errors import InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    import typer

DEFAULT_FILE = "affectcheck.toml"


def apply(context: typer.Context, stated: Path | None) -> None:
    """Make the file's values the defaults of the options.

    Raises:
        MissingPathError: the stated file is not there.
        InputError: it is no TOML, or a value is no option's.
        UnknownNameError: a verb or option that there is not.
    """
    path = stated or Path(DEFAULT_FILE)
    if not path.is_file():
        if stated is None:
            return
        raise MissingPathError.of("configuration file", stated)
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not TOML: {error}", where=str(path)) from error
    context.default_map = _defaults(context.command, values, str(path))


def _defaults(command: Any, values: dict[str, Any], where: str) -> dict[str, Any]:
    verbs = getattr(command, "commands", None)
    known = verbs or {_spelling(option): option for option in command.params}
    kind = "verb" if verbs else "option"
    found: dict[str, Any] = {}
    for name, value in values.items():
        key = name if name in known else name.replace("_", "-")
        if key not in known:
            raise UnknownNameError.of(f"{kind} in the configuration", name, known, where=where)
        if verbs:
            if not isinstance(value, dict):
                raise InputError(
                    f"{name!r} is a verb, but holds a value", where=where, expected=f"[{name}] and its options"
                )
            found[key] = _defaults(known[key], value, f"{where} [{name}]")
        else:
            found[known[key].name] = _plain(name, value, where)
    return found


def _spelling(option: Any) -> str:
    """As the command line spells it, such as ``map`` for ``--map``; an argument's own name."""
    return str(next((flag for flag in option.opts if flag.startswith("--")), option.name)).removeprefix("--")


def _plain(name: str, value: Any, where: str) -> Any:
    if isinstance(value, list):
        return ",".join(str(entry) for entry in value)
    if isinstance(value, str | int | float | bool):
        return value
    raise InputError(
        f"option {name!r} holds {type(value).__name__}", where=where, expected="a text, number, yes/no or list"
    )
