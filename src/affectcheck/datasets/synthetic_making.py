"""Making synthetic speech: processes that speak, then the manifest, written last."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from affectcheck.atomic import clear_write_errors, write_text
from affectcheck.datasets.espeak import loader
from affectcheck.datasets.synthetic_design import Design, plan
from affectcheck.datasets.synthetic_worker import Spoken, clip_path, sound_package
from affectcheck.digest import digest_file, digest_mapping
from affectcheck.errors import EXIT_BAD_INPUT, AffectcheckError, InputError
from affectcheck.records.codec import parse_strict_json, strict_json
from affectcheck.records.provenance import package_version

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MANIFEST: Final = "manifest.json"
FORMAT: Final = "affectcheck synthetic speech"
VERSION: Final = 1
ENGINE: Final = "espeakng-loader"
_MOST_WORKERS: Final = 8


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
        _require_design(known.design, design, folder)
        if not _clear_damaged(known, folder) and {clip.item for clip in clips} <= known.clips.keys():
            return known
    loader()
    sound_package()
    count = min(workers or min(os.cpu_count() or 1, _MOST_WORKERS), len(clips))
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
        InputError: it is another file, or of a newer version.
    """
    path = folder / MANIFEST
    if not path.exists():
        return None
    data = parse_strict_json(path.read_text(encoding="utf-8"), where=str(path))
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise InputError("not a manifest of synthetic speech", where=str(path), expected=f"{FORMAT}, version {VERSION}")
    design = Design(**{**data["design"], "languages": tuple(data["design"]["languages"])})
    clips = {item: Spoken(item, *values) for item, values in data["clips"].items()}
    return Manifest(design, data["engine"], clips, data.get("files", {}))


def _clear_damaged(known: Manifest, folder: Path) -> bool:
    """Delete the files that are not as they were written; whether one has to be made again."""
    missing = False
    for item in known.clips:
        path = clip_path(folder, item)
        if not path.exists():
            missing = True
        elif item in known.files and digest_file(path) != known.files[item]:
            with clear_write_errors(path):
                path.unlink()
            missing = True
    return missing


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


def _require_design(known: Design, wanted: Design, folder: Path) -> None:
    if known != wanted:
        raise InputError(
            f"the folder holds synthetic speech of other options: {known}",
            where=str(folder),
            expected=f"{wanted}, as the options say",
            cause="state the options that it was made with, or another root",
        )


def _spoken(design: Design, folder: Path, workers: int, progress: Callable[[int], None]) -> dict[str, Spoken]:
    """Run the worker processes; the threads only read what they say."""
    lines: SimpleQueue[str | None] = SimpleQueue()
    processes = [_start(design, folder, share, workers) for share in range(workers)]
    threads = [Thread(target=_listen, args=(process, lines), daemon=True) for process in processes]
    done: dict[str, Spoken] = {}
    try:
        for thread in threads:
            thread.start()
        running = workers
        while running:
            line = lines.get()
            if line is None:
                running -= 1
                continue
            clip = Spoken(**json.loads(line))
            done[clip.item] = clip
            progress(len(done))
        for process in processes:
            _require_success(process)
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    return done


def _start(design: Design, folder: Path, share: int, shares: int) -> subprocess.Popen[str]:
    words = [str(folder), strict_json(asdict(design)), str(share), str(shares)]
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(  # noqa: S603  # our own module, in this interpreter
        [sys.executable, "-m", "affectcheck.datasets.synthetic_worker", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": paths},
    )


def _listen(process: subprocess.Popen[str], lines: SimpleQueue[str | None]) -> None:
    assert process.stdout is not None  # told to the type checker
    for line in process.stdout:
        lines.put(line)
    lines.put(None)


def _require_success(process: subprocess.Popen[str]) -> None:
    _, errors = process.communicate()
    if process.returncode != 0:
        said = errors.strip().splitlines() or [f"exit code {process.returncode}"]
        if process.returncode == EXIT_BAD_INPUT and said[-1].startswith("{"):
            raise InputError(**json.loads(said[-1]))
        raise AffectcheckError(f"making synthetic speech failed: {said[-1]}")
