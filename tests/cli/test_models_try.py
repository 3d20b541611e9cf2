"""``affectcheck models try``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.cli import main
from affectcheck.models import png_bytes

if TYPE_CHECKING:
    from pathlib import Path

CODE = """
def see(values):
    return float(values.mean())
see.dimensions = "valence"
see.media = "image"
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    pytest.importorskip("cv2")
    pytest.importorskip("PIL")
    (tmp_path / "see.py").write_text(CODE)
    return tmp_path / "see.py"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["models", "try", *words])
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


def test_channels_in_the_wrong_order_are_seen(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, f"{code}:see?size=8&channels=bgr")
    assert status == 0
    assert "1×3×8×8 float32, from 0 to 1" in out
    (line,) = [line for line in out.splitlines() if line.startswith("top left")]
    assert line.split() == ["top", "left", "255,", "0,", "0", "0,", "0,", "1"]


def test_a_picture_of_ones_own_and_the_view(code: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "grey.png").write_bytes(png_bytes(np.full((4, 4, 3), 51, np.uint8)))
    view = tmp_path / "view.png"
    status, out, _ = run(capsys, f"{code}:see?range=0,255", str(tmp_path / "grey.png"), "-o", str(view), "--json")
    found = json.loads(out)
    assert status == 0
    assert found["answer"] == {"valence": 51.0}
    assert found["shape"] == [1, 3, 4, 4]
    assert view.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("words", "told"),
    [(("-o", "view.jpg"), "cannot write a picture as"), (("none.png",), "none.png")],
)
def test_what_cannot_be(words: tuple[str, ...], told: str, code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, f"{code}:see", *words)
    assert (status, told in err) == (2, True)


def test_a_model_that_does_not_show_it(code: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = "random-categorical?labels=a,b&media=image"
    assert run(capsys, spec)[0] == 0
    status, _, err = run(capsys, spec, "-o", str(tmp_path / "view.png"))
    assert (status, "does not show what it receives" in err) == (2, True)
