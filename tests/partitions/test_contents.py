"""What media hold: digests by item, a cache that a killed run goes on from, and copies within and across sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.partitions import Contents, content_of, contents, copies_of
from drawn import picture, voice

PIL = pytest.importorskip("PIL.Image")
soundfile = pytest.importorskip("soundfile")

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

ACROSS = ("x1.png", "x2.bmp")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pictures and sounds: exact copies, near copies, others, and what cannot be read."""
    root = tmp_path / "corpus"
    root.mkdir()
    for name in ACROSS:
        PIL.fromarray(picture(1)).save(root / name)
    PIL.fromarray(picture(1)[:, ::-1]).save(root / "x3.jpg", quality=80)
    PIL.fromarray(picture(2)).save(root / "y.png")
    samples = np.round(voice(1) * 30_000).astype(np.int16)
    soundfile.write(root / "a.wav", samples, 16_000)
    soundfile.write(root / "b.flac", samples, 16_000)
    soundfile.write(root / "c.wav", samples // -2, 16_000)
    (root / "broken.png").write_bytes(b"no picture")
    return root


def table(folder: Path, names: list[str | None], **columns: object) -> AnnotationTable:
    items = [str(name) if name else f"none {place}" for place, name in enumerate(names)]
    frame = pl.DataFrame({"item": items, "media": pl.Series(names, dtype=pl.String), **columns})
    return make_table(frame, targets=[], root=folder, name="corpus")


ALL = ["y.png", "x1.png", "a.wav", "x2.bmp", "x3.jpg", "b.flac", "c.wav", None, "broken.png", "gone.wav"]


def test_everything_at_once(folder: Path) -> None:
    calls: list[tuple[int, int]] = []
    found = content_of(table(folder, ALL), progress=lambda done, total: calls.append((done, total)), workers=2)
    assert calls == [(done + 1, 9) for done in range(9)]
    assert sorted(found.digests) == sorted(name for name in ALL[:7] if name)
    assert list(found.unreadable) == ["broken.png", "gone.wav"]
    assert "cannot decode" in found.unreadable["broken.png"]
    assert found.digests["x1.png"] == found.digests["x2.bmp"]
    assert found.digests["a.wav"] == found.digests["b.flac"]
    assert len(set(found.digests.values())) == 5
    assert (len(found.images), len(found.sounds)) == (3, 2)


def test_copies_within_and_across_sets(folder: Path) -> None:
    parts = {"x1.png": "train", "x2.bmp": "test", "x3.jpg": "test", "a.wav": "train", "b.flac": "train"}
    copies = copies_of(content_of(table(folder, ALL)), parts)
    assert copies.exact.rows() == [
        ("a.wav", "a.wav", "train"),
        ("a.wav", "b.flac", "train"),
        ("x1.png", "x1.png", "train"),
        ("x1.png", "x2.bmp", "test"),
    ]
    assert copies.near.drop("distance").rows() == [
        ("a.wav", "c.wav", "train", None, "sound"),
        ("x1.png", "x3.jpg", "train", "test", "mirrored image"),
        ("x2.bmp", "x3.jpg", "test", "test", "mirrored image"),
    ]
    assert copies.near.get_column("distance").max() < 0.1
    assert copies.counts.rows() == [
        ("exact", 1, 1, 4),
        ("sound", 1, 0, 2),
        ("image", 0, 0, 0),
        ("mirrored image", 1, 1, 3),
    ]
    assert copies.left_out == 0


def test_copies_do_not_depend_on_the_order_of_rows(folder: Path) -> None:
    parts = dict.fromkeys(["x1.png", "x2.bmp"], "train")
    one, other = (copies_of(content_of(table(folder, names)), parts) for names in (ALL, ALL[::-1]))
    assert one.exact.equals(other.exact)
    assert one.near.equals(other.near)


def test_exact_copies_alone(folder: Path) -> None:
    copies = copies_of(content_of(table(folder, ALL)), near=False)
    assert copies.exact.height == 4
    assert copies.near.height == 0
    assert copies.counts.get_column("within").to_list() == [2, 0, 0, 0]


def test_nothing_to_compare(folder: Path) -> None:
    none = make_table(pl.DataFrame({"item": ["a", "b"]}), targets=[])
    assert content_of(none).digests == {}
    for found in (Contents({}), content_of(table(folder, ["y.png"]))):
        copies = copies_of(found)
        assert (copies.exact.height, copies.near.height) == (0, 0)
        assert copies.counts.get_column("items").to_list() == [0, 0, 0, 0]


def test_frames_of_one_recording_are_no_copies_of_one_another(folder: Path) -> None:
    frame = pl.DataFrame(
        {"item": ["1", "2", "3", "4"], "media": ["a.wav", "a.wav", "b.flac", "y.png"], "frame": [1, 2, 2, 7]}
    )
    found = content_of(make_table(frame, targets=[], root=folder))
    assert copies_of(found).exact.get_column("item").to_list() == ["2", "3"]
    assert found.digests["4"] in found.images


def test_segments_of_one_recording(folder: Path) -> None:
    frame = pl.DataFrame(
        {
            "item": ["1", "2", "3"],
            "media": ["a.wav", "a.wav", "b.flac"],
            "start_us": [0, 500_000, 500_000],
            "end_us": [400_000, 900_000, 900_000],
        }
    )
    found = content_of(make_table(frame, targets=[], root=folder))
    assert copies_of(found).exact.get_column("item").to_list() == ["2", "3"]


def test_what_was_computed_is_kept_by_the_content_of_files(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    first = content_of(table(folder, ALL), cache=cache)
    decoded: list[str] = []
    for name in ("decode_image", "read_sound"):
        original = getattr(contents, name)

        def counted(path: Path, *rest: object, call: object = original, **named: object) -> object:
            decoded.append(path.name)
            return call(path, *rest, **named)

        monkeypatch.setattr(contents, name, counted)
    (folder / "y.png").rename(folder / "renamed.png")
    PIL.fromarray(picture(5)).save(folder / "x1.png")
    names = ["renamed.png", *ALL[1:]]
    again = content_of(table(folder, names), cache=cache)
    assert sorted(decoded) == ["broken.png", "x1.png"]  # threads decode in any order
    assert again.digests["renamed.png"] == first.digests["y.png"]
    assert again.digests["x1.png"] != first.digests["x1.png"]
    for digest, wave in first.sounds.items():
        np.testing.assert_array_equal(again.sounds[digest], wave)
        assert again.sounds[digest].dtype == np.int8


def test_a_run_that_is_stopped_goes_on(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "_KEPT_AT_ONCE", 2)
    cache = tmp_path / "cache"

    def stop(done: int, _total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        content_of(table(folder, ALL), cache=cache, progress=stop, workers=1)
    (journal,) = (cache / "contents").iterdir()
    kept = journal.read_bytes().count(b"\n")
    assert 2 <= kept < 7
    whole = content_of(table(folder, ALL), cache=cache)
    assert whole.digests == content_of(table(folder, ALL)).digests
    assert journal.read_bytes().count(b"\n") == 7


@pytest.mark.shared
def test_the_collected_case(cases: Path) -> None:
    split = pl.read_csv(cases / "A16_split.csv").rename({"file": "item"})
    table = make_table(split.with_columns(pl.col("item").alias("media")), targets=[], root=cases)
    copies = copies_of(content_of(table), dict(split.select("item", "partition").iter_rows()))
    x1, x2, x3, x4, _ = split.get_column("item")
    assert copies.exact.get_column("item").to_list() == [x1, x2, x3]
    assert copies.counts.row(0) == ("exact", 3, 0, 3)
    near = copies.near.select("item", "other").rows()
    assert near == [(x1, x4), (x2, x4), (x3, x4)]
