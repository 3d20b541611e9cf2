"""What ``affectcheck faces crop`` looks at: a path, or the media of a data set; and whether the options fit to it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from affectcheck.cli.choices import names_or_none
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.media import media_path
from affectcheck.media.faces.sources import Found, Source, find_sources, named
from affectcheck.media.image import is_image
from affectcheck.media.video_access import is_video

if TYPE_CHECKING:
    from affectcheck.annotations import AnnotationTable
    from affectcheck.media.faces.crops import CropOptions


@dataclass(frozen=True)
class Asked:
    """What the command line says beside how faces are cropped.

    Attributes:
        source: a path, or a data set.
        output: folder.
        by: group columns of the rates; None for all, ``none`` for none.
        sequences: whether folders of pictures are videos.
        cache: folder of the journals.
        fresh: whether what they hold is made anew.
        overwrite: whether another run in the output folder is replaced.
    """

    source: str
    output: Path
    by: str | None = None
    sequences: bool = False
    cache: Path | None = None
    fresh: bool = False
    overwrite: bool = False


@dataclass(frozen=True)
class Looked:
    """What faces are looked for in.

    Attributes:
        found: pictures and videos.
        table: of a data set; None for a path.
        by: columns, and crossings of them, that rates are told by.
    """

    found: Found
    table: AnnotationTable | None = None
    by: tuple[str, ...] = ()


def look_at(asked: Asked, options: CropOptions) -> Looked:
    """The media of a data set with its table, or what a path holds.

    Raises:
        InputError: there is nothing to look at, or an option says nothing about what there is.
        UnknownNameError: no such data set.
    """
    from affectcheck.datasets import DATASETS, load_dataset  # noqa: PLC0415  # pictures alone need no data set

    options.require_possible()
    name, colon, rest = asked.source.partition(":")
    if Path(asked.source).exists() or not (colon or name in DATASETS):
        if asked.by not in (None, "none"):
            raise InputError("groups of pictures that are not annotated", expected="a data set, NAME:ROOT, for --by")
        looked = Looked(find_sources(Path(asked.source), sequences=asked.sequences, without=asked.output))
    elif name in DATASETS:
        table = load_dataset(asked.source)
        looked = Looked(_of_table(table), table, _attributes(asked.by, table))
    elif rest.startswith("//"):
        raise InputError(f"an address of the network: {asked.source}", expected="a file or folder that lies here")
    else:
        raise UnknownNameError.of("data set", name, DATASETS.names(), where=asked.source)
    _require_of_use(asked, options, looked)
    return looked


def _of_table(table: AnnotationTable) -> Found:
    """Every picture and video that a table names, once."""
    media = table.frame.get_column("media").drop_nulls().unique(maintain_order=True).to_list()
    paths = {one: media_path(one, table.root) for one in media}
    seen = [one for one in media if is_image(one) or is_video(one)]
    if not seen:
        raise InputError(
            f"data set {table.name!r} has no pictures or videos here",
            expected="media such as .jpg or .mp4",
            cause="a data set of sound, or a copy of its labels alone",
        )
    sources = [Source(one, paths[one], "picture" if is_image(one) else "video") for one in seen]
    return Found(named(sources), tuple(one for one in media if one not in set(seen)))


def _attributes(by: str | None, table: AnnotationTable) -> tuple[str, ...]:
    """What rates are told by.

    Raises:
        UnknownNameError: a name is no group column.
        InputError: a column is crossed with itself.
    """
    from affectcheck.evaluation.grouping import attribute  # noqa: PLC0415  # pictures alone have no groups

    if by is None:
        return (*table.groups, "*".join(table.groups)) if len(table.groups) > 1 else tuple(table.groups)
    stated = names_or_none(by)
    for name in stated:
        attribute(table, table.frame, name, minimum_support=0)  # told now, not after hours of looking for faces
    return tuple(dict.fromkeys(stated))


def _require_of_use(asked: Asked, options: CropOptions, looked: Looked) -> None:
    """No option says something about what is not there.

    Raises:
        InputError: one does.
    """
    kinds = {source.kind for source in looked.found.sources}
    where_of_use = (
        ("--fps", options.choice.fps is not None, "video" in kinds, "a video: pictures say nothing of time"),
        ("--every", options.choice.every > 1, kinds != {"picture"}, "a video, or --sequences"),
        ("--sequences", asked.sequences, "sequence" in kinds, "a folder of numbered pictures"),
        ("--largest", options.largest, "picture" in kinds, "pictures: people of videos are followed"),
        ("--margin", options.cutting.margin != 0, options.cutting.boxes, "--boxes, which it is the margin of"),
    )
    for option, stated, of_use, expected in where_of_use:
        if stated and not of_use:
            raise InputError(f"{option} is of no use here", where=asked.source, expected=expected)
