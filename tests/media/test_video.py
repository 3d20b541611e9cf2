"""Videos of many kinds, frame by frame: which frames, when, and how their pixels stand."""

from __future__ import annotations

import struct
from fractions import Fraction
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.media import count_frames, frames, probe
from affectcheck.media.video_decoding import Cautions
from affectcheck.media.video_pixels import upright_pixels
from videos import walking, write_video

av = pytest.importorskip("av")
Type = av.sidedata.sidedata.Type

if TYPE_CHECKING:
    from pathlib import Path

LOSSLESS = {"codec": "ffv1", "pixels": "bgr0"}
#: A file's suffix, a codec and its pixels: what recordings of faces come in.
KINDS = [
    (".mp4", "libx264", "yuv420p"),
    (".mov", "mjpeg", "yuvj420p"),
    (".mkv", "libx265", "yuv420p"),
    (".avi", "mpeg4", "yuv420p"),
    (".webm", "libvpx-vp9", "yuv420p"),
    (".ts", "libx264", "yuv420p"),
    (".mpg", "mpeg2video", "yuv420p"),
    (".wmv", "wmv2", "yuv420p"),
    (".flv", "flv", "yuv420p"),
]


def numbers(path: Path, **chosen: float) -> list[int]:
    return [frame.number for frame in frames(path, **chosen)]


def test_every_frame_in_order_with_its_number_time_and_pixels(tmp_path: Path) -> None:
    drawn = walking(30)
    path = write_video(tmp_path / "a.mkv", drawn, **LOSSLESS)
    with frames(path) as reader:
        for number, frame in enumerate(reader, start=1):
            assert (frame.number, frame.time_us, frame.damaged) == (number, (number - 1) * 40_000, False)
            np.testing.assert_array_equal(frame.pixels, drawn[number - 1])
            assert frame.pixels.dtype == np.uint8
            assert reader.decoded == number
    assert number == count_frames(path) == reader.decoded == 30
    assert reader.notes == ()


@pytest.mark.parametrize(("suffix", "codec", "pixels"), KINDS)
def test_kinds_of_files(tmp_path: Path, suffix: str, codec: str, pixels: str) -> None:
    drawn = walking(30)
    path = write_video(tmp_path / f"a{suffix}", drawn, codec=codec, pixels=pixels)
    with frames(path) as reader:
        found = list(reader)
    assert reader.notes == ()
    assert [frame.number for frame in found] == list(range(1, 31))
    steps = np.diff([frame.time_us for frame in found])
    np.testing.assert_allclose(steps, 40_000, atol=1000)  # to the millisecond, as coarse clocks go
    for frame, wanted in zip(found, drawn, strict=True):  # the right frame: its neighbours are further off
        assert np.abs(frame.pixels.astype(int) - wanted).mean() < 25


@pytest.mark.parametrize(
    ("suffix", "codec", "pixels"),
    [(".avi", "mpeg4", "yuv420p"), (".webm", "libvpx-vp9", "yuv420p"), (".mp4", "libx264", "yuv444p")],
)
@pytest.mark.parametrize("size", [(51, 35), (33, 64), (50, 47)])
def test_odd_sizes(tmp_path: Path, suffix: str, codec: str, pixels: str, size: tuple[int, int]) -> None:
    height, width = size
    drawn = walking(5, height, width)
    path = write_video(tmp_path / f"a{suffix}", drawn, codec=codec, pixels=pixels)
    for frame, wanted in zip(frames(path), drawn, strict=True):
        assert frame.pixels.shape == (height, width, 3)
        assert frame.pixels.flags.c_contiguous
        assert np.abs(frame.pixels.astype(int) - wanted).mean() < 25
    assert (probe(path).width, probe(path).height) == (width, height)


def test_odd_sizes_lose_no_pixel(tmp_path: Path) -> None:
    drawn = walking(3, 51, 35)
    for frame, wanted in zip(frames(write_video(tmp_path / "a.mkv", drawn, **LOSSLESS)), drawn, strict=True):
        np.testing.assert_array_equal(frame.pixels, wanted)


