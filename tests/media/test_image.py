"""Pictures of every kind that databases hold, and files that are none."""

from __future__ import annotations

import builtins
import io
import struct
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError, InputError, MediaError
from affectcheck.media import Clip, Item, decode_image, is_image, load_item, pillow
from affectcheck.media.content import image_digest
from affectcheck.media.landmarks import COLUMNS
from drawn import picture

PIL = pytest.importorskip("PIL.Image")

if TYPE_CHECKING:
    from pathlib import Path

PIXELS = picture(1)


def saved(path: Path, pixels: np.ndarray, **options: object) -> Path:
    PIL.fromarray(pixels).save(path, **options)
    return path


def kinds(path: Path) -> list[str]:
    return [note.partition(":")[0] for note in decode_image(path).notes]


def test_the_same_pixels_in_any_lossless_file_have_one_digest(tmp_path: Path) -> None:
    paths = [
        saved(tmp_path / "a.png", PIXELS),
        saved(tmp_path / "b.webp", PIXELS, lossless=True, exact=True),
        saved(tmp_path / "c.bmp", PIXELS),
        saved(tmp_path / "d.tif", PIXELS),
        saved(tmp_path / "e.png", PIXELS, compress_level=0),
    ]
    assert len({image_digest(decode_image(path)) for path in paths}) == 1
    assert decode_image(paths[0]).notes == ()
    np.testing.assert_array_equal(decode_image(paths[1]).pixels, PIXELS)
    other = saved(tmp_path / "f.png", PIXELS ^ np.uint8(1))
    assert image_digest(decode_image(other)) != image_digest(decode_image(paths[0]))


def test_grey_and_palette_are_colours_too(tmp_path: Path) -> None:
    grey = np.ascontiguousarray(PIXELS[:, :, 0])
    one = decode_image(saved(tmp_path / "a.png", grey))
    three = decode_image(saved(tmp_path / "b.png", np.repeat(grey[:, :, None], 3, axis=2)))
    assert one.digest == three.digest
    few = (PIXELS // 64) * 64
    PIL.fromarray(few).quantize(256, dither=PIL.Dither.NONE).save(tmp_path / "c.png")
    np.testing.assert_array_equal(decode_image(tmp_path / "c.png").pixels, few)
    PIL.fromarray(grey > 99).save(tmp_path / "d.png")
    assert set(np.unique(decode_image(tmp_path / "d.png").pixels)) == {0, 255}


@pytest.mark.parametrize("orientation", range(2, 9))
def test_turned_upright(tmp_path: Path, orientation: int) -> None:
    stored = {
        2: PIXELS[:, ::-1],
        3: PIXELS[::-1, ::-1],
        4: PIXELS[::-1],
        5: PIXELS.transpose(1, 0, 2),
        6: np.rot90(PIXELS, 1),
        7: PIXELS[::-1, ::-1].transpose(1, 0, 2),
        8: np.rot90(PIXELS, -1),
    }[orientation]
    exif = PIL.Exif()
    exif[0x0112] = orientation
    saved(tmp_path / "a.png", np.ascontiguousarray(stored), exif=exif)
    found = decode_image(tmp_path / "a.png")
    assert found.notes == (f"EXIF: turned upright from orientation {orientation}",)
    np.testing.assert_array_equal(found.pixels, PIXELS)


def test_pillow_warns_past_nobody_and_filters_are_left_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A photograph of 108 million pixels is no attack; what is wrong with a picture is told by its notes."""
    monkeypatch.setattr(PIL, "MAX_IMAGE_PIXELS", PIXELS.shape[0] * PIXELS.shape[1] - 1)
    paths = [saved(tmp_path / f"{n}.png", PIXELS) for n in range(16)]
    before = list(warnings.filters)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(decode_image, paths))
    assert all(not one.notes for one in found)
    assert list(warnings.filters) == before
    with pytest.warns(PIL.DecompressionBombWarning), PIL.open(paths[0]):
        pass


def test_exif_that_says_nothing_of_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for stated, notes in ((1, []), (9, ["EXIF"])):
        exif = PIL.Exif()
        exif[0x0112] = stated
        assert kinds(saved(tmp_path / "a.png", PIXELS, exif=exif)) == notes

    def damaged(_self: object) -> None:
        raise struct.error

    monkeypatch.setattr(PIL.Image, "getexif", damaged)
    assert decode_image(saved(tmp_path / "a.png", PIXELS)).notes == ("EXIF: damaged, not turned",)


def test_transparent_parts_are_white_whatever_hides_below(tmp_path: Path) -> None:
    alpha = np.full((*PIXELS.shape[:2], 1), 255, np.uint8)
    alpha[:40] = 0
    first = saved(tmp_path / "a.png", np.concatenate([PIXELS, alpha], axis=2))
    hidden = PIXELS.copy()
    hidden[:40] = 7
    second = saved(tmp_path / "b.png", np.concatenate([hidden, alpha], axis=2))
    assert kinds(first) == ["transparency"]
    assert decode_image(first).digest == decode_image(second).digest
    assert (decode_image(first).pixels[:40] == 255).all()
    opaque = saved(tmp_path / "c.png", np.concatenate([PIXELS, np.full_like(alpha, 255)], axis=2))
    assert decode_image(opaque).notes == ()
    np.testing.assert_array_equal(decode_image(opaque).pixels, PIXELS)


def test_sixteen_bits(tmp_path: Path) -> None:
    deep = PIXELS[:, :, 0].astype(np.uint16) * 257
    path = saved(tmp_path / "a.png", deep)
    assert kinds(path) == ["16 bits"]
    np.testing.assert_array_equal(decode_image(path).pixels[:, :, 2], PIXELS[:, :, 0])
    with pytest.raises(MediaError, match="pixels from 0 to 100000"):
        decode_image(saved(tmp_path / "b.tif", np.array([[0, 100_000]], np.int32)))
    with pytest.raises(MediaError, match="floating-point pixels"):
        decode_image(saved(tmp_path / "c.tif", np.ones((4, 4), np.float32)))


def deep_png(path: Path, values: np.ndarray, colours: int) -> Path:
    """(height, width, channels) uint16 as a PNG, which Pillow reads but does not write in colour."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    height, width = values.shape[:2]
    lines = b"".join(b"\0" + line.astype(">u2").tobytes() for line in values)
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, colours, 0, 0, 0))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))
    return path


