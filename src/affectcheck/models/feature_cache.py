"""Features kept on disk by content: what training has measured, prediction does not measure again.

One small file a clip, written whole or not at all, so that a killed run resumes and processes may share the folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.atomic import whole_file
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
            with whole_file(path) as partial:
                partial.write_bytes(found.astype("<f8").tobytes())
        return found

    def path(self, clip: Clip) -> Path:
        """Where the features of a clip are kept."""
        key = digest_bytes(clip.digest, feature_digest(self.level))
        return Path(self.folder or ".") / "features" / key[:2] / f"{key}.f8"


def _read(path: Path) -> np.ndarray | None:
    """What is kept; None where nothing whole is, which is then measured again."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if len(data) != 8 * len(feature_names()):
        return None
    return np.frombuffer(data, dtype="<f8").astype(np.float64)
