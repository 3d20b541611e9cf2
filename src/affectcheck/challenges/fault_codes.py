"""Stable names of faults: what a program that sends submissions can tell apart without reading sentences."""

from __future__ import annotations

from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Faults that the check of a submission finds, in the order in which it looks.
CHECK_CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "E_NO_FILE": "no such file, or a folder",
        "E_TOO_LARGE": "more bytes than are taken, as sent or unpacked",
        "E_ARCHIVE_FORMAT": "an archive that is neither zip nor tar, such as RAR or 7-Zip",
        "E_ARCHIVE_DAMAGED": "an archive that does not open, or breaks off",
        "E_TOO_MANY_FILES": "an archive of more files than are taken",
        "E_ARCHIVE_PATH": "a path in an archive that is absolute, leads out of it, is there twice, or has odd characters",
        "E_ARCHIVE_MEMBER": "a link, a device, an encrypted file, or one packed by another method than deflate",
        "E_ARCHIVE_BOMB": "an archive that unpacks to far more than its size, or whose files share their bytes",
        "E_ARCHIVE_NESTED": "an archive in the archive",
        "E_ARCHIVE_EMPTY": "an archive without a file",
        "E_NO_TABLE": "no file with the ending of a table",
        "E_WRONG_NAME": "no file that is called as the track says",
        "E_SEVERAL_TABLES": "several files that may be the predictions",
        "E_REPEATED_VIDEO": "two files of one video",
        "E_ENCODING": "a text that is not UTF-8, or a binary file",
        "E_EMPTY": "a file without a prediction",
        "E_LONG_LINE": "a line that is too long",
        "E_TOO_MANY_ROWS": "more rows than are taken",
        "E_WRONG_COLUMNS": "a header that lacks a column, has another one or has one twice, or no header",
        "E_BROKEN_TABLE": "rows of another length than the header, blank ones between others, or an open quotation mark",
        "E_DAMAGED_TABLE": "a Parquet file that does not open, or breaks off",
        "E_WRONG_TYPE": "a column of a Parquet file that holds another type",
        "E_EMPTY_CELL": "a row without a key or without a prediction",
        "E_NOT_A_NUMBER": "a cell that is no number",
        "E_NOT_FINITE": "a number that is NaN or infinite",
        "E_OUT_OF_RANGE": "a number outside of the scheme's range, or of no class",
        "E_NOT_BINARY": "a cell that is neither 0 nor 1",
        "E_NOT_ONE_HOT": "a row that names no class or several",
        "E_UNKNOWN_CLASS": "a class that the scheme does not have",
        "E_WRONG_KEYS": "a key that is not that of a frame",
        "E_FIRST_FRAME": "a frame before the first: counted from 0, not from 1",
        "E_PERSONS": "a video of two persons under one name",
        "E_REPEATED_KEYS": "a key that is there more than once",
        "E_MISSING_FRAMES": "frames without a prediction",
        "E_MISSING_ITEMS": "items without a prediction",
        "E_UNKNOWN_KEYS": "keys of nothing that is to be predicted",
        "E_BLANKS_IN_KEYS": "keys with blanks around them",
        "E_INVALID": "any other fault",
    }
)
#: Why an upload is not taken at all.
INTAKE_CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "E_NOT_OPEN_YET": "before the first phase, or between two",
        "E_CLOSED": "after the end of the last phase",
        "E_TOO_MANY_UPLOADS": "more uploads within 24 hours than are taken",
        "E_ALL_SLOTS_TAKEN": "all submissions of the team are used",
        "E_SLOTS_IN_USE": "all submissions of the team are used, but some are not scored and may be given back",
        "E_DECLARATION": "a declaration with a fault; all are listed",
        "E_NAME": "a name of a team or method that is too short or long, has odd characters, or is reserved",
    }
)
CODES: Final[Mapping[str, str]] = MappingProxyType({**CHECK_CODES, **INTAKE_CODES})


@contextmanager
def coded(code: str) -> Iterator[None]:
    """Within, faults that have no code get this one.

    Args:
        code: of the table above.
    """
    try:
        yield
    except InputError as error:
        error.code = error.code or code
        raise


def fault_plain(error: InputError) -> dict[str, str]:
    """A fault as JSON holds it: ``code``, ``what``, ``where``, ``expected`` and ``cause``."""
    told = {name: str(getattr(error, name)) for name in ("what", "where", "expected", "cause")}
    return {"code": error.code or "E_INVALID", **told}
