"""One picture through a model, to see what its network receives: the mistakes that no error tells.

A network that was trained on other channels, another range or another part of the picture answers all the same, only
worse. So the same four places are shown in the picture and in what becomes of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import numpy as np

from affectcheck.errors import InputError
from affectcheck.media.clip import Image, Item
from affectcheck.models.preparing import prepared

if TYPE_CHECKING:
    from affectcheck.models.card import Predictor

#: Middles of the quarters of a picture, as shares of its height and width.
PLACES: Final = {
    "top left": (0.25, 0.25),
    "top right": (0.25, 0.75),
    "bottom left": (0.75, 0.25),
    "bottom right": (0.75, 0.75),
}
_QUARTERS: Final = (((255, 0, 0), (0, 255, 0)), ((0, 0, 255), (255, 255, 255)))
_SIDE: Final = 224
_TIMES: Final = 3
#: How far apart answers to the same item may be, over the largest number: above what threads and the sizes of batches
#: change in float32, far below what a score shows.
APART: Final = 1e-4


@runtime_checkable
class ShowsInput(Protocol):
    """A model that says what it makes of a picture."""

    def received(self, image: Image) -> np.ndarray:
        """What goes in: numbers with axes as the network has them, or (height, width, 3) pixels."""


@dataclass(frozen=True)
class Place:
    """One place of a picture.

    Attributes:
        name: where.
        pixel: red, green and blue in the picture.
        numbers: what the network receives there, one a channel, in its order.
    """

    name: str
    pixel: tuple[int, ...]
    numbers: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Trial:
    """What became of one picture.

    Attributes:
        answer: part to number.
        shape, dtype: of what the network receives; empty where the model does not show it.
        low, high: its smallest and largest number.
        places: the four quarters of what it was handed: the picture, or what it cuts out of that first.
        view: (height, width, 3) uint8: what it receives, from its smallest number in black to its largest in white.
        cautions: what the model says of this picture, such as that it finds no face.
    """

    answer: dict[str, float]
    shape: tuple[int, ...] = ()
    dtype: str = ""
    low: float = 0.0
    high: float = 0.0
    places: tuple[Place, ...] = ()
    view: np.ndarray | None = None
    cautions: tuple[str, ...] = ()


def known_picture() -> Image:
    """Red and green above, blue and white below."""
    return Image(np.array(_QUARTERS, np.uint8).repeat(_SIDE // 2, axis=0).repeat(_SIDE // 2, axis=1))


def try_picture(model: Predictor, image: Image) -> Trial:
    """Predict one picture, three times, and show what the network receives.

    Raises:
        InputError: the model takes no pictures.
        ModelError: it fails on this one.
    """
    if "image" not in model.card.media:
        raise InputError(
            f"the model {model.card.name!r} takes {', '.join(model.card.media) or 'no media'}",
            expected="a model of pictures",
        )
    item = prepared(model, Item("picture", {"image": image}))
    rows = np.stack([model.predict([_own(item)])[0] for _ in range(_TIMES)])
    answer = {part: float(value) for part, value in zip(model.card.parts, rows[0], strict=True)}
    told = (*(note for note in item.image.notes if note not in image.notes), *_varying(rows))
    if not isinstance(model, ShowsInput):
        return Trial(answer, cautions=told)
    found = model.received(item.image)
    values = _channels_last(found)
    places = tuple(
        Place(name, _at(item.image.pixels, where), tuple(round(float(value), 4) for value in _at(values, where)))
        for name, where in PLACES.items()
    )
    ends = float(found.min()), float(found.max())
    return Trial(answer, found.shape, found.dtype.name, *ends, places, _viewed(values), told)


def _own(item: Item) -> Item:
    """The item with pixels of its own: foreign code may write into what it gets."""
    return replace(item, media={"image": replace(item.image, pixels=item.image.pixels.copy())})


def _varying(rows: np.ndarray) -> tuple[str, ...]:
    """That the answers to one picture are not the same, if so."""
    apart, largest = float(np.ptp(rows, axis=0).max()), float(np.abs(rows).max())
    if apart <= APART * largest:
        return ()
    return (
        f"another answer each time, up to {apart:.3g} apart: dropout left on, another draw, or a state that it keeps",
    )


def _channels_last(found: np.ndarray) -> np.ndarray:
    """(height, width, channels) of whatever order of axes."""
    values = found[0] if found.ndim == 4 else found
    if values.ndim == 2:
        return values[..., None]
    first = found.ndim == 4 and values.shape[0] in {1, 3} and values.shape[2] not in {1, 3}
    return values.transpose(1, 2, 0) if first else values


def _at(values: np.ndarray, where: tuple[float, float]) -> tuple[Any, ...]:
    row, column = (int(share * side) for share, side in zip(where, values.shape[:2], strict=True))
    return tuple(values[row, column].tolist())


def _viewed(values: np.ndarray) -> np.ndarray:
    low, high = float(values.min()), float(values.max())
    scaled = (values.astype(np.float64) - low) * (255 / (high - low) if high > low else 0.0)
    pixels = np.broadcast_to(scaled.round().astype(np.uint8), (*values.shape[:2], 3))
    return np.ascontiguousarray(pixels)
