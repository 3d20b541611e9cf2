"""Features kept on disk by content: what training has measured, prediction does not measure again.

One small file a clip or picture, written whole or not at all, so that a killed run resumes and processes may share the folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.atomic import write_bytes
from affectcheck.digest import digest_bytes
from affectcheck.models.feature_sets import FeatureSetName, feature_set

if TYPE_CHECKING:
    from affectcheck.models.feature_sets import FeatureSet, Medium


@dataclass(frozen=True)
class FeatureCache:
    """Features by the digest of a clip's samples or a picture's pixels and that of the features' definition.

    Attributes:
        folder: where they are kept; None keeps nothing.
        measured: which features.
    """

    folder: Path | None
    measured: FeatureSetName = "normalised"

    def features(self, medium: Medium) -> np.ndarray:
        """Features of a clip or picture, read where they are known, measured and kept where they are not."""
        if self.folder is None:
            return self._set.measure(medium)
        path = self.path(medium)
        found = _read(path, len(self._set.names()))
        if found is None:
            found = self._set.measure(medium)
            data = found.astype("<f8").tobytes()
            write_bytes(path, data + _check(path, data), durable=False)  # one that is cut off is measured again
        return found

    @property
    def _set(self) -> FeatureSet:
        return feature_set(self.measured)

    def path(self, medium: Medium) -> Path:
        """Where the features of a clip or picture are kept."""
        key = digest_bytes(medium.digest, self._set.digest())
        return Path(self.folder or ".") / "features" / key[:2] / f"{key}.f8"


def _read(path: Path, count: int) -> np.ndarray | None:
    """What is kept; None where nothing whole is, which is then measured again."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    size = 8 * count
    data, check = content[:size], content[size:]
    if check != _check(path, data):
        return None
    return np.frombuffer(data, dtype="<f8").astype(np.float64)


def _check(path: Path, data: bytes) -> bytes:
    """What stands after the numbers, so that none that were damaged, or belong to another medium, are taken."""
    return bytes.fromhex(digest_bytes(path.stem, data))
