"""Pillow, loaded when a picture is first decoded, and kept from warning past what is told of a picture anyway."""

from __future__ import annotations

import threading
import warnings
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import ExtraMissingError

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOCK: Final = threading.Lock()
_DECODING: Final[list[int]] = []  # threads that decode now
_FILTERS: Final[list[Any]] = []  # ours, while there are any


@cache
def pillow(feature: str = "decoding pictures", extra: str = "image") -> Any:
    """The package's ``PIL.Image``.

    Args:
        feature: what it is needed for.
        extra: what brings it.

    Raises:
        ExtraMissingError: it is not installed.
    """
    try:
        import PIL.Image  # noqa: PLC0415  # an optional package
    except ImportError as error:
        raise ExtraMissingError.of(feature, extra, "pillow") from error
    return PIL.Image


@contextmanager
def without_warnings() -> Iterator[None]:
    """Pillow's own warnings are not shown: of large pictures, damaged EXIF data and the like, once for each place.

    ``warnings.catch_warnings`` would leave the filters of one thread to another where several decode.
    """
    with _LOCK:
        if not _DECODING:
            warnings.filterwarnings("ignore", module=r"PIL\.")
            _FILTERS.append(warnings.filters[0])
        _DECODING.append(threading.get_ident())
    try:
        yield
    finally:
        with _LOCK:
            _DECODING.pop()
            if not _DECODING and (ours := _FILTERS.pop()) in warnings.filters:
                warnings.filters.remove(ours)  # type: ignore[attr-defined]  # a list, whatever its type says
