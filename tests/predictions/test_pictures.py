"""Models that see: pictures, and frames of videos by their number, decoded, predicted and kept as sound is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations.table import AnnotationTable
from affectcheck.errors import InputError
from affectcheck.media.landmarks import COLUMNS
from affectcheck.models.card import ModelCard
from affectcheck.predictions import PredictOptions, predict
from drawn import picture
from videos import walking, write_video

pytest.importorskip("av")

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.media.clip import Item


CARD = ModelCard("red", "dimensions", ("red", "point"), "value", media=("image",), low=-1, high=255, digest="1")


@dataclass
class Brightness:
    """Sees: mean of red, and the first landmark across, -1 without."""

    card: ModelCard = CARD
    calls: list[str] = field(default_factory=list)

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        self.calls += [item.key for item in items]
        points = [-1.0 if item.image.landmarks is None else item.image.landmarks[0, 0] for item in items]
        return np.array([[item.image.pixels[..., 0].mean(), at] for item, at in zip(items, points, strict=True)])


@pytest.fixture
def seen(tmp_path: Path) -> AnnotationTable:
    root = tmp_path / "seen"
    root.mkdir()
    pytest.importorskip("PIL.Image").fromarray(picture(3)).save(root / "a.png")
    write_video(root / "b.mkv", walking(12), codec="ffv1", pixels="bgr0")
    rows = {"item": ["a", "b7", "b2", "b12"], "media": ["a.png", *["b.mkv"] * 3], "frame": [None, 7, 2, 12]}
    return AnnotationTable(pl.DataFrame(rows), name="seen", root=root)


def reds(made) -> list[float]:
    return made.frame["red"].to_list()


@pytest.mark.parametrize("workers", [1, 2])
def test_pictures_and_frames_are_predicted_and_kept(seen: AnnotationTable, tmp_path: Path, workers: int) -> None:
    model, options = Brightness(), PredictOptions(cache=tmp_path / "cache", workers=workers, batch=2)
    made = predict(model, seen, options=options)
    wanted = [picture(3), walking(12)[6], walking(12)[1], walking(12)[11]]
    np.testing.assert_allclose(reds(made), [pixels[..., 0].mean() for pixels in wanted])
    assert made.faults == ()
    again = Brightness()
    assert predict(again, seen, options=options).frame.equals(made.frame)
    assert again.calls == []


def test_landmarks_reach_the_model_and_are_part_of_what_is_kept(seen: AnnotationTable, tmp_path: Path) -> None:
    options = PredictOptions(cache=tmp_path / "cache")
    predict(Brightness(), seen, options=options)
    pointed = seen.frame.with_columns(**{column: pl.Series([10.0, None, 12.0, 13.0]) for column in COLUMNS})
    made = predict(again := Brightness(), replace(seen, frame=pointed), options=options)
    assert made.frame["point"].to_list() == [10.0, -1.0, 12.0, 13.0]
    assert again.calls == ["a", "b2", "b12"]


def test_a_frame_that_is_not_there_is_that_items_fault(seen: AnnotationTable) -> None:
    table = replace(seen, frame=seen.frame.with_columns(frame=pl.Series([None, 7, 13, 0])))
    made = predict(Brightness(), table, options=PredictOptions(max_fault_share=0.5))
    assert made.items.to_list() == ["a", "b7"]
    told = {fault.item: fault.message.splitlines()[0].rpartition("b.mkv: ")[2] for fault in made.faults}
    assert told == {"b2": "no frame 13: the video has 12, by decoding it", "b12": "no frame 0"}
    with pytest.raises(InputError, match="1 of 4 items have no prediction"):
        predict(Brightness(), table)


def test_every_bad_picture_and_frame_is_listed_and_counted(tmp_path: Path) -> None:
    reader = pytest.importorskip("PIL.Image")
    drawn = reader.fromarray(picture(3))
    turned = reader.Exif()
    turned[0x0112] = 6
    drawn.save(tmp_path / "plain.png")
    drawn.convert("CMYK").save(tmp_path / "printed.jpg")
    reader.fromarray(picture(3)[:, :, 0].astype(np.uint16) * 257).save(tmp_path / "deep.png")
    drawn.quantize(64).save(tmp_path / "palette.png")
    drawn.save(tmp_path / "turned.png", exif=turned)
    (tmp_path / "cut.png").write_bytes((tmp_path / "plain.png").read_bytes()[:900])
    (tmp_path / "text.jpg").write_text("file,label\n")
    write_video(tmp_path / "odd.avi", walking(3, 51, 35), codec="mpeg4", pixels="yuv420p")
    path = write_video(tmp_path / "open.mp4", walking(3))
    path.write_bytes(path.read_bytes()[:-300])
    rows = ["plain.png", "printed.jpg", "deep.png", "palette.png", "turned.png", "cut.png", "text.jpg"]
    media = [*rows, "odd.avi", "odd.avi", "open.mp4"]
    frame = pl.DataFrame({"item": [f"{n} {name}" for n, name in enumerate(media)], "media": media})
    frame = frame.with_columns(frame=pl.Series([None] * 7 + [3, 4, 1]), **{COLUMNS[0]: pl.Series([9.0] + [None] * 9)})
    table = AnnotationTable(frame, name="bad", root=tmp_path)
    made = predict(Brightness(), table, options=PredictOptions(max_fault_share=0.5))
    gone = {fault.item: fault.kind for fault in made.faults if fault.severity == "error"}
    assert gone == dict.fromkeys(["5 cut.png", "6 text.jpg", "8 odd.avi", "9 open.mp4"], "unreadable media")
    met = {fault.item: fault.message for fault in made.faults if fault.kind == "media caution"}
    assert {item: note.partition(":")[0] for item, note in met.items()} == {
        "0 plain.png": "landmarks",
        "1 printed.jpg": "CMYK",
        "2 deep.png": "16 bits",
        "4 turned.png": "EXIF",
    }
    assert made.items.len() == table.height - len(gone)
