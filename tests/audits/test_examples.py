"""Examples beside a report: sounds and pictures in files, as they are and as a test changes them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations.table import AnnotationTable
from affectcheck.audits import AuditOptions, audit, estimate, examples, save_audit
from affectcheck.audits.clips import clip_of, media_of
from affectcheck.audits.examples import versions_of
from affectcheck.augmentations import make_perturbation
from affectcheck.behaviour import PlannedTest
from affectcheck.models import ModelCard
from drawn import picture
from made_definitions import made_definition
from videos import walking, write_video

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.media.clip import Item

for package in ("PIL", "av", "cv2", "soundfile"):
    pytest.importorskip(package)


def card(*media: str) -> ModelCard:
    return ModelCard("m", "categories", ("a", "b"), media=media, rate_hz=8_000)


@dataclass(frozen=True)
class Given:
    """A model that is asked for its card only."""

    card: ModelCard

    def predict(self, items: object) -> np.ndarray:
        raise NotImplementedError


class Cutting(Given):
    """One that cuts out the left half of pictures before anything is changed."""

    def prepare(self, item: Item) -> Item:
        pixels = item.image.pixels
        return replace(item, media={"image": replace(item.image, pixels=pixels[:, : pixels.shape[1] // 2])})


class Failing(Given):
    def prepare(self, item: Item) -> Item:
        raise ValueError("cannot")


def planned(name: str = "", reference: str = "", **parameters: Any) -> PlannedTest:
    made = make_perturbation(name, parameters, seed=1) if name else None
    other = make_perturbation(reference, seed=1) if reference else None
    return PlannedTest(made_definition(), perturbation=made, reference=other)


@pytest.fixture
def table(tmp_path: Path) -> AnnotationTable:
    import PIL.Image
    import soundfile

    root = tmp_path / "data"
    root.mkdir()
    PIL.Image.fromarray(picture(3)).save(root / "a.png")
    PIL.Image.fromarray(np.repeat(np.repeat(picture(3), 4, axis=0), 8, axis=1)).save(root / "large.png")
    PIL.Image.new("RGB", (40, 40), "black").save(root / "black.png")
    write_video(root / "b.mkv", walking(12), codec="ffv1", pixels="bgr0")
    soundfile.write(root / "c.wav", 0.3 * np.sin(np.arange(8_000) / 9), 8_000)
    media = ["a.png", "large.png", "black.png", "b.mkv", "b.mkv", "c.wav", "absent.png"]
    rows = {
        "item": ["a", "large", "black", "b", "b7", "c", "gone"],
        "media": media,
        "frame": [None] * 4 + [7, None, None],
    }
    return AnnotationTable(pl.DataFrame(rows), name="seen", root=root)


def pixels(path: Path) -> np.ndarray:
    import PIL.Image

    with PIL.Image.open(path) as opened:
        return np.asarray(opened)


def test_a_picture_is_shown_as_it_is_and_as_changed(table: AnnotationTable, tmp_path: Path) -> None:
    test = planned("brightness", exposure_stops=1.0)
    found = versions_of("a", test, table, Given(card("image")), tmp_path)
    assert list(found) == ["as it is", "changed"]
    assert all(path.startswith("pictures/") and path.endswith(".png") for path in found.values())
    before, after = (pixels(tmp_path / path) for path in found.values())
    assert np.array_equal(before, picture(3))
    assert test.perturbation is not None
    wanted = test.perturbation(media_of(table.frame.row(0, named=True), table, card("image"))["image"], "a")
    assert np.array_equal(after, wanted.pixels)  # type: ignore[union-attr]
    written = {path: (tmp_path / path).stat().st_mtime_ns for path in found.values()}
    assert versions_of("a", test, table, Given(card("image")), tmp_path) == found
    assert {path: (tmp_path / path).stat().st_mtime_ns for path in written} == written, "written once"


def test_what_a_model_cuts_out_first_is_what_is_shown_and_changed(table: AnnotationTable, tmp_path: Path) -> None:
    found = versions_of("a", planned("flip"), table, Cutting(card("image")), tmp_path)
    before, after = (pixels(tmp_path / path) for path in found.values())
    half = picture(3)[:, : picture(3).shape[1] // 2]
    assert np.array_equal(before, half)
    assert np.array_equal(after, half[:, ::-1])
    assert versions_of("a", planned("flip"), table, Failing(card("image")), tmp_path) == {}


def test_large_pictures_are_shown_scaled_down(table: AnnotationTable, tmp_path: Path) -> None:
    (path,) = versions_of("large", planned(), table, Given(card("image")), tmp_path).values()
    assert max(pixels(tmp_path / path).shape) == examples.SIDE


def test_what_a_perturbation_leaves_as_it_is_is_not_shown_as_changed(table: AnnotationTable, tmp_path: Path) -> None:
    found = versions_of("black", planned("brightness", reference="flip"), table, Given(card("image")), tmp_path)
    assert list(found) == ["as it is"]
    referred = versions_of("a", planned("jpeg", reference="flip"), table, Given(card("image")), tmp_path)
    assert list(referred) == ["as it is", "reference", "changed"]
    assert np.array_equal(pixels(tmp_path / referred["reference"]), picture(3)[:, ::-1])


def test_a_frame_of_a_video_is_a_picture_and_a_video_some_frames(table: AnnotationTable, tmp_path: Path) -> None:
    one = versions_of("b7", planned("flip"), table, Given(card("image")), tmp_path)
    assert np.array_equal(pixels(tmp_path / one["as it is"]), walking(12)[6])
    some = versions_of("b", planned("flip"), table, Given(card("frames")), tmp_path)
    height, width = walking(12)[0].shape[:2]
    shown = pixels(tmp_path / some["as it is"])
    assert shown.shape[1] / shown.shape[0] == pytest.approx(examples.FRAMES * width / height, rel=0.05)
    assert max(shown.shape) <= examples.FRAMES * examples.FRAME_SIDE


def test_sound_is_shown_where_sound_is_changed(table: AnnotationTable, tmp_path: Path) -> None:
    found = versions_of("c", planned("gain", gain_db=20.0), table, Given(card("audio", "frames")), tmp_path)
    assert list(found) == ["as recorded", "changed"]
    assert all(path.startswith("audio/") and path.endswith(".flac") for path in found.values())
    assert versions_of("c", planned("flip"), table, Given(card("audio")), tmp_path) == {}
    assert list(versions_of("c", planned(), table, Given(card("audio", "frames")), tmp_path)) == ["as recorded"]


def test_nothing_is_shown_of_what_cannot_be_decoded_or_written(
    table: AnnotationTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert versions_of("gone", planned("flip"), table, Given(card("image")), tmp_path) == {}
    bare = AnnotationTable(table.frame.drop("media"), name="seen", root=table.root)
    assert versions_of("a", planned("flip"), bare, Given(card("image")), tmp_path) == {}
    assert clip_of(table.frame.row(0, named=True), table, card("image")) is None
    monkeypatch.setitem(sys.modules, "soundfile", None)
    monkeypatch.setattr(examples, "given_of", lambda *_: {"audio": examples.Clip(np.ones(9, np.float32), 8_000)})
    assert versions_of("c", planned(), table, Given(card("audio")), tmp_path) == {}
    assert not list(tmp_path.glob("audio/*"))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> AuditOptions:
    folder = tmp_path_factory.mktemp("drawn")
    return AuditOptions(
        data=f"drawn-faces:{folder}?subjects=16&takes=1&size=64",
        model="face-baseline",
        suites=("faces",),
        tests=("face-robustness-mask",),
        resamples=20,
        workers=1,
        cache=folder / "cache",
    )


def test_the_costs_of_a_recipe_of_pictures_are_those_of_pictures(drawn: AuditOptions) -> None:
    costs = estimate(drawn)
    assert "face-robustness-mask: will be run" in str(costs)
    assert costs.predictions == 2 * costs.items
    assert costs.seconds


def test_a_report_of_pictures_shows_pictures(drawn: AuditOptions, tmp_path: Path) -> None:
    done = audit(drawn, scored=False)
    folder = save_audit(done, tmp_path / "run").parent
    page = (folder / "behaviour" / "face-robustness-mask.html").read_text(encoding="utf-8")
    shown = {part.split('"')[0] for part in page.split('src="../')[1:]}
    assert len(shown) == 4
    assert all((folder / path).is_file() for path in shown)
    assert "Predictions on the pictures as they are (rows) and on the changed pictures (columns)" in page
    assert "behaviour_spectra" not in done.record.tables
    assert not (folder / "audio").exists()
    assert not {"recorded", "<audio"} & set(page.split())
