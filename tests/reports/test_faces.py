"""The page of crops: rates by group with intervals, crops and missed pictures by group, and what the table holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.evaluation.detection_rates import detection_rates
from affectcheck.media.faces.table import table_of
from affectcheck.reports.document import Details, Figure, Lines, Pictures, Table, Tiles
from affectcheck.reports.faces import SHOWN, FacesMaterial, faces_document, write_faces_page
from affectcheck.reports.markdown import render_document

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.reports.document import Document, Section

PICTURES = 40


@pytest.fixture
def material() -> FacesMaterial:
    """Forty pictures; of the last ten, all of men, four show no face and one cannot be decoded."""
    media = [f"{n:02}.jpg" for n in range(PICTURES)]
    sex = ["female"] * 15 + ["male"] * 25
    frame = pl.DataFrame({"item": media, "media": media, "sex": sex, "age": ["old", "young"] * 20})
    table = make_table(frame, targets={}, groups=("sex", "age"))
    found = {one: None if n == 39 else n < 30 or n > 33 for n, one in enumerate(media)}
    states = {True: "cropped", False: "no face", None: "unreadable"}
    box = {"box_x1": 0.0, "box_y1": 0.0, "box_x2": 9.0, "box_y2": 9.0, "residual": 2.5}
    rows = [
        {"media": one, "state": states[said]} | (box | {"file": f"cropped_aligned/{one}"} if said else {})
        for one, said in found.items()
    ]
    rates = detection_rates(table, found, by=("sex", "age", "sex*age"))
    missed = {one: f"missed/{one}" for one in ("30.jpg", "31.jpg")}
    return FacesMaterial(
        "people", (("Detector", "made up"),), table_of(rows), rates, dict(zip(media, media, strict=True)), missed
    )


def section(document: Document, anchor: str) -> Section:
    return next(one for one in document.sections if one.anchor == anchor)


def test_rates_have_a_figure_and_a_table_with_intervals(material: FacesMaterial) -> None:
    blocks = section(faces_document(material), "rates").blocks
    sex, age = (block for block in blocks if isinstance(block, Figure))
    assert sex.table is not None
    assert age.table is not None
    rows = [[cell.text for cell in row.cells] + [row.cells[-1].detail] for row in sex.table.rows]
    assert rows == [
        ["female", "15", "15", "100.0 %", "79.6 % to 100.0 %"],
        ["male", "24", "20", "83.3 %", "64.1 % to 93.3 %"],
        ["all", "39", "35", "89.7 %", "76.4 % to 95.9 %"],
    ]
    assert [row.cells[1].weak for row in sex.table.rows] == [True, True, False]
    (crossed,) = (block for block in blocks if isinstance(block, Details))
    assert crossed.summary == "By sex*age: 4 groups"
    (left_out,) = (block for block in blocks if isinstance(block, Lines))
    assert "1 item" in left_out.items[0]


def test_crops_are_shown_by_group_and_missed_pictures_with_theirs(material: FacesMaterial) -> None:
    document = faces_document(material)
    by_sex, by_age = section(document, "crops").blocks
    assert isinstance(by_sex, Details)
    assert isinstance(by_age, Details)
    assert (by_sex.opened, by_age.opened) == (True, False)
    (pictures,) = by_sex.blocks
    assert isinstance(pictures, Pictures)
    assert [name for name, _ in pictures.rows] == ["female (15 pictures)", "male (24 pictures)"]
    assert [len(shown) for _, shown in pictures.rows] == [SHOWN, SHOWN]
    missed = section(document, "missed")
    assert missed.lead.endswith("2 of 4, evenly over them.")
    (block,) = missed.blocks
    assert isinstance(block, Pictures)
    assert [(one.label, one.path, one.detail) for one in block.rows[0][1]] == [
        ("male, old", "missed/30.jpg", "30.jpg"),
        ("male, young", "missed/31.jpg", "31.jpg"),
    ]


def test_the_lowest_rate_is_that_of_a_group_that_says_something() -> None:
    """Of 40 women and 40 men, four men are missed; two of them are all that there is of a group of its own."""
    items = [str(n) for n in range(80)]
    frame = pl.DataFrame({"item": items, "media": items, "sex": ["female"] * 40 + ["male"] * 40})
    frame = frame.with_columns(place=pl.Series(["here"] * 78 + ["there"] * 2))
    table = make_table(frame, targets={}, groups=("sex", "place"))
    rates = detection_rates(table, {item: int(item) < 76 for item in items}, by=("sex", "place"))
    faces = table_of({"media": item, "state": "no face"} for item in items)
    material = FacesMaterial("x", (), faces, rates, dict(zip(items, items, strict=True)))
    tiles = section(faces_document(material), "summary").blocks[0]
    assert isinstance(tiles, Tiles)
    (tile,) = (tile for tile in tiles.tiles if tile.name == "Lowest rate of a group")
    assert tile.value == "90.0 %"
    assert tile.detail.startswith("sex = male")
    assert tile.detail.endswith("the lowest of 3 groups of 30 pictures or more")


def test_small_groups_have_no_tile_of_their_own(material: FacesMaterial) -> None:
    tiles = section(faces_document(material), "summary").blocks[0]
    assert isinstance(tiles, Tiles)
    assert [tile.name for tile in tiles.tiles] == [
        "Faces cropped", "Pictures with a face found", "Landmarks from the template",
    ]  # fmt: skip
    assert [tile.value for tile in tiles.tiles] == ["35", "89.7 %", "2.50"]


def test_what_has_no_annotations_shows_its_sheet_and_its_states() -> None:
    faces = table_of([{"media": "v.mp4", "frame": 1, "state": "no face"}])
    notes = [f"caution {n}" for n in range(300)]
    document = faces_document(FacesMaterial("videos", (), faces, sheet="contact.jpg", notes=notes))
    assert [one.anchor for one in document.sections] == ["summary", "crops", "rows"]
    (table,) = section(document, "rows").blocks
    assert isinstance(table, Table)
    assert [cell.text for row in table.rows for cell in row.cells][:2] == ["no face", "1"]
    said = render_document(document)
    assert "… and 100 more" in said
    assert "caution 199" in said
    assert [one.anchor for one in faces_document(FacesMaterial("videos", (), faces)).sections] == ["summary", "rows"]


def test_without_groups_there_is_one_rate() -> None:
    table = make_table(pl.DataFrame({"item": ["a"], "media": ["a.jpg"]}), targets={})
    faces = table_of([{"media": "a.jpg", "state": "cropped", "file": "cropped_aligned/a.jpg"}])
    material = FacesMaterial("a", (), faces, detection_rates(table, {"a": True}), {"a": "a.jpg"}, sheet="contact.jpg")
    document = faces_document(material)
    (rates,) = (block for block in section(document, "rates").blocks if isinstance(block, Table))
    assert rates.rows[0].cells[0].text == "all"
    assert any(isinstance(block, Pictures) for block in section(document, "crops").blocks)


def test_the_page_needs_nothing_but_the_pictures_beside_it(material: FacesMaterial, tmp_path: Path) -> None:
    for package in ("jinja2", "altair", "vl_convert"):
        pytest.importorskip(package)
    write_faces_page(material, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert 'src="cropped_aligned/00.jpg"' in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "<svg" in page
