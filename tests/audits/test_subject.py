"""Opening the model under test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.audits.subject import open_model
from affectcheck.schemes import scheme

if TYPE_CHECKING:
    from pathlib import Path


def test_finished_values_are_on_the_range_of_the_data_unless_it_is_stated(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("item,arousal\na,3.5\n")
    five, classes = scheme("affect-3-of-5"), scheme("expressions-4")
    assert (open_model(str(path), five).card.low, open_model(str(path), five).card.high) == (1.0, 5.0)
    stated = open_model(f"table:{path}?range=0,10", five).card
    assert (stated.low, stated.high) == (0.0, 10.0)
    for other in (None, classes):
        assert open_model(str(path), other).card.high == 1.0
