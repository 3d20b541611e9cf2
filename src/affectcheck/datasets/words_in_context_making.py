"""Making words in context: processes that speak, then a manifest of the selection, written last.

Clips are named by all that they are made from, and shared by all selections of a folder: a larger one speaks only
what a smaller one lacks.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from affectcheck.atomic import write_text
from affectcheck.datasets.made_manifest import manifest
from affectcheck.datasets.sentiment_sentences import select
from affectcheck.datasets.speech_files import clear_damaged, sound_package
from affectcheck.datasets.speech_processes import run_shares, worker_count
from affectcheck.datasets.words_in_context_worker import SpokenSentence, clip_names, clip_path
from affectcheck.digest import digest_bytes, digest_mapping
from affectcheck.errors import InputError
from affectcheck.records.codec import strict_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from affectcheck.datasets.sentiment_sentences import Selection

FORMAT: Final = "affectcheck words in context"
VERSION: Final = 1
WORKER: Final = "affectcheck.datasets.words_in_context_worker"


def make_speech(
    selection: Selection, folder: Path, *, workers: int = 0, progress: Callable[[int, int], None] | None = None
) -> dict[str, SpokenSentence]:
    """Make the clips that are missing or damaged, then the manifest.

    Args:
        selection: which clips, and who speaks them.
        folder: where they go; other selections may lie there too.
        workers: processes; 0 for one a core, at most 8. The result does not depend on it.
        progress: called with the clips that are there and all clips.

    Returns:
        Item to finished clip, in the order of the selection.

    Raises:
        InputError: a speaker does not speak a language, or clips came out different when they were made again.
        ExtraMissingError: a package is not installed.
        AffectcheckError: a process failed; the message is its last line.
    """
    names = clip_names(select(selection))
    path = _manifest_path(selection, names, folder)
    known = _read_manifest(path, names)
    files = {clip_path(folder, clip.clip): clip.file for clip in known.values()}
    if known and not clear_damaged(files):
        return known
    sound_package()
    done: dict[str, SpokenSentence] = {}
    words = [str(folder), strict_json(asdict(selection))]
    for line in run_shares(WORKER, words, worker_count(workers, len(names))):
        clip = SpokenSentence(**line)
        done[clip.item] = clip
        if progress:
            progress(len(done), len(names))
    made = {item: done[item] for item in names}
    if known and made != known:
        raise InputError(
            "clips were missing and came out different when they were made again",
            where=str(folder),
            cause="a speaker that does not say the same twice, or files that were changed; delete the folder",
        )
    if not known:
        write_text(path, strict_json(_encode(made), indent=1))
    return made


def _manifest_path(selection: Selection, names: Mapping[str, str], folder: Path) -> Path:
    key = digest_bytes(str(VERSION), strict_json(asdict(selection)), digest_mapping(names))
    return folder / f"manifest-{key[:16]}.json"


def _read_manifest(path: Path, names: Mapping[str, str]) -> dict[str, SpokenSentence]:
    """The finished clips of a manifest; none where there is no manifest yet."""
    if not path.exists():
        return {}
    with manifest(path, FORMAT, VERSION) as data:
        return {item: SpokenSentence(item, *data["clips"][item]) for item in names}


def _encode(made: Mapping[str, SpokenSentence]) -> dict[str, object]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "digest": digest_mapping({item: clip.digest for item, clip in made.items()}),
        "clips": {item: [clip.clip, clip.digest, clip.file] for item, clip in made.items()},
    }
