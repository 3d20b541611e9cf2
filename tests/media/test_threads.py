"""Processes that run side by side multiply matrices in one thread each, unless the user says otherwise."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

from affectcheck.media import threads
from affectcheck.media.threads import one_thread_each, one_thread_here

NAMES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def seen() -> list[str]:
    words = f"import os; print(*(os.environ.get(name, '-') for name in {NAMES}))"
    return subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout.split()


@pytest.fixture(autouse=True)
def stated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    for name in NAMES[1:]:
        monkeypatch.delenv(name, raising=False)


def test_processes_get_one_thread_and_keep_what_the_user_stated() -> None:
    with one_thread_each():
        assert seen() == ["3", "1", "1"]
    assert seen() == ["3", "-", "-"]
    with pytest.raises(RuntimeError), one_thread_each():
        raise RuntimeError
    assert os.environ["OMP_NUM_THREADS"] == "3"
    assert not set(NAMES[1:]) & set(os.environ)


def test_this_process_is_limited_where_that_can_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    control = pytest.importorskip("threadpoolctl")
    import numpy as np

    np.ones((2, 2)) @ np.ones((2, 2))
    with one_thread_here():
        assert {one["num_threads"] for one in control.threadpool_info() if one["user_api"] == "blas"} == {1}
    monkeypatch.setattr(threads, "find_spec", lambda name: None)
    with one_thread_here():
        assert importlib.util.find_spec("threadpoolctl") is not None
