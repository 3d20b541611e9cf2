"""Answers of programs and servers: one JSON value a clip.

| answer | meaning |
|---|---|
| ``{"anger": 0.7, "neutral": 0.3}`` | a number for each class or dimension |
| ``[0.7, 0.3]`` | the same, in the declared order |
| ``"anger"`` | a class |
| ``0.4`` | the one dimension |
| ``{"scores": …}``, ``{"prediction": …}`` | any of these, with whatever else the program says beside it |
| ``{"error": "too short"}`` | no answer for this clip; the others are not touched |
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from affectcheck.models.python_model import ModelRaisedError, as_scores

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.models.card import ModelCard

_WRAPPED: Final = ("scores", "prediction")
_SHOWN: Final = 80
_EXPECTED: Final = 'one JSON value a clip, such as {"anger": 0.7, "neutral": 0.3}'
_CAUSES: Final = {
    "constant": "a division by zero, such as a normalisation of silence",
    "twice": "two outputs of one name, of which only one would count",
}


#: What a text that is no JSON is likely to be.
PROGRAM: Final = "a message of the program, which belongs on its standard error"
SERVER: Final = "a page for people, or another address than the model's"


class AnswerError(ModelRaisedError):
    """An answer that is no JSON: what follows may be out of step."""


def read_answer(text: str, card: ModelCard, *, where: str, cause: str = PROGRAM) -> np.ndarray:
    """One answer as a number for each part.

    Args:
        text: the answer.
        card: what the model declares.
        where: model and item.
        cause: what a text that is no JSON is likely to be.

    Raises:
        AnswerError: what it says is no JSON.
        ModelRaisedError: it says that it failed on this clip.
        ModelError: it answers with other classes or dimensions than declared.
    """
    try:
        found = json.loads(text, parse_constant=_refused, object_pairs_hook=_once)
    except _RefusedError as error:
        raise AnswerError(
            f"the answer is no JSON: {error}", where=where, expected=_EXPECTED, cause=_CAUSES[error.kind]
        ) from None
    except (ValueError, RecursionError):
        shown = text.strip()[:_SHOWN]
        raise AnswerError(
            f"the answer is no JSON: {shown!r}",
            where=where,
            expected=_EXPECTED,
            cause=cause if shown else "an empty answer",
        ) from None
    if isinstance(found, dict):
        if "error" in found:
            raise ModelRaisedError(f"the model says: {found['error']}", where=where, expected="a prediction")
        found = next((found[name] for name in _WRAPPED if name in found and name not in card.parts), found)
    return as_scores(found, card, where=where)


class _RefusedError(ValueError):
    """What Python reads, and JSON does not have."""

    def __init__(self, kind: str, told: str) -> None:
        self.kind = kind
        super().__init__(told)


def _refused(constant: str) -> Any:
    raise _RefusedError("constant", f"it holds {constant}, which is no number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _RefusedError("twice", f"{twice!r} stands in it twice")
    return found