@pytest.mark.parametrize(
    ("turn", "shown"),
    [
        ((90,), np.rot90),
        ((180,), lambda pixels: pixels[::-1, ::-1]),
        ((-90,), lambda pixels: np.rot90(pixels, -1)),
        ((0, True), lambda pixels: pixels[:, ::-1]),
        ((0, False, True), lambda pixels: pixels[::-1]),
        ((90, True), lambda pixels: np.rot90(pixels)[:, ::-1]),
        ((-90, True), lambda pixels: np.rot90(pixels, -1)[:, ::-1]),
    ],
)
def test_turned_and_mirrored_as_the_file_states(tmp_path: Path, turn: tuple, shown) -> None:
    drawn = walking(2)
    path = write_video(tmp_path / "a.mkv", drawn, **LOSSLESS, turn=turn)
    with frames(path) as reader:
        for frame, wanted in zip(reader, drawn, strict=True):
            np.testing.assert_array_equal(frame.pixels, shown(wanted))
    assert reader.notes == ("turn: turned or mirrored upright as the file states",)
    assert (probe(path).height, probe(path).width) == shown(drawn[0]).shape[:2]
    assert probe(path).notes == reader.notes


def test_the_turn_of_a_phone_is_in_its_mp4_too(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", walking(2), turn=(-90,))
    assert next(frames(path)).pixels.shape == (80, 64, 3)


def test_a_turn_by_nothing_is_none() -> None:
    class Matrix(bytes):
        type = Type.DISPLAYMATRIX

    class Picture:
        format = SimpleNamespace(components=())
        interlaced_frame, color_trc = False, None
        side_data = (Matrix(struct.pack("=9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)),)

        def to_ndarray(self, **_: str) -> np.ndarray:
            return walking(1)[0]

    cautions = Cautions()
    np.testing.assert_array_equal(upright_pixels(Picture(), cautions), walking(1)[0])
    assert cautions.notes == ()


def test_turns_by_other_than_quarters_are_left(tmp_path: Path) -> None:
    drawn = walking(2)
    with frames(write_video(tmp_path / "a.mkv", drawn, **LOSSLESS, turn=(30,))) as reader:
        np.testing.assert_array_equal(next(reader).pixels, drawn[0])
    assert reader.notes == ("turn: the file states one by other than quarters, not turned",)


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_a_rate_that_varies(tmp_path: Path, suffix: str) -> None:
    times = [0, 40, 200, 240, 1000, 1010]
    path = write_video(tmp_path / f"a{suffix}", walking(6), times_ms=times)
    with frames(path) as reader:
        assert [frame.time_us for frame in reader] == [1000 * time for time in times]
    assert reader.notes == ()
    # on show at 0, 100, 200 … 1000 ms: 1, 2, 3, 4 (from 240 ms on), 5
    assert numbers(path, fps=10) == [1, 2, 3, 4, 5]
    assert numbers(path, fps=1) == [1, 5]


def test_one_frame_of_so_many(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mkv", walking(30), **LOSSLESS)
    assert numbers(path, every=1) == list(range(1, 31))
    assert numbers(path, every=7) == [1, 8, 15, 22, 29]
    assert numbers(path, every=100) == [1]
    with frames(path, every=100) as reader:
        list(reader)
    assert reader.decoded == 30


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
@pytest.mark.parametrize("rate", [24, 25, 30, Fraction(30000, 1001), 50])
@pytest.mark.parametrize("fps", [1, 5, 6, 12.5, 24])
def test_frames_on_show_at_a_rate(tmp_path: Path, suffix: str, rate: Fraction, fps: float) -> None:
    count = 60
    path = write_video(tmp_path / f"a{suffix}", walking(count, 16, 32), rate=rate)
    moments = [tick / Fraction(str(fps)) for tick in range(count)]
    expected = [int(moment * rate) + 1 for moment in moments if moment < count / Fraction(rate)]
    found = numbers(path, fps=fps)
    if suffix == ".mkv" and rate not in (25, 50):  # its times are rounded to milliseconds
        assert len(found) == len(set(expected))
        assert np.abs(np.subtract(found, sorted(set(expected)))).max() <= (rate != int(rate))
    else:
        assert found == sorted(set(expected))


def test_a_rate_above_that_of_the_video_gives_every_frame_once(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", walking(20))
    assert numbers(path, fps=25) == numbers(path, fps=60) == list(range(1, 21))
    assert numbers(write_video(tmp_path / "b.mp4", walking(1)), fps=6) == [1]


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"every": 0}, "every is 0"),
        ({"fps": 0.0}, "fps is 0.0"),
        ({"fps": float("nan")}, "fps is nan"),
        ({"fps": float("inf")}, "fps is inf"),
        ({"fps": 6, "every": 2}, "both every 2 and fps 6"),
    ],
)
def test_choices_that_are_none(tmp_path: Path, chosen: dict[str, float], told: str) -> None:
    with pytest.raises(InputError, match=told):
        frames(write_video(tmp_path / "a.mp4", walking(2)), **chosen)


def test_facts_of_a_header(tmp_path: Path) -> None:
    facts = probe(write_video(tmp_path / "a.mp4", walking(50)))
    assert (facts.codec, facts.container.partition(",")[0]) == ("h264", "mov")
    assert (facts.stated_frames, facts.stated_rate_hz, facts.stated_duration_s) == (50, 25.0, 2.0)
    assert (facts.width, facts.height, facts.has_sound, facts.notes) == (80, 64, False, ())
    by_length = probe(write_video(tmp_path / "a.mkv", walking(50), **LOSSLESS))
    assert by_length.stated_frames == 50


def test_a_video_without_times_is_counted(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.h264", walking(10))
    with frames(path) as reader:
        assert [frame.time_us for frame in reader] == [40_000 * number for number in range(10)]
    assert reader.notes == ("times: not stated, counted at 25 frames a second",)
    assert numbers(path, fps=5) == [1, 6]


def test_times_are_those_of_the_file_that_its_sound_shares(tmp_path: Path) -> None:
    path = tmp_path / "a.mkv"
    with av.open(str(path), "w") as file:
        video, sound = file.add_stream("ffv1", rate=25), file.add_stream("pcm_s16le", rate=8000, layout="mono")
        video.width, video.height, video.pix_fmt = 80, 64, "bgr0"
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 8000), np.int16), format="s16", layout="mono")
        silence.rate, silence.pts = 8000, 0
        file.mux(sound.encode(silence))
        for number, pixels in enumerate(walking(5)):
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = 10 + number, Fraction(1, 25)
            file.mux(video.encode(frame))
        file.mux(video.encode(None))
    assert [frame.time_us for frame in frames(path)] == [400_000 + 40_000 * number for number in range(5)]
    assert numbers(path, fps=12.5) == [1, 3, 5]  # the grid begins with the first frame
    assert probe(path).has_sound
    assert probe(path).stated_frames is None


