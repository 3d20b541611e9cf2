"""The sound of videos: whole or a segment, on the clock of their frames."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import MediaError
from affectcheck.media import decode_audio, frames, load_item, read_sound
from videos import walking, write_video

av = pytest.importorskip("av")

if TYPE_CHECKING:
    from pathlib import Path

RATE = 16_000


def ramp(count: int, channels: int = 1) -> np.ndarray:
    """(n, channels) int16 that tells where each sample stands."""
    return (np.arange(count)[:, None] // 2 * (1, -1)[:channels]).astype(np.int16)


def filmed(path: Path, samples: np.ndarray, *, later: int = 0, codec: str = "pcm_s16le", tracks: int = 1) -> Path:
    """Ten frames of video, and sound that begins so many samples later."""
    layout = "mono" if samples.shape[1] == 1 else "stereo"
    with av.open(str(path), "w") as file:
        video = file.add_stream("mpeg4", rate=25)
        video.width, video.height, video.pix_fmt = 80, 64, "yuv420p"
        sounds = [file.add_stream(codec, rate=RATE, layout=layout) for _ in range(tracks)]
        for pixels in walking(10):
            file.mux(video.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        file.mux(video.encode(None))
        for sound in sounds:
            for start in range(0, len(samples), 1024):
                block = np.ascontiguousarray(samples[start : start + 1024]).reshape(1, -1)
                frame = av.AudioFrame.from_ndarray(block, format="s16", layout=layout)
                frame.rate, frame.time_base, frame.pts = RATE, Fraction(1, RATE), start + later
                file.mux(sound.encode(frame))
            file.mux(sound.encode(None))
    return path


def expected(samples: np.ndarray) -> np.ndarray:
    return samples.astype(np.float32) / 32_768


@pytest.mark.parametrize("suffix", [".mkv", ".mov", ".avi"])
def test_all_of_it_in_every_channel(tmp_path: Path, suffix: str) -> None:
    samples = ramp(6400, 2)
    sound = read_sound(filmed(tmp_path / f"a{suffix}", samples))
    np.testing.assert_array_equal(sound.samples, expected(samples))
    assert (sound.rate_hz, sound.notes) == (RATE, ())
    clip = decode_audio(tmp_path / f"a{suffix}", channel=0)
    np.testing.assert_array_equal(clip.samples, expected(samples)[:, 0])
    assert decode_audio(tmp_path / f"a{suffix}", channel=0, rate_hz=8000).rate_hz == 8000


def compressed(path: Path, samples: np.ndarray) -> Path:
    """Sound alone, under the name of a video."""
    with av.open(str(path), "w", options={"movflags": "faststart"}) as file:
        sound = file.add_stream("aac", rate=RATE, layout="mono")
        frame = av.AudioFrame.from_ndarray(expected(samples).T.copy(), format="fltp", layout="mono")
        frame.rate, frame.pts = RATE, 0
        blocks = av.AudioResampler(format="fltp", layout="mono", rate=RATE, frame_size=1024)
        for block in blocks.resample(frame) + blocks.resample(None):
            file.mux(sound.encode(block))
        file.mux(sound.encode(None))
    return path


def tone(count: int) -> np.ndarray:
    return (8000 * np.sin(2 * np.pi * 440 * np.arange(count) / RATE)).astype(np.int16)[:, None]


def test_sound_that_was_compressed_is_where_it_was(tmp_path: Path) -> None:
    clip = decode_audio(compressed(tmp_path / "a.mp4", tone(6400)))
    assert np.abs(clip.samples[2500:5500] - expected(tone(6400))[2500:5500, 0]).max() < 0.02
    assert clip.notes == ()


def test_segments_are_on_the_clock_of_the_frames(tmp_path: Path) -> None:
    samples = ramp(6400)
    path = filmed(tmp_path / "a.mkv", samples, later=1600)  # 0.1 s after the video
    assert next(frames(path)).time_us == 0
    sound = read_sound(path, 200_000, 300_000)
    np.testing.assert_array_equal(sound.samples, expected(samples)[1600:3200])
    assert sound.notes == ()
    early = read_sound(path, 0, 200_000)
    np.testing.assert_array_equal(early.samples, expected(samples)[:1600])
    assert early.notes == ("start: the sound begins 0.100 s after its video, and the segment with it",)
    late = read_sound(path, 400_000, 500_500)
    np.testing.assert_array_equal(late.samples, expected(samples)[4800:])
    assert late.notes == ("segment end: 0.4 to 0.5005 s, ended with the sound",)
    for segment in ((400_000, 600_000), (700_000, None)):
        with pytest.raises(MediaError, match=r"not within the sound, which lasts 0\.5 s"):
            read_sound(path, *segment)
    with pytest.raises(MediaError, match=r"ends before the sound begins, at 0\.1 s"):
        read_sound(path, 0, 50_000)


def test_several_tracks_and_none(tmp_path: Path) -> None:
    sound = read_sound(filmed(tmp_path / "a.mkv", ramp(3200), tracks=2))
    assert sound.notes == ("sound: the first of 2 tracks",)
    with pytest.raises(MediaError, match="there is no sound in the video"):
        read_sound(write_video(tmp_path / "b.mkv", walking(3)))
    (tmp_path / "c.mkv").write_text("nothing to be heard")
    with pytest.raises(MediaError, match="cannot be opened as a video"):
        read_sound(tmp_path / "c.mkv")


def test_packets_that_are_lost_are_counted(tmp_path: Path) -> None:
    path = compressed(tmp_path / "a.mp4", tone(16_000))
    with av.open(str(path)) as file:
        places = [(packet.pos, packet.size) for packet in file.demux(audio=0) if packet.size]
    content = bytearray(path.read_bytes())

    def lose(lost: list[tuple[int, int]]) -> None:
        for place, size in lost:
            content[place : place + size] = b"\x55" * size
        path.write_bytes(content)

    lose(places[3:5])
    sound = read_sound(path)
    assert sound.notes[0] == "damaged: 2 of its packets of sound cannot be decoded and are left out"
    lose(places)
    with pytest.raises(MediaError, match="none of the sound can be decoded"):
        read_sound(path)


def test_sound_that_broke_off(tmp_path: Path) -> None:
    path = compressed(tmp_path / "a.mp4", tone(16_000))
    path.write_bytes(path.read_bytes()[:-2000])
    notes = read_sound(path).notes
    assert notes[-1].startswith("sound length: header 1.0")
    assert "truncated" in notes[-1]


def test_an_item_that_is_heard_and_seen(tmp_path: Path) -> None:
    filmed(tmp_path / "a.mkv", ramp(6400))
    item = load_item({"item": "k", "media": "a.mkv"}, tmp_path, media=("audio", "frames"))
    assert len(item.audio.samples) == 6400
    assert len(item.frames.pixels) == 10
    assert load_item({"item": "k", "media": "a.mkv"}, tmp_path).audio.digest == item.audio.digest
