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
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
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
    assert "not decoded (1): text.jpg" in said
    assert "neither picture nor video (1): notes.txt" in said
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
    (out / "faces.json").write_text("damaged")
    with pytest.raises(InputError, match="made otherwise"):
        verb("crop", folder, "-o", out)


def test_files_of_somebody_else_are_not_touched(verb: Callable[..., str], folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "cropped_aligned").mkdir(parents=True)
    with pytest.raises(InputError, match="holds cropped_aligned already"):
        verb("crop", folder, "-o", tmp_path / "out")


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


def test_detectors_are_listed_with_what_they_need(verb: Callable[..., str]) -> None:
    told = {one["name"]: one for one in json.loads(verb("detectors", "--json"))}
    assert {"mtcnn", "yunet"} <= set(told)
    assert told["bright"]["state"] == "ready"
    assert told["mtcnn"]["options"].startswith("min_face=")
    assert "mtcnn" in verb("detectors")


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
