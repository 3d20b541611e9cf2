"""Python code as a model: a function of samples, or an object that meets the protocol, checked at every call."""

from __future__ import annotations

import sys
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.errors import InputError, ModelError, UnknownNameError
from affectcheck.models.card import ModelCard
from affectcheck.models.preparing import Prepares

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from affectcheck.media.clip import Image, Item
    from affectcheck.models.picture_input import PictureInput


#: Letters of a value that a message shows.
SHOWN: Final = 60


class ModelRaisedError(ModelError):
    """A model's own code raised; the original exception is the cause."""


@dataclass(frozen=True)
class PythonModel:
    """A function ``f(samples, rate_hz)`` of sound, ``f(pixels)`` of pictures or ``f(pixels, rate_hz)`` of videos.

    Attributes:
        function: gets (n,) float32 samples and the rate; or (height, width, 3) uint8 pixels, RGB, or what ``input``
            makes of them; or (time, height, width, 3) pixels and their rate. Returns a number a part (sequence or mapping by name), a
            single number where there is one part, or the name of the class.
        card: what it declares.
        input: what it takes of a picture; None for the pixels as they are.
    """

    function: Callable[..., Any]
    card: ModelCard
    input: PictureInput | None = None

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Call the function for each item.

        Raises:
            ModelRaisedError: it raised.
            ModelError: it returned another shape, class or kind of number than declared.
        """
        return np.array([self._one(item) for item in items]).reshape(len(items), len(self.card.parts))

    def _one(self, item: Item) -> np.ndarray:
        where = f"model {self.card.name!r}, item {item.key!r}"
        given = self._given(item)
        with foreign_code(where):
            returned = self.function(*given)
        return as_scores(returned, self.card, where=where)

    def received(self, image: Image) -> np.ndarray:
        """What the function gets of a picture."""
        return image.pixels if self.input is None else self.input.array(image)

    def _given(self, item: Item) -> tuple[Any, ...]:
        if "image" in self.card.media:
            return (self.received(item.image),)
        if "frames" in self.card.media:
            return (item.frames.pixels, item.frames.rate_hz)
        return (item.audio.samples, item.audio.rate_hz)


@dataclass(frozen=True)
class CheckedModel:
    """An object with ``card`` and ``predict`` whose every answer is checked.

    Attributes:
        model: the object.
        card: its card, with a digest if it declares none.
    """

    model: Any
    card: ModelCard

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Predict a batch; if that fails, item by item, so that the error names the item.

        Raises:
            ModelRaisedError: the model raised.
            ModelError: it returned another shape than declared, or numbers that are not finite.
        """
        try:
            with foreign_code(self._where(items)):
                returned = self.model.predict(items)
        except ModelRaisedError:
            if len(items) > 1:
                return np.concatenate([self.predict([item]) for item in items])
            raise
        values = _array(returned, self._where(items))
        shape = (len(items), len(self.card.parts))
        if values.shape != shape:
            raise _wrong_shape(values.shape, shape, self.card, self._where(items))
        for item, row in zip(items, values, strict=True):
            _require_finite(row, f"model {self.card.name!r}, item {item.key!r}")
        return values

    def _where(self, items: Sequence[Item]) -> str:
        more = f" and {len(items) - 1} more" if len(items) > 1 else ""
        return f"model {self.card.name!r}, item {items[0].key!r}{more}" if items else f"model {self.card.name!r}"


@dataclass(frozen=True)
class PreparingModel(CheckedModel):
    """One that has ``prepare`` too."""

    def prepare(self, item: Item) -> Item:
        """What the object makes of an item once, before a test changes it.

        Raises:
            ModelRaisedError: it raised.
        """
        with foreign_code(self._where([item])):
            made: Item = self.model.prepare(item)
        return made


def python_model(target: object, *, card: ModelCard | None = None) -> PythonModel | CheckedModel:
    """Wrap a Python object as a model.

    Args:
        target: a function of (samples, rate) or of pixels, or an object with ``card`` and ``predict``, and ``prepare``
            if it does something once before tests change an item; see ``Prepares``.
        card: what a function declares; an object brings its own.

    Raises:
        InputError: neither, or a function without a card.
    """
    predict, own = getattr(target, "predict", None), getattr(target, "card", None)
    if callable(predict) and isinstance(own, ModelCard):
        return (PreparingModel if isinstance(target, Prepares) else CheckedModel)(target, own)
    if callable(target) and isinstance(card or own, ModelCard):
        return PythonModel(target, card or own)  # type: ignore[arg-type]  # checked in the line above
    raise InputError(
        f"{_name_of(target)} is no model",
        expected="a function f(samples, rate_hz) with its labels or dimensions stated, or an object with a ModelCard "
        "as `card` and a method `predict(items)`",
        cause="an object of another kind, or a `card` that is no affectcheck.models.ModelCard",
    )


