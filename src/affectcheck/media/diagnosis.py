"""Why a media file cannot be opened: not there (and what is there instead), a folder, empty, or something else."""

from __future__ import annotations

import os
import unicodedata
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from affectcheck.errors import MediaError

if TYPE_CHECKING:
    from pathlib import Path

Kind = Literal["sound", "picture", "video"]

_HEAD: Final = 64
_FEW: Final = 500  # names among which a similar one is looked for: beyond, it takes long for each missing file

#: Suffixes of files that are taken for videos.
VIDEO_SUFFIXES: Final = frozenset(
    [
        ".3gp",
        ".asf",
        ".avi",
        ".divx",
        ".flv",
        ".m2ts",
        ".m4v",
        ".mkv",
        ".mov",
        ".mp4",
        ".mpeg",
        ".mpg",
        ".mts",
        ".mxf",
        ".ogv",
        ".ts",
        ".vob",
        ".webm",
        ".wmv",
    ]
)

#: First bytes of what is met in place of the medium, and what to do about it.
_CONTENTS: Final = (
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself: run `git lfs pull`"),
    (b"<!doctype html", "a web page: a download that was refused or needs a log-in"),
    (b"<html", "a web page: a download that was refused or needs a log-in"),
    (b"pk\x03\x04", "a ZIP archive: unpack it first"),
)
_NO_SOUND: Final = (
    (b"\x89png", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"nist_1a", "a NIST SPHERE file of a coding that libsndfile does not read: convert it to WAV"),
    (b"\x1a\x45\xdf\xa3", "Matroska or WebM: convert its sound first, `ffmpeg -i FILE -vn OUT.flac`"),
)
_NO_PICTURE: Final = (
    (b"flac", "sound (FLAC)"),
    (b"\x89png\r\n\x1a\n", "a PNG file that is damaged"),
    (b"\xff\xd8\xff", "a JPEG file that is damaged"),
    (b"\x1a\x45\xdf\xa3", "Matroska or WebM: a video"),
)
_NO_VIDEO: Final = (
    (b"\x89png", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"flac", "sound (FLAC)"),
    (b"\x1a\x45\xdf\xa3", "Matroska or WebM that is damaged, or broke off before its first frame"),
)
_MOVIE: Final = b"moov"  # the box of an MP4 or MOV file that says where its frames are
_BEGINS: Final = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")
_NOUNS: Final = {"sound": "sound", "picture": "a picture", "video": "a video"}


def require_file(path: Path, *, where: str = "", kind: Kind = "sound") -> None:
    """Make sure that a path is a file with content.

    Raises:
        MediaError: it is missing (the message names what the folder holds instead), a folder, or of 0 bytes.
    """
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise MediaError(
            f"media file not found: {path}",
            where=where,
            expected=f"a {kind} file",
            cause=_link(path) or _neighbour(path) or f"{type(error).__name__}: {error}",
        ) from error
    if path.is_dir():
        raise MediaError(f"is a folder, not a {kind} file: {path}", where=where)
    if not status.st_size:
        raise MediaError(f"empty file (0 bytes): {path}", where=where, cause="a download or a copy that broke off")
    if not os.access(path, os.R_OK):
        raise MediaError(f"no permission to read {path}", where=where)


def require_no_video(path: Path) -> None:
    """Make sure that a path is not called like a video.

    Raises:
        MediaError: it is.
    """
    if path.suffix.casefold() in VIDEO_SUFFIXES:
        raise MediaError(
            f"a video, which is not compared with others: {path}",
            expected="pictures of its frames, or its sound: `ffmpeg -i FILE -vn OUT.flac`",
        )


