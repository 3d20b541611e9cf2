"""What the synthetic speakers say and how: sentences, speakers, and the prosody of each expression.

The prosody of an expression is our choice, after the tendencies that the literature on acted speech agrees on
(anger: louder, wider, faster; sadness: softer, lower, narrower, slower). It is a stand-in for expression, not a
model of it. Speakers differ in how, and how strongly, they realise an expression, so that the expressions overlap.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.datasets.espeak import Utterance
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes.expressions import BASIC_7
from affectcheck.seeds import entropy, rng

if TYPE_CHECKING:
    from collections.abc import Iterator

SENTENCES: Final = {
    "de": (
        "Der Zug an die Küste fährt um Viertel nach neun.",
        "Die Schlüssel liegen neben der blauen Lampe.",
        "Am Dienstag stellen wir den Tisch ans Fenster.",
        "Im Garten stehen sieben Stühle unter dem Baum.",
        "Der Brief ist gestern mit der Post gekommen.",
    ),
    "en": (
        "The train to the coast leaves at a quarter past nine.",
        "The keys are lying next to the blue lamp.",
        "On Tuesday we will move the table to the window.",
        "There are seven chairs under the tree in the garden.",
        "The letter came with the post yesterday.",
    ),
    "es": (
        "El tren de la costa sale a las nueve y cuarto.",
        "Las llaves están al lado de la lámpara azul.",
        "El martes pondremos la mesa junto a la ventana.",
        "Hay siete sillas debajo del árbol en el jardín.",
        "La carta llegó ayer con el correo.",
    ),
    "fr": (
        "Le train pour la côte part à neuf heures et quart.",
        "Les clés sont posées à côté de la lampe bleue.",
        "Mardi nous mettrons la table devant la fenêtre.",
        "Il y a sept chaises sous l'arbre du jardin.",
        "La lettre est arrivée hier avec le courrier.",
    ),
}
_VOICES: Final = {"de": "de", "en": "en-us", "es": "es", "fr": "fr"}

STRENGTHS: Final = ("normal", "strong")
_NORMAL_SHARE: Final = 0.75  # of the strong realisation


@dataclass(frozen=True)
class Prosody:
    """Differences from the speaker's neutral way of speaking.

    Attributes:
        rate: natural logarithm of the factor on the speaking rate.
        pitch: in semitones.
        span: natural logarithm of the factor on the pitch range.
        level_db: loudness.
        gap: pause between words, in units of 10 ms.
    """

    rate: float = 0.0
    pitch: float = 0.0
    span: float = 0.0
    level_db: float = 0.0
    gap: float = 0.0

    def __add__(self, other: Prosody) -> Prosody:
        return Prosody(*(_vector(self) + _vector(other)))

    def times(self, factor: float) -> Prosody:
        """Every difference times a factor."""
        return Prosody(*(_vector(self) * factor))


def _vector(prosody: Prosody) -> np.ndarray:
    return np.array([prosody.rate, prosody.pitch, prosody.span, prosody.level_db, prosody.gap])


#: Strong realisations.
PROTOTYPES: Final = {
    "anger": Prosody(rate=0.20, pitch=0.5, span=0.35, level_db=7.0, gap=-0.8),
    "disgust": Prosody(rate=-0.18, pitch=-2.0, span=0.30, level_db=-1.0, gap=3.0),
    "fear": Prosody(rate=0.26, pitch=4.0, span=-0.45, level_db=-2.5, gap=0.5),
    "happiness": Prosody(rate=0.08, pitch=4.0, span=0.60, level_db=3.0, gap=-0.3),
    "neutral": Prosody(),
    "sadness": Prosody(rate=-0.24, pitch=-2.0, span=-0.70, level_db=-5.5, gap=1.5),
    "surprise": Prosody(rate=-0.10, pitch=6.0, span=0.85, level_db=1.0, gap=0.8),
}
#: Arousal, dominance, valence of the strong realisations, as differences from the middle of the range.
AFFECT: Final = {
    "anger": (0.34, 0.30, -0.32),
    "disgust": (0.02, 0.10, -0.30),
    "fear": (0.28, -0.32, -0.28),
    "happiness": (0.24, 0.18, 0.38),
    "neutral": (-0.10, 0.02, 0.02),
    "sadness": (-0.30, -0.26, -0.30),
    "surprise": (0.30, -0.04, 0.12),
}
#: Standard deviations: of a speaker's own way of one expression, and of single clips.
_SPEAKER_SPREAD: Final = Prosody(rate=0.04, pitch=0.7, span=0.12, level_db=1.5, gap=0.3)
_CLIP_SPREAD: Final = Prosody(rate=0.03, pitch=0.5, span=0.10, level_db=1.0, gap=0.25)
_AFFECT_SPREAD: Final = 0.04

_VARIANTS: Final = {
    "female": ("f1", "f2", "f3", "f4", "f5"),
    "male": ("m1", "m2", "m3", "m4", "m6", "m7"),
}
MOST_SPEAKERS: Final = 40


@dataclass(frozen=True)
class Speaker:
    """One synthetic speaker.

    Attributes:
        name: such as ``s01``.
        sex: that the voice is meant to suggest.
        variant: of the engine's voices.
        tract: factor on all resonances (and, undone elsewhere, on pitch and rate).
        rate_wpm: own speaking rate.
        pitch: own pitch, in semitones from the variant's.
        span: own pitch range, logarithm of the factor.
        level_db: own level.
        expressivity: factor on every expression's prosody.
    """

    name: str
    sex: str
    variant: str
    tract: float
    rate_wpm: float
    pitch: float
    span: float
    level_db: float
    expressivity: float


@dataclass(frozen=True)
class Design:
    """Which clips the data set has; equal designs give equal samples.

    Attributes:
        seed: of all variation.
        speakers: how many, an even number of at most 40; odd ones are female, even ones male.
        languages: every speaker speaks each.
        takes: clips of each speaker, language, expression and strength, each with another sentence.
    """

    seed: int = 0
    speakers: int = 20
    languages: tuple[str, ...] = ("de", "en", "es", "fr")
    takes: int = 1

    def __post_init__(self) -> None:
        """Sizes that can be made."""
        for language in self.languages:
            if language not in SENTENCES:
                raise UnknownNameError.of("language of synthetic speech", language, SENTENCES)
        if not self.languages or len(set(self.languages)) < len(self.languages):
            raise InputError(f"languages {self.languages} are none, or named twice")
        if not 2 <= self.speakers <= MOST_SPEAKERS or self.speakers % 2:
            raise InputError(f"{self.speakers} speakers", expected=f"an even number from 2 to {MOST_SPEAKERS}")
        if not 1 <= self.takes <= 2:
            raise InputError(f"{self.takes} takes", expected="1 or 2, as there are 5 sentences a language")


@dataclass(frozen=True)
class PlannedClip:
    """One clip before it is spoken.

    Attributes:
        item: key, such as ``s01-en-anger-strong-1``.
        speaker: who speaks.
        language, expression, strength: of the clip.
        text: the sentence.
        affect: arousal, dominance and valence in [0, 1].
        utterance: for the engine.
        tract: factor on the engine's sampling rate before resampling.
    """

    item: str
    speaker: Speaker
    language: str
    expression: str
    strength: str
    text: str
    affect: tuple[float, float, float]
    utterance: Utterance = field(repr=False)
    tract: float = 1.0


def speakers(design: Design) -> tuple[Speaker, ...]:
    """The speakers of a design; a larger design has the same first speakers."""
    return tuple(_speaker(design.seed, number) for number in range(1, design.speakers + 1))


def _speaker(seed: int, number: int) -> Speaker:
    sex = "female" if number % 2 else "male"
    draw = rng(seed, "synthetic speaker", number)
    variants = _VARIANTS[sex]
    return Speaker(
        name=f"s{number:02d}",
        sex=sex,
        variant=variants[((number - 1) // 2) % len(variants)],
        tract=float(draw.uniform(0.94, 1.06)),
        rate_wpm=float(draw.uniform(155, 185)),
        pitch=float(draw.uniform(-1.5, 1.5)),
        span=float(draw.uniform(-0.2, 0.2)),
        level_db=float(draw.uniform(-3.0, 1.0)),
        expressivity=float(draw.uniform(0.85, 1.25)),
    )


def plan(design: Design) -> tuple[PlannedClip, ...]:
    """Every clip of a design, in the order of speaker, language, expression, strength and take."""
    return tuple(
        clip
        for speaker in speakers(design)
        for language in design.languages
        for clip in _clips(design, speaker, language)
    )


def _clips(design: Design, speaker: Speaker, language: str) -> Iterator[PlannedClip]:
    for expression in BASIC_7:
        for take in range(1, 2 * design.takes + 1):
            # there is no strong neutral: it has twice as many takes instead
            strength = "normal" if expression == "neutral" else STRENGTHS[(take - 1) % 2]
            number = take if expression == "neutral" else (take + 1) // 2
            yield _clip(design.seed, speaker, (language, expression, strength), number)


def _clip(seed: int, speaker: Speaker, cell: tuple[str, str, str], take: int) -> PlannedClip:
    language, expression, strength = cell
    item = "-".join((speaker.name, *cell, str(take)))
    texts = SENTENCES[language]
    first = int(rng(seed, "synthetic sentence", speaker.name, *cell).integers(len(texts)))
    text = texts[(first + take - 1) % len(texts)]
    amount = 1.0 if strength == "strong" else _NORMAL_SHARE
    voice = f"{_VOICES[language]}+{speaker.variant}"
    engine_seed = entropy(seed, "synthetic engine", item) % (2**31 - 1) + 1
    prosody = _prosody(seed, speaker, expression, amount) + _noise(_CLIP_SPREAD, seed, "synthetic clip", item)
    return PlannedClip(
        item=item,
        speaker=speaker,
        language=language,
        expression=expression,
        strength=strength,
        text=text,
        affect=_affect(seed, expression, amount, item),
        utterance=_utterance(speaker, prosody, voice, text, engine_seed),
        tract=speaker.tract,
    )


def _prosody(seed: int, speaker: Speaker, expression: str, amount: float) -> Prosody:
    own = _noise(_SPEAKER_SPREAD, seed, "synthetic manner", speaker.name, expression)
    return PROTOTYPES[expression].times(amount * speaker.expressivity) + own


def _noise(spread: Prosody, seed: int, *keys: str) -> Prosody:
    return Prosody(*(_vector(spread) * rng(seed, *keys).standard_normal(5)))


def _affect(seed: int, expression: str, amount: float, item: str) -> tuple[float, float, float]:
    noise = rng(seed, "synthetic affect", item).standard_normal(3) * _AFFECT_SPREAD
    values = np.clip(0.5 + np.array(AFFECT[expression]) * amount + noise, 0.0, 1.0)
    arousal, dominance, valence = (round(float(value), 3) for value in values)
    return arousal, dominance, valence


def _utterance(speaker: Speaker, prosody: Prosody, voice: str, text: str, seed: int) -> Utterance:
    # played faster by the factor of the tract: the rate and the pitch are lowered by it beforehand
    semitones = speaker.pitch + prosody.pitch - 12 * np.log2(speaker.tract)
    rate = speaker.rate_wpm * np.exp(prosody.rate) / speaker.tract
    return Utterance(
        text=text,
        voice=voice,
        rate_wpm=int(np.clip(round(rate), 80, 400)),
        pitch=int(np.clip(round(50 + semitones * 50 / 12), 0, 99)),
        pitch_range=int(np.clip(round(45 * np.exp(speaker.span + prosody.span)), 0, 99)),
        volume=int(np.clip(round(42 * 10 ** ((speaker.level_db + prosody.level_db) / 20)), 5, 150)),
        word_gap_10ms=int(np.clip(round(1 + prosody.gap), 0, 10)),
        seed=seed,
    )
