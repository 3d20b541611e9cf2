"""``piper``: neural voices of Piper, from files that the user has; nothing is downloaded.

Piper draws the melody of a voice from a generator that nobody can seed. It is spoken without that noise, so that a
sentence sounds the same whenever it is made.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.datasets.speech_synthesis.speaker import SPEAKERS
from affectcheck.digest import digest_file
from affectcheck.errors import AffectcheckError, ExtraMissingError, InputError, MissingPathError, UnknownNameError
from affectcheck.media.clip import Clip
from affectcheck.records.provenance import package_version

if TYPE_CHECKING:
    from collections.abc import Mapping

_SUFFIX: Final = ".onnx"
_EXPECTED: Final = "voices such as de_DE-thorsten-medium.onnx, each with its .onnx.json, one a language"


@dataclass(frozen=True)
class PiperSpeaker:
    """Piper's voices of a folder, one a language.

    Attributes:
        name: after the file or folder.
        voices: language to the file of its voice.
    """

    name: str
    voices: Mapping[str, Path]
    _loaded: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _known: dict[Path, tuple[str, str]] = field(default_factory=dict, repr=False, compare=False)

    def key(self, language: str) -> str:
        """Version of Piper, and the digests of the voice and its configuration.

        Raises:
            UnknownNameError: there is no voice for the language.
            ExtraMissingError: Piper is not installed.
        """
        package()
        path = self._path(language)
        voice, configuration = self._digests(path)
        return f"piper-tts {package_version('piper-tts')}|{voice}|{configuration}|without noise"

    def speak(self, text: str, language: str, seed: int) -> Clip:
        """Speak one sentence; nothing is drawn, so that the seed does nothing.

        Raises:
            AffectcheckError: the voice said nothing.
        """
        piper = package()
        if language not in self._loaded:
            self._loaded[language] = piper.PiperVoice.load(str(self._path(language)))
        quiet = piper.SynthesisConfig(noise_scale=0.0, noise_w_scale=0.0)
        chunks = list(self._loaded[language].synthesize(text, syn_config=quiet))
        if not any(len(chunk.audio_float_array) for chunk in chunks):
            raise AffectcheckError(f"the voice {self._path(language).name} said nothing: {text!r}")
        samples = np.concatenate([np.asarray(chunk.audio_float_array, np.float32) for chunk in chunks])
        return Clip(samples, chunks[0].sample_rate)

    def _path(self, language: str) -> Path:
        if language not in self.voices:
            raise UnknownNameError.of(f"language of the speaker {self.name!r}", language, self.voices)
        return self.voices[language]

    def _digests(self, path: Path) -> tuple[str, str]:
        if path not in self._known:  # a voice is some 60 MB, and is asked for with every sentence
            self._known[path] = (digest_file(path), digest_file(_configuration(path)))
        return self._known[path]


def package() -> Any:
    """Piper itself.

    Raises:
        ExtraMissingError: it is not installed.
    """
    try:
        import piper  # noqa: PLC0415  # optional, and its licence is its own
    except ImportError as error:
        raise ExtraMissingError.of("Piper's voices", "piper", "piper-tts") from error
    return piper


@SPEAKERS.register("piper")
def piper_speaker(detail: str) -> PiperSpeaker:
    """``piper:FILE.onnx`` or ``piper:FOLDER``.

    Raises:
        MissingPathError: there is no such file, or its configuration does not lie beside it.
        InputError: no path, no voice in the folder, or two of one language.
    """
    if not detail:
        raise InputError("no voice is stated", expected=f"piper:FILE.onnx or piper:FOLDER; {_EXPECTED}")
    path = Path(detail).expanduser()
    if not path.exists():
        raise MissingPathError.of("voice of Piper", path, expected=_EXPECTED)
    files = sorted(path.glob(f"*{_SUFFIX}")) if path.is_dir() else [path]
    if not files:
        raise InputError("the folder holds no voice", where=str(path), expected=_EXPECTED)
    voices: dict[str, Path] = {}
    for file in files:
        if not _configuration(file).is_file():
            raise MissingPathError.of("configuration of a voice of Piper", _configuration(file), expected=_EXPECTED)
        language = file.name.partition("-")[0].partition("_")[0]
        if language in voices:
            raise InputError(
                f"two voices of {language!r}: {voices[language].name} and {file.name}",
                where=str(path),
                expected="one voice a language; state the file, or a folder for each",
            )
        voices[language] = file
    return PiperSpeaker(f"piper-{path.name.removesuffix(_SUFFIX)}", voices)


def _configuration(voice: Path) -> Path:
    return voice.with_name(f"{voice.name}.json")
