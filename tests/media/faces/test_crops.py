"""From files to crops and their table, with a detector that is told where faces are."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from affectcheck.errors import InputError
from affectcheck.media.faces.crops import CropOptions, Cropped, crop
from affectcheck.media.faces.detector import Face
from affectcheck.media.faces.registry import FACE_DETECTORS
from affectcheck.media.faces.seen_frames import Choice, pictures_of
from affectcheck.media.faces.sources import find_sources
from affectcheck.media.faces.table import MEASURED, SCHEMA
from affectcheck.media.faces.template import template
from affectcheck.media.faces.writing import Cutting, write_sheet
from affectcheck.media.image import decode_image

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

pytest.importorskip("cv2")
av = pytest.importorskip("av")
Image = pytest.importorskip("PIL.Image")

SIZE = 48
COLOURS = {"red": (220, 30, 30), "green": (30, 200, 40), "blue": (30, 40, 220)}


@dataclass(frozen=True)
class Squares:
    """Finds squares of full colour, and writes down how often it was asked."""

    name: str = "squares"
    digest: str = "squares"
    asked: list[int] = field(default_factory=list)

    def detect(self, pixels: np.ndarray) -> list[Face]:
        self.asked.append(len(self.asked))
        found = []
        for colour in COLOURS.values():
            rows, columns = np.nonzero((np.abs(pixels.astype(int) - colour) < 60).all(axis=2))
            if len(rows) < 400:
                continue
            left, up, right, low = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
            points = template() * ((right - left) / 112) + (left, up)
            found.append(Face.of((left, up, right, low), points, 0.9 + (right - left) / 10_000))
        return sorted(found, key=lambda face: -face.score)


@pytest.fixture
def squares(monkeypatch: pytest.MonkeyPatch) -> Squares:
    made = Squares()
    FACE_DETECTORS.names()
    monkeypatch.setitem(FACE_DETECTORS._parts, "squares", lambda: made)
    return made


class Memory:
    """A journal that lives in a dictionary, and may break down after so many records."""

    def __init__(self, records: dict[str, Any], left: int = 10**9) -> None:
        self.records, self.left = records, left

    def get(self, key: str) -> dict[str, Any] | None:
        return self.records.get(key)

    def put(self, records: Iterable[dict[str, Any]], *, remember: bool = True) -> None:
        del remember
        for record in records:
            if self.left <= 0:
                raise KeyboardInterrupt
            self.left -= 1
            self.records[record["key"]] = record

    def close(self) -> None:
        pass


def picture(**places: int) -> np.ndarray:
    """A dotted grey with squares of colour; a place is how far right the square begins."""
    pixels = np.full((120, 320, 3), 128, np.uint8)
    for colour, left in places.items():
        up = {"red": 8, "green": 36, "blue": 64}[colour]
        pixels[up : up + SIZE, left : left + SIZE] = COLOURS[colour]
        pixels[up + 10 : up + 14, left + 8 : left + 40] = (250, 250, 250)
    return pixels


def saved(path: Path, pixels: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)


def filmed(path: Path, pictures: Iterable[np.ndarray]) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=25, options={"qscale:v": "2"})
        stream.width, stream.height, stream.pix_fmt = 320, 120, "yuv420p"
        for pixels in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        container.mux(stream.encode(None))


def cropped(root: Path, output: Path, records: dict[str, Any] | None = None, **options: Any) -> Cropped:
    held = {} if records is None else records
    sources = find_sources(root, sequences=options.pop("sequences", False)).sources
    left = options.pop("left", 10**9)
    return crop(
        sources,
        output,
        stores=lambda name: Memory(held.setdefault(name, {}), left),
        options=CropOptions(detector="squares", **options),
    )


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def crossing() -> Iterator[np.ndarray]:
    """Red and blue pass each other; blue is away in frames 21 to 25, nobody is there in 31 and 32."""
    for n in range(40):
        if n in (30, 31):
            yield picture()
        elif 20 <= n < 25:
            yield picture(red=10 + 5 * n)
        else:
            yield picture(blue=250 - 5 * n, red=10 + 5 * n)


def test_a_picture_has_a_row_and_a_crop_a_face(squares: Squares, tmp_path: Path) -> None:
    saved(tmp_path / "in" / "two.png", picture(red=200, blue=20))
    saved(tmp_path / "in" / "sub" / "one.png", picture(red=50))
    saved(tmp_path / "in" / "none.png", picture())
    saved(tmp_path / "in" / "three.png", picture(red=10, blue=100, green=220))
    made = cropped(tmp_path / "in", tmp_path / "out")
    assert dict(made.table.schema) == SCHEMA
    rows = {(row["media"], row["person"]): row for row in made.table.to_dicts()}
    assert set(rows) == {
        ("two.png", "left"), ("two.png", "right"), ("sub/one.png", ""), ("none.png", None),
        ("three.png", "1"), ("three.png", "2"), ("three.png", "3"),
    }  # fmt: skip
    none = rows["none.png", None]
    assert (none["state"], none["file"]) == ("no face", None)
    assert none["reason"] == "squares finds no face in the picture"
    assert all(none[column] is None for column in MEASURED)
    left = rows["two.png", "left"]
    assert left["box_x1"] == 20
    assert left["landmark_nose_x"] == pytest.approx(20 + template()[2, 0] * SIZE / 112 - 0.5)
    assert left["residual"] == pytest.approx(0, abs=1e-9)
    assert left["file"] == "cropped_aligned/two_left.jpg"
    assert set(files(tmp_path / "out")) == {row["file"] for row in rows.values() if row["file"]}
    seen = decode_image(tmp_path / "out" / left["file"]).pixels
    assert seen.shape == (112, 112, 3)
    assert np.abs(seen[60:110, 5:105].mean(axis=(0, 1)) - COLOURS["blue"]).max() < 12
    assert len(squares.asked) == 4


def test_what_was_found_is_not_looked_for_again(squares: Squares, tmp_path: Path) -> None:
    saved(tmp_path / "in" / "a.png", picture(red=50))
    records: dict[str, Any] = {}
    first = cropped(tmp_path / "in", tmp_path / "out", records)
    saved(tmp_path / "in" / "b.png", picture(blue=50))
    second = cropped(tmp_path / "in", tmp_path / "other", records, cutting=Cutting(side=64, boxes=True, margin=0.1))
    assert len(squares.asked) == 2
    assert second.table.head(1).drop("file", "box_file").equals(first.table.drop("file", "box_file"))
    assert decode_image(tmp_path / "other" / "cropped" / "a.jpg").pixels.shape == (64, 64, 3)


def test_of_a_picture_the_largest_face_alone(squares: Squares, tmp_path: Path) -> None:
    pixels = picture(red=200)
    pixels[20:100, 20:100] = COLOURS["blue"]  # larger, and so surer too
    saved(tmp_path / "in" / "a.png", pixels)
    made = cropped(tmp_path / "in", tmp_path / "out", largest=True).table
    assert made.get_column("state").to_list() == ["cropped", "smaller"]
    assert made.get_column("file").to_list() == ["cropped_aligned/a.jpg", None]
    assert made.get_column("box_x1").to_list() == [20.0, 200.0]


def test_a_file_that_is_no_picture_is_a_row_with_a_reason(squares: Squares, tmp_path: Path) -> None:
    saved(tmp_path / "in" / "a.png", picture(red=50))
    (tmp_path / "in" / "text.jpg").write_text("a letter")
    (tmp_path / "in" / "text.mp4").write_text("a letter")
    made = cropped(tmp_path / "in", tmp_path / "out").table
    assert made.get_column("state").to_list() == ["cropped", "unreadable", "unreadable"]
    assert all(made.filter(pl.col("state") == "unreadable").get_column("reason").str.len_chars() > 10)


def test_people_of_a_video_are_left_and_right_and_every_frame_has_rows(squares: Squares, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    filmed(tmp_path / "in" / "video5.mp4", crossing())
    made = cropped(tmp_path / "in", tmp_path / "out").table
    assert made.height == 80
    assert made.group_by("frame").len().get_column("len").unique().to_list() == [2]
    states = {
        person: made.filter(pl.col("person") == person).get_column("state").to_list() for person in ("left", "right")
    }
    absent = {
        person: [n + 1 for n, state in enumerate(found) if state != "cropped"] for person, found in states.items()
    }
    # Red begins on the left, and is there more often before they have passed each other than after.
    red = made.filter((pl.col("frame") == 1) & (pl.col("box_x1") < 100)).get_column("person").item()
    blue = "right" if red == "left" else "left"
    assert absent[red] == [31, 32]
    assert absent[blue] == [21, 22, 23, 24, 25, 31, 32]
    assert [states[blue][n] for n in (20, 30)] == ["not seen", "no face"]
    for person, colour in ((red, "red"), (blue, "blue")):
        names = sorted(path.name for path in (tmp_path / "out" / "cropped_aligned" / f"video5_{person}").iterdir())
        assert names == [f"{n:05}.jpg" for n in range(1, 41) if n not in absent[person]]
        for name in (names[0], names[18], names[-1]):
            seen = decode_image(tmp_path / "out" / "cropped_aligned" / f"video5_{person}" / name).pixels
            assert np.abs(seen[60:110, 10:100].mean(axis=(0, 1)) - COLOURS[colour]).max() < 40
    assert made.filter(pl.col("frame") == 26).get_column("time_us").unique().to_list() == [1_000_000]


@pytest.mark.parametrize(
    ("choice", "numbers"),
    [(Choice(every=10), [1, 11, 21, 31]), (Choice(fps=5), [1, 6, 11, 16, 21, 26, 31, 36])],
)
def test_frames_are_chosen_by_number_or_time(
    squares: Squares, tmp_path: Path, choice: Choice, numbers: list[int]
) -> None:
    (tmp_path / "in").mkdir()
    filmed(tmp_path / "in" / "v.mp4", crossing())
    made = cropped(tmp_path / "in", tmp_path / "out", choice=choice).table
    assert made.get_column("frame").unique(maintain_order=True).to_list() == numbers
    assert len(squares.asked) == len(numbers)


@pytest.mark.parametrize("left", [0, 7, 40])
def test_a_run_that_broke_off_goes_on_and_ends_alike(squares: Squares, tmp_path: Path, left: int) -> None:
    (tmp_path / "in").mkdir()
    filmed(tmp_path / "in" / "v.mp4", crossing())
    records: dict[str, Any] = {}
    with pytest.raises(KeyboardInterrupt):
        cropped(tmp_path / "in", tmp_path / "broken", records, left=left)
    broken = cropped(tmp_path / "in", tmp_path / "broken", records)
    assert len(squares.asked) == 40 + (left < 40)  # the frame at hand when it broke off
    whole = cropped(tmp_path / "in", tmp_path / "whole")
    assert broken.table.equals(whole.table)
    assert files(tmp_path / "broken") == files(tmp_path / "whole")


def test_who_is_seen_in_few_frames_is_listed_and_not_cropped(squares: Squares, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    filmed(tmp_path / "in" / "v.mp4", [picture(red=50, **({"blue": 200} if n in (4, 5) else {})) for n in range(10)])
    made = cropped(tmp_path / "in", tmp_path / "out").table
    brief = made.filter(pl.col("state") == "brief")
    assert brief.get_column("frame").to_list() == [5, 6]
    assert brief.get_column("reason").unique().item() == "somebody seen in 2 frames, fewer than 3"
    assert brief.get_column("file").null_count() == 2
    assert len(files(tmp_path / "out" / "cropped_aligned" / "v")) == 10  # one person: no side
    other = cropped(tmp_path / "in", tmp_path / "other", shortest=2).table
    assert set(other.get_column("person")) == {"left", "right"}


def test_a_sequence_of_pictures_is_a_video_and_its_gaps_are_rows(squares: Squares, tmp_path: Path) -> None:
    for n, pixels in enumerate(crossing(), 1):
        if n not in (3, 4):
            saved(tmp_path / "in" / "v" / f"{n:05}.png", pixels)
    (tmp_path / "in" / "v" / "00004.png").write_text("no picture")
    made = cropped(tmp_path / "in", tmp_path / "out", sequences=True)
    lost = made.table.filter(pl.col("state") == "lost")
    assert lost.get_column("frame").to_list() == [3, 4]
    assert made.table.get_column("time_us").null_count() == made.table.height  # pictures say nothing of time
    assert made.table.get_column("frame").max() == 40
    assert any("00004.png" in note for note in made.notes)
    with pytest.raises(InputError, match="frames a second of pictures"):
        cropped(tmp_path / "in", tmp_path / "o", sequences=True, choice=Choice(fps=6))


def test_nobody_in_a_video_is_a_row_a_frame(squares: Squares, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    filmed(tmp_path / "in" / "v.mp4", [picture()] * 4)
    made = cropped(tmp_path / "in", tmp_path / "out").table
    assert made.get_column("state").to_list() == ["no face"] * 4
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "options",
    [
        {"shortest": 0},
        {"cutting": Cutting(side=4)},
        {"cutting": Cutting(margin=-0.5)},
        {"cutting": Cutting(quality=101)},
        {"choice": Choice(every=0)},
        {"choice": Choice(every=2, fps=6)},
    ],
)
def test_options_that_do_not_fit_are_told_before_anything_is_done(
    squares: Squares, tmp_path: Path, options: dict[str, Any]
) -> None:
    saved(tmp_path / "in" / "a.png", picture(red=50))
    with pytest.raises(InputError):
        cropped(tmp_path / "in", tmp_path / "out", **options)
    assert not squares.asked


def test_people_whose_crops_would_lie_among_those_of_another_are_told(squares: Squares, tmp_path: Path) -> None:
    """Nothing can tell ``v_left``, a folder of frames, from the left one of the two people of ``v``."""
    for number in (1, 2, 3):
        saved(tmp_path / "in" / "v" / f"{number}.png", picture(red=10, blue=200))
        saved(tmp_path / "in" / "v_left" / f"{number}.png", picture(red=10))
    with pytest.raises(InputError, match=r"v shows 2 people.*those of v_left"):
        cropped(tmp_path / "in", tmp_path / "out", sequences=True)


def test_crops_of_a_video_and_of_a_picture_beside_it_are_two_files(squares: Squares, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    filmed(tmp_path / "in" / "v.mp4", [picture(red=10)] * 3)
    saved(tmp_path / "in" / "v" / "00001.png", picture(blue=200))
    made = cropped(tmp_path / "in", tmp_path / "out").table.get_column("file").to_list()
    assert made == [f"cropped_aligned/v.mp4/0000{n}.jpg" for n in (1, 2, 3)] + ["cropped_aligned/v/00001.jpg"]


def test_a_frame_that_is_not_decoded_again_is_a_row_without_a_crop(
    squares: Squares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    filmed(tmp_path / "in" / "v.mp4", [picture(red=10)] * 3)
    monkeypatch.setattr(
        "affectcheck.media.faces.crops.pictures_of",
        lambda *given: ((number, pixels) for number, pixels in pictures_of(*given) if number != 2),
    )
    made = cropped(tmp_path / "in", tmp_path / "out").table
    assert made.get_column("state").to_list() == ["cropped", "lost", "cropped"]
    assert made.get_column("reason").to_list() == [None, "it could be decoded once, and not again", None]


def test_what_never_ends_is_not_read(squares: Squares, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.jpg", "b.mp4"):
        os.mkfifo(tmp_path / "in" / name)
    made = cropped(tmp_path / "in", tmp_path / "out").table
    assert made.get_column("state").to_list() == ["unreadable"] * 2


def test_progress_ends_at_what_was_done(squares: Squares, tmp_path: Path) -> None:
    saved(tmp_path / "in" / "a.png", picture(red=50))
    filmed(tmp_path / "in" / "v.mp4", crossing())
    told: list[tuple[int, int]] = []
    cropped(tmp_path / "in", tmp_path / "out", progress=lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == list(range(1, 42))
    assert all(total >= done for done, total in told)


def test_the_sheet_shows_crops_evenly(squares: Squares, tmp_path: Path) -> None:
    for n in range(30):
        saved(tmp_path / "in" / f"é{n}.png", picture(red=50 + n))
    made = cropped(tmp_path / "in", tmp_path / "out").table.select("file").to_dicts()
    assert write_sheet(made, tmp_path / "out", tmp_path / "sheet.jpg", most=25) == 25
    assert decode_image(tmp_path / "sheet.jpg").pixels.shape == (3 * 130, 10 * 116, 3)
    assert write_sheet([], tmp_path / "out", tmp_path / "none.jpg") == 0
    assert not (tmp_path / "none.jpg").exists()


def test_a_full_disk_is_one_clear_error(squares: Squares, tmp_path: Path) -> None:
    saved(tmp_path / "in" / "a.png", picture(red=50))
    (tmp_path / "out").write_text("a file where the folder should be")
    with pytest.raises(InputError, match="cannot write"):
        cropped(tmp_path / "in", tmp_path / "out")


@pytest.mark.slow
@pytest.mark.shared
def test_several_processes_make_the_same(shared_data: Path, tmp_path: Path) -> None:
    if find_spec("mtcnn") is None:
        pytest.skip("the weights of MTCNN are not installed")
    sources = find_sources(shared_data / "data" / "portraits").sources
    made = [
        crop(sources, tmp_path / str(n), stores=lambda _: Memory({}), options=CropOptions(workers=n)) for n in (1, 2)
    ]
    assert made[0].table.equals(made[1].table)
    assert files(tmp_path / "1") == files(tmp_path / "2")
