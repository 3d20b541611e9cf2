"""Videos that are damaged, broken off or none: what is still given, what is told, and that numbers do not move."""

from __future__ import annotations

import builtins
import io
import re
import struct
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError, MediaError
from affectcheck.media import count_frames, frames, probe, video_file
from affectcheck.media.diagnosis import contents
from affectcheck.seeds import rng
from videos import walking, write_video

av = pytest.importorskip("av")

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

STREAMED = {"container": {"movflags": "faststart"}}  # the index stands first


def refusal(path: Path) -> str:
    with pytest.raises(MediaError) as caught:
        list(frames(path))
    message = str(caught.value)
    assert message.startswith(str(path)) or str(path) in message.splitlines()[0]
    for other in (probe, count_frames):
        with pytest.raises(MediaError) as again:
            other(path)
        assert str(again.value) == message
    return message


def cut(path: Path, share: float) -> Path:
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    return path


def packets(path: Path) -> list[tuple[int, int]]:
    """Place and size of every coded frame, in the order of coding."""
    with av.open(str(path)) as file:
        return [(packet.pos, packet.size) for packet in file.demux(video=0) if packet.size]


def overwrite(path: Path, places: Sequence[tuple[int, int]]) -> None:
    content = bytearray(path.read_bytes())
    for place, size in places:
        content[place : place + size] = bytes(size)
    path.write_bytes(content)


@pytest.mark.parametrize("share", [0.6, 0.65, 0.7, 0.75])
@pytest.mark.parametrize(
    ("suffix", "codec", "options"),
    [(".mkv", "libx264", {}), (".avi", "mpeg4", {}), (".webm", "libvpx-vp9", {}), (".mp4", "libx264", STREAMED)],
)
def test_a_file_that_broke_off_gives_the_frames_that_there_are(tmp_path: Path, suffix, codec, options, share) -> None:
    drawn = walking(100, 128, 160)
    path = write_video(tmp_path / f"a{suffix}", drawn, codec=codec, pixels="yuv420p", **options)
    with frames(path) as whole:
        wanted = [frame.pixels for frame in whole]
    with frames(cut(path, share)) as reader:
        found = list(reader)
    assert 20 < len(found) == reader.decoded < 100
    for frame in found:
        assert frame.number == round(frame.time_us / 40_000) + 1  # though those before the last ones may be missing
        if not frame.damaged:
            np.testing.assert_array_equal(frame.pixels, wanted[frame.number - 1])
    assert "100" in reader.notes[0] or "4.00 s" in reader.notes[0]
    assert reader.notes[0].startswith(("count: ", "length: "))
    assert count_frames(path) == len(found)


