"""A registry of named parts: one file adds one part, found without a list that anybody keeps.

A room makes one registry. A part registers itself by decorator in its own module; modules are imported when a
name is first asked for, so that listing commands stay fast. Other packages add parts by entry points.
"""

from __future__ import annotations

import importlib
import pkgutil
import threading
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Generic, TypeVar
from urllib.parse import parse_qsl

from affectcheck.errors import AffectcheckError, InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Part = TypeVar("Part")


def stated_options(tail: str, spec: str, *, cause: str = "") -> dict[str, str]:
    """The options behind the question mark of a specification such as ``NAME:SOURCE?OPTION=VALUE&OPTION=VALUE``.

    Args:
        tail: what stands behind the question mark.
        spec: the whole specification, for messages.
        cause: why it may be no list of options.

    Raises:
        InputError: it is no list of options, or one is stated twice.

    Example:
        >>> stated_options("min_face=40&threshold=0.9", "mtcnn?min_face=40&threshold=0.9")
        {'min_face': '40', 'threshold': '0.9'}
    """
    try:
        pairs = parse_qsl(tail, keep_blank_values=True, strict_parsing=True)
    except ValueError as error:
        raise InputError(
            f"not a list of options: {tail!r}",
            where=spec,
            expected="OPTION=VALUE&OPTION=VALUE after the question mark",
            cause=cause,
        ) from error
    if len(dict(pairs)) < len(pairs):
        raise InputError(f"an option is stated twice: {tail!r}", where=spec, expected="each option once")
    return dict(pairs)


class DuplicateNameError(AffectcheckError, ValueError):
    """Two parts that claim one name."""


class Registry(Generic[Part]):
    """Named parts of one kind.

    Args:
        kind: what a part is called in messages, such as "metric".
        package: the package whose modules register parts; also the default entry-point group.
        listed: the command that lists them, if there is one.
    """

    def __init__(self, kind: str, package: str, *, listed: str = "") -> None:
        self.kind = kind
        self.package = package
        self.listed = listed
        self.broken: dict[str, str] = {}
        self._parts: dict[str, Part] = {}
        self._origins: dict[str, str] = {}
        self._discovered = False
        self._begun = False
        self._discovering = threading.RLock()

    def register(self, name: str) -> Callable[[Part], Part]:
        """Decorator that files the part under this name; a second part of the name raises."""

        def add(part: Part) -> Part:
            self.add(name, part)
            return part

        return add

    def add(self, name: str, part: Part, *, origin: str = "") -> None:
        """File a part under a name.

        Raises:
            DuplicateNameError: the name is taken; the message names both origins.
        """
        origin = origin or _origin(part)
        if name in self._parts and self._origins[name] != origin:
            raise DuplicateNameError(
                f"two {self.kind}s are called {name!r}: {self._origins[name]} and {origin}",
                expected="one name, one part",
                cause="a plug-in that takes a name of ours, or a copied file whose name was not changed",
            )
        self._parts[name] = part
        self._origins[name] = origin

    def get(self, name: str) -> Part:
        """The part of this name.

        Raises:
            UnknownNameError: no part has the name; the message lists the known and the nearest.
        """
        if name not in self._parts:
            self._discover()
        if name not in self._parts:
            raise UnknownNameError.of(self.kind, name, self._parts, listed=self.listed)
        return self._parts[name]

    def names(self) -> tuple[str, ...]:
        """Every known name, sorted."""
        self._discover()
        return tuple(sorted(self._parts))

    def items(self) -> Iterator[tuple[str, Part]]:
        """Every name with its part, sorted by name."""
        for name in self.names():
            yield name, self._parts[name]

    def origin(self, name: str) -> str:
        """Where the part was defined, as module:qualified name."""
        self.get(name)
        return self._origins[name]

    def __contains__(self, name: object) -> bool:
        self._discover()
        return name in self._parts

    def __len__(self) -> int:
        return len(self.names())

    def _discover(self) -> None:
        """Other threads wait until all parts are there; a part that asks while it is imported sees those before it."""
        if self._discovered:
            return
        with self._discovering:
            if self._begun:
                return
            self._begun = True
            room = importlib.import_module(self.package)
            for module in pkgutil.iter_modules(room.__path__):
                importlib.import_module(f"{self.package}.{module.name}")
            for entry in entry_points(group=self.package):
                self._load_plugin(entry.name, entry.value, entry.load)
            self._discovered = True

    def _load_plugin(self, name: str, value: str, load: Callable[[], Part]) -> None:
        """A broken plug-in must not break the rest: `doctor` shows what is kept here."""
        try:
            part = load()
        except Exception as error:  # noqa: BLE001  # third-party code may raise anything
            self.broken[name] = f"{value}: {type(error).__name__}: {error}"
            return
        self.add(name, part, origin=value)


def _origin(part: object) -> str:
    target = part if hasattr(part, "__qualname__") else type(part)
    module = getattr(part, "__module__", None) or getattr(target, "__module__", "?")
    return f"{module}:{getattr(part, '__qualname__', None) or getattr(part, 'name', repr(part))}"
