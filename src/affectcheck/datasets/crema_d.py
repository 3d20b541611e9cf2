"""CREMA-D: 91 actors speak twelve sentences; what they were asked for, and what people took them for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.corpus_files import refuse
from affectcheck.datasets.crema_tables import CREMAD_6, GROUPS, MODALITIES, PARTITION, actors, clips, votes
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.leaving_out import Kept, leave_out
from affectcheck.datasets.parts import PART_OPTION, take_part
from affectcheck.datasets.pictures import put_media
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.relabel import MAPPING_OPTION, SCHEME_OPTION, relabel
from affectcheck.errors import UnknownNameError
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_INTENDED: Final = "intended"
_SILENT: Final = "1076_MTI_SAD_XX"

CARD: Final = Card(
    name="crema-d",
    title="CREMA-D: Crowd-sourced Emotional Multimodal Actors Dataset",
    licence="ODbL 1.0 (database), DbCL 1.0 (contents)",
    citation=(
        "Cao H, Cooper DG, Keutmann MK, Gur RC, Nenkova A, Verma R (2014). CREMA-D: Crowd-sourced emotional multimodal "
        "actors dataset. IEEE Transactions on Affective Computing 5(4)"
    ),
    url="https://github.com/CheyneyComputerScience/CREMA-D",
    access="open",
    description=(
        "91 actors (48 male, 43 female, 20 to 74 years) speak twelve English sentences with six expressions, one sentence "
        "at three levels. 2443 people judged the clips, each by voice alone, face alone, or both."
    ),
    provenance=(
        "manual: what the actor was asked for (acted), or by option the choice of most of about ten people a clip and "
        "modality; sex, age, race and ethnicity as the actors state them"
    ),
    can_show=(
        "how well a model tells acted expressions of unknown speakers apart, as meant or as perceived, and whether it "
        "does so equally well over sex, age, race and ethnicity of speakers"
    ),
    cannot_show=(
        "anything about spontaneous expressions or free speech, surprise or contempt, or other languages; with 7 Asian "
        "and 22 African American actors only large differences show; intended labels are not what was heard: by voice "
        "alone people chose the intended one in about 4 of 10 answers"
    ),
    layout=(
        "a folder with VideoDemographics.csv and SentenceFilenames.csv, processedResults/ with tabulatedVotes.csv or "
        "summaryTable.csv (for perceived labels), and recordings in AudioWAV/ where there are"
    ),
    targets=(Target("expression", CREMAD_6),),
    groups=tuple(GROUPS),
    speakers=91,
    items=7_442,
    options=(
        Option("labels", "intended, or as most people perceived them by voice, face or av (both)", _INTENDED),
        PART_OPTION,
        SCHEME_OPTION,
        MAPPING_OPTION,
    ),
    notes=(
        f"{_SILENT} has no sound",
        "perceived labels: clips whose first place is shared (N:S) are left out and counted",
        "intended classes are balanced (1271 each) but for neutral (1087); by voice most clips are taken for neutral",
        "the partition is audEERING's unofficial one by actors: 56 train, 18 dev, 17 test (9 male, 8 female), as in "
        "paper 2",
        "one actor's race is unknown, which is no group",
    ),
)


@dataset(CARD)
def read(
    root: Path, *, labels: str = _INTENDED, part: str = "", scheme: str = "", mapping: str = ""
) -> AnnotationTable:
    """Read the set.

    Args:
        root: folder of the tables.
        labels: ``intended``, ``voice``, ``face`` or ``av``.
        part: ``train``, ``dev`` or ``test``; empty for all.
        scheme: label scheme to map to; empty for ``cremad-6``.
        mapping: labels that go elsewhere than to their namesake in that scheme.

    Returns:
        One item a clip, such as ``1001_IEO_NEU_XX``, with ``sex``, ``age`` (decade), ``age_years``, ``race``,
        ``ethnicity``, ``sentence``, ``level`` and ``intended``; perceived labels come with ``votes``, ``agreement``
        and ``perceived_level`` (0 to 100). The media are the recordings, where they are there.

    Raises:
        UnknownNameError: other labels.
        MissingPathError: a table is not there.
        InputError: names, ages or votes that do not fit; all are listed.
    """
    if labels not in (_INTENDED, *MODALITIES):
        raise UnknownNameError.of("kind of labels", labels, (_INTENDED, *MODALITIES), where=CARD.name)
    base = locate(root, ("VideoDemographics.csv",), CARD).base
    listed = clips(base)
    people = actors(base)
    strangers = listed.filter(~pl.col("subject").is_in(people.get_column("subject").implode()))
    refuse(
        sorted(set(strangers.get_column("subject"))),
        what="actors of clips whom VideoDemographics.csv does not have",
        where=str(base),
    )
    frame = listed.join(people, on="subject", how="left", maintain_order="left")
    frame = frame.with_columns(partition=pl.col("subject").replace_strict(PARTITION, default="train"))
    chosen = _labelled(frame, labels, base)
    placed = put_media(chosen.frame, "AudioWAV/" + chosen.frame.get_column("item") + ".wav", base, noun="recordings")
    table = make_table(placed.frame, targets=CARD.targets, groups=GROUPS, name=CARD.name, root=base, where=str(base))
    table = replace(table, notes=(*_size(listed), *chosen.notes, *placed.notes))
    return relabel(take_part(table, part), "expression", scheme, mapping)


def _labelled(frame: pl.DataFrame, labels: str, base: Path) -> Kept:
    if labels == _INTENDED:
        return Kept(
            frame.with_columns(pl.col("intended").alias("expression")), ("labels are what actors were asked for",)
        )
    found = votes(base, labels)
    joined = frame.join(found.frame, on="item", how="left", maintain_order="left")
    judged = joined.get_column("item").is_in(found.frame.get_column("item").implode())
    kept = leave_out(
        joined.with_columns(judged.alias("judged")),
        {
            "without votes": ~pl.col("judged"),
            "with a tie of votes, such as N:S": pl.col("expression").is_null(),
        },
        where=str(base),
    )
    told = f"labels are what most people perceived, from {MODALITIES[labels]}"
    return Kept(kept.frame.drop("judged"), (told, *kept.notes))


def _size(listed: pl.DataFrame) -> tuple[str, ...]:
    here = f"{listed.height} of the {CARD.items} items of the set are here"
    silent = f"{_SILENT} has no sound"
    notes = [] if listed.height == CARD.items else [here]
    return (*notes, *([silent] if _SILENT in listed.get_column("item") else []))
