"""What the media of a table hold: digests of their content, prints that near copies share, and what is unreadable."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from affectcheck.errors import MediaError
from affectcheck.media.audio import read_sound
from affectcheck.media.content import image_digest, sound_digest
from affectcheck.media.image import decode_image, is_image
from affectcheck.media.loader import media_path, segment_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable


@dataclass(frozen=True, eq=False)
class Contents:
    """Content of a table's media.

    Attributes:
        digests: item to digest of its decoded samples or pixels; items without a medium have none.
        unreadable: item to the reason why its medium could not be decoded.
    """

    digests: Mapping[str, str]
    unreadable: Mapping[str, str] = field(default_factory=dict)


def content_of(
    table: AnnotationTable,
    *,
    progress: Callable[[int, int], None] | None = None,
    cache: Path | None = None,
    workers: int = 0,
) -> Contents:
    """Decode every medium of a table.

    Args:
        table: items with ``media`` and, where they are segments, ``start_us`` and ``end_us``.
        progress: called with (done, total) as work goes on.
        cache: folder that keeps what was computed, by the digest of each file, so that a killed run resumes; None
            keeps nothing.
        workers: threads that decode; 0 for one a core.

    Returns:
        Digests and prints of the items that have a readable medium, and why the others have none.

    Raises:
        ExtraMissingError: the extra ``image`` or ``speech`` is not installed.
    """
    digests: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    rows = table.frame.iter_rows(named=True) if "media" in table.frame.columns else iter(())
    for place, row in enumerate(rows):
        item, media = row["item"], row["media"]
        if media is not None:
            try:
                path = media_path(media, table.root)
                digests[item] = image_digest(decode_image(path)) if is_image(path) else _sound(path, row)
            except MediaError as error:
                unreadable[item] = str(error)
        if progress is not None:
            progress(place + 1, table.height)
    return Contents(digests, unreadable)


def _sound(path: Path, row: Mapping[str, object]) -> str:
    return sound_digest(read_sound(path, *segment_of(row), exact=True))
