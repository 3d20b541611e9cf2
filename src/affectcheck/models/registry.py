"""Models by name, and the one function that loads them.

A specification is ``NAME``, ``NAME:SOURCE`` or ``NAME:SOURCE?OPTION=VALUE&OPTION=VALUE``. Without a name, a path that
ends in ``.npz`` is a saved baseline, one that ends in ``.csv`` or ``.parquet`` a table of predictions, and
``file.py:object`` or ``module:object`` Python code. Code runs only if it is named like that.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.registry import Registry, stated_options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from affectcheck.models.card import Predictor

    ModelFactory: TypeAlias = Callable[..., Predictor]

MODELS: Final[Registry[ModelFactory]] = Registry("model", "affectcheck.models", listed="affectcheck models list")

_BY_SUFFIX: Final = {".npz": "baseline", ".csv": "table", ".parquet": "table"}
_FORMS: Final = "NAME, NAME:SOURCE, a path to a .npz, .csv or .parquet file, FILE.py:OBJECT or MODULE:OBJECT"


@dataclass(frozen=True)
class ModelSpec:
    """A model as a user names it.

    Attributes:
        name: registered name of the factory.
        source: path, or code, that the factory reads; empty where it needs none.
        options: stated options, as text.
    """

    name: str
    source: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> ModelSpec:
        """Read a specification.

        Raises:
            InputError: nothing is named, or what follows the question mark is no list of options.
            UnknownNameError: no model has the name.

        Example:
            >>> ModelSpec.parse("random-categorical?labels=anger,neutral")
            ModelSpec(name='random-categorical', source='', options={'labels': 'anger,neutral'})
            >>> ModelSpec.parse("runs/baseline.npz").name
            'baseline'
            >>> ModelSpec.parse("models.py:loudness")
            ModelSpec(name='python', source='models.py:loudness', options={})
        """
        front, question, tail = text.strip().rpartition("?") if "?" in text else (text.strip(), "", "")
        options = stated_options(tail, text) if question else {}
        if not front:
            raise InputError(f"no model is named in {text!r}", expected=_FORMS)
        head, colon, source = front.partition(":")
        if head in MODELS:
            return cls(head, source, options)
        suffix = Path(front).suffix.casefold()
        mistyped = len(head) > 1 and colon and not Path(front).exists() and not any(mark in head for mark in "/\\.")
        if suffix in _BY_SUFFIX and not mistyped:
            return cls(_BY_SUFFIX[suffix], front, options)
        if colon and source.replace(".", "_").isidentifier() and _names_code(head):
            return cls("python", front, options)
        raise _unknown(head, front)


def load_model(spec: str, **options: Any) -> Predictor:
    """Load a model.

    Args:
        spec: see the head of this module.
        **options: options of the model, where ``spec`` does not state them.

    Raises:
        UnknownNameError: no such model or option; the message names the nearest.
        MissingPathError: the file is not there.
        InputError: an option is missing or stated twice, or the file is not a model.
        ModelError: the named Python code cannot be loaded.
    """
    parsed = ModelSpec.parse(spec)
    factory = MODELS.get(parsed.name)
    twice = sorted(parsed.options.keys() & options.keys())
    if twice:
        raise InputError(f"stated twice: {', '.join(twice)}", where=spec, expected="each option once")
    stated: dict[str, Any] = {**parsed.options, **options}
    if parsed.source:
        stated["source"] = parsed.source
    _check_options(factory, parsed, stated)
    return factory(**stated)


def words(value: object) -> tuple[str, ...]:
    """Names stated as a sequence, or as text separated by commas.

    Raises:
        InputError: something else.
    """
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip())
    if not isinstance(value, Iterable):
        raise InputError(f"{value!r} stands for names", expected="a sequence of names, or text separated by commas")
    return tuple(str(word) for word in value)


def number(name: str, value: object) -> float:
    """A finite number stated as such, or as text.

    Raises:
        InputError: it is none.
    """
    try:
        found = float(value)  # type: ignore[arg-type]  # what is no number raises
    except (TypeError, ValueError) as error:
        raise InputError(f"option {name!r} is {value!r}", expected="a number") from error
    if not math.isfinite(found):
        raise InputError(f"option {name!r} is {value}", expected="a finite number")
    return found


def whole(name: str, value: object, *, least: int | None = 0) -> int:
    """A whole number stated as such, or as text.

    Raises:
        InputError: it is none, or below the least.
    """
    found = number(name, value)
    if found != int(found) or (least is not None and found < least):
        expected = "a whole number" if least is None else f"a whole number from {least} on"
        raise InputError(f"option {name!r} is {value}", expected=expected)
    return int(found)


def _names_code(head: str) -> bool:
    """Whether it names a Python file or a module that exists, without importing a module of that name."""
    if head.endswith(".py"):
        return True
    parts = head.split(".")
    if not all(part.isidentifier() for part in parts):
        return False
    from importlib.machinery import PathFinder  # noqa: PLC0415  # needed for this form only

    return PathFinder.find_spec(parts[0]) is not None


def _unknown(head: str, front: str) -> InputError:
    if any(mark in head for mark in "/\\"):
        path = Path(front)
        if not path.exists():
            return MissingPathError.of("model", path, expected=_FORMS)
        return InputError(f"not a model: {front}", expected=_FORMS, cause="another kind of file")
    error = UnknownNameError.of("model", head, MODELS.names())
    error.expected += f"; or {_FORMS}"
    error.cause = error.cause or "a module that is not importable from here; name its file as FILE.py:OBJECT"
    return error


def _check_options(factory: ModelFactory, parsed: ModelSpec, stated: Mapping[str, Any]) -> None:
    """Every stated option is one of the factory's, and every needed one is stated."""
    every = inspect.signature(factory).parameters
    known = {name: one for name, one in every.items() if one.kind is not inspect.Parameter.VAR_KEYWORD}
    what = f"model {parsed.name!r}"
    if "source" in stated and "source" not in known:
        raise InputError(f"{what} takes nothing after the colon", where=f"{parsed.name}:{parsed.source}")
    for name in stated if len(known) == len(every) else ():  # a factory of any options checks them itself
        if name not in known:
            raise UnknownNameError.of(f"option of {what}", name, known.keys() - {"source"})
    missing = [n for n, p in known.items() if p.default is inspect.Parameter.empty and n not in stated]
    if missing:
        form = f"{parsed.name}:SOURCE" if "source" in missing else f"{parsed.name}?{missing[0]}=VALUE"
        raise InputError(f"{what} needs {' and '.join(missing)}", expected=form)
