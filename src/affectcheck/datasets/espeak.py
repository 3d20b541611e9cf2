"""eSpeak NG by ctypes: one utterance, one fresh copy of the library.

The library keeps state between utterances and draws from a generator that it seeds from the clock. So every
utterance loads the library anew, from a private copy that no other loader shares, and seeds it; the same
utterance then gives the same samples in any order and in any process. The library also sets the locale of its
process, which is why data sets speak in processes of their own.
"""

from __future__ import annotations

import ctypes
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.errors import AffectcheckError, ExtraMissingError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# enum espeak_PARAMETER, espeak_AUDIO_OUTPUT and flags of speak_lib.h, eSpeak NG 1.52
_RATE, _VOLUME, _PITCH, _RANGE, _WORDGAP = 1, 2, 3, 4, 7
_SYNCHRONOUS: Final = 2
_UTF8: Final = 1
_CHARACTER: Final = 1
_PHONETIC: Final = 2  # the letters of the International Phonetic Association
_DO_NOT_EXIT: Final = 0x8000  # without it the library ends its process when its data are not found

_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


@dataclass(frozen=True)
class Utterance:
    """What to say, and how.

    Attributes:
        text: one sentence.
        voice: language and variant, such as ``en+f1``.
        rate_wpm: words per minute, 80 to 450.
        pitch: 0 to 99; 50 is the voice's own, 50 more an octave up.
        pitch_range: 0 to 99; 50 is the voice's own, 0 monotone.
        volume: 0 to 200; 100 is normal.
        word_gap_10ms: pause after each word, in units of 10 ms at the default rate.
        seed: of the library's generator.
    """

    text: str
    voice: str
    rate_wpm: int = 170
    pitch: int = 50
    pitch_range: int = 50
    volume: int = 100
    word_gap_10ms: int = 0
    seed: int = 1


@dataclass(frozen=True, eq=False)
class Speech:
    """Samples as the engine made them.

    Attributes:
        samples: (n,) int16.
        rate_hz: 22 050 for every voice used here.
    """

    samples: np.ndarray
    rate_hz: int


def loader() -> Any:
    """The package that carries the engine.

    Raises:
        ExtraMissingError: it is not installed.
    """
    try:
        import espeakng_loader  # noqa: PLC0415  # optional, and its licence is its own
    except ImportError as error:
        raise ExtraMissingError.of("synthetic speech", "synthetic", "espeakng-loader") from error
    return espeakng_loader


class Engine:
    """A temporary folder of private copies of the library; use as a context manager."""

    def __init__(self) -> None:
        package = loader()
        self._library = Path(package.get_library_path())
        self._data = package.get_data_path()
        self._temporary = tempfile.TemporaryDirectory(prefix="affectcheck-espeak-")
        self._folder = Path(self._temporary.name)
        self._copies = 0

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self._temporary.cleanup()

    def speak(self, utterance: Utterance) -> Speech:
        """Synthesise one utterance.

        Raises:
            InputError: the voice does not exist.
            AffectcheckError: the library failed.
        """
        with self._fresh(utterance.voice) as fresh:
            return _synthesise(fresh, utterance)

    def phonemes(self, texts: Iterable[str], voice: str) -> list[str]:
        """The phonetic letters that each text is spoken by; a name in brackets marks a change of language.

        Raises:
            InputError: the voice does not exist.
        """
        with self._fresh(voice) as fresh:
            return [_phonemes(fresh.library, text) for text in texts]

    @contextmanager
    def _fresh(self, voice: str) -> Iterator[_Fresh]:
        """A private copy of the library that nothing was spoken by, with a voice."""
        self._copies += 1
        copy = self._folder / f"{self._copies}{self._library.suffix}"
        shutil.copyfile(self._library, copy)
        library = ctypes.CDLL(str(copy))
        try:
            rate_hz = library.espeak_Initialize(_SYNCHRONOUS, 0, self._data.encode(), _DO_NOT_EXIT)
            if rate_hz <= 0:
                raise AffectcheckError(f"eSpeak NG does not start (code {rate_hz})", where=self._data)
            if library.espeak_SetVoiceByName(voice.encode()) != 0:
                raise InputError(f"eSpeak NG has no voice {voice!r}", expected="such as en+f1")
            yield _Fresh(library, rate_hz)
        finally:
            _unload(library)
            copy.unlink()


@dataclass(frozen=True)
class _Fresh:
    library: ctypes.CDLL
    rate_hz: int


def _synthesise(fresh: _Fresh, utterance: Utterance) -> Speech:
    library = fresh.library
    library.espeak_ng_SetRandSeed.argtypes = [ctypes.c_long]
    library.espeak_ng_SetRandSeed(utterance.seed)
    for parameter, value in _parameters(utterance):
        library.espeak_SetParameter(parameter, value, 0)
    chunks: list[np.ndarray] = []

    def keep(samples: Any, count: int, _events: object) -> int:
        if count > 0:
            chunks.append(np.ctypeslib.as_array(samples, (count,)).copy())
        return 0

    callback = _CALLBACK(keep)
    library.espeak_SetSynthCallback(callback)
    text = utterance.text.encode() + b"\0"
    code = library.espeak_Synth(text, ctypes.c_size_t(len(text)), 0, _CHARACTER, 0, _UTF8, None, None)
    library.espeak_Synchronize()
    library.espeak_Terminate()
    if code != 0 or not any(chunk.any() for chunk in chunks):
        raise AffectcheckError(f"eSpeak NG said nothing (code {code}): {utterance.text!r}")
    return Speech(np.concatenate(chunks), fresh.rate_hz)


def _phonemes(library: ctypes.CDLL, text: str) -> str:
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
    left = ctypes.c_char_p(text.encode())
    place = ctypes.pointer(left)
    clauses: list[str] = []
    while left.value:  # the library moves the pointer on, clause by clause, and clears it at the end
        clauses.append(library.espeak_TextToPhonemes(place, _UTF8, _PHONETIC).decode())
    return " ".join(clauses)


def _parameters(utterance: Utterance) -> Iterator[tuple[int, int]]:
    yield _RATE, utterance.rate_wpm
    yield _VOLUME, utterance.volume
    yield _PITCH, utterance.pitch
    yield _RANGE, utterance.pitch_range
    yield _WORDGAP, utterance.word_gap_10ms


def _unload(library: ctypes.CDLL) -> None:
    """Best effort: where it cannot be unloaded, the next private copy is fresh all the same."""
    import _ctypes  # noqa: PLC0415  # ctypes has no public way to unload a library

    unload = getattr(_ctypes, "dlclose", None) or getattr(_ctypes, "FreeLibrary", None)
    if unload is not None:
        unload(library._handle)
