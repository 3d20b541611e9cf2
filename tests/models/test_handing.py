"""Programs and servers that take pictures."""

from __future__ import annotations

import io
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.media.clip import Clip, Image, Item
from affectcheck.models import load_model
from affectcheck.models.handing import png_bytes
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pillow = pytest.importorskip("PIL.Image")
PROGRAM = """
import json, sys
from PIL import Image
for line in sys.stdin:
    with Image.open(line.strip()) as picture:
        print(json.dumps([picture.width, picture.height, picture.getpixel((0, 0))[0]]), flush=True)
"""
PARTS = "dimensions=width,height,red&high=255"


def item(side: int = 6) -> Item:
    return Item("a", {"image": Image(np.full((side, 2 * side, 3), (200, 100, 0), np.uint8))})


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (112, 112)])
def test_files_of_pictures_hold_every_pixel(shape: tuple[int, int]) -> None:
    pixels = rng(0, "png").integers(0, 256, (*shape, 3), dtype=np.uint8)
    with pillow.open(io.BytesIO(png_bytes(pixels))) as picture:
        assert (picture.format, picture.mode) == ("PNG", "RGB")
        assert (np.asarray(picture) == pixels).all()


def test_a_program_reads_pictures(tmp_path: Path) -> None:
    program = tmp_path / "see.py"
    program.write_text(PROGRAM)
    model = load_model(f"command:{sys.executable} {program}?{PARTS}&media=image")
    try:
        assert (model.card.media, model.card.rate_hz) == (("image",), None)
        assert model.predict([item(), item(3)]).tolist() == [[12, 6, 200], [6, 3, 200]]
    finally:
        model.close()  # type: ignore[attr-defined]  # a program's model has it


def test_a_program_gets_the_size_that_is_stated(tmp_path: Path) -> None:
    pytest.importorskip("cv2")
    program = tmp_path / "see.py"
    program.write_text(PROGRAM)
    plain, sized = (
        load_model(f"command:{sys.executable} {program}?{PARTS}&media=image{more}") for more in ("", "&size=8x4")
    )
    try:
        assert sized.predict([item()]).tolist() == [[8, 4, 200]]
        assert plain.card.digest != sized.card.digest
        assert "PNG files; pictures: whole, 8×4 pixels by area" in sized.card.notes
    finally:
        sized.close()  # type: ignore[attr-defined]  # a program's model has it


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with pillow.open(io.BytesIO(body)) as picture:
            answer = json.dumps([picture.width, picture.height, picture.getpixel((0, 0))[0]]).encode()
        self.send_response(200 if self.headers["Content-Type"] == "image/png" else 415)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_a_server_gets_pictures(port: int) -> None:
    model = load_model(f"http://127.0.0.1:{port}/see?{PARTS}&media=image")
    assert model.card.media == ("image",)
    assert model.predict([item()]).tolist() == [[12, 6, 200]]


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ("size=8", InputError, "'size' says nothing of sound"),
        ("media=image&encoding=float32", InputError, "'encoding' says nothing of pictures"),
        ("media=image&crop=sideways", UnknownNameError, "value of crop"),
        ("media=smell", UnknownNameError, "value of media"),
    ],
)
def test_what_does_not_fit(options: str, error: type[Exception], told: str) -> None:
    for address in ("http://127.0.0.1:9/", "command:cat"):
        with pytest.raises(error, match=told):
            load_model(f"{address}?labels=a,b&{options}")


def test_an_item_without_a_picture(port: int) -> None:
    model = load_model(f"http://127.0.0.1:{port}/see?{PARTS}&media=image")
    with pytest.raises(InputError, match="has no picture"):
        model.predict([Item("a", {"audio": Clip(np.zeros(3, np.float32), 16_000)})])


def test_tables_of_predictions_see_nothing(tmp_path: Path) -> None:
    (tmp_path / "done.csv").write_text("item,anger,neutral\na,0.25,0.75\n")
    model = load_model(str(tmp_path / "done.csv"))
    assert model.predict([item()]).tolist() == [[0.25, 0.75]]
