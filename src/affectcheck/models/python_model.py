"""Python code as a model: a function of samples, or an object that meets the protocol, checked at every call."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import numpy as np

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import InputError, MissingPathError, ModelError, UnknownNameError
from affectcheck.models.card import ModelCard, Output
from affectcheck.models.registry import MODELS, number, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from affectcheck.media.clip import Item

_OUTPUTS: Final = get_args(Output)
SHOWN_NAMES: Final = 20


class ModelRaisedError(ModelError):
    """A model's own code raised; the original exception is the cause."""


@dataclass(frozen=True)
class PythonModel:
    """A function ``f(samples, rate_hz)`` as a model.

    Attributes:
        function: gets (n,) float32 samples and the rate; returns a number a part (sequence or mapping by name), a
            single number where there is one part, or the name of the class.
        card: what it declares.
    """

    function: Callable[..., Any]
    card: ModelCard

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Call the function for each item.

        Raises:
            ModelRaisedError: it raised.
            ModelError: it returned another shape, class or kind of number than declared.
        """
        return np.array([self._one(item) for item in items], dtype=np.float64).reshape(len(items), -1)

    def _one(self, item: Item) -> np.ndarray:
        where = f"model {self.card.name!r}, item {item.key!r}"
        clip = item.audio
        try:
            returned = self.function(clip.samples, clip.rate_hz)
        except Exception as error:  # a model is foreign code and may raise anything
            raise _raised(error, where) from error
        return as_scores(returned, self.card, where=where)


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
            returned = self.model.predict(items)
        except Exception as error:
            if len(items) > 1:
                return np.concatenate([self.predict([item]) for item in items])
            raise _raised(error, self._where(items)) from error
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


def python_model(target: object, *, card: ModelCard | None = None) -> PythonModel | CheckedModel:
    """Wrap a Python object as a model.

    Args:
        target: a function of (samples, rate), or an object with ``card`` and ``predict``.
        card: what a function declares; an object brings its own.

    Raises:
        InputError: neither, or a function without a card.
    """
    predict, own = getattr(target, "predict", None), getattr(target, "card", None)
    if callable(predict) and isinstance(own, ModelCard):
        return CheckedModel(target, own)
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
    if isinstance(returned, str):
        if card.kind != "categories" or returned not in card.parts:
            raise _unknown_part(returned, card, where)
        return np.array([1.0 if part == returned else 0.0 for part in card.parts])
    if hasattr(returned, "keys"):
        return _from_mapping(returned, card, where)  # type: ignore[arg-type]  # whatever has keys
    values = _array(returned, where)
    if values.shape not in {(len(card.parts),), (1, len(card.parts))} and values.size != len(card.parts) == 1:
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
    values = _array([returned[part] for part in card.parts], where).ravel()
    _require_finite(values, where)
    return values


def _array(returned: object, where: str) -> np.ndarray:
    try:
        return np.asarray(returned, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"the model returned {type(returned).__name__}, which is no array of numbers",
            where=where,
            expected="a number for each part, or the name of a class",
        ) from error


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
    hint = UnknownNameError.of(f"part of the {card.kind}", name, card.parts)
    return ModelError(f"the model returned {name!r}", where=where, expected=hint.expected, cause=hint.cause)


def _raised(error: Exception, where: str) -> ModelRaisedError:
    return ModelRaisedError(
        f"the model raised {type(error).__name__}: {error}",
        where=where,
        expected="a prediction for every item",
        cause="a fault of the model's code, or an item that it was not made for",
    )


def _name_of(target: object) -> str:
    return getattr(target, "__qualname__", None) or type(target).__qualname__


@dataclass(frozen=True)
class _Code:
    """An object and the file that it comes from."""

    target: object
    digest: str


@MODELS.register("python")
def load_python_model(source: str, **options: Any) -> PythonModel | CheckedModel:
    """Load ``FILE.py:OBJECT`` or ``MODULE:OBJECT``; this runs the code.

    Args:
        source: where the object is.
        **options: for a function: ``labels`` or ``dimensions``, and ``output``, ``low``, ``high``, ``rate_hz``,
            ``name``; for a class: the arguments it is made with.

    Raises:
        MissingPathError: no such file.
        UnknownNameError: no such object or option.
        ModelRaisedError: the code raised while it was loaded.
    """
    code = _load(source)
    target = code.target
    if isinstance(target, type):
        try:
            target, options = target(**options), {}
        except Exception as error:  # a model is foreign code and may raise anything
            raise _raised(error, source) from error
    if callable(getattr(target, "predict", None)):
        if options:
            raise UnknownNameError.of("option of a model object", next(iter(options)), (), where=source)
        model = python_model(target)
    else:
        declared = getattr(target, "card", None) if not options else None
        model = python_model(target, card=declared or _declared_card(source, options))
    if not model.card.digest:
        model = replace(model, card=replace(model.card, digest=code.digest))
    return model


def _load(source: str) -> _Code:
    place, _, name = source.rpartition(":")
    if not place or not name:
        raise InputError(f"not Python code: {source!r}", expected="FILE.py:OBJECT or MODULE:OBJECT")
    module = _from_file(Path(place).expanduser()) if place.endswith(".py") else _from_module(place, source)
    target: object = module
    for part in name.split("."):
        if not hasattr(target, part):
            raise _unknown_object(target, place, part)
        target = getattr(target, part)
    file = getattr(module, "__file__", None)
    content = digest_file(Path(file)) if file and Path(file).is_file() else ""
    return _Code(target, digest_bytes("python", place, name, content) if content else "")


def _unknown_object(target: object, place: str, part: str) -> UnknownNameError:
    names = [name for name, value in getattr(target, "__dict__", {}).items() if callable(value) and name[0] != "_"]
    error = UnknownNameError.of(f"object of {place}", part, names)
    if len(names) > SHOWN_NAMES:
        error.expected = f"one of its {len(names)} functions and classes"
    return error


def _from_file(path: Path) -> Any:
    if not path.is_file():
        raise MissingPathError.of("Python file", path, expected="FILE.py:OBJECT")
    # Named by its full path, so that other processes can pickle and two files of one name do not meet.
    name = f"affectcheck_model_{digest_bytes(str(path.resolve()))}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"not Python code: {path}", expected="a .py file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # a model is foreign code and may raise anything
        del sys.modules[name]
        raise _raised(error, str(path)) from error
    return module


def _from_module(place: str, source: str) -> Any:
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name and place.startswith(error.name):
            raise UnknownNameError(
                f"no module {place!r}",
                where=source,
                expected="an importable module, or FILE.py:OBJECT",
                cause="a package that is not installed here, or a module in a folder that Python does not search",
            ) from error
        raise _raised(error, source) from error
    except Exception as error:  # a model is foreign code and may raise anything
        raise _raised(error, source) from error


def _declared_card(source: str, options: dict[str, Any]) -> ModelCard:
    """The card of a function from options."""
    known = {"labels", "dimensions", "output", "low", "high", "rate_hz", "name"}
    for option in options:
        if option not in known:
            raise UnknownNameError.of("option of a model function", option, known, where=source)
    labels, dimensions = words(options.get("labels", ())), words(options.get("dimensions", ()))
    if bool(labels) == bool(dimensions):
        raise InputError(
            "what the function returns is not declared",
            where=source,
            expected="either labels=ANGER,NEUTRAL,… or dimensions=AROUSAL,…",
        )
    output = str(options.get("output", "score" if labels else "value"))
    if output not in _OUTPUTS:
        raise UnknownNameError.of("output", output, _OUTPUTS, where=source)
    rate: Iterable[object] | object = options.get("rate_hz", 16_000)
    return ModelCard(
        name=str(options.get("name", source.rpartition(":")[2])),
        kind="categories" if labels else "dimensions",
        parts=labels or dimensions,
        output=output,  # type: ignore[arg-type]  # checked above
        rate_hz=int(number("rate_hz", rate)),
        low=number("low", options.get("low", 0.0)),
        high=number("high", options.get("high", 1.0)),
        notes=("Python code; its digest is that of the named file alone, not of what the file imports",),
    )
