"""Frames of videos by their number, in any order, and as items of a table."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations.table import AnnotationTable
from affectcheck.errors import MediaError
from affectcheck.media import Image, decode_frame, frames, is_video, load_item, load_items, video_access
from affectcheck.media.landmarks import COLUMNS
from affectcheck.media.video_decoding import Decoding
from affectcheck.seeds import rng
from videos import walking, write_video

av = pytest.importorskip("av")

if TYPE_CHECKING:
    from pathlib import Path

LOSSLESS = {"codec": "ffv1", "pixels": "bgr0"}


def decodings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts the frames that are decoded from now on."""
    counted = [0]
    decode = Decoding._frame

    def count(self: Decoding, picture: object) -> object:
        counted[0] += 1
        return decode(self, picture)

    monkeypatch.setattr(Decoding, "_frame", count)
    return counted


@pytest.mark.parametrize(
    ("suffix", "codec", "coding"),
    [
        (".mp4", "libx264", {"g": "40"}),
        (".mkv", "libx264", {"g": "40", "x264-params": "open-gop=1"}),
        (".avi", "mpeg4", {"g": "40"}),
        (".webm", "libvpx-vp9", {"g": "40"}),
        (".ts", "libx264", {"g": "40"}),
        (".mpg", "mpeg2video", {}),
        (".h264", "libx264", {"g": "40"}),
    ],
)
def test_any_order_gives_the_frames_of_one_reading(tmp_path: Path, suffix: str, codec: str, coding: dict) -> None:
    path = write_video(tmp_path / f"a{suffix}", walking(150, 32, 48), codec=codec, pixels="yuv420p", coding=coding)
    wanted = [frame.pixels for frame in frames(path)]
    for number in [1, 150, *rng(1, "any order").integers(1, 151, 40).tolist()]:
        np.testing.assert_array_equal(decode_frame(path, number).pixels, wanted[number - 1])


def test_rising_order_costs_one_decoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_video(tmp_path / "a.mp4", walking(100), coding={"g": "20"})
    counted = decodings(monkeypatch)
    for number in (3, 3, 10, 11, 60, 100, 100):
        decode_frame(path, number)
    assert counted == [100]
    decode_frame(path, 95)  # back to the frame 81, which stands alone
    assert counted == [115]


def test_where_winding_back_is_not_exact_it_begins_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_video(tmp_path / "a.mkv", walking(100), coding={"g": "20", "sc_threshold": "0"})
    wanted = [frame.pixels for frame in frames(path)]
    decode_frame(path, 100)
    video = video_access._VIDEOS.of(path)
    assert [mark.number for mark in video._decoding.marks] == [1, 21, 41, 61, 81]
    video._decoding.marks[:] = [mark._replace(pts=mark.pts + 1) for mark in video._decoding.marks]
    np.testing.assert_array_equal(decode_frame(path, 90).pixels, wanted[89])
    decode_frame(path, 100)

    def refuse(*_: object, **__: object) -> None:
        raise av.OSError(29, "Illegal seek")

    class Unseekable:
        def __init__(self, file: object) -> None:
            self._file = file
            self.seek = refuse

        def __getattr__(self, name: str) -> object:
            return getattr(self._file, name)

    file = video._decoding._file
    file._container = Unseekable(file._container)
    np.testing.assert_array_equal(decode_frame(path, 90).pixels, wanted[89])


@pytest.mark.parametrize("number", [-1, 0])
def test_frames_are_counted_from_1(tmp_path: Path, number: int) -> None:
    path = write_video(tmp_path / "a.mkv", walking(3), **LOSSLESS)
    with pytest.raises(MediaError, match=f"no frame {number}") as caught:
        decode_frame(path, number)
    assert caught.value.expected == "frames counted from 1"


