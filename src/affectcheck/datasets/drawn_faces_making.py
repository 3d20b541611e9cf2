"""Making drawn faces: processes that draw, then the manifest, written last."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from affectcheck.atomic import write_text
from affectcheck.datasets.drawn_faces_canvas import pillow
from affectcheck.datasets.drawn_faces_design import Design, plan
from affectcheck.datasets.drawn_faces_worker import DrawnPicture, picture_path
from affectcheck.datasets.made_manifest import manifest, require_design
from affectcheck.datasets.speech_files import clear_damaged
from affectcheck.datasets.speech_processes import run_shares, worker_count
from affectcheck.digest import digest_bytes, digest_mapping
from affectcheck.errors import InputError
from affectcheck.records.codec import strict_json
from affectcheck.records.provenance import package_version

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MANIFEST: Final = "manifest.json"
FORMAT: Final = "affectcheck drawn faces"
VERSION: Final = 1
ENGINE: Final = "pillow"
WORKER: Final = "affectcheck.datasets.drawn_faces_worker"


@dataclass(frozen=True)
class Manifest:
    """What a finished folder holds.

    Attributes:
        design: what was asked for.
        engine: version of the package that draws.
        pictures: item to finished picture.
    """

    design: Design
    engine: str
    pictures: dict[str, DrawnPicture]

    @property
    def digest(self) -> str:
        """Digest of every picture's pixels, with its key."""
        return digest_mapping({item: picture.digest for item, picture in self.pictures.items()})


def folder_name(design: Design) -> str:
    """Name of the folder of a design: it differs wherever pictures do."""
    return f"drawn-faces-{digest_bytes(str(VERSION), package_version(ENGINE), strict_json(asdict(design)))[:16]}"


def generate(
    design: Design, folder: Path, *, workers: int = 0, progress: Callable[[int, int], None] | None = None
) -> Manifest:
    """Make the pictures that are missing or damaged, then the manifest.

    Args:
        design: which pictures.
        folder: where they go.
        workers: processes; 0 for one a core, at most 8. The result does not depend on it.
        progress: called with the pictures that are there and all pictures.

    Raises:
        InputError: the folder was made with another design, or its pictures are not those of its manifest.
        ExtraMissingError: the package that draws is not installed.
        AffectcheckError: a process failed; the message is its last line.
    """
    known = read_manifest(folder)
    if known is not None:
        require_design(known.design, design, folder, what="drawn faces")
        if not clear_damaged({picture_path(folder, item): each.file for item, each in known.pictures.items()}):
            return known
    pillow()
    items = [picture.item for picture in plan(design)]
    drawn: dict[str, DrawnPicture] = {}
    words = [str(folder), strict_json(asdict(design))]
    for line in run_shares(WORKER, words, worker_count(workers, len(items)), making="drawn faces"):
        picture = _picture(line)
        drawn[picture.item] = picture
        if progress:
            progress(len(drawn), len(items))
    made = Manifest(design, package_version(ENGINE), {item: drawn[item] for item in items})
    if known is not None and made.digest != known.digest:
        raise InputError(
            "pictures were missing and came out different when they were drawn again",
            where=str(folder),
            cause="another version of Pillow, or files that were changed; delete the folder to draw all anew",
        )
    if made != known:
        write_text(folder / MANIFEST, strict_json(_encode(made), indent=1))
    return made


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a folder; None where there is none yet.

    Raises:
        InputError: it is another file, of another version, or damaged.
    """
    path = folder / MANIFEST
    if not path.exists():
        return None
    names = ("digest", "file", "landmarks", "box")
    with manifest(path, FORMAT, VERSION) as data:
        pictures = {
            item: _picture({"item": item, **dict(zip(names, values, strict=True))})
            for item, values in data["pictures"].items()
        }
        return Manifest(Design(**data["design"]), data["engine"], pictures)


def _picture(fields: dict[str, Any]) -> DrawnPicture:
    return DrawnPicture(**{**fields, "landmarks": tuple(fields["landmarks"]), "box": tuple(fields["box"])})


def _encode(manifest: Manifest) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "design": asdict(manifest.design),
        "engine": manifest.engine,
        "digest": manifest.digest,
        "pictures": {
            item: [each.digest, each.file, list(each.landmarks), list(each.box)]
            for item, each in manifest.pictures.items()
        },
    }
