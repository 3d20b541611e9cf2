"""Videos as one array of frames, and what an item holds where a model says what it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from waves import pcm16, sine, wav, write

from affectcheck.errors import InputError, MediaError
from affectcheck.media import Clip, Frames, Item, decode_frames, load_item, video_segment
from drawn import picture
from videos import walking, write_video

av = pytest.importorskip("av")

if TYPE_CHECKING:
    from pathlib import Path

LOSSLESS = {"codec": "ffv1", "pixels": "bgr0"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("media")
    write_video(folder / "a.mkv", walking(20), **LOSSLESS)
    pytest.importorskip("PIL.Image").fromarray(picture(1)).save(folder / "a.png")
    write(folder / "a.wav", wav(pcm16(sine())))
    return folder


def test_all_frames_at_their_rate(root: Path) -> None:
    found = decode_frames(root / "a.mkv")
    np.testing.assert_array_equal(found.pixels, np.stack(walking(20)))
    assert (found.rate_hz, found.notes) == (25.0, ())


def test_frames_of_a_segment_are_those_that_begin_in_it(root: Path) -> None:
    found = decode_frames(root / "a.mkv", start_us=120_000, end_us=200_000)
    np.testing.assert_array_equal(found.pixels, np.stack(walking(5)[3:]))
    one = decode_frames(root / "a.mkv", start_us=121_000, end_us=161_000)
    np.testing.assert_array_equal(one.pixels, np.stack(walking(5)[4:]))
    assert one.rate_hz == 25.0  # by the header
    with pytest.raises(MediaError, match="no frame is shown from 900000 to None µs") as caught:
        decode_frames(root / "a.mkv", start_us=900_000)
    assert "20 frames were decoded" in caught.value.cause


def test_a_rate_that_varies_is_told(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mkv", walking(5), **LOSSLESS, times_ms=[0, 40, 80, 400, 440])
    found = decode_frames(path)
    assert found.notes == ("rate: varies from frame to frame, the average is given",)
    assert found.rate_hz == round(4 / 0.44, 3)


def test_times_that_say_nothing() -> None:
    assert video_segment._rate_hz(np.zeros(3), 30.0) == 30.0
    assert video_segment._rate_hz(np.zeros(0), None) == 1.0


def test_frames_of_several_sizes_or_beyond_memory(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.h264"
    one = write_video(tmp_path / "b.h264", walking(4, 64, 80), coding={"bf": "0"})
    other = write_video(tmp_path / "c.h264", walking(4, 32, 48), coding={"bf": "0"})
    path.write_bytes(one.read_bytes() + other.read_bytes())
    with pytest.raises(MediaError, match="frames of 80×64 and, from frame 5 on, of 48×32 pixels"):
        decode_frames(path)
    monkeypatch.setattr(video_segment, "_MOST_BYTES", 10 * 64 * 80 * 3)
    with pytest.raises(MediaError, match="more frames than fit in 0 GiB: 10 and more"):
        decode_frames(root / "a.mkv")


@pytest.mark.parametrize(
    ("name", "media", "kinds"),
    [
        ("a.wav", (), {"audio": "Clip"}),
        ("a.png", (), {"image": "Image"}),
        ("a.png", ("image",), {"image": "Image"}),
        ("a.mkv", (), {"image": "Image"}),
        ("a.mkv", ("image",), {"image": "Image"}),
        ("a.mkv", ("frames",), {"frames": "Frames"}),
        ("a.mkv", ("image", "frames"), {"image": "Image", "frames": "Frames"}),
    ],
)
def test_an_item_holds_what_is_wanted(root: Path, name: str, media: tuple[str, ...], kinds: dict[str, str]) -> None:
    row = {"item": "k", "media": name, "frame": 3, "start_us": 0 if "frames" in media else None, "end_us": None}
    found = load_item(row, root, media=media).media
    assert {key: type(value).__name__ for key, value in found.items()} == kinds


@pytest.mark.parametrize(
    ("name", "medium", "told"),
    [
        ("a.wav", "image", "takes image, the file is no picture or video, by its suffix"),
        ("a.png", "frames", "takes frames, the file is a picture"),
        ("a.mkv", "image", "takes image, the file is a video"),
        ("a.png", "audio", "cannot decode"),
    ],
)
def test_what_a_file_does_not_have(root: Path, name: str, medium: str, told: str) -> None:
    with pytest.raises(MediaError, match=told) as caught:
        load_item({"item": "k", "media": name}, root, media=(medium,))
    assert str(caught.value).startswith("item 'k', ")
    if name == "a.mkv":
        assert "a number in the column 'frame'" in str(caught.value)


def test_frames_of_an_item(root: Path) -> None:
    item = load_item({"item": "k", "media": "a.mkv"}, root, media=("frames",))
    assert isinstance(item.frames, Frames)
    assert item.digest == Item("other", {"frames": Frames(np.stack(walking(20)), 25.0, ("a note",))}).digest
    with pytest.raises(InputError, match="item 'k' has no frames"):
        _ = Item("k", {"audio": Clip(np.zeros(3, np.float32), 16_000)}).frames
