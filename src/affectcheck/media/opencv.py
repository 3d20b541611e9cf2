"""OpenCV, loaded when a picture is first worked on with it."""

from __future__ import annotations

from functools import cache
from typing import Any

from affectcheck.errors import ExtraMissingError


@cache
def opencv() -> Any:
    """The package, told to use one thread, since workers share the processors among themselves already.

    Raises:
        ExtraMissingError: it is not installed.
    """
    try:
        import cv2  # noqa: PLC0415  # optional, and slow to import
    except ImportError as error:
        raise ExtraMissingError.of("work on pictures", "faces", "opencv-python-headless") from error
    cv2.setNumThreads(1)
    return cv2
