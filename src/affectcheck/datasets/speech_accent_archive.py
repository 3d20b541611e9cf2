"""Speech accent archive: one English paragraph read by speakers of many native languages; no affect labels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table
from affectcheck.annotations.listing import plural
from affectcheck.datasets.accent_speakers import TABLE, speakers_of
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.corpus_files import entries
from affectcheck.datasets.declared import categories
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.leaving_out import Kept
from affectcheck.datasets.parts import SEED_OPTION, drawn, words
from affectcheck.datasets.pictures import put_media
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.speech_segments import cut
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

#: Native languages of paper 2's test.
LANGUAGES: Final = (
    *("amharic", "arabic", "bengali", "bulgarian", "cantonese", "dutch", "english", "farsi", "french", "german"),
    *("greek", "hindi", "italian", "japanese", "korean", "macedonian", "mandarin", "nepali", "polish", "portuguese"),
    *("romanian", "russian", "serbian", "spanish", "swedish", "tagalog", "thai", "turkish", "ukrainian", "urdu"),
    "vietnamese",
)
#: Clips a language that the limits of paper 2's test were simulated for.
CLIPS: Final = 60
_FOLDERS: Final = ("recordings/recordings", "recordings", ".")
_CHOSEN: Final = "31"

CARD: Final = Card(
    name="speech-accent-archive",
    title="Speech Accent Archive",
    licence="CC BY-NC-SA 4.0, as audEERING's publication of the set states it",
    citation="Weinberger SH (2015). Speech Accent Archive. George Mason University",
    url="https://accent.gmu.edu",
    access="open",
    provenance="no affect labels; sex, age, native language and country as the speakers state them",
    description=(
        "About 2140 speakers of more than 200 native languages read one English paragraph of 69 words. Recordings are "
        "cut into stretches of speech. As for paper 2, 31 native languages with five female and five male speakers each "
        "are read, unless options say otherwise."
    ),
    can_show="whether a model's predictions differ between accents of English where nothing is expressed on purpose",
    cannot_show=(
        "whether predictions are right: no affect labels; anything about free speech (one paragraph); recording "
        "conditions differ between speakers, and reading fluency goes with the native language"
    ),
    layout=f"a folder with {TABLE} and recordings/recordings/ with files such as english1.mp3, as Kaggle distributes it",
    groups=("native_language", "sex", "age"),
    options=(
        Option(
            "languages", "native languages, separated by commas; 31 for those of paper 2, all for every one", _CHOSEN
        ),
        Option("speakers", "so many female and as many male speakers of each language, drawn; 0 for all", 5),
        SEED_OPTION,
        Option("segments", "whether recordings are cut into stretches of speech", default=True),
        Option("longest", "seconds above which a stretch is cut where it is quietest", 4.0),
    ),
    notes=(
        "which speakers paper 2 drew is not known from it; seed= draws others",
        "segments come from the level and the flatness of the spectrum, and are kept in the cache folder",
        f"{CLIPS} clips a language or more are what the limits of paper 2's test assume; a note tells languages with fewer",
        "'famale' in the table is read as female; synthesised voices and files that the table calls missing are left out",
    ),
)


@dataclass(frozen=True)
class _Selection:
    """Which speakers."""

    languages: str
    speakers: int
    seed: int


@dataset(CARD)
def read(  # noqa: PLR0913  # the options of the card, by keyword
    root: Path,
    *,
    languages: str = _CHOSEN,
    speakers: int = 5,
    seed: int = 0,
    segments: bool = True,
    longest: float = 4.0,
    progress: Callable[[int, int], None] | None = None,
) -> AnnotationTable:
    """Read the archive.

    Args:
        root: folder of the table and the recordings.
        languages: native languages, ``31`` or ``all``.
        speakers: of each sex and language; 0 for all.
        seed: of what is drawn.
        segments: whether to cut.
        longest: seconds of the longest segment.
        progress: called with the recordings that are cut and all of them.

    Returns:
        One item a segment, such as ``english1#1250000-3810000``, without targets, with ``native_language``, ``sex``,
        ``age`` (decade), ``age_years``, ``age_onset`` and ``country``. Where no recording is here, one item a speaker.

    Raises:
        UnknownNameError: a language that the table does not have.
        InputError: a table that does not fit, or recordings without speech.
    """
    base = locate(root, (TABLE,), CARD).base
    listed = speakers_of(base / TABLE)
    folder = next((name for name in _FOLDERS if entries(base / name, ".mp3")), _FOLDERS[0])
    paths = (pl.lit("" if folder == "." else f"{folder}/") + pl.col("item") + ".mp3").alias("media")
    placed = put_media(listed.frame, listed.frame.select(paths).to_series(), base, noun="recordings")
    has_any = placed.frame.get_column("media").null_count() < placed.frame.height
    here = placed.frame.filter(pl.col("media").is_not_null()) if has_any else placed.frame
    chosen = _choose(here, _Selection(languages, speakers, seed))
    frame, notes = chosen.frame, (*listed.notes, *placed.notes, *chosen.notes)
    if segments and has_any:
        pieces = cut(frame, base, longest, progress)
        frame, notes = pieces.frame, (*notes, *pieces.notes, *_few(pieces.frame))
    groups = {"native_language": None, "sex": categories("sex-2"), "age": categories("age-9")}
    table = make_table(frame, targets={}, groups=groups, name=CARD.name, root=base, where=str(base))
    return replace(table, notes=notes)


def _choose(frame: pl.DataFrame, selection: _Selection) -> Kept:
    """The speakers of the languages wanted, of each sex as many as wanted."""
    language = pl.col("native_language")
    known = set(frame.get_column("native_language"))
    wanted = {"31": LANGUAGES, "all": tuple(sorted(known))}.get(selection.languages) or words(selection.languages)
    if selection.languages not in ("31", "all"):
        for name in wanted:
            if name not in known:
                raise UnknownNameError.of("native language", name, known, where=CARD.name)
    kept: set[str] = set()
    short: list[str] = []
    absent: list[str] = []
    for name in wanted:
        counts = []
        for sex in ("female", "male"):
            keys = frame.filter((language == name) & (pl.col("sex") == sex)).get_column("item").to_list()
            some = drawn(keys, selection.speakers, selection.seed, CARD.name, name, sex)
            kept |= some
            counts.append(len(some))
        if not any(counts):
            absent.append(name)
        elif min(counts) < selection.speakers:
            short.append(f"{name} ({counts[0]} female, {counts[1]} male)")
    if not kept:
        raise InputError(
            "no speaker is left",
            where=CARD.name,
            expected=f"recordings of {', '.join(wanted[:5])} …",
            cause="a partial copy",
        )
    rows = frame.filter(pl.col("item").is_in(kept))
    languages = rows.get_column("native_language").n_unique()
    verb = "is" if len(kept) == 1 else "are"
    notes = [f"{plural(len(kept), 'speaker')} of {plural(languages, 'native language')} {verb} read"]
    if absent:
        notes.append(f"no speaker of {', '.join(absent)} is here")
    if short:
        notes.append(f"fewer than {selection.speakers} speakers of a sex: {', '.join(short)}")
    return Kept(rows, tuple(notes))


def _few(frame: pl.DataFrame) -> tuple[str, ...]:
    counts = frame.group_by("native_language").len().sort("native_language")
    few = [f"{name} ({count})" for name, count in counts.iter_rows() if count < CLIPS]
    return (f"fewer than {CLIPS} clips: {', '.join(few)}",) if few else ()
