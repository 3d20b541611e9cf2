"""The baselines of speech and of faces: features, standardised, with a linear model on top, which predicts in NumPy.

What is saved is arrays and a JSON card, never code, and loads without scikit-learn.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.digest import digest_array, digest_bytes
from affectcheck.models.baseline_file import read_baseline, write_baseline
from affectcheck.models.face_features import face_crop
from affectcheck.models.feature_cache import FeatureCache
from affectcheck.models.feature_sets import FeatureSetName, feature_set
from affectcheck.models.options import SOURCE, Option, describe
from affectcheck.models.registry import MODELS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.media.clip import Image, Item
    from affectcheck.models.card import ModelCard

#: Standardised features are kept within this many standard deviations of the training mean: a clip or picture unlike any in
#: training must not decide by one feature alone.
REACH: Final = 5.0


@dataclass(frozen=True, eq=False)
class Weights:
    """The arrays of a baseline.

    Attributes:
        mean, scale: (d,) by which features are standardised.
        matrix: (d, parts) linear weights.
        bias: (parts,) constants.
    """

    mean: np.ndarray
    scale: np.ndarray
    matrix: np.ndarray
    bias: np.ndarray

    def digest(self, measured: FeatureSetName) -> str:
        """Digest of the arrays and of the features that they are made for."""
        arrays = (self.mean, self.scale, self.matrix, self.bias)
        return digest_bytes("baseline", feature_set(measured).digest(), *(digest_array(array) for array in arrays))

    def scores(self, features: np.ndarray) -> np.ndarray:
        """Linear scores of each row, bit for bit the same whatever the other rows are.

        Args:
            features: (n, d).

        Returns:
            (n, parts).
        """
        rows = [np.einsum("d,dp->p", self.standardised(row), self.matrix) + self.bias for row in features]
        return np.array(rows).reshape(len(rows), len(self.bias))

    def standardised(self, features: np.ndarray) -> np.ndarray:
        """Features in standard deviations from the training mean, kept within ``REACH``."""
        return np.asarray(((features - self.mean) / self.scale).clip(-REACH, REACH))


@dataclass(frozen=True, eq=False)
class Baseline:
    """A trained baseline; made by ``fit`` or ``Baseline.load``.

    Attributes:
        card: what it is; its digest is that of the weights and the definition of the features.
        measured: which features it is made for.
        weights: the arrays.
        cache: folder of features, shared with training; None keeps none.
    """

    card: ModelCard
    measured: FeatureSetName
    weights: Weights
    cache: Path | None = field(default=None)

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Probabilities of the classes or units, or values of the dimensions, (n, parts)."""
        cache, wanted = FeatureCache(self.cache, self.measured), feature_set(self.measured)
        return self.predict_features(np.array([cache.features(wanted.of(item)) for item in items]))

    def received(self, image: Image) -> np.ndarray:
        """What the features are measured on of a picture."""
        return face_crop(image)

    def predict_features(self, features: np.ndarray) -> np.ndarray:
        """The same from features, (n, d) to (n, parts)."""
        scores = self.weights.scores(features.reshape(-1, len(self.weights.mean)))
        if self.card.kind == "dimensions":
            return scores
        if self.card.kind == "units":
            halves: np.ndarray = (1 + np.tanh(scores / 2)) / 2  # the logistic function, which overflows nowhere
            return halves
        powers = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def with_cache(self, folder: Path | None) -> Baseline:
        """The same model with features kept in a folder."""
        return replace(self, cache=folder)

    def save(self, path: Path) -> None:
        """Write it as one ``.npz`` file of arrays and a JSON card, whole or not at all."""
        write_baseline(path, self.card, self.measured, vars(self.weights))

    @classmethod
    def load(cls, path: Path) -> Baseline:
        """Read a saved baseline.

        Raises:
            MissingPathError: no such file.
            InputError: not a baseline, damaged, made by a newer version, or for features that have changed since.
        """
        saved = read_baseline(path)
        return cls(saved.card, saved.measured, Weights(**saved.arrays))


describe(
    "baseline",
    Option(SOURCE, "path of the .npz file, also without the name", needed="yes"),
    Option("cache", "folder that keeps the features of each clip or picture", "none is kept"),
)


@MODELS.register("baseline")
def baseline(source: str, *, cache: str | Path | None = None) -> Baseline:
    """Load a saved baseline, of speech or of faces.

    Args:
        source: path of the ``.npz`` file.
        cache: folder of features.
    """
    from pathlib import Path  # noqa: PLC0415  # shadows the name that only type checkers import

    return Baseline.load(Path(source).expanduser()).with_cache(Path(cache) if cache else None)
