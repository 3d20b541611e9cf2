"""What faces are looked for in: pictures, videos, and folders whose numbered pictures are the frames of a video."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from affectcheck.errors import InputError, MissingPathError
from affectcheck.media.image import is_image
from affectcheck.media.video_access import is_video

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Kind: TypeAlias = Literal["picture", "video", "sequence"]

_NUMBER: Final = re.compile(r"(\d+)$")
_SIDES: Final = re.compile(r"^(.+)_(left|right|\d+)$")
_FEW: Final = 5  # names in a message
_LAST: Final = 1_000_000  # frames: eleven hours of 25 a second; each that is missing is a row


class Still(NamedTuple):
    """A frame of a sequence.

    Attributes:
        number: from 1, as its name ends.
        path: of its picture.
    """

    number: int
    path: Path


@dataclass(frozen=True)
class Source:
    """One picture or one video.

    Attributes:
        name: its path relative to where it was looked for, with slashes; of a sequence that of its folder.
        path: of the file, or of the folder of a sequence.
        kind: what it is.
        stem: what its crops are called after; unique among the sources of a run.
        stills: the frames of a sequence, in order.
    """

    name: str
    path: Path
    kind: Kind
    stem: str = ""
    stills: tuple[Still, ...] = ()


@dataclass(frozen=True)
class Found:
    """What a folder holds.

    Attributes:
        sources: in the order of their names, numbers in them by value.
        ignored: files that are neither picture nor video, by their suffix.
    """

    sources: tuple[Source, ...]
    ignored: tuple[str, ...] = ()


def find_sources(root: Path, *, sequences: bool = False, without: Path | None = None) -> Found:
    """Pictures and videos of a folder and all below it, or the one that a file is.

    Args:
        root: folder or file.
        sequences: whether the pictures of one folder are the frames of a video, numbered at the end of their names.
        without: a folder that is not looked into, that of the crops.

    Raises:
        MissingPathError: there is nothing of that name.
        InputError: the crops would lie among the pictures, there are no pictures or videos, or those of a sequence are not numbered.
    """
    if not root.exists():
        raise MissingPathError.of("pictures or videos", root, expected="a picture, a video, or a folder of them")
    if without is not None and root.is_dir() and root.resolve() == without.resolve():
        raise InputError(
            f"the crops of {root} would lie among its pictures and videos", expected="another folder for the crops"
        )
    files = list(_files(root, without)) if root.is_dir() else [root]
    base = root if root.is_dir() else root.parent
    media = [file for file in files if is_image(file) or is_video(file)]
    ignored = tuple(file.relative_to(base).as_posix() for file in files if not (is_image(file) or is_video(file)))
    if not media:
        raise _nothing(root, ignored)
    if sequences:
        return Found(named(_sequences(media, base)), ignored)
    sources = [
        Source(file.relative_to(base).as_posix(), file, "picture" if is_image(file) else "video") for file in media
    ]
    return Found(named(sources), ignored)


def named(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Sources in the order of their names, each with a stem of its own.

    A stem is the name without its suffix. The suffix stays where two would share one, where one with a side or number
    behind it be taken for a face of the other (``a_left.jpg`` beside ``a.jpg``), and of a video whose crops would lie
    among those of pictures (``a.mp4`` beside ``a/00001.jpg``) or in a folder that is called like one.

    Raises:
        InputError: two have the same name.
    """
    ordered = sorted(sources, key=lambda source: natural(source.name))
    plain = [source.name if source.kind == "sequence" else _without_suffix(source.name) for source in ordered]
    times: dict[str, int] = defaultdict(int)
    for stem in plain:
        times[stem] += 1
    begun = {match[1] for match in map(_SIDES.match, plain) if match}
    among = _folders_of_pictures(ordered)
    stems = [
        source.name
        if times[stem] > 1 or stem in begun or (source.kind == "video" and (stem in among or stem.endswith(".jpg")))
        else stem
        for source, stem in zip(ordered, plain, strict=True)
    ]
    twice = sorted({stem for stem in stems if stems.count(stem) > 1}) if len(set(stems)) < len(stems) else []
    if twice:
        raise InputError(
            f"crops of several sources would have the same name: {', '.join(twice[:_FEW])}",
            expected="names that differ",
        )
    return tuple(replace(source, stem=stem) for source, stem in zip(ordered, stems, strict=True))


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """A key that sorts numbers within names by value: frame 9 before frame 10."""
    pieces = re.split(r"(\d+)", name)
    return tuple((0, int(piece)) if piece.isdigit() else (1, piece) for piece in pieces)


