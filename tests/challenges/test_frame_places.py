"""Frames are found by video and number; what does not fit is told by name, as far as it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.challenges.checking import check
from affectcheck.challenges.frame_keys import FrameNames
from affectcheck.challenges.frame_places import Frames, places
from affectcheck.challenges.wanted import Wanted
from affectcheck.errors import InputError
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.challenges.frame_places import Places
    from affectcheck.challenges.track import Track

    Write = Callable[[str, str | bytes], Path]

LISTED = [*(f"a/{n:05}.jpg" for n in range(1, 6)), *(f"b_left/{n:05}.jpg" for n in (1, 2, 4))]


def found(keys: list[str], *, tolerance: int = 1, items: list[str] = LISTED) -> Places:
    listed = Frames.of(pl.Series(items), first=1, where="list")
    return places(Frames.of(pl.Series(keys), first=1, where="sent", before=listed.videos), listed, tolerance)


def test_any_order_and_any_name_of_a_frame() -> None:
    draw = rng(1, "order")
    for _ in range(20):
        order = draw.permutation(len(LISTED))
        keys = [LISTED[n].replace("/000", "/").replace(".jpg", ("", ".png", ".JPEG")[n % 3]) for n in order]
        assert found(keys).fit
        assert order[found(keys).rows].tolist() == list(range(len(LISTED)))


def test_rows_that_are_left_out_and_frames_that_are_lent() -> None:
    keys = [*LISTED[:4], *LISTED[5:], "b_left/3.jpg", "b_left/5.jpg"]
    told = found(keys)
    assert told.fit
    assert (told.within, told.behind, told.lent) == (1, 1, 1)
    assert told.rows.tolist() == [0, 1, 2, 3, 3, 4, 5, 6]
    assert not found(keys, tolerance=0).fit
    assert found(keys, tolerance=0).strangers.tolist() == [8]
    assert found(LISTED[:3] + LISTED[5:], tolerance=1).rows.tolist() == [0, 1, 2, -1, -1, 3, 4, 5]  # two are too many
    assert found(LISTED[:3] + LISTED[5:], tolerance=2).lent == 2
    assert found(LISTED[5:], tolerance=9).rows[:5].tolist() == [-1] * 5  # of nothing nothing is lent
    gapped = [LISTED[0], *LISTED[2:]]
    assert found(gapped).rows[1] == -1  # in the midst of a video nothing is lent
    far = [*LISTED[:4], *LISTED[5:], "a/9.jpg"]
    assert found(far).rows[4] == -1  # a video that goes on too far was counted otherwise


def test_rows_that_occur_again() -> None:
    told = found([*LISTED, "a/2.png", "x/1.jpg", "x/01.jpg", "a/00002.jpg"])
    assert told.again.tolist() == [[8, 1], [10, 9], [11, 1]]
    assert told.strangers.tolist() == [9, 10]
    assert not told.fit
    assert found([*LISTED, LISTED[3]]).again.tolist() == [[8, 3]]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (["a/1.jpg,0,0"], "1 item has no prediction: 'a/00002.jpg'"),
        (
            ["a/1.jpg,0,0", "a/2.jpg,0,0", "a/2.png,0,0.5"],
            "1 key occurs more than once with different predictions: 'a/00002.jpg'",
        ),
        (
            ["a/1.jpg,0,0", "a/2.jpg,0,0", "a/2.png,0,0"],
            "1 key occurs more than once with the same prediction: 'a/00002.jpg'",
        ),
        (["a/1.jpg,0,0", "a/2.jpg,0,0", "z/7.png,0,0"], "1 key belongs to no item: 'z/00007.jpg'"),
        (["a/1.jpg,0,0", '" a/2.jpg",0,0'], "1 key has surrounding blanks: ' a/00002.jpg'"),
    ],
)
def test_what_does_not_fit_is_named(rows: list[str], told: str, write: Write, va: Track) -> None:
    track = va.model_copy(update={"labels": va.labels.model_copy(update={"tolerance": 0})})
    path = write("p.csv", "\n".join(("image_location,valence,arousal", *rows)))
    with pytest.raises(InputError, match="do not fit the 2 items") as error:
        check(path, track, wanted=Wanted(pl.Series("item", ["a/00001.jpg", "a/00002.jpg"]), 1))
    assert error.value.what.splitlines()[1:] == [f"  {told}"]


def test_names_of_millions_are_made_when_they_are_shown() -> None:
    names = FrameNames(pl.Series(["a/1.png", "a/00002.jpg", "other"]))
    assert (len(names), names[0], names[1:], list(names)[2]) == (3, "a/00001.jpg", ["a/00002.jpg", "other"], "other")
    assert not FrameNames(pl.Series([], dtype=pl.String))


def test_keys_over_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affectcheck.challenges.frame_places._BLOCK", 3)
    assert found(LISTED[::-1]).rows.tolist() == list(range(len(LISTED)))[::-1]
    with pytest.raises(InputError, match="2 keys of another form"):
        found([*LISTED[:4], "a", "b"])
    with pytest.raises(InputError, match="1 frame before the first"):
        found([*LISTED[:4], "a/0.jpg"])


@pytest.mark.slow
def test_a_million_frames_in_any_order() -> None:
    items = pl.select(
        pl.format(
            "v{}/{}.jpg",
            pl.int_range(1_000_000) // 1000,
            (pl.int_range(1_000_000) % 1000 + 1).cast(pl.String).str.zfill(5),
        )
    ).to_series()
    order = rng(2, "order").permutation(len(items))
    told = places(
        Frames.of(items[order], first=1, where="", before=(listed := Frames.of(items, first=1, where="")).videos),
        listed,
        1,
    )
    assert np.array_equal(order[told.rows], np.arange(len(items)))
