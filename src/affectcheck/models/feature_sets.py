"""What the trainable models measure: features of speech at a normalised level or as it is, and those of a face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from affectcheck.models.face_features import face_feature_digest, face_feature_names, face_features
from affectcheck.models.speech_features import Level, feature_digest, feature_names, features

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from affectcheck.media.clip import Clip, Image, Item

    Medium: TypeAlias = Clip | Image

FeatureSetName: TypeAlias = Literal["normalised", "sensitive", "face"]
FEATURE_SETS: Final[tuple[str, ...]] = get_args(FeatureSetName)


@dataclass(frozen=True)
class FeatureSet:
    """One kind of features.

    Attributes:
        model: what a model that is trained on them is called.
        about: what the model is, for its card.
        measured: what the features are called, for the card of measuring.
        medium: what they are measured on: ``audio`` or ``image``.
        rate_hz: sampling rate of the sound; None for pictures.
        extra: extra of the package that training needs.
        names: gives the name of every feature, in order.
        digest: gives the digest of their definition.
        measure: gives (d,) features of a medium.
    """

    model: str
    about: str
    measured: str
    medium: Literal["audio", "image"]
    rate_hz: int | None
    extra: str
    names: Callable[[], tuple[str, ...]]
    digest: Callable[[], str]
    measure: Callable[[Any], np.ndarray]

    def of(self, item: Item) -> Medium:
        """The medium of an item that the features are measured on.

        Raises:
            InputError: the item has none.
        """
        return item.audio if self.medium == "audio" else item.image


def feature_set(name: FeatureSetName) -> FeatureSet:
    """The features of a name."""
    return _SETS[name]


def _speech(level: Level, model: str, about: str) -> FeatureSet:
    return FeatureSet(
        model=model,
        about=about,
        measured="speech-features",
        medium="audio",
        rate_hz=16_000,
        extra="speech",
        names=feature_names,
        digest=lambda: feature_digest(level),
        measure=lambda clip: features(clip, level=level),
    )


_SETS: Final[dict[str, FeatureSet]] = {
    "normalised": _speech("normalised", "baseline", "speech functionals at a normalised level, and a linear model"),
    "sensitive": _speech(
        "sensitive",
        "baseline-level-sensitive",
        "speech functionals at the level of the recording, and a linear model: depends on gain by design",
    ),
    "face": FeatureSet(
        model="face-baseline",
        about=(
            "edges and brightness around brows, eyes, nose and mouth of the aligned face, and a linear model; a picture "
            "without landmarks is taken as a whole"
        ),
        measured="face-features",
        medium="image",
        rate_hz=None,
        extra="faces",
        names=face_feature_names,
        digest=face_feature_digest,
        measure=face_features,
    ),
}
