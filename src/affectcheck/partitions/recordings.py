"""Recordings under several names: views from several cameras, persons of one video, frames of one video.

Nothing here is taken for a person: which names are one person's is stated, never guessed. What the names of recordings
say of the recordings is read, by rules that are stated too and can be changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.partitions.audit_options import AUTO, NEVER
from affectcheck.partitions.findings import Finding, Judgement
from affectcheck.partitions.leaks import leaks_of
from affectcheck.partitions.set_names import meant
from affectcheck.partitions.units import VIEW
from affectcheck.schemes import CategoryScheme, fold

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable

#: Aff-Wild2's second and third person of a video.
_PERSON: Final = r"(?i)^(.*?)_(?:left|right)(?:\.[^./\\]*)?(?:[/\\].*)?$"
_NUMBERED: Final = r"^(.*)[/\\](\d+)\.[A-Za-z0-9]+$"
_PATH: Final = r"^(.*?)(?:[/\\]\d+)?(?:\.[A-Za-z0-9]+)?$"
_DIGITS: Final = 3  # a frame number is padded: 001; a picture's number mostly is not
_SETS: Final = ("train", "validation", "test")


def paths_of(table: AnnotationTable) -> pl.Series:
    """Where each item lies: its media, or its key where it names none."""
    if "media" not in table.frame.columns:
        return table.items
    return table.frame.select(pl.coalesce(pl.col("media").cast(pl.String), "item")).to_series()


def by_rule(paths: pl.Series, rule: str) -> pl.Series:
    """What a rule finds in each path: its groups, joined, or the whole match; null where it finds nothing."""
    groups = paths.str.extract_groups(rule)
    if not groups.struct.fields:
        return paths.str.extract(f"({rule})")
    joined = groups.to_frame("found").unnest("found").select(pl.concat_str(pl.all(), ignore_nulls=True))
    return pl.select(pl.when(paths.str.contains(rule)).then(joined.to_series())).to_series()


def views(paths: pl.Series, frame: pl.DataFrame, rule: str) -> Judgement:
    """Judge that all views of a recording are in one set.

    Args:
        paths: of the items.
        frame: ``item`` and ``part``.
        rule: ``auto``, ``none`` or an expression.
    """
    name, point = "no view of a recording in two sets", "iv"
    if rule == NEVER:
        return Judgement(Finding(name, "not applicable", "stated: no two recordings are views of one", point=point))
    found = by_rule(paths, VIEW if rule == AUTO else rule)
    if found.null_count() == len(found):
        told = "no names such as LeftVideo… and RightVideo…" if rule == AUTO else f"the rule {rule!r} finds none"
        return Judgement(Finding(name, "not applicable", told, point=point))
    return leaks_of(name, frame, found, "recordings with several views")


def persons(table: AnnotationTable, paths: pl.Series, frame: pl.DataFrame) -> Judgement:
    """Judge that the persons of one video are in one set: other people, but one scene. A caution, no leak.

    Args:
        table: the items.
        paths: of the items.
        frame: ``item`` and ``part``.
    """
    rule, point = "persons of one video in one set", "iv"
    video = paths.str.extract(_PERSON)
    if table.has_subjects:
        of_subject = table.frame.get_column("subject").cast(pl.String).str.extract(_PERSON)
        video = pl.select(pl.coalesce(video, of_subject)).to_series()
    if video.null_count() == len(video):
        return Judgement(Finding(rule, "not applicable", "no names that end in _left or _right", point=point))
    named = video.unique().drop_nulls().implode()
    plain = paths.str.extract(_PATH)  # the person in front has no suffix
    video = pl.select(pl.coalesce(video, pl.when(plain.is_in(named)).then(plain))).to_series()
    found = leaks_of(rule, frame, video, "videos of several persons")
    if found.finding.status == "passed":
        return found
    told = f"{found.finding.reason}; other people, but of one scene"
    return Judgement(Finding(rule, "inconclusive", told, found.finding.items, point), found.offending)


def frames(table: AnnotationTable, paths: pl.Series, frame: pl.DataFrame, rule: str) -> Judgement:
    """Judge that all frames of a video are in one set.

    Args:
        table: the items; a column ``frame`` says that they are frames.
        paths: of the items.
        frame: ``item`` and ``part``.
        rule: ``auto``, ``none`` or an expression that finds the video.
    """
    name, point = "no frames of one video in two sets", "iv"
    if rule == NEVER:
        return Judgement(Finding(name, "not applicable", "stated: no items are frames of one video", point=point))
    if rule != AUTO:
        return leaks_of(name, frame, by_rule(paths, rule), "videos")
    stated = "frame" in table.frame.columns and table.frame.get_column("frame").null_count() < table.height
    video = _folders(table, paths, stated=stated)
    if video.null_count() == len(video):
        return Judgement(Finding(name, "not applicable", "no folders of numbered frames", point=point))
    found = leaks_of(name, frame, video, "videos")
    if stated or found.finding.status == "passed":
        return found
    told = (
        f"{found.finding.reason}; folders of files that are numbered alike are taken for videos, unless told otherwise"
    )
    return Judgement(Finding(name, "failed", told, found.finding.items, point), found.offending)


def _folders(table: AnnotationTable, paths: pl.Series, *, stated: bool) -> pl.Series:
    """Folder of each item whose file name is a number, where the folder is a video's."""
    groups = paths.str.extract_groups(_NUMBERED).to_frame("found").unnest("found")
    cut = groups.rename(dict(zip(groups.columns, ("folder", "number"), strict=True)))
    if stated or cut.get_column("folder").null_count() == cut.height:
        return cut.get_column("folder")
    known = cut.drop_nulls()
    # numbers that occur in one folder only are names of pictures, not of frames
    repeated = pl.col("folder").n_unique().over("number") > 1
    digits = pl.col("number").str.len_chars()
    by_folder = (
        known.with_columns(repeated.alias("repeated"))
        .group_by("folder")
        .agg(pl.col("repeated").any(), digits.min().alias("least"), digits.max().alias("most"))
    )
    alike = by_folder.filter(pl.col("repeated"), pl.col("least") >= _DIGITS, pl.col("least") == pl.col("most"))
    videos = [name for name in alike.get_column("folder") if not _is_kind(name, _labels(table))]
    if 2 * len(videos) < by_folder.height:
        videos = []
    folder = cut.get_column("folder")
    return pl.select(pl.when(folder.is_in(videos)).then(folder)).to_series()


def _labels(table: AnnotationTable) -> frozenset[str]:
    """Spellings of every class, since pictures are often sorted into folders by class."""
    schemes = [target.scheme for target in table.targets.values()]
    return frozenset(name for one in schemes if isinstance(one, CategoryScheme) for name in one.spellings())


def _is_kind(folder: str, labels: frozenset[str]) -> bool:
    """Whether a folder is called after a set or a class."""
    last = folder.replace("\\", "/").rsplit("/", 1)[-1]
    return meant(last, _SETS) in _SETS or fold(last) in labels
