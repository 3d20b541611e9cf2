"""Features kept on disk by content: what training has measured, prediction does not measure again.

One small file a clip, written whole or not at all, so that a killed run resumes and processes may share the folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.atomic import write_bytes
from affectcheck.digest import digest_bytes
from affectcheck.models.speech_features import Level, feature_digest, feature_names, features

if TYPE_CHECKING:
    from affectcheck.media.clip import Clip


@dataclass(frozen=True)
class FeatureCache:
    """Features by the digest of a clip's samples and that of the features' definition.

    Attributes:
        folder: where they are kept; None keeps nothing.
        level: which features.
    """

    folder: Path | None
    level: Level = "normalised"

    def features(self, clip: Clip) -> np.ndarray:
        """Features of a clip, read where they are known, measured and kept where they are not."""
        if self.folder is None:
            return features(clip, level=self.level)
        path = self.path(clip)
        found = _read(path)
        if found is None:
            found = features(clip, level=self.level)
            data = found.astype("<f8").tobytes()
            write_bytes(path, data + _check(path, data))
        return found

    def path(self, clip: Clip) -> Path:
        """Where the features of a clip are kept."""
        key = digest_bytes(clip.digest, feature_digest(self.level))
        return Path(self.folder or ".") / "features" / key[:2] / f"{key}.f8"


def _read(path: Path) -> np.ndarray | None:
    """What is kept; None where nothing whole is, which is then measured again."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    size = 8 * len(feature_names())
    data, check = content[:size], content[size:]
    if check != _check(path, data):
        return None
    return np.frombuffer(data, dtype="<f8").astype(np.float64)


def _check(path: Path, data: bytes) -> bytes:
    """What stands after the numbers, so that none that were damaged, or belong to another clip, are taken."""
    return bytes.fromhex(digest_bytes(path.stem, data))
