"""``affectcheck faces``: crops of a folder, rates of a data set, the folders of other runs, detectors and weights."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
import typer

from affectcheck.cli import faces
from affectcheck.datasets import load_dataset
from affectcheck.errors import ExtraMissingError, InputError, MissingPathError, UnknownNameError
from affectcheck.media import load_item
from affectcheck.media.faces.detector import Face
from affectcheck.media.faces.fetch import PUBLISHED
from affectcheck.media.faces.registry import FACE_DETECTORS
from affectcheck.media.faces.template import template
from affectcheck.media.image import decode_image

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytest.importorskip("cv2")
pictures = pytest.importorskip("PIL.Image")


class Bright:
    """One face where a picture is bright: the right half, the left half, or both."""

    name = "bright"
    digest = "bright"

    def detect(self, pixels: np.ndarray) -> list[Face]:
        found = []
        for left in (0, 80):
            if pixels[10:70, left + 10 : left + 70].mean() > 100:
                points = template(60, 60) + np.array([left + 10, 10])
                found.append(Face.of((left + 10, 10, left + 70, 70), points, 0.95))
        return found


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    FACE_DETECTORS.names()
    monkeypatch.setitem(FACE_DETECTORS._parts, "bright", Bright)
    app = typer.Typer()
    faces.register(app)

    def run(*arguments: object) -> str:
        stated = [str(argument) for argument in arguments]
        if stated[0] == "crop":
            stated += ["--detector", "bright", "--workers", "1", "--cache", str(tmp_path / "cache")]
        app(args=["faces", *stated], prog_name="affectcheck", standalone_mode=False)
        return capsys.readouterr().out

    return run


def saved(path: Path, *, left: int, right: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.full((80, 160, 3), left, np.uint8)
    pixels[:, 80:] = right
    pictures.fromarray(pixels).save(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    saved(tmp_path / "in" / "both.png", left=200, right=180)
    saved(tmp_path / "in" / "one.png", left=200, right=20)
    saved(tmp_path / "in" / "none.png", left=20, right=20)
    (tmp_path / "in" / "text.jpg").write_text("a letter")
    (tmp_path / "in" / "notes.txt").write_text("notes")
    return tmp_path / "in"


def test_a_folder_is_cropped_and_told(verb: Callable[..., str], folder: Path, tmp_path: Path) -> None:
    said = verb("crop", folder, "-o", tmp_path / "out")
    assert "4 pictures, detector bright" in said
    assert "3  faces cropped" in said
    assert "without a face (1): none.png" in said
    assert "not decoded: text.jpg" in said
    assert "not looked at, by the suffix (1): notes.txt" in said
    made = pl.read_parquet(tmp_path / "out" / "faces.parquet")
    assert made.get_column("state").to_list() == ["cropped", "cropped", "no face", "cropped", "unreadable"]
    assert pl.read_csv(tmp_path / "out" / "faces.csv", schema=made.schema).equals(made)
    assert all((tmp_path / "out" / name).is_file() for name in made.get_column("file").drop_nulls())
    assert (tmp_path / "out" / "contact.jpg").is_file()


def test_the_summary_is_strict_json(verb: Callable[..., str], folder: Path, tmp_path: Path) -> None:
    told: dict[str, Any] = json.loads(verb("crop", folder, "-o", tmp_path / "out", "--json"))
    assert told["states"]["cropped"] == 3
    assert told["people"] == 3
    assert told["rates"] is None
    assert told["unreadable"][0]["media"] == "text.jpg"


def test_the_same_run_again_changes_nothing_and_another_is_refused(
    verb: Callable[..., str], folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    verb("crop", folder, "-o", out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    verb("crop", folder, "-o", out)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    with pytest.raises(InputError, match="made otherwise: other size"):
        verb("crop", folder, "-o", out, "--size", 64)
    verb("crop", folder, "-o", out, "--size", 64, "--boxes", "--overwrite", "--fresh")
    assert decode_image(out / "cropped" / "one.jpg").pixels.shape == (64, 64, 3)
    for damaged in ("damaged", "[]", "{}"):
        (out / "faces.json").write_text(damaged)
        with pytest.raises(InputError, match=r"and no faces\.json of a run"):
            verb("crop", folder, "-o", out, "--overwrite")


def test_files_of_somebody_else_are_not_touched(verb: Callable[..., str], folder: Path, tmp_path: Path) -> None:
    mine = tmp_path / "out" / "cropped" / "mine.jpg"
    mine.parent.mkdir(parents=True)
    mine.write_bytes(b"x")
    for options in ((), ("--overwrite",)):
        with pytest.raises(InputError, match="holds cropped already"):
            verb("crop", folder, "-o", tmp_path / "out", *options)
    assert mine.is_file()
    with pytest.raises(InputError, match="would lie among its pictures"):
        verb("crop", folder, "-o", folder)


def test_groups_are_known_to_be_there_before_faces_are_looked_for(
    verb: Callable[..., str], folder: Path, tmp_path: Path
) -> None:
    table = folder / "labels.csv"
    table.write_text("item,media,sex\na,both.png,female\n")
    spec = f"table:{table}?groups=sex&targets="
    with pytest.raises(UnknownNameError, match="sxe"):
        verb("crop", spec, "-o", tmp_path / "out", "--by", "sex,sxe")
    with pytest.raises(InputError, match="with itself"):
        verb("crop", spec, "-o", tmp_path / "out", "--by", "sex*sex")
    assert not (tmp_path / "out").exists()
    told = json.loads(verb("crop", spec, "-o", tmp_path / "out", "--by", "sex,sex", "--json"))
    assert [row["attribute"] for row in told["rates"]] == ["", "sex"]


@pytest.mark.parametrize(("option", "value"), [("--size", 3), ("--margin", 9)])
def test_a_folder_is_not_taken_before_options_are_known_to_fit(
    verb: Callable[..., str], folder: Path, tmp_path: Path, option: str, value: int
) -> None:
    with pytest.raises(InputError, match="expected: from"):
        verb("crop", folder, "-o", tmp_path / "out", "--boxes", option, value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--fps", 5), "a video"),
        (("--every", 2), "--sequences"),
        (("--margin", 0.1), "--boxes"),
    ],
)
def test_an_option_that_says_nothing_about_what_is_there_is_told(
    verb: Callable[..., str], folder: Path, tmp_path: Path, options: tuple[object, ...], expected: str
) -> None:
    with pytest.raises(InputError, match=rf"{options[0]} is of no use here") as told:
        verb("crop", folder, "-o", tmp_path / "out", *options)
    assert expected in told.value.expected
    table = folder / "labels.csv"
    table.write_text("item,media,sex\na,both.png,male\n")
    with pytest.raises(InputError, match="--sequences is of no use"):
        verb("crop", f"table:{table}?groups=sex&targets=", "-o", tmp_path / "out", "--sequences")


def test_what_a_source_held_before_is_told(verb: Callable[..., str], folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    verb("crop", folder, "-o", out)
    saved(folder / "both.png", left=200, right=20)
    said = verb("crop", folder, "-o", out)
    assert "crops that no row names (2), of what a source held before" in said
    assert "cropped_aligned/both_right.jpg" in said
    assert "no row names" not in verb("crop", folder, "-o", out, "--overwrite")


def test_where_nothing_can_be_decoded_the_run_fails_with_the_reasons(verb: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "text.jpg").write_text("a letter")
    with pytest.raises(InputError, match=r"nothing can be decoded: text\.jpg: cannot decode"):
        verb("crop", tmp_path / "in", "-o", tmp_path / "out")
    assert pl.read_csv(tmp_path / "out" / "faces.csv").get_column("state").to_list() == ["unreadable"]


def test_names_that_would_break_a_line_are_told_on_one(verb: Callable[..., str], tmp_path: Path) -> None:
    saved(tmp_path / "in" / "a\nb\x1b[2J.png", left=20, right=20)
    assert r"without a face (1): a\nb\x1b[2J.png" in verb("crop", tmp_path / "in", "-o", tmp_path / "out")


def test_a_data_set_has_rates_by_group(verb: Callable[..., str], folder: Path, tmp_path: Path) -> None:
    table = folder / "labels.csv"
    table.write_text("item,media,sex\na,both.png,female\nb,one.png,male\nc,none.png,male\nd,text.jpg,male\n")
    spec = f"table:{table}?groups=sex&targets="
    said = verb("crop", spec, "-o", tmp_path / "out", "--by", "sex")
    assert "2 of 3" in said
    crops = load_dataset(f"table:{tmp_path / 'out' / 'annotated.csv'}")
    assert crops.groups == ("sex",)
    assert crops.frame.get_column("picture").to_list() == ["both.png", "one.png", "none.png", "text.jpg"]
    media = crops.frame.get_column("media").to_list()
    assert media == ["cropped_aligned/both_left.jpg", "cropped_aligned/one.jpg", None, None]
    item = load_item(crops.frame.row(1, named=True), crops.root)
    assert item.image.landmarks == pytest.approx(template(), abs=1e-6)
    rates = pl.read_csv(tmp_path / "out" / "detection_rates.csv")
    assert rates.filter(pl.col("group") == "male").get_column("pictures").item() == 2
    assert "in no rate, as there is no picture that can be decoded: 1 item" in said


def test_rates_and_crops_stand_on_a_page_by_group(verb: Callable[..., str], folder: Path, tmp_path: Path) -> None:
    for package in ("jinja2", "altair", "vl_convert"):
        pytest.importorskip(package)
    out = tmp_path / "out"
    table = folder / "labels.csv"
    table.write_text("item,media,sex\na,both.png,female\nb,one.png,male\nc,none.png,male\nd,text.jpg,male\n")
    told = json.loads(verb("crop", f"table:{table}?groups=sex&targets=", "-o", out, "--json"))
    assert told["page"] == str(out / "report.html")
    page = (out / "report.html").read_text()
    assert "66.7 %" in page
    assert 'src="cropped_aligned/both_left.jpg"' in page
    assert 'src="missed/none.jpg"' in page
    assert decode_image(out / "missed" / "none.jpg").pixels.shape == (80, 160, 3)
    assert "not decoded: text.jpg" in page


def test_without_the_packages_of_reports_there_is_no_page(
    verb: Callable[..., str], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise ExtraMissingError.of("the HTML report", "report", "jinja2")

    monkeypatch.setattr("affectcheck.reports.faces.write_faces_page", refuse)
    told = json.loads(verb("crop", folder, "-o", tmp_path / "out", "--json"))
    assert told["page"] is None
    assert not (tmp_path / "out" / "report.html").exists()


def test_media_that_are_no_pictures_are_listed_and_columns_of_the_table_stay(
    verb: Callable[..., str], folder: Path, tmp_path: Path
) -> None:
    table = folder / "labels.csv"
    table.write_text("item,media,sex,picture,file\na,both.png,female,p,f\nb,sound.wav,male,q,g\nc,,male,r,h\n")
    told = json.loads(verb("crop", f"table:{table}?groups=sex&targets=", "-o", tmp_path / "out", "--json"))
    assert told["ignored"] == ["sound.wav"]
    assert told["rates"][0]["pictures"] == 1
    assert told["rates_notes"][0].endswith("2 items")
    crops = load_dataset(f"table:{tmp_path / 'out' / 'annotated.csv'}").frame
    assert crops.select("picture", "file").rows() == [("p", "f"), ("q", "g"), ("r", "h")]
    assert crops.get_column("picture_").to_list() == ["both.png", "sound.wav", None]
    assert crops.get_column("media").to_list() == ["cropped_aligned/both_left.jpg", None, None]


@pytest.mark.shared
def test_fairface_has_rates_of_all_its_groups_and_their_crossings(
    verb: Callable[..., str], shared_data: Path, tmp_path: Path
) -> None:
    lines = (shared_data / "data" / "fairface-subset" / "labels.csv").read_text().splitlines()
    root = tmp_path / "fairface"
    root.mkdir()
    (root / "labels.csv").write_text("\n".join(lines[:9]) + "\n")
    for line in lines[1:9]:
        saved(root / line.partition(",")[0], left=200 if "Female" in line else 20, right=20)
    told = json.loads(verb("crop", f"fairface:{root}", "-o", tmp_path / "out", "--json"))
    rates = {(row["attribute"], row["group"]): row for row in told["rates"]}
    assert {attribute for attribute, _ in rates} == {"", "gender", "race", "age", "gender*race*age"}
    assert rates["", ""]["pictures"] == 8
    assert rates["gender", "female"]["rate"] == 1.0
    assert (tmp_path / "out" / "detection_rates.csv").is_file()
    said = verb("crop", f"fairface:{root}", "-o", tmp_path / "out", "--by", "gender")
    assert "How often a face is found" in said
    assert "100.0%" in said


def test_what_cannot_be_cropped_is_told(verb: Callable[..., str], folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(MissingPathError):
        verb("crop", tmp_path / "nothing", "-o", out)
    with pytest.raises(UnknownNameError, match="data set 'fairfaec'"):
        verb("crop", "fairfaec:somewhere", "-o", out)
    with pytest.raises(InputError, match="not annotated"):
        verb("crop", folder, "-o", out, "--by", "sex")
    with pytest.raises(InputError, match="both every 2 and fps"):
        verb("crop", folder, "-o", out, "--every", 2, "--fps", 6)
    with pytest.raises(InputError, match="an address of the network"):
        verb("crop", "http://127.0.0.1/x.mp4", "-o", out)


def test_detectors_are_listed_with_what_they_need(verb: Callable[..., str]) -> None:
    told = {one["name"]: one for one in json.loads(verb("detectors", "--json"))}
    assert {"mtcnn", "yunet"} <= set(told)
    assert told["bright"]["state"] == "ready"
    assert told["mtcnn"]["options"].startswith("min_face=")
    assert "mtcnn" in verb("detectors")


def test_detectors_that_cannot_be_used_are_told_with_the_reason(
    verb: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path))
    assert "`affectcheck faces fetch retinaface-mobilenet0.25`" in verb("detectors")
    PUBLISHED["yunet"].path.parent.mkdir(parents=True)
    PUBLISHED["yunet"].path.write_bytes(b"damaged")
    assert "\nyunet: " in verb("detectors")
    assert {one["name"]: one["state"] for one in json.loads(verb("detectors", "--json"))}["yunet"] == "not usable"

    def lacking() -> None:
        raise ExtraMissingError.of("it", "faces", "mtcnn")

    monkeypatch.setitem(FACE_DETECTORS._parts, "bright", lacking)
    assert "bright: it needs" in verb("detectors")


def test_weights_that_are_there_are_not_fetched_again(
    verb: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("affectcheck.media.faces.fetch.fetch", lambda name, progress: tmp_path / f"{name}.onnx")
    told = json.loads(verb("fetch", "yunet", "--json"))
    assert told["sha256"] == PUBLISHED["yunet"].sha256
    assert told["path"].endswith("yunet.onnx")


def test_weights_of_an_unknown_name_are_told_with_the_nearest(verb: Callable[..., str]) -> None:
    with pytest.raises(UnknownNameError, match="yunet"):
        verb("fetch", "yunett")
