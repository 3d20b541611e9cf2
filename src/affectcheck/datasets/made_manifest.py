"""Manifests of what was made here: the one place that says which files are not one, are damaged, or of other options."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from affectcheck.errors import InputError
from affectcheck.records.codec import parse_strict_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def manifest(path: Path, form: str, version: int) -> Iterator[dict[str, Any]]:
    """The plain values of a manifest; what they lack within the block is the file's fault.

    Args:
        path: the file.
        form: what its field ``format`` says, after the name of the project.
        version: what its field ``version`` says.

    Raises:
        InputError: it is another file, of another version, or damaged.
    """
    expected = f"{form}, version {version}"
    try:
        data = parse_strict_json(path.read_text(encoding="utf-8"), where=str(path))
        if not isinstance(data, dict) or data.get("format") != form or data.get("version") != version:
            raise InputError(
                f"not a manifest of {form.removeprefix('affectcheck ')}", where=str(path), expected=expected
            )
        yield data
    except InputError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        told = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(
            f"a manifest that cannot be read: {told}",
            where=str(path),
            expected=expected,
            cause="a file that was changed; delete it, what lies beside it is used again",
        ) from error


def require_design(known: object, wanted: object, folder: Path, *, what: str) -> None:
    """Refuse a folder that was made with other options.

    Args:
        known: the design in the folder's manifest.
        wanted: the design that the options state.
        folder: of what was made.
        what: is in it, such as ``synthetic speech``.

    Raises:
        InputError: the designs differ.
    """
    if known != wanted:
        raise InputError(
            f"the folder holds {what} of other options: {known}",
            where=str(folder),
            expected=f"{wanted}, as the options say",
            cause="state the options that it was made with, or another root",
        )