def _nothing(root: Path, ignored: Sequence[str]) -> InputError:
    """The error for what holds no picture and no video."""
    if not root.is_dir():
        return InputError(
            f"no picture and no video, by its suffix: {root}",
            expected="a file such as .jpg, .png, .mp4",
            cause="a format that is not read here, such as HEIC: convert it to JPEG or PNG first",
        )
    told = f"; it holds {', '.join(ignored[:_FEW])}{' …' if len(ignored) > _FEW else ''}" if ignored else ""
    return InputError(f"no picture and no video in {root}{told}", expected="files such as .jpg, .png, .mp4")


def _files(folder: Path, without: Path | None, above: tuple[Path, ...] = ()) -> Iterator[Path]:
    """Those of a folder and of all below it, behind links too, but for a link that leads back to what it lies in."""
    above = (*above, folder.resolve())
    avoided = above if without is None else (*above, without.resolve())
    with os.scandir(folder) as entries:
        names = sorted((entry.is_dir(), entry.name) for entry in entries if not entry.name.startswith("."))
    for is_folder, name in names:
        if not is_folder:
            yield folder / name
        elif (folder / name).resolve() not in avoided:
            yield from _files(folder / name, without, above)


def _folders_of_pictures(sources: Iterable[Source]) -> set[str]:
    """Folders that hold pictures, each also without the side or number at its end."""
    found = {source.name.rpartition("/")[0] for source in sources if source.kind == "picture"}
    return found | {match[1] for match in map(_SIDES.match, found) if match}


def _without_suffix(name: str) -> str:
    return name[: -len(Path(name).suffix)] if Path(name).suffix else name


def _sequences(media: list[Path], base: Path) -> list[Source]:
    """A source for each folder of pictures; videos stay what they are."""
    sources = [Source(file.relative_to(base).as_posix(), file, "video") for file in media if is_video(file)]
    folders: dict[Path, list[Path]] = defaultdict(list)
    for file in media:
        if is_image(file):
            folders[file.parent].append(file)
    for folder, files in folders.items():
        name = folder.relative_to(base).as_posix()
        sources.append(
            Source(folder.resolve().name if name == "." else name, folder, "sequence", stills=_stills(folder, files))
        )
    return sources


def _stills(folder: Path, files: list[Path]) -> tuple[Still, ...]:
    """The frames of a sequence in their order.

    Raises:
        InputError: names without a number at their end, numbers below 1 or beyond any video, or two pictures of one.
    """
    numbers: dict[int, list[Path]] = defaultdict(list)
    without = []
    for file in files:
        match = _NUMBER.search(file.stem)
        if match and int(match[1]) > 0:
            numbers[int(match[1])].append(file)
        else:
            without.append(file.name)
    twice = [", ".join(path.name for path in paths) for paths in numbers.values() if len(paths) > 1]
    if without or twice:
        told = without[:_FEW] or twice[:_FEW]
        raise InputError(
            f"{'no number from 1 on at the end of' if without else 'one number for several of'} the names "
            f"{', '.join(told)}",
            where=str(folder),
            expected="pictures of one video, named 00001.jpg, 00002.jpg …",
        )
    last = max(numbers)
    if last > _LAST:
        raise InputError(
            f"frame {last} of {len(numbers)} pictures: {numbers[last][0].name}",
            where=str(folder),
            expected=f"numbers of frames, up to {_LAST}",
            cause="names that end in a date or time: pictures of their own, without --sequences",
        )
    return tuple(Still(number, numbers[number][0]) for number in sorted(numbers))
