"""The audformat library, loaded when it is needed; it is optional and loads pandas."""

from __future__ import annotations

from typing import Any, Final

from affectcheck.errors import ExtraMissingError

#: Entry of a database's header under which a writer keeps what audformat has no place for.
META: Final = "affectcheck"

#: Column and scheme that name the speaker, by the habit of published databases.
SPEAKER: Final = "speaker"


def load_audformat() -> Any:  # the library brings no types
    """The module ``audformat``.

    Raises:
        ExtraMissingError: it is not installed.
    """
    try:
        import audformat  # noqa: PLC0415  # optional
    except ImportError as error:
        raise ExtraMissingError.of("reading and writing audformat databases", "audformat", "audformat") from error
    return audformat
