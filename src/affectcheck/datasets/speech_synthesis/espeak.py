"""``espeak``: the voices of eSpeak NG, made by formulas; small, free of downloads, plainly a machine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.datasets.espeak import Engine, Utterance, loader
from affectcheck.datasets.speech_synthesis.speaker import SPEAKERS
from affectcheck.errors import UnknownNameError
from affectcheck.media.clip import Clip
from affectcheck.records.provenance import package_version

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Language to the engine's voice.
VOICES: Final = {
    "de": "de",
    "en": "en-us",
    "es": "es",
    "fr": "fr",
    "it": "it",
    "ja": "ja",
    "pt": "pt-br",
    "zh": "cmn",
}
VARIANTS: Final = ("f1", "f2", "f3", "f4", "f5", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8")
#: Japanese particles, as they are spoken; all lean on the word before them.
_PARTICLES: Final = {"は": "わ", "へ": "え", "を": "お"} | {kana: kana for kana in "がのにでとも"}
#: う after a syllable in o makes it long, where the engine would speak a vowel of its own. Not so at the end of verbs
#: such as おもう, of which the data set has none.
_LONG_O: Final = re.compile("(?<=[おこそとのほもよろごぞどぼぽょ])う")
_SPOKEN: Final = 2  # counts up when what is handed to the engine changes
_FULL_SCALE: Final = 32_768.0


@dataclass(frozen=True)
class EspeakSpeaker:
    """One variant of the engine's voice in every language.

    The engine sets the locale of its process: data sets let it speak in processes of their own.

    Attributes:
        variant: such as ``f2``; ``f`` and ``m`` are meant to suggest a sex.
        rate_wpm: words per minute.
        volume: 100 is the engine's own; less, so that nothing is clipped.
    """

    variant: str
    rate_wpm: int = 165
    volume: int = 60

    def __post_init__(self) -> None:
        """Variants that exist."""
        if self.variant not in VARIANTS:
            raise UnknownNameError.of("variant of eSpeak NG's voices", self.variant, VARIANTS)

    @property
    def name(self) -> str:
        """Engine and variant."""
        return f"espeak-{self.variant}"

    def key(self, language: str) -> str:
        """Version of the package that carries the engine, voice and settings.

        Raises:
            UnknownNameError: no voice is chosen for the language.
            ExtraMissingError: the engine is not installed.
        """
        loader()
        version = package_version("espeakng-loader")
        voice = f"{_voice(language)}+{self.variant}"
        return f"espeakng-loader {version}|{voice}|{self.rate_wpm}|{self.volume}|{_SPOKEN}"

    def speak(self, text: str, language: str, seed: int) -> Clip:
        """Speak one sentence.

        Raises:
            AffectcheckError: the engine failed.
        """
        voice = f"{_voice(language)}+{self.variant}"
        utterance = Utterance(
            spoken_text(text, language), voice, rate_wpm=self.rate_wpm, volume=self.volume, seed=seed % (2**31 - 1) + 1
        )
        with Engine() as engine:
            speech = engine.speak(utterance)
        return Clip((speech.samples / _FULL_SCALE).astype(np.float32), speech.rate_hz)


def phonemes(texts: Sequence[str], language: str) -> list[str]:
    """What the engine would speak, in phonetic letters; ``(en)`` and the like mark a change of language.

    Raises:
        UnknownNameError: no voice is chosen for the language.
        ExtraMissingError: the engine is not installed.
    """
    with Engine() as engine:
        return engine.phonemes([spoken_text(text, language) for text in texts], _voice(language))


def spoken_text(text: str, language: str) -> str:
    """A sentence as the engine has to be given it.

    Japanese is read kana by kana: particles and long o are written as they are spoken, and particles are joined to
    the word before them.

    Example:
        >>> spoken_text("えいが は さいこう です", "ja"), spoken_text("Das Auto", "de")
        ('えいがわ さいこー です', 'Das Auto')
    """
    if language != "ja":
        return text
    words: list[str] = []
    for word in text.split():
        if words and word in _PARTICLES:
            words[-1] += _PARTICLES[word]
        else:
            words.append(_LONG_O.sub("ー", word))
    return " ".join(words)


def _voice(language: str) -> str:
    if language not in VOICES:
        raise UnknownNameError.of("language of the speaker 'espeak'", language, VOICES)
    return VOICES[language]


@SPEAKERS.register("espeak")
def espeak(detail: str) -> EspeakSpeaker:
    """``espeak:VARIANT``; without a variant, f2."""
    return EspeakSpeaker(detail or "f2")
