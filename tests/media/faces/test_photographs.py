"""Faces of photographs, whole and in part: all are found, none where there is none, and crops fit the template."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from affectcheck.media.faces.crops import CropOptions, crop
from affectcheck.media.faces.sources import Source, find_sources, named

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(find_spec("mtcnn") is None or find_spec("cv2") is None, reason="no detector is installed"),
]
#: Of scikit-image's pictures those that show nobody; its coins bear heads.
FACELESS = [
    "brick",
    "cell",
    "chelsea",
    "chessboard_GRAY",
    "clock_motion",
    "coffee",
    "color",
    "grass",
    "gravel",
    "horse",
    "ihc",
    "logo",
    "microaneurysms",
    "moon",
    "motorcycle_left",
    "motorcycle_right",
    "page",
    "phantom",
    "text",
    "chessboard_RGB",
]


class Nothing:
    """A journal that keeps nothing."""

    def get(self, key: str) -> None:
        del key

    def put(self, records: Any, *, remember: bool = True) -> None:
        del records, remember

    def close(self) -> None:
        pass


def faces_of(sources: tuple[Source, ...], output: Path) -> pl.DataFrame:
    return crop(sources, output, stores=lambda _: Nothing(), options=CropOptions()).table


def test_every_face_of_the_portraits_is_cropped_and_fits(shared_data: Path, tmp_path: Path) -> None:
    made = faces_of(find_sources(shared_data / "data" / "portraits").sources, tmp_path)
    assert made.get_column("state").to_list() == ["cropped"] * 5
    residuals = made.get_column("residual")
    assert residuals.mean() <= 5
    assert residuals.max() < 6
    assert len(list((tmp_path / "cropped_aligned").iterdir())) == 5


@pytest.mark.slow
def test_nobody_is_found_in_twenty_pictures_of_nobody(shared_data: Path, tmp_path: Path) -> None:
    del shared_data
    spec = find_spec("skimage")
    if spec is None or spec.origin is None:
        pytest.skip("scikit-image, whose pictures these are, is not installed")
    folder = Path(spec.origin).parent / "data"
    sources = named(Source(f"{name}.png", folder / f"{name}.png", "picture") for name in FACELESS)
    assert len(sources) == 20
    assert faces_of(sources, tmp_path).get_column("state").to_list() == ["no face"] * 20


@pytest.mark.slow
def test_nineteen_of_twenty_hard_crops_show_a_face(shared_data: Path, tmp_path: Path) -> None:
    made = faces_of(find_sources(shared_data / "data" / "fairface-subset").sources, tmp_path)
    found = made.filter(pl.col("state") == "cropped").get_column("media").n_unique()
    assert found / made.get_column("media").n_unique() >= 0.95
