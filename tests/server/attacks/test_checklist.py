"""Every attack of the checklist, T1 to T20, has a test of its name."""

from __future__ import annotations

import re
from pathlib import Path


def test_every_attack_has_a_test() -> None:
    folder = Path(__file__).parents[1]
    names = " ".join(
        re.findall(r"^def (test_\w+)", "\n".join(path.read_text() for path in folder.rglob("test_*.py")), re.M)
    )
    assert [number for number in range(1, 21) if not re.search(rf"_t{number}_", names)] == []