def test_no_frame_beyond_the_last(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mkv", walking(5), **LOSSLESS)
    for number in (6, 7, 6):
        with pytest.raises(MediaError, match=f"no frame {number}: the video has 5, by decoding it") as caught:
            decode_frame(path, number)
        assert "from 1 to 5" in str(caught.value)
    np.testing.assert_array_equal(decode_frame(path, 5).pixels, walking(5)[4])
    np.testing.assert_array_equal(decode_frame(path, 2).pixels, walking(5)[1])


def test_a_frame_that_cannot_be_decoded_is_no_other(tmp_path: Path) -> None:
    drawn = walking(60)
    path = write_video(tmp_path / "a.mov", drawn, codec="png", pixels="rgb24")
    with av.open(str(path)) as file:
        lost = [(packet.pos, packet.size) for packet in file.demux(video=0) if packet.size][49]
    content = bytearray(path.read_bytes())
    content[lost[0] : sum(lost)] = bytes(lost[1])
    path.write_bytes(content)
    for _ in range(2):
        np.testing.assert_array_equal(decode_frame(path, 60).pixels, drawn[59])
        with pytest.raises(MediaError, match="frame 50 cannot be decoded"):
            decode_frame(path, 50)
        np.testing.assert_array_equal(decode_frame(path, 51).pixels, drawn[50])


def test_notes_do_not_depend_on_what_was_asked_before(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", walking(40), coding={"g": "10", "bf": "0", "sc_threshold": "0"}, turn=(90,))
    with av.open(str(path)) as file:
        place, size = [(packet.pos, packet.size) for packet in file.demux(video=0) if packet.size][13]
    content = bytearray(path.read_bytes())
    content[place : place + size] = bytes(size)
    path.write_bytes(content)
    turned = "turn: turned or mirrored upright as the file states"
    for order in ((1, 16, 25), (25, 16, 1)):
        notes = {number: decode_frame(path, number).notes for number in order}
        assert notes == {1: (turned,), 16: (turned, "damaged: parts of the frame were lost"), 25: (turned,)}


def test_a_video_that_was_replaced_is_read_anew(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mkv", walking(5), **LOSSLESS)
    decode_frame(path, 3)
    other = [255 - pixels for pixels in walking(6)]
    write_video(tmp_path / "b.mkv", other, **LOSSLESS).replace(path)
    np.testing.assert_array_equal(decode_frame(path, 3).pixels, other[2])
    path.unlink()
    with pytest.raises(MediaError, match="media file not found"):
        decode_frame(path, 3)


def test_few_videos_stay_open(tmp_path: Path) -> None:
    paths = [write_video(tmp_path / f"{name}.mkv", walking(5), **LOSSLESS) for name in "abcdef"]
    for number in (2, 1, 4):
        for path in paths:
            np.testing.assert_array_equal(decode_frame(path, number).pixels, walking(5)[number - 1])
            assert len(video_access._VIDEOS.opened) <= 3


FORKING = """
import os, sys
from pathlib import Path
from affectcheck.media import decode_frame
path = Path(sys.argv[1])
decode_frame(path, 100)
child = os.fork()
numbers = (250, 120, 299) if child == 0 else (101, 200, 300)
shown = "".join(f"{number} {decode_frame(path, number).digest}\\n" for number in numbers)
if child:
    os.waitpid(child, 0)
sys.stdout.write(shown)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked there")
def test_a_forked_process_reads_its_own_way(tmp_path: Path) -> None:
    drawn = walking(300)
    path = write_video(tmp_path / "a.mkv", drawn, **LOSSLESS)
    ran = subprocess.run([sys.executable, "-c", FORKING, path], capture_output=True, text=True, timeout=60, check=True)
    shown = dict(line.split() for line in ran.stdout.splitlines())
    assert {int(number): digest for number, digest in shown.items()} == {
        number: Image(drawn[number - 1]).digest for number in (250, 120, 299, 101, 200, 300)
    }


def test_items_are_frames_of_videos(tmp_path: Path) -> None:
    drawn = walking(9)
    write_video(tmp_path / "a.mkv", drawn, **LOSSLESS)
    points = [9.0, 9.0, 20.0, 9.0, 14.0, 15.0, 10.0, 20.0, 19.0, 20.0]
    frame = pl.DataFrame({"item": ["x", "y"], "media": ["a.mkv"] * 2, "frame": [7, 2]})
    frame = frame.with_columns(**{c: pl.Series([value, None]) for c, value in zip(COLUMNS, points, strict=True)})
    first, second = load_items(AnnotationTable(frame, root=tmp_path))
    np.testing.assert_array_equal(first.image.pixels, drawn[6])
    np.testing.assert_array_equal(first.image.landmarks, np.reshape(points, (5, 2)))
    np.testing.assert_array_equal(second.image.pixels, drawn[1])
    assert second.image.landmarks is None
    with pytest.raises(MediaError, match=r"item 'k', .*a\.mkv: no frame 10: the video has 9"):
        load_item({"item": "k", "media": "a.mkv", "frame": 10}, tmp_path)


def test_a_video_without_a_number_of_a_frame(tmp_path: Path) -> None:
    write_video(tmp_path / "a.mp4", walking(3))
    with pytest.raises(MediaError, match="a number in the column 'frame'"):
        load_item({"item": "k", "media": "a.mp4", "frame": None}, tmp_path)


def test_what_is_called_a_video() -> None:
    assert is_video("a/B.MP4")
    assert not is_video("a/b.wav")
    assert not is_video("mp4")
