"""Which row of a submission predicts which frame of a list, found by whole numbers: a video's place and a frame's number.

Tables of millions of keys are joined three times as slowly and in three times the memory. What does not fit is told by its
rows, of which names are made only as far as a message shows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from affectcheck.challenges.frame_keys import FORM, split_frames

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from affectcheck.challenges.frame_keys import Place

    Numbers = NDArray[np.int64]

#: Keys that are taken apart at a time.
_BLOCK = 1 << 18
#: More than any number of a frame, which has nine digits at most.
_NUMBERS = 1 << 30


class Places(NamedTuple):
    """Where the frames of a list and the rows of a submission meet.

    Attributes:
        rows: (n,) row of each frame of the list; -1 where it has none.
        within: rows of frames that are not listed, up to the last of their video, which are left out.
        behind: tolerated rows behind the last frame of their video, which are left out.
        lent: listed frames behind the last that is predicted of their video, which take its row.
        strangers: rows of no listed video, or behind its last frame by more than is tolerated.
        again: (r, 2) rows whose key an earlier row has that is not left out, and that row.
    """

    rows: Numbers
    within: int
    behind: int
    lent: int
    strangers: Numbers
    again: Numbers

    @property
    def fit(self) -> bool:
        """Whether every frame has a row and every row that is not left out a frame."""
        return not self.strangers.size and not self.again.size and bool((self.rows >= 0).all())


@dataclass(frozen=True, eq=False)
class Frames:
    """Frames by video and number.

    Attributes:
        at: (n,) a number for each, by video and within it by time.
        videos: name to number of each video.
    """

    at: Numbers
    videos: dict[str, int]

    @classmethod
    def of(
        cls,
        keys: pl.Series,
        *,
        first: int,
        where: str,
        before: Mapping[str, int] | None = None,
        place: Place | None = None,
    ) -> Frames:
        """Frames from their keys.

        Args:
            keys: (n,) String, whatever the zeros in front and whichever kind of picture.
            first: number of a video's first frame.
            where: the file, for messages.
            before: videos that have a number already.
            place: tells where a row stands, where that is known.

        Raises:
            InputError: keys of another form, or frames before the first; all are counted.
        """
        at, videos = np.empty(len(keys), np.int64), dict(before or {})
        for start, block in _blocks(keys):
            parted = block.str.extract_groups(FORM).struct.unnest()
            names, numbers = parted.to_series(0), parted.to_series(1).cast(pl.Int64)
            if names.null_count() or (numbers < first).any():
                split_frames(keys, first=first, where=where, place=place)  # says what is wrong, with all of them
            for name in names.unique(maintain_order=True):
                videos.setdefault(name, len(videos))
            codes = names.replace_strict(videos, return_dtype=pl.Int64).to_numpy()
            at[start : start + len(block)] = codes * _NUMBERS + numbers.to_numpy()
        return cls(at, videos)


def places(sent: Frames, listed: Frames, tolerance: int) -> Places:
    """Find the row of each frame.

    Args:
        sent: (m,) frames of the submission, with the videos of the list before all others.
        listed: (n,) frames of the list, each once.
        tolerance: frames at the end of a video.

    Example:
        >>> listed = Frames.of(pl.Series(["a/00001.jpg", "a/00002.jpg"]), first=1, where="")
        >>> sent = Frames.of(pl.Series(["a/2.png", "a/1.jpg"]), first=1, where="", before=listed.videos)
        >>> places(sent, listed, 0).rows.tolist()
        [1, 0]
    """
    order = np.argsort(listed.at, kind="stable")
    ordered = listed.at[order]
    last = _ends(ordered, np.arange(len(ordered)), len(listed.videos))
    place = np.searchsorted(ordered, sent.at).clip(max=len(ordered) - 1)
    hit = ordered[place] == sent.at
    others = np.flatnonzero(~hit)
    videos = sent.at[others] // _NUMBERS
    known = videos < len(last)
    beyond = np.full(others.size, tolerance + 1)
    beyond[known] = sent.at[others[known]] - ordered[last[videos[known]]]
    strangers = others[beyond > tolerance]
    found = np.full(len(ordered), -1)  # in the order of the coordinates
    found[place[hit]] = np.flatnonzero(hit)
    kept = hit
    kept[strangers] = True
    again = (
        _again(sent.at, np.flatnonzero(kept)) if strangers.size or _repeats(found, hit) else np.empty((0, 2), np.int64)
    )
    closed = np.zeros(len(sent.videos), bool)  # a video that goes on too far has no last frame to lend
    closed[sent.at[strangers] // _NUMBERS] = True
    lent = _lend(found, ordered, last, tolerance, closed) if tolerance else 0
    rows = np.empty_like(found)
    rows[order] = found
    within = int((beyond <= 0).sum())
    return Places(rows, within, others.size - strangers.size - within, lent, strangers, again)


def _blocks(keys: pl.Series) -> Iterator[tuple[int, pl.Series]]:
    for start in range(0, len(keys), _BLOCK):
        yield start, keys.slice(start, _BLOCK)


def _repeats(found: Numbers, kept: NDArray[np.bool_]) -> bool:
    """Whether fewer frames have a row than there are rows that have a frame."""
    return bool(np.count_nonzero(found >= 0) < np.count_nonzero(kept))


def _again(at: Numbers, kept: Numbers) -> Numbers:
    """(r, 2) rows whose frame an earlier row has, and that row."""
    _, first, which = np.unique(at[kept], return_index=True, return_inverse=True)
    earlier = kept[first[which]]
    later = earlier != kept
    return np.stack([kept[later], earlier[later]], axis=1)


def _ends(ordered: Numbers, among: Numbers, videos: int) -> Numbers:
    """(videos,) place of the last of some frames of each video in sorted coordinates; -1 where it has none of them."""
    ends = np.full(videos, -1)
    ends[ordered[among] // _NUMBERS] = among  # the last of those that are written to one place stays
    return ends


def _lend(found: Numbers, ordered: Numbers, last: Numbers, tolerance: int, closed: NDArray[np.bool_]) -> int:
    """Give tolerated missing frames at the end of a video the row of its last predicted one; how many there were."""
    missing = np.flatnonzero(found < 0)
    codes = ordered[missing] // _NUMBERS
    end = _ends(ordered, np.flatnonzero(found >= 0), len(last))[codes]
    short = ordered[last[codes]] - ordered[end] <= tolerance  # more are no matter of a decoder
    behind = (end >= 0) & (missing > end) & short & ~closed[codes]
    found[missing[behind]] = found[end[behind]]
    return int(behind.sum())
