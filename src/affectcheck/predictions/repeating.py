"""Whether a model answers the same again: a few items are predicted once more, alone, and compared.

A network with dropout left on, code that draws, a program that keeps a state, or an answer that hangs on the other items
of a batch: scores of such a model are those of one draw, and what a test takes for the effect of a perturbation may be
the draw's. So it is told, and nothing is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.media.clip import MEDIUM_NAMES
from affectcheck.models.trying import APART
from affectcheck.records import Fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.media.clip import Media
    from affectcheck.models.card import ModelCard
    from affectcheck.predictions.gathered import Gathered

#: Items that are predicted again where a run is asked to look.
REPEATED: Final = 3
KIND: Final = "answers that vary"


@dataclass(frozen=True)
class Again:
    """Stands where a perturbation does and changes nothing: the item once more, alone.

    Attributes:
        time: which time.
    """

    time: int

    @property
    def key(self) -> str:
        """Under which the answers are kept."""
        return f"again|{self.time}"

    @property
    def media(self) -> tuple[str, ...]:
        """All of them."""
        return MEDIUM_NAMES

    def __call__(self, medium: Any, item_key: str) -> Media | None:
        """The medium as it is."""
        del item_key
        return medium  # type: ignore[no-any-return]  # a medium comes in


#: Twice, so that an answer that varies is told from one that hangs on a batch.
TIMES: Final = (Again(1), Again(2))


def spread(items: int, wanted: int) -> frozenset[int]:
    """Places of a few items from first to last."""
    return frozenset(np.linspace(0, items - 1, min(items, wanted)).round().astype(int).tolist())


def varying(
    made: Gathered, again: Sequence[Gathered], table: AnnotationTable, card: ModelCard, *, batch: int
) -> tuple[Fault, ...]:
    """What is to be said where a model did not answer the same.

    Args:
        made: the predictions.
        again: those of ``TIMES``.
        table: the items.
        card: the model.
        batch: items a call of the predictions.

    Returns:
        A caution, or nothing.
    """
    places = np.flatnonzero(np.logical_and.reduce([made.predicted, *(one.predicted for one in again)]))
    answers = np.stack([one.values[places] for one in (made, *again)])  # (times, items, parts)
    span = card.high - card.low if card.kind == "dimensions" else 0.0
    allowed = APART * np.maximum(np.abs(answers).max(axis=(0, 2), initial=0.0), span)
    apart = np.ptp(answers, axis=0).max(axis=1, initial=0.0)
    differ = apart > allowed
    if not differ.any():
        return ()
    drawn = (np.ptp(answers[1:], axis=0).max(axis=1, initial=0.0) > allowed).any() or batch == 1
    worst = int(np.where(differ, apart, -1.0).argmax())
    part = int(np.ptp(answers[:, worst], axis=0).argmax())
    shown = ", ".join(f"{value:.4g}" for value in answers[:, worst, part])
    told = (
        f"model {card.name!r} does not answer the same {'again' if drawn else 'alone as among others'}: of {len(places)} "
        f"items predicted three times, {int(differ.sum())} differ, by up to {apart[worst]:.3g} "
        f"({table.items[int(places[worst])]!r}, {card.parts[part]}: {shown}){_classes(answers, card)}"
    )
    cause = _DRAWN if drawn else _BATCH
    return (Fault("", KIND, f"{told}; likely {cause}; scores and tests are those of one such answer", "warning"),)


_DRAWN: Final = "dropout left on, another draw, or a state that the model keeps from one item to the next"
_BATCH: Final = "batch normalisation left in training, or padding to the longest neighbour"


def _classes(answers: np.ndarray, card: ModelCard) -> str:
    """How many items got another class, in words."""
    if card.kind != "categories":
        return ""
    decided = answers.argmax(axis=2)
    return f"; {int((decided != decided[0]).any(axis=0).sum())} got another class"
