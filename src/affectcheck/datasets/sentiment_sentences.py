"""Sentences of the data set: which there are, in which order, and who speaks each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from affectcheck.datasets.sentiment_lexicon import LANGUAGES, SENTIMENTS, lexicon
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.seeds import entropy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.datasets.sentiment_lexicon import Template

VOICES: Final = ("espeak:f1", "espeak:f4", "espeak:m1", "espeak:m3")
MOST_A_LANGUAGE: Final = 2000  # paper 2, section II-C: up to 2000 samples of each language
_SEEDS: Final = 2**31 - 1


@dataclass(frozen=True)
class Sentence:
    """One sentence.

    Attributes:
        language, sentiment: of the sentence.
        template: name of the template.
        number: place of the word among those of its kind and sentiment, from 1.
        word: as the lexicon cites it.
        text: to be spoken.
    """

    language: str
    sentiment: str
    template: str
    number: int
    word: str
    text: str

    @property
    def item(self) -> str:
        """Key, such as ``de-film-negative-07``."""
        return f"{self.language}-{self.template}-{self.sentiment}-{self.number:02d}"


@dataclass(frozen=True)
class Selection:
    """Which sentences, and who speaks them; equal selections give equal samples.

    Attributes:
        languages: codes.
        per_language: sentences of a language at most, all sentiments together; 0 for all.
        per_cell: sentences of a language and sentiment at most; 0 for all.
        seed: of the order, and of the speakers.
        voices: speakers, as ``load_speaker`` takes them; they take turns.
    """

    languages: tuple[str, ...] = LANGUAGES
    per_language: int = MOST_A_LANGUAGE
    per_cell: int = 0
    seed: int = 0
    voices: tuple[str, ...] = VOICES

    def __post_init__(self) -> None:
        """Languages that exist, numbers that can be."""
        for language in self.languages:
            if language not in LANGUAGES:
                raise UnknownNameError.of("language of words in context", language, LANGUAGES)
        for what, names, known in (("languages", self.languages, LANGUAGES), ("voices", self.voices, VOICES)):
            if not names or len(set(names)) < len(names):
                raise InputError(
                    f"{what} {', '.join(names)!r} are none, or named twice",
                    expected=f"one or more, each once, such as {what}={known[0]}",
                )
        for name, value in (("per_language", self.per_language), ("per_cell", self.per_cell)):
            if value < 0:
                raise InputError(f"{name} is {value}", expected="0 for all, or how many at most")


@dataclass(frozen=True)
class PlannedSpeech:
    """One clip before it is spoken.

    Attributes:
        sentence: what is said.
        voice: who says it, as the selection states it.
        seed: for the engine; it depends on the seed and the text alone.
    """

    sentence: Sentence
    voice: str
    seed: int


def sentences(language: str) -> tuple[Sentence, ...]:
    """Every sentence of a language, by template, word and sentiment.

    Raises:
        UnknownNameError: there is no such language.
    """
    found = lexicon(language)
    return tuple(chain.from_iterable(_sentences(language, template) for template in found.templates))


def select(selection: Selection) -> tuple[PlannedSpeech, ...]:
    """The clips of a selection, language by language.

    The same template with the words of one place, one of each sentiment, makes three sentences. These threes are
    put in an order that the seed chooses and that is the same in every language; one voice speaks all three. So a
    part of the data set, however small, has the same templates and voices in every language and sentiment.
    """
    return tuple(clip for language in selection.languages for clip in _selected(selection, language))


def _sentences(language: str, template: Template) -> Iterator[Sentence]:
    words = lexicon(language).words[template.kind]
    for number, three in enumerate(zip(*(words[sentiment] for sentiment in SENTIMENTS), strict=True), start=1):
        for sentiment, word in zip(SENTIMENTS, three, strict=True):
            yield Sentence(language, sentiment, template.name, number, word.name, template.fill(word))


def _selected(selection: Selection, language: str) -> list[PlannedSpeech]:
    seed, voices = selection.seed, selection.voices
    listed = sentences(language)
    threes = [listed[start : start + len(SENTIMENTS)] for start in range(0, len(listed), len(SENTIMENTS))]
    threes.sort(key=lambda three: entropy(seed, "words in context", three[0].template, three[0].number))
    chosen = threes[: selection.per_cell or None]
    clips = [
        PlannedSpeech(sentence, voices[place % len(voices)], entropy(seed, "speech", language, sentence.text) % _SEEDS)
        for place, three in enumerate(chosen)
        for sentence in _mixed(seed, three)
    ]
    return clips[: selection.per_language or None]


def _mixed(seed: int, three: tuple[Sentence, ...]) -> list[Sentence]:
    """In an order of their own, so that a limit cuts no sentiment short more often than another."""
    return sorted(three, key=lambda each: entropy(seed, "order", each.template, each.number, each.sentiment))