def test_sixteen_bits_of_colours_are_narrowed_in_the_same_way(tmp_path: Path) -> None:
    deep = PIXELS.astype(np.uint16) * 256 + 200
    path = deep_png(tmp_path / "a.png", deep, 2)
    assert decode_image(path).notes == ("16 bits: the upper eight are kept",)
    np.testing.assert_array_equal(decode_image(path).pixels, PIXELS)
    alpha = np.full((*PIXELS.shape[:2], 1), 65_535, np.uint16)
    alpha[:40] = 0
    path = deep_png(tmp_path / "b.png", np.concatenate([deep, alpha], 2), 6)
    assert kinds(path) == ["16 bits", "transparency"]
    np.testing.assert_array_equal(decode_image(path).pixels[40:], PIXELS[40:])
    path = deep_png(tmp_path / "c.png", np.concatenate([deep[:, :, :1], alpha], 2), 4)
    assert kinds(path) == ["16 bits", "transparency"]
    np.testing.assert_array_equal(decode_image(path).pixels[40:], np.repeat(PIXELS[40:, :, :1], 3, 2))


def test_palettes_with_transparent_entries_and_two_colours(tmp_path: Path) -> None:
    places = np.zeros((8, 9), np.uint8)
    places[2:] = 1
    picture = PIL.fromarray(places, mode="P")
    picture.putpalette([255, 0, 0, 0, 0, 255])
    picture.save(tmp_path / "a.png", transparency=0)
    picture.save(tmp_path / "a.gif", transparency=0)
    for name in ("a.png", "a.gif"):
        found = decode_image(tmp_path / name)
        assert found.notes == ("transparency: shown on white",)
        assert found.pixels[0, 0].tolist() == [255, 255, 255]
        assert found.pixels[7, 8].tolist() == [0, 0, 255]
    picture.save(tmp_path / "b.png", bits=1)
    assert decode_image(tmp_path / "b.png").pixels[0, 0].tolist() == [255, 0, 0]


@pytest.mark.parametrize(
    ("suffix", "options"), [(".jpg", {"quality": 95}), (".webp", {"lossless": True}), (".tif", {})]
)
def test_turned_upright_in_every_kind_of_file(tmp_path: Path, suffix: str, options: dict[str, object]) -> None:
    exif = PIL.Exif()
    exif[0x0112] = 6
    path = saved(tmp_path / f"a{suffix}", np.ascontiguousarray(np.rot90(PIXELS)), exif=exif, **options)
    found = decode_image(path)
    assert found.notes == ("EXIF: turned upright from orientation 6",)
    assert np.abs(found.pixels.astype(int) - PIXELS).mean() < 8


