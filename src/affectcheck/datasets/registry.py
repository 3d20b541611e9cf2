"""Data sets by name, and the one function that loads them.

A data set is one module with a ``CARD`` and a function ``read(root, **options)`` under ``@dataset(CARD)``; its
name then works wherever a data set is asked for.
"""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.registry import Registry, stated_options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.datasets.card import Card, Option, OptionValue

Read = TypeVar("Read", bound="Callable[..., AnnotationTable]")


class DatasetReader(Protocol):
    """Anything that reads one data set."""

    @property
    def card(self) -> Card:
        """What the data set is."""

    @property
    def read(self) -> Callable[..., AnnotationTable]:
        """Function of a root (a path, or None) and the card's options by keyword, that returns the table."""


_IN_A_PATH: Final = "a question mark in a path; state the path as root= instead"


@dataclass(frozen=True)
class Dataset:
    """A data set made of a card and a function.

    Attributes:
        card: what it is.
        read: reads it; takes the root, then the card's options by keyword, already of their declared types.
    """

    card: Card
    read: Callable[..., AnnotationTable]


DATASETS: Final[Registry[DatasetReader]] = Registry(
    "data set", "affectcheck.datasets", listed="affectcheck datasets list"
)


def dataset(card: Card) -> Callable[[Read], Read]:
    """Decorator that registers a ``read`` function under the name of its card."""

    def add(read: Read) -> Read:
        DATASETS.add(card.name, Dataset(card, read), origin=f"{read.__module__}:{card.name}")
        return read

    return add


@dataclass(frozen=True)
class DatasetSpec:
    """A data set as a user names it: ``name``, ``name:root`` or ``name:root?option=value&option=value``.

    Attributes:
        name: registered name.
        root: where the data lie; empty where it was not stated.
        options: stated options, as text.
    """

    name: str
    root: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> DatasetSpec:
        r"""Read a specification.

        Only the first colon separates, so that the root may be ``C:\corpora``. Options are read as in the
        address of a web page: ``%26`` stands for ``&``, ``%3F`` for ``?``.

        Raises:
            InputError: no name, or something after the question mark that is no list of options.

        Example:
            >>> DatasetSpec.parse(r"ravdess:C:\corpora\ravdess?scheme=expressions-7").root
            'C:\\corpora\\ravdess'
        """
        front, question, tail = text.rpartition("?") if "?" in text else (text, "", "")
        name, _, root = front.partition(":")
        if not name.strip():
            raise InputError(f"no data set is named in {text!r}", expected="NAME, NAME:ROOT or NAME:ROOT?OPTION=VALUE")
        return cls(name.strip(), root.strip(), stated_options(tail, text, cause=_IN_A_PATH) if question else {})


@dataclass(frozen=True)
class Making:
    """How visibly a data set is read, and how one that makes its own recordings is made.

    Attributes:
        folder: where recordings are kept that a data set makes, unless a root is stated; None for the cache folder.
            A data set that is read takes no notice.
        progress: called with the recordings (or files of labels) that are done and all of them, by data sets that
            take long.
    """

    folder: Path | None = None
    progress: Callable[[int, int], None] | None = None


def load_dataset(
    spec: str, root: str | Path | None = None, *, making: Making | None = None, **options: OptionValue
) -> AnnotationTable:
    """Read a data set into an annotation table.

    Args:
        spec: ``name``, ``name:root`` or ``name:root?option=value&option=value``.
        root: folder (or, for some, file) of the data, where ``spec`` does not say it.
        making: where to, for a data set that makes its own recordings, and how visibly.
        **options: options of the data set, as its card lists them; they may not be stated twice.

    Raises:
        UnknownNameError: no such data set or option.
        MissingPathError: the root does not exist.
        InputError: the root is not stated, or stated twice; an option has the wrong type; the data are not as
            the card says.
    """
    parsed = DatasetSpec.parse(spec)
    reader = _reader(parsed, spec)
    twice = sorted(parsed.options.keys() & options.keys())
    if twice:
        raise InputError(f"stated twice: {', '.join(twice)}", where=spec, expected="each option once")
    stated = {**parsed.options, **options}
    found, typed = _root(reader.card, parsed, root), typed_options(reader.card, stated)
    if making is None:
        return reader.read(found, **typed)
    shown = {"progress": making.progress} if "progress" in inspect.signature(reader.read).parameters else {}
    folder = found if reader.card.needs_root else found or making.folder
    return reader.read(folder, **typed, **shown)


def typed_options(card: Card, stated: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Every option of the card, stated or by default, each of its declared type.

    Raises:
        UnknownNameError: the card has no such option.
        InputError: a text that is no number, or no yes or no, where one is needed.
    """
    known = {option.name: option for option in card.options}
    for name in stated:
        if name not in known:
            raise UnknownNameError.of(f"option of data set {card.name!r}", name, known)
    return {name: _typed(option, stated[name]) if name in stated else option.default for name, option in known.items()}


def _reader(parsed: DatasetSpec, spec: str) -> DatasetReader:
    try:
        return DATASETS.get(parsed.name)
    except UnknownNameError as error:
        if not error.cause and Path(spec).exists():
            error.cause = f"a path alone does not say what it holds; write NAME:{spec}"
        raise


def _root(card: Card, parsed: DatasetSpec, root: str | Path | None) -> Path | None:
    if parsed.root and root is not None:
        raise InputError(f"the root is stated twice: {parsed.root} and {root}", expected="one root")
    stated = parsed.root or root
    if not stated:
        if card.needs_root:
            raise InputError(
                f"data set {card.name!r} needs its root",
                expected=f"{card.name}:ROOT, where ROOT is {card.layout}",
                cause=f"affectcheck carries no recordings; {card.title}: {card.url}",
            )
        return None
    path = Path(stated).expanduser()
    if card.needs_root and not path.exists():
        raise MissingPathError.of(f"root of data set {card.name!r}", path, expected=card.layout)
    return path


_WORDS: Final = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_KINDS: Final = {bool: "yes or no", int: "a whole number", float: "a number"}


def _typed(option: Option, value: OptionValue) -> OptionValue:
    text = str(value).strip()
    try:
        if isinstance(option.default, bool):
            return _WORDS[text.casefold()]
        typed = type(option.default)(text)
        if isinstance(typed, float) and not math.isfinite(typed):
            raise ValueError(text)
        return typed
    except (KeyError, ValueError) as error:
        kind = _KINDS[type(option.default)]
        raise InputError(f"option {option.name!r} is {value!r}", expected=kind, cause=option.description) from error
