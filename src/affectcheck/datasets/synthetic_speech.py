"""``synthetic-speech``: expressive speech made on the spot, by machine, for trying things out without a corpus."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.validation import make_table
from affectcheck.cache import cache_folder
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.espeak import loader
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.synthetic_design import Design, PlannedClip, plan
from affectcheck.datasets.synthetic_making import ENGINE, MANIFEST, VERSION, generate
from affectcheck.datasets.synthetic_worker import clip_path
from affectcheck.digest import digest_bytes
from affectcheck.records.codec import strict_json
from affectcheck.records.provenance import package_version
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations.table import AnnotationTable

CARD: Final = Card(
    name="synthetic-speech",
    title="Synthetic expressive speech",
    licence="made on your machine by eSpeak NG (GPL-3.0-or-later), from sentences of ours; the clips are yours",
    citation="affectcheck's synthetic speech, with its version and seed; speech by eSpeak NG",
    url="https://github.com/espeak-ng/espeak-ng",
    access="made here",
    provenance="what the recipe was given; nobody listened (the target says manual, as for acted labels)",
    description=(
        "SYNTHETIC. Formant-synthesised voices say everyday sentences in four languages. Seven expressions are "
        "realised by rate, pitch, pitch range, loudness and pauses alone, at two strengths (neutral has one, and "
        "twice as many clips), with variation from speaker to speaker and from clip to clip. Labels and dimensions "
        "are those that the recipe was given; nobody listened, nobody felt or acted anything."
    ),
    can_show=(
        "that a pipeline works from sound to report; that a model reacts to rate, pitch, range, loudness and pauses; "
        "how it behaves under noise, level and language on material whose making is known exactly"
    ),
    cannot_show=(
        "how well a model recognises expressions of people, or how fair it is to any group of people: the voices have "
        "no voice quality of emotion, no age, no accent, and only a suggested sex. No score here may be quoted as a "
        "model's performance"
    ),
    targets=(Target("expression", scheme("expressions-7")), Target("affect", scheme("affect-3"))),
    groups=("sex", "language"),
    speakers=20,
    items=1120,
    options=(
        Option("seed", "seed of all variation; another seed makes other speakers and clips", 0),
        Option("speakers", "number of speakers, even, at most 40; half of each suggested sex", 20),
        Option("languages", "languages of every speaker, separated by commas, out of de, en, es, fr", "de,en,es,fr"),
        Option("takes", "1 or 2 sentences for each speaker, language, expression and strength", 1),
    ),
    notes=(
        "the root is a folder to keep the clips in; without one they are kept in the cache folder",
        "samples can differ between versions of the engine and between processors; the manifest has their digests",
    ),
)


@dataset(CARD)
def read(  # noqa: PLR0913  # the options of the card, by keyword
    root: Path | None = None,
    *,
    seed: int = 0,
    speakers: int = 20,
    languages: str = "de,en,es,fr",
    takes: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> AnnotationTable:
    """The data set; made first if it is not there yet.

    Args:
        root: folder to keep the clips in, or a folder that already holds them; None for the cache folder.
        seed: of all variation.
        speakers: how many.
        languages: separated by commas.
        takes: sentences for each speaker, language, expression and strength.
        progress: called with the clips that are there and all clips.

    Raises:
        ExtraMissingError: the engine is not installed.
        InputError: options that cannot be made, or a folder made with others.
    """
    codes = tuple(code.strip() for code in languages.split(",") if code.strip())
    design = Design(seed=seed, speakers=speakers, languages=codes, takes=takes)
    folder = folder_of(design, root)
    generate(design, folder, progress=progress)
    return _table(plan(design), folder)


def folder_of(design: Design, root: Path | None = None) -> Path:
    """Where a design's clips are kept: a folder named by a digest of all that they are made from.

    Raises:
        ExtraMissingError: the engine is not installed.
    """
    if root is not None and (root / MANIFEST).exists():
        return root
    loader()
    parts = [strict_json([asdict(clip.utterance), clip.item, repr(clip.tract)]) for clip in plan(design)]
    key = digest_bytes(str(VERSION), package_version(ENGINE), *parts)
    return (root or cache_folder()) / f"{CARD.name}-{key[:16]}"


def _table(clips: tuple[PlannedClip, ...], folder: Path) -> AnnotationTable:
    arousal, dominance, valence = zip(*(clip.affect for clip in clips), strict=True)
    frame = pl.DataFrame(
        {
            "item": [clip.item for clip in clips],
            "media": [clip_path(folder, clip.item).relative_to(folder).as_posix() for clip in clips],
            "subject": [clip.speaker.name for clip in clips],
            "sex": [clip.speaker.sex for clip in clips],
            "language": [clip.language for clip in clips],
            "expression": [clip.expression for clip in clips],
            "arousal": arousal,
            "dominance": dominance,
            "valence": valence,
            "strength": [clip.strength for clip in clips],
            "sentence": [clip.text for clip in clips],
        }
    )
    targets = {target.name: target for target in CARD.targets}
    return make_table(frame, targets=targets, groups=CARD.groups, name=CARD.name, root=folder)
