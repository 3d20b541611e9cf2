"""IEMOCAP: ten actors in dialogues, improvised and scripted; what people perceived in every turn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Card
from affectcheck.datasets.declared import categories
from affectcheck.datasets.iemocap_turns import SESSIONS, evaluations, read_turns
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.parts import PART_OPTION, rows_of_part
from affectcheck.datasets.pictures import put_media
from affectcheck.datasets.ratings_range import rescaled
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.relabel import MAPPING_OPTION, SCHEME_OPTION, relabel
from affectcheck.schemes import DIMENSIONS, Target

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_AFFECT: Final = next(found for found in DIMENSIONS if found.name == "affect-3")
_RATED: Final = next(found for found in DIMENSIONS if found.name == "affect-3-of-5")
#: Sessions that paper 2 tests on.
_TEST: Final = (4, 5)

CARD: Final = Card(
    name="iemocap",
    title="IEMOCAP: Interactive Emotional Dyadic Motion Capture Database",
    licence="research, by an agreement with its makers",
    citation=(
        "Busso C, Bulut M, Lee C-C, Kazemzadeh A, Mower E, Kim S, Chang JN, Lee S, Narayanan SS (2008). IEMOCAP: "
        "interactive emotional dyadic motion capture database. Language Resources and Evaluation 42"
    ),
    url="https://sail.usc.edu/iemocap/",
    access="on request",
    provenance=(
        "manual: the class that most of three or four annotators chose after seeing and hearing the turn, and the mean "
        "of their ratings; sex by the code of the speaker"
    ),
    description=(
        "Ten actors (5 female, 5 male) speak English in pairs, one pair a session, improvised and from scripts. Every "
        "turn was judged in class and on arousal, dominance and valence from 1 to 5, which is mapped to 0 to 1."
    ),
    can_show=(
        "how well a model tells expressions in acted dialogues apart and rates them, by turn and by speaker, and "
        "whether it does so equally well for the female and the male speakers"
    ),
    cannot_show=(
        "anything about other languages, race or age (not annotated), or much about fear and disgust (few turns); "
        "annotators saw the video too, so labels are not of the voice alone"
    ),
    layout=(
        "a folder that holds Session1 … Session5 with dialog/EmoEvaluation/*.txt and sentences/wav/, as its makers "
        "distribute it"
    ),
    targets=(Target("expression", categories("iemocap-10")), Target("affect", _AFFECT)),
    groups=("sex",),
    speakers=2 * len(SESSIONS),
    items=10_039,
    options=(PART_OPTION, SCHEME_OPTION, MAPPING_OPTION),
    notes=(
        "the letter after the last underscore of a turn's name (Ses01F_impro01_M003) says who speaks; the one after "
        "the session's number says who wears the markers, and is not the speaker",
        "turns without agreement (xxx) have no class, but ratings",
        "the partition is paper 2's: sessions 4 and 5 test, the others train; its tests on all sessions take every item",
        "happiness and excitement are two classes: mapping=excitement=happiness makes them one",
    ),
)


@dataset(CARD)
def read(root: Path, *, part: str = "", scheme: str = "", mapping: str = "") -> AnnotationTable:
    """Read the set.

    Args:
        root: folder of the sessions, or one above it.
        part: ``train`` or ``test``; empty for all sessions.
        scheme: label scheme to map to; empty for ``iemocap-10``.
        mapping: labels that go elsewhere than to their namesake in that scheme.

    Returns:
        One item a turn, such as ``Ses01F_impro01_M003``, with ``sex``, ``session``, ``dialogue``, ``kind``
        (improvised or scripted) and the times in the dialogue, ``from_s`` and ``to_s``.

    Raises:
        InputError: lines that are not of the set's form; all are listed.
    """
    base = locate(root, evaluations(), CARD).base
    turns = read_turns(base)
    is_test = pl.col("session").is_in(_TEST)
    split = turns.frame.with_columns(partition=pl.when(is_test).then(pl.lit("test")).otherwise(pl.lit("train")))
    kept = rows_of_part(split, part, where=CARD.name)
    scaled = rescaled(kept.frame, _RATED, _AFFECT)
    paths = scaled.frame.select(
        pl.format("Session{}/sentences/wav/{}/{}.wav", "session", "dialogue", "item").alias("media")
    ).to_series()
    placed = put_media(scaled.frame, paths, base, noun="recordings")
    table = make_table(
        placed.frame,
        targets=CARD.targets,
        groups={"sex": categories("sex-2")},
        name=CARD.name,
        root=base,
        where=str(base),
    )
    table = replace(table, notes=(*turns.notes, *kept.notes, *scaled.notes, *placed.notes))
    return relabel(table, "expression", scheme, mapping)
