"""MELD: utterances of a television series, labelled by people who saw the scenes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.declared import categories
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.leaving_out import leave_out
from affectcheck.datasets.meld_lists import LISTS, PLACES, SEX, put_recordings, utterances
from affectcheck.datasets.parts import PART_OPTION, rows_of_part
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.relabel import MAPPING_OPTION, SCHEME_OPTION, relabel
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

#: Recordings that cannot be decoded, in every copy.
BROKEN: Final = ("train/dia125_utt3", "dev/dia110_utt7")

CARD: Final = Card(
    name="meld",
    title="MELD: Multimodal EmotionLines Dataset",
    licence="GPL-3.0 (labels); the recordings are excerpts of a television series of others",
    citation=(
        "Poria S, Hazarika D, Majumder N, Naik G, Cambria E, Mihalcea R (2019). MELD: A multimodal multi-party dataset "
        "for emotion recognition in conversations. ACL 2019"
    ),
    url="https://github.com/declare-lab/MELD",
    access="open",
    provenance="manual: what most of three annotators perceived who saw the scenes; sex of the six main characters only",
    description=(
        "13 708 utterances from 1432 dialogues of the series Friends, cut by the times of its subtitles, with "
        "seven expressions and three sentiments."
    ),
    can_show=(
        "how well a model tells expressions in television dialogues apart, with laughter, music and several voices "
        "in the recordings"
    ),
    cannot_show=(
        "anything about everyday speech: few actors in a comedy; labels come from the whole scene with its text and "
        "story, not from the voice; many recordings are cut wrongly"
    ),
    layout=(
        "a folder with train_sent_emo.csv, dev_sent_emo.csv and test_sent_emo.csv, and the recordings in "
        "train_splits/, dev_splits_complete/ and output_repeated_splits_test/, as .mp4 or, to be heard, as .wav or "
        ".flac of the same names"
    ),
    targets=(Target("expression", categories("expressions-7")),),
    groups=("sex",),
    speakers=304,
    items=13_708,
    options=(
        PART_OPTION,
        Option("shortest", "seconds below which an utterance is left out, by the times of its list", 0.76),
        Option("longest", "seconds above which it is left out; 0 for no limit", 30.0),
        SCHEME_OPTION,
        MAPPING_OPTION,
    ),
    notes=(
        "paper 2 tests on the utterances of test of 0.76 to 30 s (2428 of 2610 by the times of its list); shortest=0&longest=0 reads all that can be decoded",
        f"{' and '.join(BROKEN)} cannot be decoded and are left out",
        "almost half of all utterances are neutral; disgust and fear are rare",
        "speakers are characters by name; a name such as The Interviewer may be several people",
        "the sound of .mp4 is not decoded: ffmpeg -i FILE.mp4 -vn FILE.wav for each of them",
    ),
)


@dataset(CARD)
def read(  # noqa: PLR0913  # the options of the card, by keyword
    root: Path,
    *,
    part: str = "",
    shortest: float = 0.76,
    longest: float = 30.0,
    scheme: str = "",
    mapping: str = "",
) -> AnnotationTable:
    """Read the set.

    Args:
        root: folder of the lists, or one above it.
        part: ``train``, ``dev`` or ``test``; empty for all that are here.
        shortest: seconds below which an utterance is left out.
        longest: seconds above which it is left out; 0 for no limit.
        scheme: label scheme to map to; empty for ``expressions-7``.
        mapping: labels that go elsewhere than to their namesake in that scheme.

    Returns:
        One item an utterance, such as ``test/dia0_utt0``, with ``sex``, ``sentiment``, ``dialogue``, ``season``,
        ``episode`` and ``length_s``.

    Raises:
        InputError: times or numbers that do not fit; all are listed.
    """
    patterns = [place + name for place in PLACES for name in LISTS.values()]
    base = locate(root, patterns, CARD).base
    listed = rows_of_part(utterances(base), part, where=CARD.name)
    length = pl.col("length_s")
    kept = leave_out(
        listed.frame,
        {
            "whose recording is broken": pl.col("item").is_in(BROKEN),
            f"of less than {shortest:g} s": length < shortest,
            f"of more than {longest:g} s": (length > longest) if longest else pl.lit(value=False),
        },
        where=str(base),
    )
    placed = put_recordings(kept.frame.with_columns(sex=pl.col("subject").replace_strict(SEX, default=None)), base)
    table = make_table(
        placed.frame,
        targets=CARD.targets,
        groups={"sex": categories("sex-2")},
        name=CARD.name,
        root=base,
        where=str(base),
    )
    table = replace(table, notes=(*listed.notes, *kept.notes, *placed.notes))
    return relabel(table, "expression", scheme, mapping)
