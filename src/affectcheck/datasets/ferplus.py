"""FER+: the pictures of FER2013 with the votes of ten annotators each, from which a label is made by a stated rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import gold_by_majority, make_table, read_csv
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.corpus_files import refuse
from affectcheck.datasets.declared import categories
from affectcheck.datasets.headerless import LINE, Form, misfits, read_columns
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.leaving_out import leave_out, without_repeats
from affectcheck.datasets.pictures import put_media
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.relabel import MAPPING_OPTION, SCHEME_OPTION, relabel
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.schemes import CategoryScheme, Target

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

#: Columns of votes, in the order of the file.
EMOTIONS: Final = ("neutral", "happiness", "surprise", "sadness", "anger", "disgust", "fear", "contempt")
_NO_EMOTIONS: Final = {"unknown": "unknown", "NF": "not a face"}
VOTES: Final = (*EMOTIONS, *_NO_EMOTIONS)
_BALLOT: Final = CategoryScheme("fer-ballot", VOTES, source="FER+ (Barsoum et al., 2016)")
_SCHEME: Final = categories("expressions-8-contempt")
_USAGES: Final = {"Training": "train", "PublicTest": "validation", "PrivateTest": "test"}
_FOLDERS: Final = {"FER2013Train": "train", "FER2013Valid": "validation", "FER2013Test": "test"}
_FILES: Final = ("fer2013new.csv", "fer2013new.csv.gz")
_LABELS: Final = tuple(f"{front}{folder}/label.csv" for front in ("data/", "") for folder in _FOLDERS)
_FORM: Final = Form(("name", "box", *VOTES), 'fer0032220.png,"(0, 0, 48, 48)",0,8,0,0,0,0,0,0,2,0', quoted=True)
_RULES: Final = ("most", "half")

CARD: Final = Card(
    name="ferplus",
    title="FER+: FER2013 with the votes of ten annotators a picture",
    licence="MIT for the votes; the pictures of FER2013, to be had from Kaggle, carry no clear licence",
    citation=(
        "Barsoum E, Zhang C, Canton Ferrer C, Zhang Z (2016). Training deep networks for facial expression recognition "
        "with crowd-sourced label distribution. ICMI 2016"
    ),
    url="https://github.com/microsoft/FERPlus",
    access="open (votes)",
    description=(
        "35887 grey pictures of 48 x 48 pixels from the web. Ten people a picture chose one of eight expressions, unknown "
        "or not a face; the label is made here from their votes."
    ),
    provenance="manual: ten votes a picture, by a rule that the options state",
    can_show=(
        "how well a model tells expressions in small pictures apart, and how far it may go at all: ten votes show how "
        "much people agree"
    ),
    cannot_show="anything about subjects, age, gender or race (not annotated), valence and arousal, or what people felt",
    layout=(
        "fer2013new.csv (or .csv.gz), or a folder that holds it, or one with data/FER2013Train/label.csv, FER2013Valid "
        "and FER2013Test; pictures, if any, in these folders"
    ),
    targets=(Target("expression", _SCHEME),),
    items=35_887,
    options=(
        Option("rule", "the label that wins: that with most votes, or only one with more than half of them", "most"),
        Option("least_votes", "votes that a label needs to count at all; 2 takes single votes for slips", 1),
        SCHEME_OPTION,
        MAPPING_OPTION,
    ),
    notes=(
        "173 rows have no name; all ten of their votes are not a face",
        "four names stand in the file twice, three of them with the same votes; one row has nine votes",
        "pictures without a winning expression (a tie, unknown, not a face) are left out and counted",
        "Usage is the partition: Training is train, PublicTest validation, PrivateTest test",
    ),
)


@dataclass(frozen=True, eq=False)
class Ballots:
    """Votes as a copy has them.

    Attributes:
        frame: ``line``, ``item``, ``partition`` and a column of votes for each of ten choices.
        where: the file, for messages.
        base: folder that pictures are relative to.
    """

    frame: pl.DataFrame
    where: str
    base: Path


@dataset(CARD)
def read(
    root: Path, *, rule: str = "most", least_votes: int = 1, scheme: str = "", mapping: str = ""
) -> AnnotationTable:
    """Read the votes and make a label of them.

    Args:
        root: the file of votes, or a folder.
        rule: ``most`` or ``half``.
        least_votes: votes that a label needs to count.
        scheme: label scheme to map to; empty for ``expressions-8-contempt``.
        mapping: labels that go elsewhere than to their namesake in that scheme.

    Returns:
        One item a picture with a winning expression, with ``partition``, the votes (``votes_neutral`` and so on) and
        their ``agreement``, the winner's share. Notes count what was left out.

    Raises:
        UnknownNameError: another rule, or columns or usages that the file does not have.
        InputError: votes that are no counts; all are listed.
    """
    if rule not in _RULES:
        raise UnknownNameError.of("rule for the label", rule, _RULES, where=CARD.name)
    if least_votes < 1:
        raise InputError(f"least_votes is {least_votes}", where=CARD.name, expected="1 or more")
    ballots = _ballots(root)
    named = leave_out(ballots.frame, {"without a name of the picture": pl.col("item").is_null()})
    alone = without_repeats(named.frame, "item", [*VOTES, "partition"], noun="pictures")
    judged = _judged(alone.frame, rule, least_votes)
    reasons = {f"whose votes say {words}": pl.col("winner") == name for name, words in _NO_EMOTIONS.items()}
    reasons["without one winner (a tie, or too few votes)"] = pl.col("winner").is_null()
    kept = leave_out(judged, reasons, where=ballots.where)
    fronts = {part: folder for folder, part in _FOLDERS.items()}
    folder = kept.frame.get_column("partition").replace_strict(fronts, return_dtype=pl.String)
    placed = put_media(kept.frame, folder + "/" + kept.frame.get_column("item"), ballots.base, noun="pictures")
    columns = [pl.col(name).alias(f"votes_{name.lower()}") for name in VOTES]
    table = make_table(
        placed.frame.select("item", "media", "partition", pl.col("winner").alias("expression"), "agreement", *columns),
        targets=CARD.targets,
        name=CARD.name,
        root=ballots.base,
        where=ballots.where,
    )
    notes = (f"rule {rule}, least_votes {least_votes}", *named.notes, *alone.notes, *kept.notes, *placed.notes)
    return relabel(replace(table, notes=notes), "expression", scheme, mapping)


def _judged(frame: pl.DataFrame, rule: str, least_votes: int) -> pl.DataFrame:
    """With ``winner``, one of the ten choices or null, and ``agreement``, its share of the votes that count."""
    votes = frame.select("item", *(pl.when(pl.col(name) >= least_votes).then(name).otherwise(0) for name in VOTES))
    gold = gold_by_majority(votes, _BALLOT, columns={name: name for name in VOTES}, name="winner").frame
    won = pl.col("agreement") > (0.5 if rule == "half" else 0.0)
    judged = gold.select(pl.when(won).then(pl.col("winner").cast(pl.String)).alias("winner"), "agreement")
    return pl.concat([frame, judged], how="horizontal")


def _ballots(root: Path) -> Ballots:
    if root.is_file():
        return _one_file(root)
    found = locate(root, (*_FILES, *_LABELS), CARD)
    return _one_file(found.path) if found.path.name in _FILES else _folder_form(found.path.parent.parent)


def _one_file(path: Path) -> Ballots:
    table = read_csv(path)
    needed = ["Usage", "Image name", *VOTES]
    missing = [name for name in needed if name not in table.columns]
    if missing:
        raise UnknownNameError(
            f"the file of votes lacks {', '.join(missing)}",
            where=str(path),
            expected=f"a header with {', '.join(needed)}",
            cause="fer2013.csv, which has one label and the pixels; the votes are in fer2013new.csv",
        )
    usage = pl.col("Usage").str.strip_chars().replace_strict(_USAGES, default=None, return_dtype=pl.String)
    frame = (
        table.select(needed)
        .with_row_index(LINE, 2)
        .select(LINE, pl.col("Image name").str.strip_chars().alias("item"), usage.alias("partition"), "Usage", *VOTES)
    )
    frame = _counted(frame, path)
    folder = path.parent
    base = folder / "data" if (folder / "data").is_dir() else folder
    return Ballots(frame, str(path), base)


def _folder_form(base: Path) -> Ballots:
    frames = []
    for folder, part in _FOLDERS.items():
        path = base / folder / "label.csv"
        if not path.is_file():
            raise MissingPathError.of("list of votes", path, expected=f"label.csv in each of {', '.join(_FOLDERS)}")
        rows = read_columns(path, _FORM)
        item = pl.col("name").str.strip_chars().replace("", None).alias("item")
        frames.append(_counted(rows.select(LINE, item, pl.lit(part).alias("partition"), *VOTES), path))
    return Ballots(pl.concat(frames), str(base), base)


def _counted(frame: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Votes as numbers.

    Raises:
        InputError: rows with another usage, or with votes that are no counts; all are listed.
    """
    votes = frame.with_columns(pl.col(VOTES).str.strip_chars().cast(pl.Int64, strict=False))
    fits = {name: votes.get_column(name) >= 0 for name in VOTES}
    if "Usage" in frame.columns:
        fits["Usage"] = frame.get_column("partition").is_not_null()
    refuse(
        misfits(frame, fits),
        what="rows whose usage or votes do not fit",
        where=str(path),
        expected=f"a usage of {', '.join(_USAGES)} and ten counts from 0",
    )
    return votes