def contents(path: Path, *, kind: Kind = "sound") -> str:
    """What a file that cannot be decoded seems to be; empty where nothing is known about it."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    known = (*_CONTENTS, *{"sound": _NO_SOUND, "picture": _NO_PICTURE, "video": _NO_VIDEO}[kind])
    found = [meaning for magic, meaning in known if head.lower().startswith(magic.lower())]
    if found:
        return found[0]
    if kind == "video":
        return _no_video(path, head) or _plain_contents(head, kind)
    if head[4:8] == b"ftyp":
        if kind == "picture":
            return "HEIC, MP4 or another file of that family, which Pillow does not read: convert it to PNG"
        return "MP4 or M4A, whose sound libsndfile does not read: `ffmpeg -i FILE -vn OUT.flac` first"
    if head[:4] == b"RIFF" and head[8:12] == b"AVI ":
        return "AVI: a video" if kind == "picture" else "AVI: convert its sound first, `ffmpeg -i FILE -vn OUT.flac`"
    return _plain_contents(head, kind)


def _plain_contents(head: bytes, kind: Kind) -> str:
    """Whether a file is of zeros or text; empty where it is neither."""
    if not any(head):
        return "a file of zero bytes only: a download or a copy that broke off"
    is_text = all(byte in b"\t\r\n" or 0x20 <= byte < 0x7F for byte in head)
    return f"text, not {_NOUNS[kind]}" if is_text else ""


def _no_video(path: Path, head: bytes) -> str:
    """What a file of a known family lacks; empty for others."""
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return "sound (WAV)"
    if head[4:8] not in _BEGINS:
        return ""
    if _has_box(path, _MOVIE):
        return "MP4 or MOV that is damaged"
    return "MP4 or MOV without its index, which is written last: a recording or a copy that broke off"


def _has_box(path: Path, name: bytes) -> bool:
    """Whether an MP4 or MOV file has a box at its outer level that lies wholly within it."""
    size, place = path.stat().st_size, 0
    with path.open("rb") as file:
        while place + 8 <= size:
            file.seek(place)
            head = file.read(16)
            length = int.from_bytes(head[:4], "big")
            if length == 1:  # the length follows in 64 bits
                length = int.from_bytes(head[8:16], "big")
            if head[4:8] == name:
                return length == 0 or place + length <= size
            if length < 8:  # 0: up to the end
                return False
            place += length
    return False


def _link(path: Path) -> str:
    """Where a link that leads nowhere points to; empty for what is no link."""
    return f"a link to {path.readlink()}, which is not there" if path.is_symlink() else ""


def _neighbour(path: Path) -> str:
    """What is there in place of a missing file."""
    if not path.parent.is_dir():
        gone = next(folder for folder in (path.parent, *path.parents) if not folder.is_dir())
        while not gone.parent.is_dir():
            gone = gone.parent
        return f"the folder {gone} is not there; is the root right?"
    there = _listing(path.parent, path.parent.stat().st_mtime_ns)
    near = there.by_name.get(_plain(path.name)) or there.by_stem.get(_plain(path.stem))
    if near is None and len(there.names) <= _FEW:
        near = next(iter(get_close_matches(path.name, there.names, n=1, cutoff=0.8)), None)
    return (
        f"did you mean {near!r} in the same folder?" if near else f"{path.parent} holds {len(there.names)} other files"
    )


class _Listing(NamedTuple):
    """Names in a folder, and the first of each plain name and of each plain name without its suffix."""

    names: list[str]
    by_name: dict[str, str]
    by_stem: dict[str, str]


@lru_cache(maxsize=16)
def _listing(folder: Path, changed_ns: int) -> _Listing:  # the time is a part of the key
    """What a folder holds: read once, though thousands of files may be missing from it."""
    names = sorted((entry.name for entry in folder.iterdir()), reverse=True)
    by_name = {_plain(name): name for name in names}
    by_stem = {_plain(name.rpartition(".")[0]): name for name in names}
    return _Listing(names[::-1], by_name, by_stem)


def _plain(name: str) -> str:
    """A name without case, and with accents written in one way: file systems differ in both."""
    return unicodedata.normalize("NFC", name).casefold()
