"""The files of a Hugging Face model of sound: what its configuration says, read without the library."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import InputError, ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CONFIG: Final = "config.json"
PREPROCESSOR: Final = "preprocessor_config.json"
#: Feature extractors that do nothing but normalise the samples.
_SAMPLES: Final = frozenset({"", "Wav2Vec2FeatureExtractor", "Wav2Vec2Processor"})
_SHOWN: Final = 80
_NO_NAME: Final = re.compile(r"LABEL_\d+")


@dataclass(frozen=True)
class HubFolder:
    """A folder as the library writes it.

    Attributes:
        path: the folder.
        config: what ``config.json`` says.
        preprocessor: what ``preprocessor_config.json`` says; empty if there is none.
        weights: files of the weights that are loaded, sorted.
    """

    path: Path
    config: Mapping[str, Any]
    preprocessor: Mapping[str, Any]
    weights: tuple[Path, ...]

    @property
    def name(self) -> str:
        """What the model is called: its folder, without the names that downloads give."""
        folder = self.path.resolve()
        if folder.parent.name == "snapshots":  # the library's cache: models--OWNER--NAME/snapshots/COMMIT
            return folder.parent.parent.name.removeprefix("models--").replace("--", "/")
        return folder.name

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of its numbers, in their order; empty where it names none.

        Raises:
            ModelError: they are no names by number, or a number is left out.
        """
        named = self.config.get("id2label") or {}
        try:
            numbered = {int(number): str(name) for number, name in named.items()}
        except (AttributeError, TypeError, ValueError):
            numbered = {-1: ""}
        if sorted(numbered) != list(range(len(numbered))):
            raise ModelError(
                f"'id2label' is {str(named)[:_SHOWN]}",
                where=str(self.path / CONFIG),
                expected='a name for each number from 0 on, such as {"0": "anger", "1": "neutral"}',
            )
        found = tuple(numbered[number] for number in range(len(numbered)))
        return () if any(_NO_NAME.fullmatch(one) for one in found) else found

    @property
    def rate_hz(self) -> int:
        """Sampling rate that it takes.

        Raises:
            ModelError: it is no whole number.
        """
        found = self.preprocessor.get("sampling_rate", 16_000)
        if not isinstance(found, int):
            raise ModelError(
                f"'sampling_rate' is {found!r}", where=str(self.path / PREPROCESSOR), expected="a number such as 16000"
            )
        return found

    @property
    def normalisation(self) -> str:
        """How its sound is normalised; ``folder`` where its feature extractor does more than that.

        Without a preprocessor's file, clips have zero mean and unit variance, as the library's default has it.
        """
        if str(self.preprocessor.get("feature_extractor_type", "")) not in _SAMPLES:
            return "folder"
        return "zscore" if self.preprocessor.get("do_normalize", True) else "none"


def read_folder(path: Path) -> HubFolder:
    """Read what a folder says of its model.

    Raises:
        ModelError: a file is missing or no JSON, or there are no weights.
    """
    config = _json(path / CONFIG)
    preprocessor = _json(path / PREPROCESSOR) if (path / PREPROCESSOR).is_file() else {}
    weights = tuple(sorted(path.glob("*.safetensors"))) or tuple(sorted(path.glob("pytorch_model*.bin")))
    if not weights:
        raise ModelError(
            "the folder holds no weights",
            where=str(path),
            expected="model.safetensors or pytorch_model.bin",
            cause="a download of the small files alone, such as a git clone without git-lfs",
        )
    return HubFolder(path, config, preprocessor, weights)


def _json(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        raise InputError(f"the folder holds no {path.name}", where=str(path.parent), expected="a Hugging Face model")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(f"not JSON: {path}", expected="a file as the library writes it", cause=str(error)) from error
    if not isinstance(found, dict):
        raise ModelError(f"not an object of JSON: {path}", expected="a file as the library writes it")
    return found
