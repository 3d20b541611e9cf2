"""CREMA-D's tables: who the actors are, which clips there are, and what people took each clip for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import gold_by_majority, make_table, read_csv
from affectcheck.datasets.corpus_files import entries, refuse, require_text
from affectcheck.datasets.declared import categories
from affectcheck.datasets.headerless import LINE, misfits
from affectcheck.errors import InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

CREMAD_6: Final = categories("cremad-6")
_LABELS: Final = CREMAD_6.labels
#: Group columns with their schemes; ethnicity has none.
GROUPS: Final = {
    "sex": categories("sex-2"),
    "age": categories("age-9"),
    "race": categories("race-5"),
    "ethnicity": None,
}
_DEV: Final = (1049, *range(1053, 1056), 1058, 1059, *range(1061, 1069), 1070, 1075, 1080, 1085)
_TEST: Final = (1048, 1069, 1071, 1074, *range(1076, 1080), *range(1082, 1085), *range(1086, 1092))
#: audEERING's unofficial partition by actors (audeering/datasets, crema-d 1.1.0); those not named train.
PARTITION: Final = {str(a): "dev" for a in _DEV} | {str(a): "test" for a in _TEST}
#: Codes of the expression that the actor was asked for, in names of clips.
INTENDED: Final = dict(zip(("ANG", "DIS", "FEA", "HAP", "NEU", "SAD"), _LABELS, strict=True))
#: Codes of votes.
VOTED: Final = {label[0].upper(): label for label in _LABELS}
LEVELS: Final = {"LO": "low", "MD": "medium", "HI": "high", "XX": "unspecified"}
#: What people were given to judge by, in the order of the row numbers of tabulatedVotes.csv.
MODALITIES: Final = {"voice": "the voice alone", "face": "the face alone", "av": "voice and face"}
#: What each is called in the columns of summaryTable.csv.
_SUMMARY: Final = {"voice": "Voice", "face": "Face", "av": "MultiModal"}
_MEANS: Final = {
    "anger": "meanAngerResp",
    "disgust": "meanDisgustResp",
    "fear": "meanFearResp",
    "happiness": "meanHappyResp",
    "neutral": "meanNeutralResp",
    "sadness": "meanSadResp",
}
_NO_VOTE: Final = -1.0  # a mean level of a label that nobody chose
_SHOWN: Final = 3  # names in a message
_BLOCK: Final = 100_000
_NUMBER: Final = "row number"  # the first column, which has no name
_NAME: Final = r"^([0-9]{4})_([A-Z]{3})_([A-Z]{3})_([A-Z]{2})$"


def table_path(base: Path, name: str) -> Path | None:
    """Where a table lies: beside the others or in ``processedResults``, packed or not; None if it does not."""
    places = [base / front / (name + end) for front in ("", "processedResults") for end in ("", ".gz")]
    return next((path for path in places if path.is_file()), None)


def read_table_of(base: Path, name: str, needed: tuple[str, ...]) -> pl.DataFrame:
    """A table with the columns needed.

    Raises:
        MissingPathError: it is not there.
        UnknownNameError: it lacks a column.
    """
    path = table_path(base, name)
    if path is None:
        raise MissingPathError.of("table of CREMA-D", base / name, expected=f"{name} there or in processedResults/")
    table = read_csv(path)
    missing = [column for column in needed if column not in table.columns]
    if missing:
        raise UnknownNameError(
            f"the table lacks {', '.join(missing)}",
            where=str(path),
            expected=f"a header with {', '.join(needed)}",
            cause="a table of another data set under the same name",
        )
    return table


def actors(base: Path) -> pl.DataFrame:
    """Actors by number: ``subject``, ``sex``, ``age`` (decade), ``age_years``, ``race`` and ``ethnicity``.

    Raises:
        InputError: an age that is no number, an actor listed twice, or a group that there is not; all are listed.
    """
    table = read_table_of(base, "VideoDemographics.csv", ("ActorID", "Age", "Sex", "Race", "Ethnicity"))
    years = table.get_column("Age").str.strip_chars().cast(pl.Int64, strict=False)
    refuse(
        [f"actor {actor}" for actor in table.filter(years.is_null()).get_column("ActorID")],
        what="actors without an age in whole years",
        where=str(table_path(base, "VideoDemographics.csv")),
    )
    low = years // 10 * 10
    decade = low.cast(pl.String).str.zfill(2) + "-" + (low + 9).cast(pl.String).str.zfill(2)
    people = table.select(
        pl.col("ActorID").str.strip_chars().alias("subject"),
        pl.col("Sex").alias("sex"),
        decade.set(years >= 70, "70+").alias("age"),
        years.alias("age_years"),
        pl.col("Race").alias("race"),
        pl.col("Ethnicity").str.strip_chars().str.to_lowercase().alias("ethnicity"),
    )
    where = str(table_path(base, "VideoDemographics.csv"))
    make_table(people.rename({"subject": "item"}), targets=(), groups=GROUPS, where=where)
    return people


def clips(base: Path) -> pl.DataFrame:
    """Clips in the order of their list, or of the folder of sound where there is none.

    Returns:
        ``item``, ``subject``, ``sentence``, ``intended`` and ``level``.

    Raises:
        InputError: no names, or some that are not of the set's form; all are listed.
    """
    sound = base / "AudioWAV"
    where = table_path(base, "SentenceFilenames.csv")
    if where is None and sound.is_dir():
        where = sound
        stems = [path.stem for path in entries(sound, ".wav")]
        require_text(stems, sound)
        if not stems:
            others = [path.name for path in entries(sound)][:_SHOWN]
            raise InputError(
                f"no recordings: the folder holds {', '.join(others) or 'nothing'}",
                where=str(sound),
                expected="files such as 1001_IEO_NEU_XX.wav, or SentenceFilenames.csv beside the folder",
                cause="recordings of another format, or an archive that was not unpacked",
            )
        listed = pl.Series(stems, dtype=pl.String)
    else:
        listed = read_table_of(base, "SentenceFilenames.csv", ("Filename",)).get_column("Filename")
    names = listed.alias("item").str.strip_chars()
    pieces = pl.col("item").str.extract_groups(_NAME).struct
    frame = names.to_frame().select(
        "item",
        pieces.field("1").alias("subject"),
        pieces.field("2").alias("sentence"),
        pieces.field("3").replace_strict(INTENDED, default=None, return_dtype=pl.String).alias("intended"),
        pieces.field("4").replace_strict(LEVELS, default=None, return_dtype=pl.String).alias("level"),
    )
    refuse(
        frame.filter(pl.any_horizontal(pl.all().is_null())).get_column("item").cast(pl.String).fill_null("").to_list(),
        what="names of clips that are not of the set's form",
        where=str(where),
        expected=f"such as 1001_IEO_NEU_XX: actor, sentence, {', '.join(INTENDED)}, and {', '.join(LEVELS)}",
    )
    return frame


@dataclass(frozen=True, eq=False)
class Votes:
    """What people took clips for.

    Attributes:
        frame: ``item``, ``expression`` (null where the first place is shared), ``perceived_level`` (0 to 100), and
            ``votes`` and ``agreement`` where the copy has them.
        source: the table.
    """

    frame: pl.DataFrame
    source: str


def votes(base: Path, modality: str) -> Votes:
    """The votes on one modality: from the counts, or from the summary where the counts are not here.

    Raises:
        MissingPathError: neither table is here.
        InputError: cells that are no counts.
    """
    path = table_path(base, "tabulatedVotes.csv")
    if path is not None:
        return _counted(base, path, modality)
    return _summarised(base, modality)


def _counted(base: Path, path: Path, modality: str) -> Votes:
    table = read_table_of(base, "tabulatedVotes.csv", ("fileName", *VOTED, *_MEANS.values()))
    number = pl.col(table.columns[0]).cast(pl.Int64, strict=False)
    clip = pl.col("fileName").str.strip_chars().alias("item")
    every = table.select(
        (number // _BLOCK).alias("kind"), pl.col(table.columns[0]).alias(_NUMBER), clip, *VOTED, *_MEANS.values()
    )
    rows = _sound(every.with_row_index(LINE, 2), path).filter(pl.col("kind") == list(MODALITIES).index(modality) + 1)
    counts = rows.select("item", *VOTED)
    gold = gold_by_majority(counts, CREMAD_6, columns={label: code for code, label in VOTED.items()}).frame
    level = pl.coalesce(
        pl.when(pl.col("expression").cast(pl.String) == label).then(pl.col(column)) for label, column in _MEANS.items()
    )
    means = rows.select(pl.col(column).cast(pl.Float64, strict=False) for column in _MEANS.values())
    frame = pl.concat([gold, means], how="horizontal").select(
        "item",
        pl.col("expression").cast(pl.String),
        level.replace(_NO_VOTE, None).alias("perceived_level"),
        "votes",
        "agreement",
    )
    return Votes(frame, str(path))


def _sound(rows: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Rows whose modality is known, each clip once in it, with votes that are counts.

    Raises:
        InputError: others are among them; all are listed.
    """
    kinds = range(1, len(MODALITIES) + 1)
    refuse(
        misfits(rows.select(LINE, "item", _NUMBER), {_NUMBER: rows.get_column("kind").is_in(kinds)}),
        what=f"rows whose first column does not tell how the clip was judged ({', '.join(MODALITIES)})",
        where=str(path),
        expected=f"numbers from {_BLOCK + 1} (voice), {2 * _BLOCK + 1} (face) and {3 * _BLOCK + 1} (av)",
        cause="a table that was saved again without its row numbers, or with new ones",
    )
    alone = ~rows.select("kind", "item").is_duplicated()
    votes = {name: rows.get_column(name).cast(pl.Int64, strict=False) >= 0 for name in VOTED}
    refuse(
        misfits(rows.select(LINE, "item", *VOTED), {"item": alone, **votes}),
        what="rows of a clip that is listed twice, or with votes that are no counts",
        where=str(path),
        expected="each clip once in each way that it was judged, with whole numbers of votes",
    )
    return rows


def _summarised(base: Path, modality: str) -> Votes:
    front = _SUMMARY[modality]
    table = read_table_of(base, "summaryTable.csv", ("FileName", f"{front}Vote", f"{front}Level"))
    choice = pl.col(f"{front}Vote").str.strip_chars()
    frame = table.select(
        pl.col("FileName").str.strip_chars().alias("item"),
        # Ties, such as N:S, are no code and so no label.
        choice.replace_strict(VOTED, default=None, return_dtype=pl.String).alias("expression"),
        pl.col(f"{front}Level").cast(pl.Float64, strict=False).replace(_NO_VOTE, None).alias("perceived_level"),
        choice.alias("choice"),
    )
    strange = frame.filter(
        ~pl.col("choice").str.contains(f"^[{''.join(VOTED)}](:[{''.join(VOTED)}])*$").fill_null(value=False)
    )
    where = str(table_path(base, "summaryTable.csv"))
    refuse(
        [f"{item}: {choice!r}" for item, choice in strange.select("item", "choice").iter_rows()],
        what="votes that are no codes",
        where=where,
        expected=f"{', '.join(VOTED)}, ties joined by a colon",
    )
    return Votes(frame.drop("choice"), where)
