"""Units: what must stay in one set. A unit is a subject, or subjects that share a recording, or a single item.

Nesting needs no declaration of its own: clips of a session, sessions of a person, views of a clip and persons of a
video are columns whose equal values link items, and what is linked, however indirectly, is one unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.partitions.options import COLUMN, NONE

if TYPE_CHECKING:
    from affectcheck.partitions.options import PartitionOptions

#: What the items that name no subject are put under, together.
UNKNOWN: Final = "subject unknown"
_MEDIA: Final = "media"
#: Two persons of one video are told apart by this, behind the name of the video, of its folder or of a person.
_SIDE: Final = r"(?i)_(?:left|right)(\.[^./\\]*|$|[/\\])"
#: Two cameras of one recording are told apart by this; the folder in front belongs to the name of the recording.
VIEW: Final = r"(?i)^(.*[/\\])?(?:left|right)(video[^/\\.]*)"
_SAID: Final = {
    _SIDE: "names that end in _left and _right are persons of one video, who stay in one set",
    VIEW: "names such as LeftVideo… and RightVideo… are two views of one recording, which stay in one set",
}


@dataclass(frozen=True, eq=False)
class Units:
    """Which unit every item belongs to.

    Attributes:
        codes: (n,) unit of each item; units are numbered in the order of their first item.
        noun: what a unit is called in messages.
        subjects: (n,) subject of each item, as text; empty where there are none.
        notes: what had to be decided.
    """

    codes: np.ndarray
    noun: str
    subjects: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many units there are."""
        return int(self.codes.max()) + 1


def units_of(frame: pl.DataFrame, options: PartitionOptions) -> Units:
    """The units of a table sorted by item.

    Raises:
        InputError: the table has no subjects and the options do not say how they are found, or the rule does not
            find one in every item.
    """
    subjects = _subjects(frame, options)
    links, notes = [], []
    if subjects is not None:
        unknown = subjects.null_count()
        if unknown:
            notes.append(f"{unknown} items name no subject; they stay together in one set")
        links.append(subjects.fill_null(UNKNOWN))
    alone = _count(_linked(links, frame.height))
    shared = [name for name in options.together if _has(frame, name)]
    links += [_with_own_values(frame.get_column(name)) for name in shared]
    codes = _linked(links, frame.height)
    noun = "items" if subjects is None else "subjects"
    named = ", ".join(shared)
    if _MEDIA in options.together:
        whole, said = _by_recordings(frame, subjects, links, codes)
        if said:
            codes, named = whole, f"{named} or video" if named else "video"
            notes += said
    if _count(codes) < alone:
        notes.append(f"{alone} {noun} make {plural(_count(codes), 'unit')}, as some share the same {named}")
        noun = f"units of {noun} that share the same {named}"
    names = () if subjects is None else tuple(subjects.fill_null(UNKNOWN))
    return Units(codes, noun, names, tuple(notes))


def _count(codes: np.ndarray) -> int:
    return int(codes.max()) + 1


def _has(frame: pl.DataFrame, column: str) -> bool:
    """Whether the table has a column that keeps items together; only that of media may be wanting.

    Raises:
        UnknownNameError: it has not.
    """
    if column not in frame.columns and column != _MEDIA:
        raise UnknownNameError.of("column that keeps items together", column, frame.columns)
    return column in frame.columns


def _by_recordings(
    frame: pl.DataFrame, subjects: pl.Series | None, links: list[pl.Series], codes: np.ndarray
) -> tuple[np.ndarray, list[str]]:
    """The units with all persons and all views of a recording in one, and what that changed, if anything."""
    notes = []
    for rule, said in _SAID.items():
        found = _recordings(frame, subjects, rule)
        links = [*links, *found]
        whole = _linked(links, frame.height) if found else codes
        if _count(whole) < _count(codes):
            codes = whole
            notes.append(said)
    return codes, notes


def _recordings(frame: pl.DataFrame, subjects: pl.Series | None, rule: str) -> list[pl.Series]:
    """Names of recordings, without what tells two persons or two views apart; none where no name has it."""
    media = pl.coalesce(_MEDIA, "item") if _MEDIA in frame.columns else pl.col("item")
    places = [frame.select(media).to_series(), *([] if subjects is None else [subjects])]
    found = []
    for column in places:
        text = column.cast(pl.String)
        if not text.str.contains(rule).any():
            continue
        if rule == _SIDE:  # the person in front has no suffix
            found.append(_with_own_values(text.str.replace_all(rule, "$1")))
        else:
            parts = text.str.extract_groups(rule).struct.unnest()
            found.append(_with_own_values(parts.select(pl.concat_str(pl.col("1").fill_null(""), "2")).to_series()))
    return found


def _subjects(frame: pl.DataFrame, options: PartitionOptions) -> pl.Series | None:
    if options.subjects == NONE:
        return None
    if options.subjects == COLUMN:
        if "subject" in frame.columns and frame.get_column("subject").null_count() < frame.height:
            return frame.get_column("subject").cast(pl.String)
        raise InputError(
            "the table does not say whose items these are, so no partition can be subject-independent",
            expected=(
                "a column 'subject'; or subjects=RULE, a regular expression that finds the subject in the item key, "
                r"such as SN\d+; or subjects='none' if no two items show the same person"
            ),
            cause="folder and file names are not taken for subjects: one person may have two, and one may show two",
        )
    return _by_rule(frame, options)


def _by_rule(frame: pl.DataFrame, options: PartitionOptions) -> pl.Series:
    if options.subject_source not in frame.columns:
        raise InputError(f"the table has no column {options.subject_source!r} for the rule to look in")
    rule = re.compile(options.rule)
    found = [rule.search(text or "") for text in frame.get_column(options.subject_source)]
    names = [None if match is None else match.group(min(rule.groups, 1)) for match in found]
    missed = [item for item, name in zip(frame.get_column("item"), names, strict=True) if not name]
    if missed:
        raise InputError(
            f"the rule '{options.rule}' finds no subject in {len(missed)} of {frame.height} items",
            where=", ".join(missed[:3]),
            expected="a rule that matches every item; or 'column', or 'none'",
            cause="a typing mistake in the rule, or items of another naming scheme",
        )
    return pl.Series("subject", names, dtype=pl.String)


def _with_own_values(column: pl.Series) -> pl.Series:
    """A column as text in which every null is a value of its own."""
    own = pl.Series([f"\0{row}" for row in range(len(column))])
    return pl.select(pl.coalesce(column.cast(pl.String), own)).to_series()


def _linked(links: list[pl.Series], height: int) -> np.ndarray:
    """Connected components of items that share a value in any column; numbered by first item."""
    root = np.arange(height)
    for column in links:
        _, code = np.unique(column.rank("dense").to_numpy(), return_inverse=True)
        before = None
        # each pass joins everything that shares a value, or a component met so far
        while before is None or not np.array_equal(before, root):
            before = root
            smallest = np.full(int(code.max()) + 1, height)
            np.minimum.at(smallest, code, root)
            joined = smallest[code]
            lowest = np.full(height, height)
            np.minimum.at(lowest, root, joined)
            root = np.minimum(lowest[root], joined)
    _, first, codes = np.unique(root, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes]