def test_several_videos_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.mkv"
    with av.open(str(path), "w") as file:
        streams = [file.add_stream("ffv1", rate=25) for _ in range(2)]
        for stream in streams:
            stream.width, stream.height, stream.pix_fmt = 80, 64, "bgr0"
        for place, stream in enumerate(streams):
            pixels = np.full((64, 80, 3), 50 * place, np.uint8)
            file.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
            file.mux(stream.encode(None))
    with frames(path) as reader:
        assert [int(frame.pixels.max()) for frame in reader] == [0]
    assert reader.notes == ("streams: the first of 2 videos in the file",)


def test_deep_colours_are_narrowed(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mkv", walking(2), codec="ffv1", pixels="yuv444p10le")
    with frames(path) as reader:
        assert np.abs(next(reader).pixels.astype(int) - walking(1)[0]).mean() < 2
    assert reader.notes == ("depth: 10 bits: narrowed to eight",)


def test_transparent_parts_are_white_whatever_hides_below(tmp_path: Path) -> None:
    alpha = np.full((64, 80, 1), 255, np.uint8)
    drawn = [np.concatenate([pixels, alpha], 2) for pixels in walking(2)]
    drawn[1][:32, :, 3] = 0
    path = write_video(tmp_path / "a.mov", drawn, codec="png", pixels="rgba", given="rgba")
    with frames(path) as reader:
        np.testing.assert_array_equal(next(reader).pixels, drawn[0][:, :, :3])
        assert reader.notes == ()
        half = next(reader).pixels
    assert (half[:32] == 255).all()
    np.testing.assert_array_equal(half[32:], drawn[1][32:, :, :3])
    assert reader.notes == ("transparency: shown on white",)


def test_pixels_that_are_not_square_are_not_stretched(tmp_path: Path) -> None:
    with frames(write_video(tmp_path / "a.mp4", walking(2), shape=(16, 15))) as reader:
        assert next(reader).pixels.shape == (64, 80, 3)
    assert reader.notes == ("pixels: meant to be shown 16:15 wide, not stretched",)


def test_lines_of_two_moments_and_wide_colours_are_left(tmp_path: Path) -> None:
    drawn = walking(3)
    path = write_video(tmp_path / "a.mpg", drawn, codec="mpeg2video", pixels="yuv420p", coding={"flags": "+ildct+ilme"})
    with frames(path) as reader:
        list(reader)
    assert reader.notes == ("interlaced: the lines of two moments are left as recorded",)
    path = write_video(tmp_path / "a.mp4", drawn, coding={"x264-params": "transfer=smpte2084"})
    with frames(path) as reader:
        next(reader)
    assert reader.notes == ("colours: PQ, shown without tone mapping",)


@pytest.mark.parametrize(("space", "full"), [(1, False), (1, True), (6, False), (6, True)])  # BT.709, BT.601 (H.273)
def test_colours_are_those_of_the_space_and_range_that_a_file_states(tmp_path: Path, space: int, full: bool) -> None:
    from av.video.reformatter import ColorRange, Colorspace

    pixels = np.full((64, 80, 3), (200, 60, 30), np.uint8)
    pixels[:32] = (30, 180, 90)
    stored, extent = (
        Colorspace.ITU709 if space == 1 else Colorspace.ITU601,
        ColorRange.JPEG if full else ColorRange.MPEG,
    )
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w") as file:
        stream = file.add_stream("libx264", rate=25, options={"qp": "0"})
        stream.width, stream.height, stream.pix_fmt = 80, 64, "yuv444p"
        stream.codec_context.colorspace, stream.codec_context.color_range = space, extent
        frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
        file.mux(stream.encode(frame.reformat(format="yuv444p", dst_colorspace=stored, dst_color_range=extent)))
        file.mux(stream.encode(None))
    with frames(path) as reader:
        assert np.abs(next(reader).pixels.astype(int) - pixels).max() <= 2


@pytest.mark.parametrize("turn", [(0,), (90,), (180,), (-90,)])
@pytest.mark.parametrize(
    ("suffix", "codec", "pixels"), [kind for kind in KINDS if kind[0] in (".mp4", ".mkv", ".webm")]
)
def test_frames_are_those_of_another_reader(tmp_path: Path, suffix: str, codec: str, pixels: str, turn: tuple) -> None:
    cv2 = pytest.importorskip("cv2")
    path = write_video(tmp_path / f"a{suffix}", walking(20), codec=codec, pixels=pixels, turn=turn)
    other = cv2.VideoCapture(str(path))
    for frame in frames(path):
        found, shown = other.read()
        assert found
        assert np.abs(frame.pixels.astype(int) - shown[:, :, ::-1]).max() <= 4
    assert not other.read()[0]
    other.release()
