"""One root error; each subclass also is the builtin error a caller would expect.

An input error says what is wrong, where (file, row, item), what was expected and a likely cause, so that
nobody has to read our source to mend their data.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Of more names than this a message shows the nearest few: nobody reads all of them.
MOST_NAMES: Final = 40

EXIT_DONE = 0
EXIT_VERDICT_FAILED = 1
EXIT_BAD_INPUT = 2
EXIT_OUR_ERROR = 3


class AffectcheckError(Exception):
    """Root of every error raised on purpose.

    Args:
        what: one sentence that says what is wrong.
        where: file, line, row, item: as exact as is known.
        expected: what would have been right.
        cause: the likely cause, and what to do.
    """

    exit_code = EXIT_OUR_ERROR

    def __init__(self, what: str, *, where: str = "", expected: str = "", cause: str = "") -> None:
        self.what, self.where, self.expected, self.cause = what, where, expected, cause
        super().__init__(what)

    def __str__(self) -> str:
        """The whole message: location first, as compilers write it."""
        lines = [f"{self.where}: {self.what}" if self.where else self.what]
        if self.expected:
            lines.append(f"  expected: {self.expected}")
        if self.cause:
            lines.append(f"  likely cause: {self.cause}")
        return "\n".join(lines)


class InputError(AffectcheckError, ValueError):
    """The user's data, options or files are not usable as they are.

    Args:
        what, where, expected, cause: see ``AffectcheckError``.
        code: a stable name of the fault for machines, such as ``E_UNKNOWN_KEYS``; empty where it has none.
    """

    exit_code = EXIT_BAD_INPUT

    def __init__(self, what: str, *, where: str = "", expected: str = "", cause: str = "", code: str = "") -> None:
        super().__init__(what, where=where, expected=expected, cause=cause)
        self.code = code


class UnknownNameError(InputError, LookupError):
    """A name that no registered part, label or column has."""

    @classmethod
    def of(cls, kind: str, name: str, known: Iterable[str], *, where: str = "", listed: str = "") -> UnknownNameError:
        """Build the error with the known names and the nearest ones.

        Args:
            kind: what the name should have been that of.
            name: the name that nothing has.
            known: every name that would have been right.
            where: file, line, row.
            listed: the command that lists them all, for where they are too many to be told.
        """
        choices = sorted(known)
        near = get_close_matches(name, choices, n=3, cutoff=0.6)
        folded = [choice for choice in choices if choice.casefold() == name.strip().casefold()]
        near = folded or near
        return cls(
            f"unknown {kind} {name!r}",
            where=where,
            expected=_told(choices, near or get_close_matches(name.strip(), choices, n=5, cutoff=0.4), listed),
            cause=f"did you mean {' or '.join(repr(n) for n in near)}?" if near else "",
        )


def _told(choices: list[str], near: list[str], listed: str) -> str:
    """The names that would have been right, or the nearest of many and how to see the others."""
    if len(choices) <= MOST_NAMES:
        return f"one of {', '.join(choices) or '(none registered)'}"
    few = near or choices[:5]
    more = f"; `{listed}` lists them" if listed else ""
    return f"one of {len(choices)} names, such as {', '.join(few)}{more}"


class MissingPathError(InputError, FileNotFoundError):
    """A file or folder that is not there."""

    @classmethod
    def of(cls, kind: str, path: object, *, expected: str = "", cause: str = "") -> MissingPathError:
        """Build the error for one path."""
        return cls(
            f"{kind} not found: {path}",
            expected=expected,
            cause=cause or "a typing mistake, or a path relative to another folder",
        )


class WriteError(InputError, OSError):
    """A file or folder that cannot be written."""


class MediaError(InputError, OSError):
    """A media file that cannot be decoded into samples or pixels."""


class ModelError(InputError, RuntimeError):
    """A model that raises, or returns another shape, kind or label set than it declared."""


class NoPredictionError(ModelError, LookupError):
    """An item that a model has no prediction for; the others are not touched."""


class ExtraMissingError(InputError, ImportError):
    """A feature whose optional packages are not installed."""

    @classmethod
    def of(cls, feature: str, extra: str, package: str) -> ExtraMissingError:
        """Name the exact command that brings the extra."""
        return cls(
            f"{feature} needs the package {package!r}, which is not installed",
            expected=f"pip install 'affectcheck[{extra}]'",
            cause="affectcheck was installed without this extra",
        )


class SignatureMismatchError(InputError):
    """Two scores that may not be compared, because more than the model differs."""
