"""Items as the audited model hears or sees them, for what is shown beside its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.errors import AffectcheckError
from affectcheck.media.clip import Clip, Item
from affectcheck.models import prepared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.media.clip import Media
    from affectcheck.models import ModelCard, Predictor


def media_of(row: Mapping[str, object], table: AnnotationTable, card: ModelCard) -> dict[str, Media]:
    """What the model takes of an item, by medium, its sound at the model's rate; without what cannot be decoded.

    What cannot be decoded is told as a fault of the item already, where it was to be predicted.

    Args:
        row: of the table.
        table: the data set.
        card: the model.
    """
    from affectcheck.media.loader import load_item  # noqa: PLC0415  # with the decoders, once there is one to be shown

    found: dict[str, Media] = {}
    for medium in card.media if "media" in row else ():
        try:
            found |= load_item(row, table.root, rate_hz=card.rate_hz, media=(medium,)).media
        except AffectcheckError:
            continue
    return found


def given_of(row: Mapping[str, object], table: AnnotationTable, model: Predictor) -> dict[str, Media]:
    """What the model is given of an item where nothing is changed, by medium, prepared if it prepares items.

    Args:
        row: of the table.
        table: the data set.
        model: the model.
    """
    found = Item(str(row["item"]), media_of(row, table, model.card))
    try:
        return dict(prepared(model, found).media)
    except Exception:  # noqa: BLE001  # foreign code; a fault of the item already, where it was to be predicted
        return {}


def clip_of(row: Mapping[str, object], table: AnnotationTable, card: ModelCard) -> Clip | None:
    """The sound of an item; None where the model takes no sound, or there is none to decode."""
    found = media_of(row, table, card).get("audio") if "audio" in card.media else None
    return found if isinstance(found, Clip) else None
