"""Items from the rows of a table, and paths that must stay within the data set."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from waves import pcm16, sine, wav, write

from affectcheck.errors import InputError, MediaError
from affectcheck.media import Frames, Image, Item, load_item, load_items, media_path


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "corpus"
    (folder / "one").mkdir(parents=True)
    write(folder / "one" / "a.wav", wav(pcm16(sine())))
    write(tmp_path / "outside.wav", wav(pcm16(sine())))
    return folder


def test_items_in_order_and_lazily(root):
    frame = pl.DataFrame(
        {
            "item": ["x", "y", "z"],
            "media": ["one/a.wav", "one/a.wav", "one/gone.wav"],
            "start_us": [None, 100_000, None],
            "end_us": [None, 200_000, None],
        }
    )
    items = load_items(SimpleNamespace(frame=frame, root=root), rate_hz=8000)
    assert [(item.key, len(item.audio.samples)) for item in (next(items), next(items))] == [("x", 4000), ("y", 800)]
    with pytest.raises(MediaError, match="item 'z'"):
        next(items)


def test_a_table_without_segments(root):
    frame = pl.DataFrame({"item": ["x"], "media": ["one/a.wav"]})
    (item,) = load_items(SimpleNamespace(frame=frame, root=root))
    assert item.audio.duration_s == 0.5


def test_faults_name_item_and_file(root):
    write(root / "one" / "empty.wav", b"")
    with pytest.raises(MediaError) as caught:
        load_item({"item": "k", "media": "one/empty.wav", "start_us": 5, "end_us": 3}, root)
    assert "item 'k'" in str(caught.value)
    with pytest.raises(MediaError, match=r"item 'k', .*a\.wav: no channel 3"):
        load_item({"item": "k", "media": "one/a.wav"}, root, channel=3)


def test_no_medium(root):
    with pytest.raises(MediaError, match="item 'k': the item has no medium"):
        load_item({"item": "k", "media": None}, root)


@pytest.mark.parametrize(
    "media",
    ["../outside.wav", "one/../../outside.wav", "/etc/passwd", r"C:\x.wav", r"..\outside.wav", r"\\s\x", "", "."],
)
def test_paths_that_leave_the_root(root, media):
    with pytest.raises(MediaError, match="not within the data set's folder"):
        media_path(media, root)


def test_an_absolute_path_within_the_root_is_refused_too(root):
    with pytest.raises(MediaError, match="not within"):
        media_path(str(root / "one" / "a.wav"), root)


def test_backslashes_of_a_table_made_on_windows(root):
    assert media_path(r"one\a.wav", root) == root / "one" / "a.wav"


@pytest.mark.skipif(sys.platform == "win32", reason="no such file name there")
def test_a_backslash_that_belongs_to_the_name(root):
    write(root / r"a\b.wav", b"x")
    assert media_path(r"a\b.wav", root) == root / r"a\b.wav"


def test_without_a_root_only_absolute_paths(root):
    absolute = root / "one" / "a.wav"
    assert media_path(str(absolute), None) == absolute
    with pytest.raises(MediaError, match="no folder that"):
        media_path("one/a.wav", None)
    assert len(load_item({"item": "k", "media": str(absolute)}, None).audio.samples) == 8000


def test_a_nul_in_a_path(root):
    with pytest.raises(MediaError, match="not within"):
        media_path("a\0b.wav", root)


def test_an_item_may_hold_several_media():
    pixels = np.zeros((2, 2, 3), np.uint8)
    item = Item("k", {"image": Image(pixels), "frames": Frames(pixels[None], 25.0)})
    other = Item("other key", {"frames": Frames(pixels[None], 25.0), "image": Image(pixels)})
    assert item.digest == other.digest
    assert item.digest != Item("k", {"image": Image(pixels + 1), "frames": Frames(pixels[None], 25.0)}).digest
    assert item.digest != Item("k", {"image": Image(pixels), "frames": Frames(pixels[None], 30.0)}).digest
    with pytest.raises(InputError, match="item 'k' has no audio"):
        _ = item.audio


def test_root_is_a_path():
    assert media_path("a.wav", Path("x")) == Path("x/a.wav")