def as_scores(returned: object, card: ModelCard, *, where: str) -> np.ndarray:
    """What a function returned for one item, as a number a part.

    Raises:
        ModelError: an unknown class, missing or unknown parts, another shape, or a number that is not finite.
    """
    if returned is None:
        raise ModelError(
            "the model returned nothing",
            where=where,
            expected=f"a number for each of {', '.join(card.parts)}",
            cause="a function without a return statement, or an answer of null",
        )
    if isinstance(returned, str):
        if card.kind != "categories" or returned not in card.parts:
            raise _unknown_part(returned, card, where)
        return np.array([1.0 if part == returned else 0.0 for part in card.parts])
    if hasattr(returned, "keys"):
        return _from_mapping(returned, card, where)  # type: ignore[arg-type]  # whatever has keys
    values = _array(returned, where)
    single = len(card.parts) == values.size == 1
    if not single and values.shape not in {(len(card.parts),), (1, len(card.parts))}:
        raise _wrong_shape(values.shape, (len(card.parts),), card, where)
    values = values.ravel()
    _require_finite(values, where)
    return values


def _from_mapping(returned: Mapping[str, Any], card: ModelCard, where: str) -> np.ndarray:
    for name in returned:
        if name not in card.parts:
            raise _unknown_part(str(name), card, where)
    missing = [part for part in card.parts if part not in returned]
    if missing:
        raise ModelError(
            f"the model returned no number for {', '.join(missing)}",
            where=where,
            expected=f"a number for each of {', '.join(card.parts)}",
        )
    values = np.array([_number(returned[part], part, where) for part in card.parts])
    _require_finite(values, where)
    return values


def _number(value: object, part: str, where: str) -> float:
    """The number that a mapping holds for a part."""
    try:
        found = numbers(value)
    except (TypeError, ValueError):
        found = np.empty(0)
    if value is None or found.size != 1:
        raise ModelError(f"the model returned {_shortly(value)} for {part}", where=where, expected="a number")
    return float(found.item())


def _array(returned: object, where: str) -> np.ndarray:
    try:
        return numbers(returned)
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"the model returned {_shortly(returned)}, which is no array of numbers",
            where=where,
            expected="a number for each part, or the name of a class",
        ) from error


def numbers(returned: object) -> np.ndarray:
    """What a model returned, as float64.

    Raises:
        TypeError, ValueError: it is no array of real numbers.
    """
    found = np.asarray(returned)
    if np.iscomplexobj(found):
        raise TypeError("complex numbers")
    return found.astype(np.float64)


def _require_finite(row: np.ndarray, where: str) -> None:
    if not np.isfinite(row).all():
        raise ModelError(
            "the model returned NaN or infinity",
            where=where,
            expected="finite numbers",
            cause="a division by zero, such as a normalisation of silence",
        )


def _wrong_shape(found: tuple[int, ...], wanted: tuple[int, ...], card: ModelCard, where: str) -> ModelError:
    return ModelError(
        f"the model returned an array of shape {found}",
        where=where,
        expected=f"{wanted}: a number for each of {', '.join(card.parts)}",
        cause="another label set than declared, or an axis too many",
    )


def _unknown_part(name: str, card: ModelCard, where: str) -> ModelError:
    hint = UnknownNameError.of(f"part of the {card.kind}", name[:SHOWN], card.parts)
    return ModelError(f"the model returned {_shortly(name)}", where=where, expected=hint.expected, cause=hint.cause)


def _shortly(value: object) -> str:
    """A value in a message: a short plain one as it is, else its kind and its beginning, or its kind alone."""
    if value is not None and not isinstance(value, str | int | float | list | tuple):
        return type(value).__name__
    shown = repr(value)
    return shown if len(shown) <= SHOWN else f"{type(value).__name__} {shown[:SHOWN]}…"


@contextmanager
def foreign_code(where: str, *, expected: str = "a prediction for every item") -> Iterator[None]:
    """Run code of others: what it prints goes to stderr, since stdout is for data, and it may not end the program.

    Raises:
        ModelRaisedError: it raised, or called for an exit.
    """
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (Exception, SystemExit) as error:  # a model is foreign code and may raise anything
        raise ModelRaisedError(
            f"the model raised {type(error).__name__}: {error}",
            where=where,
            expected=expected,
            cause="a fault of the model's code, or an item that it was not made for",
        ) from error


def _name_of(target: object) -> str:
    return getattr(target, "__qualname__", None) or type(target).__qualname__
