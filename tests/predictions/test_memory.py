"""Memory that workers keep: pages are not asked for again, and other C libraries are left alone."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from affectcheck.predictions.memory import keep_memory

FAULTS = """
import resource, sys
import numpy as np
from affectcheck.predictions.memory import keep_memory
if sys.argv[1] == "kept":
    assert keep_memory()
def work():
    for _ in range(5):
        [np.ones(50_000) for _ in range(20)]  # gone at once, as what is made of a clip
work()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
work()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(how: str) -> int:
    done = subprocess.run([sys.executable, "-c", FAULTS, how], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "gnu_get_libc_version"), reason="not the GNU C library")
def test_pages_of_arrays_that_are_gone_are_used_again() -> None:
    assert faults("kept") < 100 < faults("given back")


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (OSError, AttributeError, TypeError):

        def refuse(name: object, error: type[Exception] = error) -> None:
            raise error(name)

        monkeypatch.setattr(ctypes, "CDLL", refuse)
        assert not keep_memory()
