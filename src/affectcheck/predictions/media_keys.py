"""Under what key a journal holds what a medium decodes to: its bytes, segment, frame, landmarks and the decoders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.media.landmarks import COLUMNS as LANDMARKS
from affectcheck.records import package_version

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from affectcheck.models.card import ModelCard


class MediaKeys:
    """Keys of the media of one table, for one model; a file that several items share is read once.

    Args:
        card: the model; its rate is part of how media are decoded.
        root: folder that media paths are relative to.
    """

    def __init__(self, card: ModelCard, root: Path | None) -> None:
        packages = (package_version(package) for package in ("affectcheck", "soundfile", "soxr", "pillow", "av"))
        self._decoding = f"{card.media}|{card.rate_hz}|" + "|".join(packages)
        self._root = root
        self._files: dict[str, str] = {}

    def of(self, row: Mapping[str, object]) -> str:
        """The key of a row's medium; empty where the file cannot be read, which is told when it is decoded."""
        media = row.get("media")
        if not isinstance(media, str):
            return ""
        content = self._content(media)
        segment = f"{row.get('start_us')}-{row.get('end_us')}-{row.get('frame')}"
        if any(row.get(column) is not None for column in LANDMARKS):
            segment += f"-{[row.get(column) for column in LANDMARKS]}"
        return digest_bytes(content, segment, self._decoding) if content else ""

    def _content(self, media: str) -> str:
        from affectcheck.media.loader import media_path  # noqa: PLC0415  # only models that take media come here

        if media not in self._files:
            try:
                self._files[media] = digest_file(media_path(media, self._root))
            except OSError:
                self._files[media] = ""
        return self._files[media]
