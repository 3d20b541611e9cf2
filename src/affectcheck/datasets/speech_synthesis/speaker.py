"""What a speaker must do, and the registry of those that are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, runtime_checkable

from affectcheck.errors import InputError
from affectcheck.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.media.clip import Clip


@runtime_checkable
class Speaker(Protocol):
    """One voice that speaks sentences, such as a voice of a text-to-speech engine."""

    @property
    def name(self) -> str:
        """As it stands in tables, such as ``espeak-f2``."""

    def key(self, language: str) -> str:
        """All that its samples depend on besides text and seed: engine, version, voice and settings.

        Clips are kept under it, so that another key makes them anew.

        Args:
            language: code such as ``de``.

        Raises:
            InputError: it does not speak the language.
        """

    def speak(self, text: str, language: str, seed: int) -> Clip:
        """Speak one sentence; equal arguments give equal samples, in any order and process."""


SpeakerFactory: TypeAlias = "Callable[[str], Speaker]"

SPEAKERS: Final[Registry[SpeakerFactory]] = Registry("speaker", "affectcheck.datasets.speech_synthesis")


def load_speaker(spec: str) -> Speaker:
    """A speaker as a user names it.

    Args:
        spec: ``name`` or ``name:detail``; what the detail is, the speaker says.

    Raises:
        UnknownNameError: there is no such speaker.
        ExtraMissingError: its package is not installed.
        InputError: the detail is not as the speaker wants it, or what was made is no speaker.
    """
    name, _, detail = spec.partition(":")
    found = SPEAKERS.get(name.strip())(detail.strip())
    if not isinstance(found, Speaker):
        raise InputError(
            f"{spec!r} is no speaker: {type(found).__name__}", expected="an object with name, key(language) and speak"
        )
    return found
