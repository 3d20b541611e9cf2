"""``words-in-context``: sentences of negative, neutral and positive words in eight languages, spoken by machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.validation import make_table
from affectcheck.cache import cache_folder
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.sentiment_lexicon import LANGUAGES
from affectcheck.datasets.sentiment_sentences import MOST_A_LANGUAGE, VOICES, Selection, select
from affectcheck.datasets.speech_synthesis import load_speaker
from affectcheck.datasets.words_in_context_making import make_speech
from affectcheck.datasets.words_in_context_worker import clip_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.datasets.words_in_context_worker import SpokenSentence

CARD: Final = Card(
    name="words-in-context",
    title="Words in context: linguistic sentiment in eight languages",
    licence=(
        "sentences: ours, Apache-2.0; speech: made on your machine by the speaker that you choose, by default eSpeak "
        "NG (GPL-3.0-or-later), whose output is yours"
    ),
    citation="affectcheck's words in context, with its version, seed and speakers; speech by eSpeak NG",
    url="https://github.com/espeak-ng/espeak-ng",
    access="made here",
    provenance=(
        "no affect labels: the sentiment is that of the word that a template was filled with, chosen by its writers; "
        "nobody listened, and no native speaker has certified the sentences"
    ),
    description=(
        "SYNTHETIC. 48 templates of everyday sentences a language, such as 'The lamp on the desk is …', each filled "
        "with negative, neutral (colours, countries of origin, plain deeds) and positive words: 864 sentences for each "
        "language and sentiment, of which 667 or 666 are spoken by default. A voice speaks all of its sentences in one "
        "way, and the same places in every language and sentiment, so that what is said is all that differs."
    ),
    can_show=(
        "whether the predictions of a model of speech shift with the sentiment of the words alone, and whether that "
        "shift differs between languages"
    ),
    cannot_show=(
        "how well a model recognises expressions, or how it treats any group of people: there are no subjects and no "
        "acted or felt expressions, and a few variants of one engine's voice speak each language, unless others are stated"
    ),
    groups=("language", "sentiment"),
    items=len(LANGUAGES) * MOST_A_LANGUAGE,
    options=(
        Option("languages", "separated by commas, out of de, en, es, fr, it, ja, pt, zh", ",".join(LANGUAGES)),
        Option("per_language", "at most so many sentences a language, all sentiments together; 0 for all", 2000),
        Option("per_cell", "at most so many sentences for each language and sentiment; 0 for all", 0),
        Option("seed", "seed of the order of the sentences, and of speakers that draw", 0),
        Option(
            "voices",
            "speakers that take turns, separated by commas: espeak:VARIANT, piper:FILE-OR-FOLDER, python:MODULE:OBJECT",
            ",".join(VOICES),
        ),
    ),
    notes=(
        "the root is a folder to keep the clips in; without one they are kept in the cache folder",
        "the same templates, places of words and voices are chosen for every language and sentiment",
        "Portuguese is that of Brazil, English that of the United States, Mandarin is written in simplified characters",
        "samples can differ between versions of an engine and between processors; a manifest has their digests",
    ),
)


@dataset(CARD)
def read(  # noqa: PLR0913  # the options of the card, by keyword
    root: Path | None = None,
    *,
    languages: str = ",".join(LANGUAGES),
    per_language: int = MOST_A_LANGUAGE,
    per_cell: int = 0,
    seed: int = 0,
    voices: str = ",".join(VOICES),
    progress: Callable[[int, int], None] | None = None,
) -> AnnotationTable:
    """The data set; spoken first if it is not there yet.

    Args:
        root: folder to keep the clips in, or one that already holds some; None for the cache folder.
        languages: separated by commas.
        per_language: sentences of a language at most; 0 for all.
        per_cell: sentences of a language and sentiment at most; 0 for all.
        seed: of the order, and of speakers that draw.
        voices: speakers, separated by commas.
        progress: called with the clips that are there and all clips.

    Raises:
        ExtraMissingError: the package of a speaker is not installed.
        InputError: an unknown language or speaker, or one that does not speak a language.
    """
    selection = Selection(_listed(languages), per_language, per_cell, seed, _listed(voices))
    folder = root or cache_folder() / CARD.name
    return _table(selection, make_speech(selection, folder, progress=progress), folder)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(piece.strip() for piece in text.split(",") if piece.strip())


def _table(selection: Selection, spoken: Mapping[str, SpokenSentence], folder: Path) -> AnnotationTable:
    names = {voice: load_speaker(voice).name for voice in selection.voices}
    rows = [
        {
            "item": clip.sentence.item,
            "media": clip_path(folder, spoken[clip.sentence.item].clip).relative_to(folder).as_posix(),
            "language": clip.sentence.language,
            "sentiment": clip.sentence.sentiment,
            "text": clip.sentence.text,
            "template": clip.sentence.template,
            "word": clip.sentence.word,
            "voice": names[clip.voice],
        }
        for clip in select(selection)
    ]
    return make_table(pl.DataFrame(rows), targets={}, groups=CARD.groups, name=CARD.name, root=folder)
