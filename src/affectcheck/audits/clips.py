"""Items as the audited model hears them, for what is shown beside its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.errors import AffectcheckError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.media.clip import Clip
    from affectcheck.models import ModelCard


def clip_of(row: Mapping[str, object], table: AnnotationTable, card: ModelCard) -> Clip | None:
    """The sound of an item at the model's rate; None where the model takes no sound, or there is none to decode.

    What cannot be decoded is told as a fault of the item already, where it was to be predicted.

    Args:
        row: of the table.
        table: the data set.
        card: the model.
    """
    from affectcheck.media.loader import load_item  # noqa: PLC0415  # with the decoders, once there is something to hear

    if "audio" not in card.media or "media" not in row:
        return None
    try:
        return load_item(row, table.root, rate_hz=card.rate_hz).audio
    except AffectcheckError:
        return None
