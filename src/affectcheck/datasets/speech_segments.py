"""Recordings of a table cut into stretches of speech; what was found is kept in the cache folder by content."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.annotations.keys import segment_key
from affectcheck.annotations.listing import plural
from affectcheck.atomic import write_text
from affectcheck.cache import cache_folder
from affectcheck.datasets.corpus_files import refuse
from affectcheck.datasets.leaving_out import Kept
from affectcheck.digest import digest_file, digest_mapping
from affectcheck.errors import MediaError, WriteError
from affectcheck.media import decode_audio
from affectcheck.media.voice_activity import VERSION, Segment, VoiceActivity, speech_segments

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


#: Of what is kept.
_FORM: Final = 2


@dataclass(frozen=True)
class Cut:
    """What was found in one recording.

    Attributes:
        segments: its stretches of speech.
        notes: of its clip, each of which begins with its kind and a colon, such as what its header claims in vain.
    """

    segments: tuple[Segment, ...]
    notes: tuple[str, ...] = ()


def cut(frame: pl.DataFrame, base: Path, longest_s: float, progress: Callable[[int, int], None] | None = None) -> Kept:
    """One row a stretch of speech, in place of one row a recording.

    Args:
        frame: with ``item`` and ``media``, a path relative to the base.
        base: folder of the recordings.
        longest_s: seconds of the longest stretch.
        progress: called with the recordings that are cut and all of them.

    Returns:
        The other columns repeated, with ``start_us`` and ``end_us``, and ``item`` with the segment behind it; notes
        tell what is odd about recordings.

    Raises:
        InputError: recordings that cannot be decoded, or without speech; all are listed.
    """
    activity = VoiceActivity(longest_s=longest_s)
    rows: list[dict[str, Any]] = []
    faults: list[str] = []
    odd: dict[str, list[str]] = {}
    for done, row in enumerate(frame.iter_rows(named=True), 1):
        try:
            found = segments_of(base / row["media"], activity)
            faults += [] if found.segments else [f"{row['media']}: no speech found"]
        except MediaError as error:
            faults.append(f"{row['media']}: {error.what}{f' ({error.cause})' if error.cause else ''}")
            found = Cut(())
        for note in found.notes:
            odd.setdefault(note.partition(":")[0], []).append(f"{row['media']}:{note.partition(':')[2]}")
        for one in found.segments:
            key = segment_key(row["item"], one.start_us, one.end_us)
            rows.append({**row, "item": key, "start_us": one.start_us, "end_us": one.end_us})
        if progress is not None:
            progress(done, frame.height)
    refuse(
        faults,
        what="recordings that cannot be cut",
        where=str(base),
        expected="sound files with speech",
        cause="downloads that broke off, or silence: without these files others are drawn; segments=no reads them whole",
    )
    schema = dict(frame.schema) | {"start_us": pl.Int64(), "end_us": pl.Int64()}
    notes = tuple(f"{kind} in {plural(len(told), 'recording')}, such as {told[0]}" for kind, told in odd.items())
    return Kept(pl.DataFrame(rows, schema=schema), notes)


def segments_of(path: Path, activity: VoiceActivity) -> Cut:
    """Stretches of speech of one recording, from the cache if its content was cut before.

    Raises:
        MediaError: it cannot be decoded.
    """
    if not path.is_file():
        raise MediaError(f"not found: {path}")
    key = digest_mapping({"version": VERSION, "form": _FORM, "content": digest_file(path), **asdict(activity)})
    kept = cache_folder() / "voice-activity" / key[:2] / f"{key}.json"
    try:
        data = json.loads(kept.read_text(encoding="utf-8"))
        return Cut(tuple(Segment(int(start), int(end)) for start, end in data["segments"]), tuple(data["notes"]))
    except (OSError, ValueError, TypeError, LookupError):  # not there, or damaged: found again
        clip = decode_audio(path)
        found = Cut(speech_segments(clip, activity), clip.notes)
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        pairs = [[one.start_us, one.end_us] for one in found.segments]
        write_text(kept, json.dumps({"segments": pairs, "notes": found.notes}))
    except (OSError, WriteError):
        return found  # a cache that cannot be written costs time only
    return found
