"""The load benchmark at a small size: what it checks of receipts, slots and scores holds though all is killed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "server_load.py"


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_nothing_is_lost_or_scored_twice_though_server_and_workers_are_killed(
    database: str, request: pytest.FixtureRequest
) -> None:
    if database == "postgresql":
        request.getfixturevalue("postgres_server")  # skips where there is none
    sizes = ["--teams", "3", "--full", "1", "--eager", "1", "--frames", "14200", "--rate", "5", "--seconds", "12"]
    done = subprocess.run(
        [sys.executable, BENCHMARK, "--database", database, *sizes, "--kill", "2", "--patience", "300"],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    told = next((line for line in done.stdout.splitlines() if "sixth valid ones" in line), done.stdout + done.stderr)
    assert set(re.findall(r": (\d+)", told)) == {"0"}, told
    assert "db verify: nothing is broken" in done.stdout, done.stdout
    assert "FAILED" not in done.stdout, done.stdout
    assert "killed 2 times" in done.stdout
