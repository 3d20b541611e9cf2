"""T7 by the program: the end of a phase to the second, by ``affectcheck submit``."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from affectcheck.challenges.track_parts import Phase
from affectcheck.errors import InputError
from portal_clock import NOON
from portal_scene import moods_track, predictions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from portal_scene import Scene

END = NOON + timedelta(hours=1)


@pytest.mark.parametrize("seconds", [-1, 0, 1])
def test_t7_the_end_of_a_phase_by_the_program(
    program: Callable[..., int], as_: Callable[..., None], scene: Scene, tmp_path: Path, seconds: int
) -> None:
    scene.contest(track=moods_track(phases=[Phase(name="test", opens=NOON, closes=END)]))
    as_(scene.team("Blue").captain, "submit")
    file = tmp_path / "predictions.csv"
    file.write_bytes(predictions())
    words = ("submit", file, "--track", "faces", "--method", "Trees", "--pretraining", "none")
    scene.clock.set(END + timedelta(seconds=seconds))
    if seconds < 0:
        assert program(*words) == 0
    else:
        with pytest.raises(InputError, match="The track closed at 2026-03-02 13:00:00 UTC"):
            program(*words)
    with scene.portal.database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM submission").scalar() == int(seconds < 0)
