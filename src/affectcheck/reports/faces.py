"""The page of crops: whose faces are found, with intervals, and crops to be looked at, by group."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.atomic import write_text
from affectcheck.media.faces.table import CROPPED, STATES, first_crops
from affectcheck.media.faces.writing import evenly
from affectcheck.reports.charts import Dot, DotChart, Panel
from affectcheck.reports.document import (
    Cell,
    Column,
    Details,
    Document,
    Facts,
    Figure,
    Lines,
    Pictures,
    Row,
    Section,
    Table,
    Text,
    Tile,
    Tiles,
    Version,
)
from affectcheck.reports.page import render_page
from affectcheck.reports.partitions.outline import PERCEIVED
from affectcheck.reports.wording import SMALL_SUPPORT, clean, count_text
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from affectcheck.evaluation.detection_rates import DetectionRates
    from affectcheck.reports.document import Block

#: Crops of a group that are shown, evenly over its items.
SHOWN: Final = 6
_CROSSED: Final = "*"
_LISTED: Final = 200  # sentences of a list
_SMALL: Final = f"Hollow and grey: fewer than {SMALL_SUPPORT} pictures."
_FOUND: Final = (
    "A face counts as found where the detector finds one at all: each picture is taken to show one. Who is not found is not "
    "scored later, so that a model may look better on a group than it is. An interval that reaches over the rate of all "
    "pictures does not say that the group is found as often; it says that these pictures cannot tell."
)
_MEANING: Final = {
    "cropped": "there is a crop",
    "no face": "nobody is found in the picture or frame",
    "not seen": "one person of several is not found in the frame",
    "brief": "a face of somebody seen in too few frames, not cropped",
    "smaller": "a face beside the largest, not cropped",
    "lost": "a frame that cannot be decoded",
    "unreadable": "a file that cannot be decoded",
}


@dataclass(frozen=True, eq=False)
class FacesMaterial:
    """All that a page of crops is made from.

    Attributes:
        source: what was looked at.
        facts: how, as names and values.
        faces: the table of faces.
        rates: of annotated pictures; None of others.
        media: item to its picture, of annotated ones.
        missed: picture without a face to a small copy of it, relative to the page.
        sheet: contact sheet, relative to the page; empty for none.
        notes: cautions.
    """

    source: str
    facts: Sequence[tuple[str, str]]
    faces: pl.DataFrame
    rates: DetectionRates | None = None
    media: Mapping[str, str] = field(default_factory=dict)
    missed: Mapping[str, str] = field(default_factory=dict)
    sheet: str = ""
    notes: Sequence[str] = ()


def write_faces_page(material: FacesMaterial, path: Path) -> None:
    """Write the page, whole or not at all; pictures are shown from beside it.

    Raises:
        ExtraMissingError: the extra ``report`` is not installed.
        WriteError: the disk is full or not writable.
    """
    write_text(path, render_page(faces_document(material)))


def faces_document(material: FacesMaterial) -> Document:
    """What the page says."""
    sections = (
        _summary(material),
        *_rates(material),
        *_crops(material),
        *_missed(material),
        _rows(material),
    )
    return clean(
        Document(
            f"Faces of {material.source}",
            "affectcheck faces crop",
            sections,
            footer=f"Written by affectcheck {__version__}",
            rounding="Values are rounded here; the tables beside this page hold them in full.",
            pictures=True,
        )
    )


def _summary(material: FacesMaterial) -> Section:
    blocks: list[Block] = [Tiles(tuple(_tiles(material))), Facts(tuple(material.facts))]
    if material.rates is not None and len(material.rates.frame) > 1:
        blocks.append(Text(PERCEIVED, "note"))
    if material.notes:
        more = [f"… and {len(material.notes) - _LISTED} more"] if len(material.notes) > _LISTED else []
        blocks.append(Lines((*material.notes[:_LISTED], *more), "Cautions"))
    return Section("summary", "Summary", tuple(blocks))


def _tiles(material: FacesMaterial) -> Iterator[Tile]:
    faces = material.faces
    yield Tile("Faces cropped", f"{(faces['state'] == CROPPED).sum():,}", count_text(faces["media"].n_unique(), "file"))
    if material.rates is not None:
        whole, *groups = material.rates.frame.to_dicts()
        yield Tile("Pictures with a face found", _percent(whole["rate"]), f"95 % interval {_interval(whole)}", "rates")
        large = [row for row in groups if row["pictures"] >= SMALL_SUPPORT]
        if large:
            least = min(large, key=lambda row: row["rate"])
            yield Tile(
                "Lowest rate of a group",
                _percent(least["rate"]),
                f"{least['attribute']} = {least['group']}, {_interval(least)}; the lowest of {len(large)} groups of "
                f"{SMALL_SUPPORT} pictures or more",
                "rates",
            )
    residuals = faces.get_column("residual").drop_nulls().to_list()
    if residuals:
        yield Tile(
            "Landmarks from the template",
            f"{sum(residuals) / len(residuals):.2f}",
            "pixels of 112 on the mean; seen from the front, about 2",
        )


def _rates(material: FacesMaterial) -> tuple[Section, ...]:
    if material.rates is None:
        return ()
    frame = material.rates.frame
    whole = frame.row(0, named=True)
    blocks: list[Block] = [
        Text(_FOUND, "note"),
        *([Lines(material.rates.notes, "Left out")] if material.rates.notes else []),
    ]
    for attribute in frame.get_column("attribute").unique(maintain_order=True).to_list():
        rows = frame.filter(frame["attribute"] == attribute).to_dicts()
        if attribute:
            blocks.append(_by_attribute(attribute, rows, whole))
    if len(frame) == 1:
        blocks.append(_table("How often a face is found in a picture.", [whole]))
    return (Section("rates", "Whose faces are found", tuple(blocks)),)


def _by_attribute(attribute: str, rows: Sequence[dict[str, Any]], whole: dict[str, Any]) -> Block:
    table = _table(
        f"Pictures in which a face is found, by {attribute}, with Wilson's intervals. {_SMALL}", [*rows, whole]
    )
    if _CROSSED in attribute:
        return Details(f"By {attribute}: {count_text(len(rows), 'group')}", (table,))
    dots = [_dot(whole, "all", whole=True), *(_dot(row, row["group"]) for row in rows)]
    caption = (
        f"Detection rate by {attribute}: dots, with lines for 95 % intervals; square and dashed line: all pictures. "
    )
    caption += "The axis begins where the intervals do."
    said = "; ".join(f"{row['group']}: {_percent(row['rate'])}, {_interval(row)}" for row in rows)
    chart = DotChart(
        (Panel("", tuple(dots)),), f"Detection rates by {attribute}. {said}", axis="Share of pictures", zoomed=True
    )
    return Figure(chart, caption, table, folded=False)


def _table(caption: str, rows: Sequence[dict[str, Any]]) -> Table:
    columns = (
        Column("Group"),
        Column("Pictures", "number"),
        Column("Found", "number"),
        Column("Rate, 95 % interval", "number"),
    )
    made = []
    for row in rows:
        weak = row["pictures"] < SMALL_SUPPORT
        counts = [Cell(f"{row[name]:,}", weak=weak) for name in ("pictures", "found")]
        rate = Cell(_percent(row["rate"]), detail=_interval(row), weak=weak)
        made.append(Row((Cell(row["group"] or "all"), *counts, rate)))
    return Table(caption, columns, tuple(made))


def _dot(row: dict[str, Any], label: str, *, whole: bool = False) -> Dot:
    weak = row["pictures"] < SMALL_SUPPORT
    return Dot(label, row["rate"], row["low"], row["high"], weak=weak, whole=whole)


def _percent(rate: float) -> str:
    return f"{rate:.1%}".replace("%", " %")


def _interval(row: dict[str, Any]) -> str:
    return f"{_percent(row['low'])} to {_percent(row['high'])}"


def _crops(material: FacesMaterial) -> tuple[Section, ...]:
    """Crops by group, of what has no groups the contact sheet."""
    blocks: list[Block] = []
    crops = first_crops(material.faces)
    for attribute in _attributes(material):
        rows = [
            (f"{group} ({count_text(len(pictures), 'picture')})", _shown(pictures, crops))
            for group, pictures in _pictures_of(material, attribute).items()
        ]
        blocks.append(Details(f"By {attribute}", (Pictures(tuple(rows)),), opened=not blocks))
    if not blocks and material.sheet:
        blocks.append(Pictures((("Some of the crops", (Version("", material.sheet),)),)))
    return (Section("crops", "Crops to be looked at", tuple(blocks)),) if blocks else ()


def _attributes(material: FacesMaterial) -> list[str]:
    columns = [] if material.rates is None else material.rates.items.columns
    return [name for name in columns if name not in ("item", "found") and _CROSSED not in name]


def _pictures_of(material: FacesMaterial, attribute: str) -> dict[str, list[str]]:
    """Group to the pictures of its items."""
    items = material.rates.items if material.rates is not None else pl.DataFrame()
    found: dict[str, list[str]] = {}
    for item, group in items.filter(pl.col(attribute).is_not_null()).select("item", attribute).iter_rows():
        found.setdefault(group, []).append(material.media[item])
    return dict(sorted(found.items()))


def _shown(pictures: Sequence[str], crops: Mapping[str, str]) -> tuple[Version, ...]:
    return tuple(Version("", crop) for crop in evenly([crops[one] for one in pictures if one in crops], SHOWN))


def _missed(material: FacesMaterial) -> tuple[Section, ...]:
    if not material.missed:
        return ()
    groups: dict[str, list[str]] = {}
    for attribute in _attributes(material):
        for group, pictures in _pictures_of(material, attribute).items():
            for one in pictures:
                groups.setdefault(one, []).append(group)
    copies = tuple(
        Version(", ".join(groups[media]) if media in groups else media, path, media if media in groups else "")
        for media, path in material.missed.items()
    )
    of = material.faces.filter(pl.col("state") == "no face", pl.col("frame").is_null()).height
    lead = "Small copies of the pictures in which no face is found"
    lead += f": {len(copies)} of {of}, evenly over them." if len(copies) < of else "."
    return (Section("missed", "Pictures without a face", (Pictures((("Not found", copies),)),), lead),)


def _rows(material: FacesMaterial) -> Section:
    columns = (Column("State"), Column("Rows", "number"), Column("Meaning"))
    counts = {state: int((material.faces["state"] == state).sum()) for state in STATES}
    rows = tuple(
        Row((Cell(state), Cell(f"{count:,}"), Cell(_MEANING[state]))) for state, count in counts.items() if count
    )
    table = Table("Rows of faces.csv by state: one a frame and person.", columns, rows)
    return Section("rows", "What the table holds", (table,))
