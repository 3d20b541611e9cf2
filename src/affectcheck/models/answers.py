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


class AnswerError(ModelRaisedError):
    """An answer that is no JSON: what follows may be out of step."""


def read_answer(text: str, card: ModelCard, *, where: str) -> np.ndarray:
    """One answer as a number for each part.

    Raises:
        AnswerError: what it says is no JSON.
        ModelRaisedError: it says that it failed on this clip.
        ModelError: it answers with other classes or dimensions than declared.
    """
    try:
        found = json.loads(text, parse_constant=_refused)
    except ValueError:
        shown = text.strip()[:_SHOWN]
        raise AnswerError(
            f"the answer is no JSON: {shown!r}",
            where=where,
            expected='one JSON value a clip, such as {"anger": 0.7, "neutral": 0.3}',
            cause="a message of the program, which belongs on its standard error" if shown else "an empty answer",
        ) from None
    if isinstance(found, dict):
        if "error" in found:
            raise ModelRaisedError(f"the model says: {found['error']}", where=where, expected="a prediction")
        found = next((found[name] for name in _WRAPPED if name in found and name not in card.parts), found)
    return as_scores(found, card, where=where)


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")
