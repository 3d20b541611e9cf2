"""What a model may do once with an item as recorded, before a test changes anything.

A model of faces that finds them by itself would find another box in every changed picture, and a test would measure its
detector too. One that prepares finds the face once, in the picture as recorded; every test then changes what it cut out.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from affectcheck.errors import ModelError
from affectcheck.media.clip import Item

if TYPE_CHECKING:
    from affectcheck.models.card import Predictor


@runtime_checkable
class Prepares(Protocol):
    """A model that prepares items, which is optional."""

    def prepare(self, item: Item) -> Item:
        """The item as the model wants it before anything is changed; the item itself where there is nothing to do.

        What it does is part of the digest of the model's card: predictions are kept under that and the media as
        recorded. Notes that it adds to a medium become cautions of the item. ``predict`` must also take items that
        were not prepared, and say the same of them.

        Args:
            item: as recorded; never written to.
        """


def prepared(model: Predictor, item: Item) -> Item:
    """The item as a model prepares it; as it is of a model that does not.

    Args:
        model: the model.
        item: with its media as recorded.

    Raises:
        ModelError: it returned something else than this item.
    """
    if not isinstance(model, Prepares):
        return item
    with redirect_stdout(sys.stderr):  # a model may print; stdout is for data
        made = model.prepare(item)
    key = getattr(made, "key", None)
    if type(made) is not Item or key != item.key:
        told = f"the item {key!r}" if isinstance(key, str) else type(made).__name__
        raise ModelError(
            f"the model's `prepare` returned {told}",
            where=f"model {model.card.name!r}, item {item.key!r}",
            expected="the item with its key, and media that were changed or not",
            cause="a function without a return statement, or a method `prepare` that is meant for something else",
        )
    return made
