"""Making synthetic speech: processes that speak, then the manifest, written last."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from affectcheck.atomic import write_text
from affectcheck.datasets.espeak import loader
from affectcheck.datasets.made_manifest import manifest, require_design
from affectcheck.datasets.speech_files import clear_damaged, sound_package
from affectcheck.datasets.speech_processes import run_shares, worker_count
from affectcheck.datasets.synthetic_design import Design, plan
from affectcheck.datasets.synthetic_worker import Spoken, clip_path
from affectcheck.digest import digest_file, digest_mapping
from affectcheck.errors import InputError
from affectcheck.records.codec import strict_json
from affectcheck.records.provenance import package_version

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MANIFEST: Final = "manifest.json"
FORMAT: Final = "affectcheck synthetic speech"
VERSION: Final = 1
ENGINE: Final = "espeakng-loader"
WORKER: Final = "affectcheck.datasets.synthetic_worker"


@dataclass(frozen=True)
class Manifest:
    """What a finished folder holds.

    Attributes:
        design: what was asked for.
        engine: version of the package that carries the engine.
        clips: item to finished clip.
        files: item to digest of its file, by which files that were damaged later are found.
    """

    design: Design
    engine: str
    clips: dict[str, Spoken]
    files: dict[str, str] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Digest of every clip's samples, with its key."""
        return digest_mapping({item: clip.digest for item, clip in self.clips.items()})


def generate(
    design: Design, folder: Path, *, workers: int = 0, progress: Callable[[int, int], None] | None = None
) -> Manifest:
    """Make the clips that are missing or damaged, then the manifest.

    Args:
        design: which clips.
        folder: where they go.
        workers: processes; 0 for one a core, at most 8. The result does not depend on it.
        progress: called with the clips that are there and all clips.

    Raises:
        InputError: the folder was made with another design, or its clips are not those of its manifest.
        ExtraMissingError: a package is not installed.
        AffectcheckError: a process failed; the message is its last line.
    """
    clips = plan(design)
    known = read_manifest(folder)
    if known is not None:
        require_design(known.design, design, folder, what="synthetic speech")
        if not clear_damaged(_files(known, folder)) and {clip.item for clip in clips} <= known.clips.keys():
            return known
    loader()
    sound_package()
    count = worker_count(workers, len(clips))
    spoken = _spoken(design, folder, count, lambda done: progress(done, len(clips)) if progress else None)
    files = {clip.item: digest_file(clip_path(folder, clip.item)) for clip in clips}
    made = Manifest(design, package_version(ENGINE), {clip.item: spoken[clip.item] for clip in clips}, files)
    if known is not None and made.digest != known.digest:
        raise InputError(
            "clips were missing and came out different when they were made again",
            where=str(folder),
            cause="another version of the engine, or files that were changed; delete the folder to make all anew",
        )
    if known is None or known.files != files:
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
    with manifest(path, FORMAT, VERSION) as data:
        design = Design(**{**data["design"], "languages": tuple(data["design"]["languages"])})
        clips = {item: Spoken(item, *values) for item, values in data["clips"].items()}
        return Manifest(design, data["engine"], clips, data.get("files", {}))


def _files(known: Manifest, folder: Path) -> dict[Path, str]:
    return {clip_path(folder, item): known.files.get(item, "") for item in known.clips}


def _encode(manifest: Manifest) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "design": asdict(manifest.design),
        "engine": manifest.engine,
        "digest": manifest.digest,
        "clips": {item: [clip.digest, clip.samples] for item, clip in manifest.clips.items()},
        "files": manifest.files,
    }


def _spoken(design: Design, folder: Path, workers: int, progress: Callable[[int], None]) -> dict[str, Spoken]:
    done: dict[str, Spoken] = {}
    for line in run_shares(WORKER, [str(folder), strict_json(asdict(design))], workers):
        clip = Spoken(**line)
        done[clip.item] = clip
        progress(len(done))
    return done
