"""Detectors by name, and the one function that makes them.

A specification is ``NAME``, ``NAME:FILE`` or ``NAME:FILE?OPTION=VALUE&OPTION=VALUE``.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.registry import Registry, stated_options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from affectcheck.media.faces.detector import FaceDetector

    DetectorFactory: TypeAlias = Callable[..., FaceDetector]

FACE_DETECTORS: Final[Registry[DetectorFactory]] = Registry("face detector", "affectcheck.media.faces")

#: The detector that is used unless another is stated.
DEFAULT_DETECTOR: Final = "mtcnn"


def face_detector(spec: str = DEFAULT_DETECTOR, **options: Any) -> FaceDetector:
    """Make a detector.

    Args:
        spec: see the head of this module.
        **options: options of the detector, where ``spec`` does not state them.

    Raises:
        UnknownNameError: no such detector or option; the message names the nearest.
        InputError: an option is stated twice or out of range, or the weights are not those of the detector.
        MissingPathError: the file of weights is not there.
        ExtraMissingError: a package that the detector needs is not installed.
    """
    front, question, tail = spec.strip().partition("?")
    name, colon, source = front.partition(":")
    if not name:
        raise InputError(f"no face detector is named in {spec!r}", expected="NAME, NAME:FILE or NAME:FILE?OPTION=VALUE")
    factory = FACE_DETECTORS.get(name)
    stated = stated_options(tail, spec) if question else {}
    twice = sorted(stated.keys() & options.keys())
    if twice:
        raise InputError(f"stated twice: {', '.join(twice)}", where=spec, expected="each option once")
    merged: dict[str, Any] = {**stated, **options}
    if colon:
        merged["source"] = source
    _require_known(factory, name, merged)
    return factory(**merged)


def in_range(name: str, value: object, *, low: float, high: float) -> float:
    """A number, stated as such or as text, between two others.

    Raises:
        InputError: it is none, or lies outside.
    """
    expected = f"a number from {low:g} to {high:g}"
    try:
        number = float(value)  # type: ignore[arg-type]  # what is no number raises
    except (TypeError, ValueError) as error:
        raise InputError(f"option {name!r} is {value!r}", expected=expected) from error
    if not low <= number <= high:
        raise InputError(f"option {name!r} is {number:g}", expected=expected)
    return number


def _require_known(factory: DetectorFactory, name: str, stated: Mapping[str, Any]) -> None:
    """Every stated option is one of the factory's."""
    known = inspect.signature(factory).parameters
    if "source" in stated and "source" not in known:
        raise InputError(
            f"face detector {name!r} takes no file", where=f"{name}:{stated['source']}", expected=f"{name} alone"
        )
    for option in stated:
        if option not in known:
            raise UnknownNameError.of(f"option of face detector {name!r}", option, known.keys() - {"source"})
