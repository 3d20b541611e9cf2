"""Pictures on their way into a model of others: which part, of which size, as which numbers; stated, and to be looked at.

In this order: the part is cut out (``crop``), scaled (``size``, ``fit``, ``share``, ``filter``), its channels are put in
order (``channels``), 0 to 255 become ``range``, ``mean`` is taken away and ``std`` divided by, and the axes are ordered (``layout``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError
from affectcheck.media.faces.alignment import align, crop_box, pixel_centres
from affectcheck.media.faces.registry import DEFAULT_DETECTOR, face_detector
from affectcheck.media.opencv import opencv
from affectcheck.models.declaring import chosen
from affectcheck.models.options import Option
from affectcheck.models.picture_scaling import FILTERS, fitted
from affectcheck.models.registry import number, words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.media.clip import Image
    from affectcheck.media.faces.detector import Face, FaceDetector

CROPS: Final = ("picture", "detector", "aligned")
FITS: Final = ("stretch", "centre")
CHANNELS: Final = ("rgb", "bgr", "grey")
LAYOUTS: Final = ("nchw", "nhwc")
#: What is stated of a picture's way into a model.
PICTURE_OPTIONS: Final = (
    Option("size", "of its pictures: pixels of a side, or WIDTHxHEIGHT", "as its files say", "where they do not"),
    Option("range", "what black and white are, before mean and std", "0,1"),
    Option("mean", "what is taken away: one number, or one a channel, in the order of its channels", "0"),
    Option("std", "what is divided by: one number, or one a channel", "1"),
    Option("channels", "rgb, bgr, or grey (the luma alone)", "rgb"),
    Option("layout", "order of the axes: nchw, or nhwc", "nchw"),
    Option(
        "crop", "picture: all of it; detector: the box of its face; aligned: turned and scaled by landmarks", "picture"
    ),
    Option("margin", "around the detector's box, as a share of its longer side", "0"),
    Option("detector", "what finds faces, where the table has no landmarks", DEFAULT_DETECTOR),
    Option("fit", "stretch, or centre: the largest middle part of the right proportions", "stretch"),
    Option("share", "how much of that is left when its edges are cut off: the size over what is resized to", "1"),
    Option("filter", "how it is resized: area or linear, as OpenCV; bilinear, bicubic …, as Pillow", "area"),
)
PICTURE_NAMES: Final = tuple(one.name for one in PICTURE_OPTIONS)


@dataclass(frozen=True)
class PictureInput:
    """What a model takes of a picture.

    Attributes:
        width, height: in pixels; 0 leaves the size as it is.
        low, high: what black and white are before mean and std.
        mean, std: one number, or one a channel.
        channels: ``rgb``, ``bgr`` or ``grey``.
        layout: ``nchw`` or ``nhwc``.
        crop: ``picture``, ``detector`` or ``aligned``.
        margin: around the detector's box, as a share of its longer side.
        fit: ``stretch`` or ``centre``.
        share: of what is resized, the middle that is kept.
        filter: one of ``FILTERS``.
        halves_even: whether the half of an odd number of pixels cut off is rounded to the even number, or down.
        detector: what finds faces; None where none is needed.
    """

    width: int = 0
    height: int = 0
    low: float = 0.0
    high: float = 1.0
    mean: tuple[float, ...] = (0.0,)
    std: tuple[float, ...] = (1.0,)
    channels: str = "rgb"
    layout: str = "nchw"
    crop: str = "picture"
    margin: float = 0.0
    fit: str = "stretch"
    share: float = 1.0
    filter: str = "area"
    halves_even: bool = False
    detector: FaceDetector | None = None

    def array(self, image: Image) -> np.ndarray:
        """The picture as the network gets it: (1, channels, height, width) float32, or as ``layout`` says."""
        pixels = self.ordered(self.seen(image)).astype(np.float32) / np.float32(255)
        scaled = pixels * np.float32(self.high - self.low) + np.float32(self.low)
        values = (scaled - np.array(self.mean, np.float32)) / np.array(self.std, np.float32)
        axes = values.transpose(2, 0, 1) if self.layout == "nchw" else values
        return np.ascontiguousarray(axes[None])

    def seen(self, image: Image) -> np.ndarray:
        """(height, width, 3) uint8 RGB: the part of the picture, in its size."""
        pixels = self._part(image)
        return fitted(pixels, self) if self.width else pixels

    def ordered(self, pixels: np.ndarray) -> np.ndarray:
        """RGB with its channels as the network has them, (height, width, 3), or (height, width, 1) for grey."""
        if self.channels == "grey":
            grey: np.ndarray = opencv().cvtColor(np.ascontiguousarray(pixels), opencv().COLOR_RGB2GRAY)
            return grey[..., None]
        return pixels[..., ::-1] if self.channels == "bgr" else pixels

    @property
    def digest(self) -> str:
        """Of all that changes a number."""
        settings = vars(self) | {"detector": self.detector.digest if self.detector else ""}
        return digest_bytes("picture-input", *(f"{name}={settings[name]!r}" for name in sorted(settings)))

    @property
    def told(self) -> str:
        """In words, for the card."""
        size = f"{self.width}×{self.height} pixels by {self.filter}" if self.width else "their own size"
        middle = f", the middle {self.share:.4g}" if self.fit == "centre" or self.share < 1 else ""
        part = {"picture": "whole", "detector": "the box of the face", "aligned": "aligned by landmarks"}[self.crop]
        by = f" ({self.detector.name})" if self.detector else ""
        return (
            f"pictures: {part}{by}{middle}, {size}, {self.channels}, {self.layout}, black to white {self.low:g} to "
            f"{self.high:g}, less {_listed(self.mean)}, over {_listed(self.std)}"
        )

    def _part(self, image: Image) -> np.ndarray:
        """The face; the whole picture where none is found."""
        if self.crop == "picture":
            return image.pixels
        side = max(self.width, self.height)
        if self.crop == "aligned" and image.landmarks is not None:
            return align(image.pixels, image.landmarks, side=side)
        face = self._found(image)
        if face is None:
            return image.pixels
        if self.crop == "aligned":
            return align(image.pixels, pixel_centres(face.landmarks), side=side)
        return crop_box(image.pixels, face.box, side=side, margin=self.margin)

    def _found(self, image: Image) -> Face | None:
        found = self.detector.detect(image.pixels) if self.detector is not None else []
        return found[0] if found else None


#: Whole pictures in their own size.
AS_IT_IS: Final = PictureInput()


def picture_input(options: Mapping[str, Any], found: PictureInput, *, where: str, sized: bool = True) -> PictureInput:
    """A picture's way into a model, from what its files say and what is stated, which goes before it.

    Args:
        options: of ``PICTURE_OPTIONS``, those that are stated.
        found: what the model's files say.
        where: the model as it was named.
        sized: whether there must be a size.

    Raises:
        InputError: no size is known, or a value is none of those that an option takes.
        UnknownNameError: an unknown word or detector.
    """
    width, height = _size(options["size"], where) if "size" in options else (found.width, found.height)
    low, high = _pair(options["range"], where) if "range" in options else (found.low, found.high)
    crop = chosen(options, "crop", _first(found.crop, CROPS), where=where)
    made = replace(
        found,
        width=width,
        height=height,
        low=low,
        high=high,
        mean=_numbers(options, "mean", found.mean, where),
        std=_numbers(options, "std", found.std, where),
        channels=chosen(options, "channels", _first(found.channels, CHANNELS), where=where),
        layout=chosen(options, "layout", _first(found.layout, LAYOUTS), where=where),
        crop=crop,
        margin=_between(options, "margin", found.margin, (0.0, 3.0), where),
        fit=chosen(options, "fit", _first(found.fit, FITS), where=where),
        share=_between(options, "share", found.share, (0.05, 1.0), where),
        filter=chosen(options, "filter", _first(found.filter, FILTERS), where=where),
        detector=face_detector(str(options.get("detector", DEFAULT_DETECTOR))) if crop != "picture" else None,
    )
    _require_sound(made, where, sized=sized or crop != "picture")
    return made


def _require_sound(made: PictureInput, where: str, *, sized: bool) -> None:
    if sized and not made.width:
        raise InputError(
            "the size of the pictures that the model takes is not declared",
            where=where,
            expected="?size=224, or ?size=WIDTHxHEIGHT",
        )
    depth = 1 if made.channels == "grey" else 3
    for name, values in (("mean", made.mean), ("std", made.std)):
        if len(values) not in {1, depth}:
            raise InputError(
                f"{name} has {len(values)} numbers", where=where, expected=f"one, or {depth}, one a channel"
            )
    if min(made.std) <= 0:
        raise InputError(f"std is {_listed(made.std)}", where=where, expected="numbers above 0")


def _first(default: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """The known words with the default at the front."""
    return (default, *(one for one in known if one != default))


def _size(stated: object, where: str) -> tuple[int, int]:
    sides = str(stated).casefold().replace("×", "x").split("x")
    if len(sides) > 2 or not all(side.strip().isdigit() and 0 < int(side) <= 8192 for side in sides):
        raise InputError(f"size is {stated!r}", where=where, expected="pixels, such as 224 or 200x260 (width, height)")
    return int(sides[0]), int(sides[-1])


def _pair(stated: object, where: str) -> tuple[float, float]:
    found = [number("range", one) for one in words(stated)]
    if len(found) != 2 or found[0] == found[1]:
        raise InputError(f"range is {stated!r}", where=where, expected="black and white, such as 0,1 or -1,1 or 0,255")
    return found[0], found[1]


def _numbers(options: Mapping[str, Any], name: str, default: tuple[float, ...], where: str) -> tuple[float, ...]:
    if name not in options:
        return default
    stated = options[name]
    found = tuple(number(name, one) for one in (words(stated) if not isinstance(stated, float | int) else (stated,)))
    if not found:
        raise InputError(f"{name} is empty", where=where, expected="a number, or one a channel")
    return found


def _between(options: Mapping[str, Any], name: str, default: float, ends: tuple[float, float], where: str) -> float:
    found = number(name, options.get(name, default))
    if not ends[0] <= found <= ends[1]:
        raise InputError(f"{name} is {found:g}", where=where, expected=f"a number from {ends[0]:g} to {ends[1]:g}")
    return found


def _listed(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:g}" for value in values)
