"""One thread for each process that multiplies matrices: processes run side by side, and more threads wait for each other.

On two cores, two processes of two threads each take ten times as long over small networks.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Processes that start in here use one thread, unless the user has stated another number."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update({name: before[name] or "1" for name in _THREADS})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]


@contextmanager
def one_thread_here() -> Iterator[None]:
    """The same for this process, where NumPy is loaded already; as it is without ``threadpoolctl``."""
    if find_spec("threadpoolctl") is None:  # scikit-learn brings it
        yield
        return
    with import_module("threadpoolctl").threadpool_limits(1):
        yield
