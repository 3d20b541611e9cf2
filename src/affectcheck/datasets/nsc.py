"""NSC: prompted speech of Singapore, recorded by three microphones at once; no affect labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.declared import categories
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.nsc_files import MICROPHONES, read_recordings, read_speakers
from affectcheck.datasets.parts import SEED_OPTION, drawn, words
from affectcheck.datasets.registry import dataset
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_ALL: Final = ",".join(dict.fromkeys(MICROPHONES.values()))

CARD: Final = Card(
    name="nsc",
    title="National Speech Corpus of Singapore (NSC), parts 1 and 2",
    licence="Singapore Open Data Licence, after registration",
    citation=(
        "Koh JX, Mislan A, Khoo K, Ang B, Ang W, Ng C, Tan Y-Y (2019). Building the Singapore English National Speech "
        "Corpus. Interspeech 2019"
    ),
    url="https://www.imda.gov.sg/how-we-can-help/national-speech-corpus",
    access="on request",
    provenance="no affect labels; sex as the list of speakers states it, where it was saved as text",
    description=(
        "About 2000 speakers of Singapore English read sentences in quiet rooms; each was recorded by a headset, a "
        "boundary microphone and a mobile phone at once. Parts 1 and 2 are read, not the conversations."
    ),
    can_show=(
        "whether a model predicts the same from several microphones that recorded the same utterance, and whether "
        "predictions change with simulated rooms"
    ),
    cannot_show="whether predictions are right: no affect labels; anything about spontaneous or expressive speech",
    layout=(
        "a folder with PART1 or PART2, each with DATA/CHANNEL0, CHANNEL1 …, and there WAVE/SPEAKER0001/SESSION0/*.WAV "
        "(the archives SPEAKER0001.zip unpacked) and SCRIPT/*.TXT"
    ),
    options=(
        Option("channels", "microphones to read, separated by commas", _ALL),
        Option("speakers", "at most so many speakers, drawn; 0 for all", 0),
        Option(
            "utterances",
            "at most so many utterances of each speaker, drawn, the same of every microphone; 0 for all",
            0,
        ),
        SEED_OPTION,
        Option(
            "people",
            "path of the list of speakers, saved as CSV, with the columns speaker and sex; empty for DOC/*.csv",
        ),
    ),
    notes=(
        "recordings of one utterance agree in subject and text; each row is one recording by one microphone",
        "channel 0 is the headset or standing microphone, 1 the boundary microphone, 2 or 3 (by release) the phone",
        "the list of speakers is a spreadsheet: save it as CSV to know sex",
    ),
)


@dataset(CARD)
def read(  # noqa: PLR0913  # the options of the card, by keyword
    root: Path,
    *,
    channels: str = _ALL,
    speakers: int = 0,
    utterances: int = 0,
    seed: int = 0,
    people: str = "",
) -> AnnotationTable:
    """Read the set.

    Args:
        root: folder of the parts, or one above it.
        channels: ``headset``, ``boundary`` and ``mobile``, separated by commas.
        speakers: at most so many; 0 for all.
        utterances: at most so many of each; 0 for all.
        seed: of what is drawn.
        people: list of speakers.

    Returns:
        One item a recording, such as ``PART1/CHANNEL0/SPEAKER0001/000010001``, without targets, with ``channel``,
        ``microphone`` (its number), ``session``, ``utterance`` and ``text``, and ``sex`` where it is known.

    Raises:
        UnknownNameError: another channel.
        InputError: no channel, archives that are not unpacked, or nothing to read.
    """
    wanted = words(channels)
    if not wanted:
        raise InputError("no channel is stated", where=CARD.name, expected=f"such as {_ALL}")
    for channel in wanted:
        if channel not in MICROPHONES.values():
            raise UnknownNameError.of("channel", channel, set(MICROPHONES.values()), where=CARD.name)
    base = locate(root, ("PART1/DATA", "PART2/DATA"), CARD).base
    found = read_recordings(base, wanted, CARD)
    frame = _sample(found.frame, speakers, utterances, seed)
    sexes = read_speakers(base, people)
    groups = {}
    unknown = 0
    if sexes is not None:
        frame = frame.join(sexes, on="subject", how="left", maintain_order="left")
        groups = {"sex": categories("sex-2")}
        unknown = frame.filter(pl.col("sex").is_null()).get_column("subject").n_unique()
    table = make_table(frame, targets={}, groups=groups, name=CARD.name, root=base, where=str(base))
    told = [
        (frame.height < found.frame.height, f"{frame.height} of {found.frame.height} recordings are drawn"),
        (unknown, f"the list of speakers does not tell the sex of {unknown} of {_count(frame)} speakers"),
    ]
    return replace(table, notes=(*found.notes, *(note for holds, note in told if holds)))


def _count(frame: pl.DataFrame) -> int:
    return frame.get_column("subject").n_unique()


def _sample(frame: pl.DataFrame, speakers: int, utterances: int, seed: int) -> pl.DataFrame:
    who = drawn(frame.get_column("subject").unique().to_list(), speakers, seed, CARD.name, "speakers")
    kept = frame.filter(pl.col("subject").is_in(who))
    if not utterances:
        return kept
    chosen: set[str] = set()
    for (subject,), rows in kept.partition_by("subject", as_dict=True).items():
        names = [f"{subject}/{one}" for one in rows.get_column("utterance").unique()]
        chosen |= drawn(names, utterances, seed, CARD.name, "utterances", str(subject))
    return kept.filter(pl.format("{}/{}", "subject", "utterance").is_in(chosen))