def test_landmarks_are_those_of_the_upright_picture(tmp_path: Path) -> None:
    exif = PIL.Exif()
    exif[0x0112] = 6
    saved(tmp_path / "a.png", np.ascontiguousarray(np.rot90(PIXELS)), exif=exif)
    row = {"item": "k", "media": "a.png"} | dict.fromkeys(COLUMNS, 90.0)  # inside 96 × 80 as stored, outside upright
    assert load_item(row, tmp_path).image.landmarks is None
    row |= dict.fromkeys(COLUMNS[::2], 70.0)
    assert load_item(row, tmp_path).image.landmarks is not None


def test_colours_of_a_printer_are_those_seen(tmp_path: Path) -> None:
    red = PIL.new("CMYK", (8, 8), (0, 255, 255, 0))
    for name in ("a.jpg", "a.tif"):
        red.save(tmp_path / name)
        assert np.abs(decode_image(tmp_path / name).pixels.astype(int) - (255, 0, 0)).max() < 8


def test_cmyk_and_several_frames(tmp_path: Path) -> None:
    PIL.fromarray(PIXELS).convert("CMYK").save(tmp_path / "a.jpg")
    assert kinds(tmp_path / "a.jpg") == ["CMYK"]
    frames = [PIL.fromarray(PIXELS[::step]) for step in (1, 1)]
    frames[1] = PIL.fromarray(255 - PIXELS)
    frames[0].save(tmp_path / "b.tif", save_all=True, append_images=frames[1:])
    assert decode_image(tmp_path / "b.tif").notes == ("frames: the first of 2",)
    np.testing.assert_array_equal(decode_image(tmp_path / "b.tif").pixels, PIXELS)


def jpeg() -> bytes:
    file = io.BytesIO()
    PIL.fromarray(PIXELS).save(file, "JPEG")
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (jpeg()[:800], "broke off"),
        (b"file,label\na.jpg,anger\n", "text, not a picture"),
        (b"fLaC" + bytes(60), r"sound \(FLAC\)"),
        (b"\0\0\0\x18ftypheic" + bytes(40), "HEIC, MP4"),
        (b"\x89PNG\r\n\x1a\n" + b"\x7f" * 40, "PNG file that is damaged"),
        (b"\x01\x02\x03\xff", "a damaged file"),
        (bytes(100), "zero bytes only"),
    ],
)
def test_no_picture(tmp_path: Path, content: bytes, cause: str) -> None:
    (tmp_path / "a.jpg").write_bytes(content)
    with pytest.raises(MediaError, match=cause) as caught:
        decode_image(tmp_path / "a.jpg")
    assert "a.jpg" in str(caught.value)


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="a picture file"):
        decode_image(tmp_path / "gone.jpg")
    with pytest.raises(MediaError, match="is a folder, not a picture file"):
        decode_image(tmp_path)
    (tmp_path / "a.jpg").touch()
    with pytest.raises(MediaError, match="empty file"):
        decode_image(tmp_path / "a.jpg")


def test_a_header_that_claims_more_than_memory_holds(tmp_path: Path) -> None:
    broken = bytearray((saved(tmp_path / "a.png", PIXELS)).read_bytes())
    broken[16:24] = struct.pack(">II", 100_000, 100_000)
    broken[29:33] = struct.pack(">I", zlib.crc32(bytes(broken[12:29])))
    (tmp_path / "a.png").write_bytes(broken)
    with pytest.raises(MediaError, match="fill the memory"):
        decode_image(tmp_path / "a.png")


def test_without_pillow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path / "a.png", PIXELS)
    importing = builtins.__import__

    def refuse(name: str, *rest: object, **named: object) -> object:
        if name.startswith("PIL"):
            raise ImportError(name)
        return importing(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    pillow.pillow.cache_clear()
    with pytest.raises(ExtraMissingError, match="pillow") as caught:
        decode_image(path)
    assert "affectcheck[image]" in str(caught.value)


def test_an_item_has_a_picture_by_its_suffix(tmp_path: Path) -> None:
    saved(tmp_path / "a.PNG", PIXELS)
    item = load_item({"item": "k", "media": "a.PNG"}, tmp_path)
    np.testing.assert_array_equal(item.image.pixels, PIXELS)
    with pytest.raises(InputError, match="item 'k' has no audio"):
        _ = item.audio
    with pytest.raises(InputError, match="item 'k' has no picture"):
        _ = Item("k", {"audio": Clip(np.zeros(3, np.float32), 16_000)}).image
    (tmp_path / "b.jpg").write_bytes(b"no")
    with pytest.raises(MediaError, match=r"item 'k', .*b\.jpg: cannot decode"):
        load_item({"item": "k", "media": "b.jpg"}, tmp_path)
    assert is_image("x/y.JPG")
    assert not is_image("x/y.wav")
