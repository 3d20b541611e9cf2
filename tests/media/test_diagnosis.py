"""Files that are no sound, and what is said about them."""

from __future__ import annotations

import time

import pytest
from waves import pcm16, sine, wav, write

from affectcheck.errors import MediaError
from affectcheck.media import decode_audio
from affectcheck.media.diagnosis import contents, require_no_video


def refusal(path) -> str:
    with pytest.raises(MediaError) as caught:
        decode_audio(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("there", "asked"),
    [("a.flac", "a.wav"), ("A.WAV", "a.wav"), ("Jose\u0301.wav", "Jos\u00e9.wav"), ("clip_001.wav", "clip_01.wav")],
)
def test_missing_file_names_its_neighbour(tmp_path, there, asked):
    write(tmp_path / there, wav(pcm16(sine())))
    if (tmp_path / asked).exists():
        pytest.skip("a file system that folds names")
    message = refusal(tmp_path / asked)
    assert f"media file not found: {tmp_path / asked}" in message
    assert f"did you mean {there!r}" in message


def test_missing_file_without_a_neighbour(tmp_path):
    write(tmp_path / "zzz.txt", b"x")
    assert "holds 1 other files" in refusal(tmp_path / "a.wav")


def test_thousands_of_missing_files_are_told_at_once(tmp_path):
    for number in range(2000):
        (tmp_path / f"there_{number:04d}.txt").touch()
    (tmp_path / "Clip.flac").touch()
    assert "did you mean 'Clip.flac'" in refusal(tmp_path / "clip.wav")
    start = time.process_time()
    assert "holds 2001 other files" in [refusal(tmp_path / f"thore_{number}.wav") for number in range(2000)][-1]
    assert time.process_time() - start < 10


def test_a_video_is_told_apart(tmp_path):
    path = write(tmp_path / "a.avi", b"RIFF\x00\x00\x00\x00AVI LIST" + bytes(99))
    assert "cannot be opened as a video" in refusal(path)
    assert "AVI: convert its sound first" in refusal(path.rename(tmp_path / "a.wav"))
    path = path.with_suffix(".wav").rename(path)
    assert contents(path, kind="picture") == "AVI: a video"
    with pytest.raises(MediaError, match="a video, which is not compared with others"):
        require_no_video(path)
    require_no_video(tmp_path / "a.wav")


@pytest.mark.parametrize("target", ["gone.wav", "a.wav"])
def test_a_link_that_leads_nowhere_is_not_its_own_neighbour(tmp_path, target):
    (tmp_path / "a.wav").symlink_to(target)
    message = refusal(tmp_path / "a.wav")
    assert f"a link to {target}" in message
    assert "did you mean" not in message


def test_missing_folder_names_the_first_that_is_missing(tmp_path):
    assert f"the folder {tmp_path / 'x'} is not there" in refusal(tmp_path / "x" / "y" / "a.wav")


def test_name_that_no_file_system_takes(tmp_path):
    assert "not found" in refusal(tmp_path / "a\0.wav")


def test_folder(tmp_path):
    assert "is a folder" in refusal(tmp_path)


def test_empty_file(tmp_path):
    assert "0 bytes" in refusal(write(tmp_path / "a.wav", b""))


@pytest.mark.parametrize(
    ("content", "meaning"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer"),
        (b"<!DOCTYPE html><html>", "a web page"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "a picture (PNG)"),
        (b"PK\x03\x04" + bytes(40), "a ZIP archive"),
        (bytes(4) + b"ftypM4A " + bytes(40), "MP4 or M4A"),
        (bytes(4096), "zero bytes only"),
        (b"file,label\na.wav,anger\n", "text, not sound"),
        (bytes(range(128, 256)), "damaged file"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "damaged file"),
        (b"RIFF\x20\0\0\0WAVEdata\x04\0\0\0abcd", "damaged file"),
    ],
)
def test_no_sound(tmp_path, content, meaning):
    message = refusal(write(tmp_path / "a.wav", content))
    assert "cannot decode" in message
    assert meaning in message


def test_suffix_of_headerless_samples(tmp_path):
    assert "cannot decode" in refusal(write(tmp_path / "a.raw", pcm16(sine())))


def test_unreadable(tmp_path, monkeypatch):
    path = write(tmp_path / "a.wav", wav(pcm16(sine())))
    monkeypatch.setattr("os.access", lambda *_: False)  # the tests may run as root, whom no permission stops
    assert "no permission" in refusal(path)