def test_what_a_file_that_broke_off_says(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mkv", walking(50), codec="mjpeg", pixels="yuvj420p")
    with frames(cut(path, 0.5)) as reader:
        count = len(list(reader))
    assert reader.notes == (f"length: {count} frames, {count / 25:.2f} s; the header states 2.00 s",)
    path = write_video(tmp_path / "a.avi", walking(50), codec="mjpeg", pixels="yuvj420p")
    with frames(cut(path, 0.5)) as reader:
        count = len(list(reader))
        assert reader.decoded == count
    assert reader.notes == (f"count: {count + 1} frames; the header states 50", "lost: 1 frame")


def test_without_the_index_of_an_mp4(tmp_path: Path) -> None:
    path = cut(write_video(tmp_path / "a.mp4", walking(30)), 0.8)
    assert "without its index, which is written last" in refusal(path)
    path.write_bytes(b"\0\0\0\x18ftypmp42")
    assert "without its index" in refusal(path)
    path.write_bytes(b"\0\0\0\x08free\0\0\0\x01mdat" + struct.pack(">Q", 24) + bytes(8) + b"\0\0\0\x00skip")
    assert "without its index" in refusal(path)
    path.write_bytes(b"\0\0\0\x08free\0\0\0\x10moov" + bytes(8))
    assert "a file without any contents" in refusal(path)
    assert contents(path, kind="video") == "MP4 or MOV that is damaged"


def test_without_the_index_of_an_avi_or_matroska(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.avi", walking(30), codec="mjpeg", pixels="yuvj420p")
    content = path.read_bytes()
    path.write_bytes(content[: content.rindex(b"idx1")])
    with frames(path) as reader:
        assert [frame.number for frame in reader] == list(range(1, 31))
    assert reader.notes == ()
    path = write_video(tmp_path / "a.mkv", walking(30), codec="mjpeg", pixels="yuvj420p")
    content = path.read_bytes()
    path.write_bytes(content[: content.rindex(b"\x1c\x53\xbb\x6b")])  # Cues, which players seek by
    assert count_frames(path) == 30


def test_a_header_that_states_another_number_of_frames(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.avi", walking(30), codec="mjpeg", pixels="yuvj420p")
    content = path.read_bytes()
    assert content.count(struct.pack("<I", 30)) >= 2
    path.write_bytes(content.replace(struct.pack("<I", 30), struct.pack("<I", 33)))
    with frames(path) as reader:
        assert len(list(reader)) == 30
    assert reader.notes == ("count: 30 frames; the header states 33",)
    assert probe(path).stated_frames == 33
    assert count_frames(path) == 30


def test_a_lost_frame_moves_no_other(tmp_path: Path) -> None:
    drawn = walking(20)
    path = write_video(tmp_path / "a.mov", drawn, codec="png", pixels="rgb24")
    overwrite(path, [packets(path)[6], packets(path)[11]])
    with frames(path) as reader:
        found = list(reader)
    assert [frame.number for frame in found] == [n for n in range(1, 21) if n not in (7, 12)]
    for frame in found:
        np.testing.assert_array_equal(frame.pixels, drawn[frame.number - 1])
        assert not frame.damaged
    assert reader.notes == ("lost: 2 frames",)
    assert reader.lost == (7, 12)
    assert [frame.number for frame in frames(path, every=3)] == [1, 4, 10, 13, 16, 19]
    overwrite(path, packets(path)[18:])
    with frames(path) as reader:
        list(reader)
    assert reader.lost == (7, 12, 19, 20)


def test_frames_that_are_built_upon_a_lost_one_are_damaged(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", walking(40), coding={"g": "10", "bf": "0", "sc_threshold": "0"})
    overwrite(path, [packets(path)[13]])
    with frames(path) as reader:
        found = list(reader)
    assert [frame.number for frame in found] == [n for n in range(1, 41) if n != 14]
    assert [frame.number for frame in found if frame.damaged] == list(range(15, 21))
    assert reader.notes == ("damaged: 6 frames", "lost: 1 frame")


def test_damage_in_a_video_without_times(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.h264", walking(40), coding={"g": "10", "bf": "0", "sc_threshold": "0"})
    overwrite(path, [(path.stat().st_size // 2, 60)])
    with frames(path) as reader:
        found = list(reader)
    damaged = [frame.number for frame in found if frame.damaged]
    assert 1 <= len(damaged) <= 10  # up to the next frame that stands alone
    assert damaged == list(range(damaged[0], damaged[-1] + 1))
    assert reader.notes[1] == f"damaged: {len(damaged)} frame{'s' if len(damaged) > 1 else ''}"


def test_no_frame_can_be_decoded(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mov", walking(3), codec="png", pixels="rgb24")
    overwrite(path, packets(path))
    assert "none of 3 frames can be decoded" in refusal(path)


@pytest.mark.parametrize(
    ("suffix", "codec", "told", "cause"),
    [
        (".avi", "mpeg4", "there are no frames in the video", "a damaged file, or one that broke off"),
        (".flv", "libx264", "there are no frames in the video", "a damaged file, or one that broke off"),
        (".mkv", "libx264", "cannot be opened as a video", "broke off before its first frame"),
        (".mp4", "libx264", "there is no video in the file", "a file without any contents"),
    ],
)
def test_a_recording_that_ended_before_its_first_frame(tmp_path: Path, suffix, codec, told, cause) -> None:
    path = tmp_path / f"a{suffix}"
    with av.open(str(path), "w") as file:
        stream = file.add_stream(codec, rate=25)
        stream.width, stream.height, stream.pix_fmt = 80, 64, "yuv420p"
        file.start_encoding()
    message = refusal(path)
    assert told in message
    assert cause in message


def test_a_file_cut_before_its_first_frame(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mkv", walking(3), codec="ffv1", pixels="bgr0")
    content = path.read_bytes()
    path.write_bytes(content[: content.index(b"\x1f\x43\xb6\x75") + 8])
    assert "there are no frames in the video" in refusal(path)


def sound(path: Path, *, cover: bool = False) -> Path:
    with av.open(str(path), "w") as file:
        stream = file.add_stream("aac", rate=16_000, layout="mono")
        if cover:
            picture = file.add_stream("mjpeg", rate=25)
            picture.width, picture.height, picture.pix_fmt = 80, 64, "yuvj420p"
            picture.disposition = av.stream.Disposition.attached_pic
        samples = av.AudioFrame.from_ndarray(np.zeros((1, 4096), np.float32), format="fltp", layout="mono")
        samples.rate, samples.time_base, samples.pts = 16_000, Fraction(1, 16_000), 0
        if cover:
            file.mux(picture.encode(av.VideoFrame.from_ndarray(walking(1)[0], format="rgb24")))
            file.mux(picture.encode(None))
        file.mux(stream.encode(samples))
        file.mux(stream.encode(None))
    return path


def test_sound_without_a_video(tmp_path: Path) -> None:
    message = refusal(sound(tmp_path / "a.mp4"))
    assert "there is no video in the file" in message
    assert "a file of sound only" in message
    assert "a file of sound and a cover picture only" in refusal(sound(tmp_path / "b.mp4", cover=True))


def picture(kind: str) -> bytes:
    file = io.BytesIO()
    pytest.importorskip("PIL.Image").fromarray(walking(1)[0]).save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"file,label\na.mp4,anger\n" * 9, "text, not a video"),
        (b"1\n00:00:01,000 --> 00:00:02,000\nhello\n\n", "text, not a video"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "Git LFS pointer"),
        (b"<!DOCTYPE html><html><body>please log in</body></html>", "a web page"),
        (lambda: picture("PNG"), r"a picture \(PNG\)"),
        (lambda: picture("JPEG"), r"a picture \(JPEG\)"),
        (b"fLaC" + bytes(60), r"sound \(FLAC\)"),
        (b"RIFF\x24\0\0\0WAVEfmt " + bytes(60), r"sound \(WAV\)"),
        (b"\x1a\x45\xdf\xa3" + b"\x7f" * 40, "Matroska or WebM that is damaged"),
        (bytes(4000), "zero bytes only"),
        (b"\x01\x02\x03\xff" * 99, "a damaged file"),
    ],
)
def test_no_video(tmp_path: Path, content, cause: str) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(content() if callable(content) else content)
    message = refusal(path)
    assert "cannot be opened as a video" in message
    assert re.search(cause, message)


def test_nothing_there(tmp_path: Path) -> None:
    assert "a video file" in refusal(tmp_path / "gone.mp4")
    (tmp_path / "folder.mp4").mkdir()
    assert "is a folder, not a video file" in refusal(tmp_path / "folder.mp4")
    (tmp_path / "a.mp4").touch()
    assert "empty file" in refusal(tmp_path / "a.mp4")


@pytest.mark.parametrize(
    "content", ["ffconcat version 1.0\nfile a.mkv\n", "#EXTM3U\n#EXTINF:1,\na.mkv\n#EXT-X-ENDLIST\n"]
)
def test_files_that_name_other_files_are_not_followed(tmp_path: Path, content: str) -> None:
    write_video(tmp_path / "a.mkv", walking(3), codec="ffv1", pixels="bgr0")
    (tmp_path / "b.mkv").write_text(content)
    assert "text, not a video" in refusal(tmp_path / "b.mkv")


def test_names_that_a_decoder_might_take_for_something_else(tmp_path: Path) -> None:
    for name in ("a:b.mkv", "frame%03d.mkv", "concat:x.mkv", "ü ö #1.mkv", "-.mkv"):
        path = write_video(tmp_path / "plain.mkv", walking(3), codec="ffv1", pixels="bgr0").rename(tmp_path / name)
        assert count_frames(path) == 3


def test_reading_that_fails_half_way_gives_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_video(tmp_path / "a.mkv", walking(30))

    class Failing(video_file.VideoFile):
        @property
        def container(self):
            given = super().container

            class Container:
                start_time = given.start_time

                @staticmethod
                def demux(stream):
                    for number, packet in enumerate(given.demux(stream)):
                        if number == 20:
                            raise av.OSError(5, "Input/output error")
                        yield packet

            return Container()

    monkeypatch.setattr("affectcheck.media.video_decoding.VideoFile", Failing)
    with frames(path) as reader:
        found = list(reader)
    assert len(found) == 20
    assert reader.notes[0] == "broken off: after 20 frames: Input/output error"


def test_a_coding_that_is_not_known(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.avi", walking(3), codec="mpeg4", pixels="yuv420p")
    path.write_bytes(path.read_bytes().replace(b"FMP4", b"ZZZZ"))
    assert "coded in a way that the installed PyAV does not know" in refusal(path)


def test_closed_in_the_middle_at_the_end_and_after_an_error(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mkv", walking(9), codec="ffv1", pixels="bgr0")
    with frames(path) as reader:
        next(reader)
    with pytest.raises(StopIteration):
        next(reader)
    reader.close()
    reader = frames(path)
    assert len(list(reader)) == 9
    assert list(reader) == []


def test_without_pyav(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_video(tmp_path / "a.mkv", walking(2), codec="ffv1", pixels="bgr0")
    importing = builtins.__import__

    def refuse(name: str, *rest: object, **named: object) -> object:
        if name == "av":
            raise ImportError(name)
        return importing(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    video_file.load_av.cache_clear()
    with pytest.raises(ExtraMissingError, match="'av'") as caught:
        frames(path)
    assert "affectcheck[video]" in str(caught.value)


@pytest.mark.parametrize(
    ("suffix", "codec", "options"),
    [(".mkv", "libx264", {"coding": {"g": "10"}}), (".mp4", "libx264", STREAMED), (".mpg", "mpeg2video", {})],
)
def test_whatever_happens_to_the_bytes_numbers_rise_or_there_is_one_clear_error(tmp_path, suffix, codec, options):
    path = write_video(tmp_path / f"a{suffix}", walking(30), codec=codec, pixels="yuv420p", **options)
    good = path.read_bytes()
    for seed in range(12):
        draw = rng(seed, "damage")
        content = bytearray(good)
        if seed % 2:
            start = int(draw.integers(len(content)))
            del content[start : start + int(draw.integers(1, 2000))]
        for place in draw.integers(len(content), size=int(draw.integers(20))):
            content[place] = int(draw.integers(256))
        path.write_bytes(content)
        try:
            with frames(path) as reader:
                numbers = [frame.number for frame in reader]
        except MediaError:
            continue
        assert numbers == sorted(set(numbers))
        assert reader.decoded == len(numbers)
        assert not set(numbers) & set(reader.lost)
        assert list(reader.lost) == sorted(set(reader.lost))


def test_frames_of_an_absurd_size_are_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_video(tmp_path / "a.avi", walking(3), codec="mpeg4", pixels="yuv420p")
    assert count_frames(path) == 3
    monkeypatch.setattr(video_file, "_MOST_PIXELS", 1000)
    with pytest.raises(MediaError, match="none of 3 frames can be decoded"):
        count_frames(path)


def test_a_leap_in_time_at_the_end_of_what_is_there_is_no_hole(tmp_path: Path) -> None:
    times = [*range(0, 800, 40), *range(4000, 4400, 40)]
    path = write_video(tmp_path / "a.mkv", walking(30), times_ms=times, coding={"bf": "2"})
    with frames(path) as reader:
        assert [frame.number for frame in reader] == list(range(1, 31))
    cut(path, 0.72)
    with frames(path) as reader:
        found = list(reader)
    assert [frame.number for frame in found] == list(range(1, len(found) + 1))
