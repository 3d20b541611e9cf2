"""Memory that a worker keeps: the C library hands what a large array leaves back at once, and asks for it again.

Arrays of a clip and its spectra come and go by the thousand, each in pages that the system has to clear before they are
used: over a third of a worker's time where models are small (``benchmarks/suite_overhead.py``). A process that ends with
its run may keep them.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Final

#: Parameters of glibc's ``mallopt`` by their numbers in malloc.h: how much is kept at the top of the heap, and how
#: large an array is that is taken beside it, of which 32 MiB is the most it allows.
_KEPT_BYTES: Final = {-1: 1 << 30, -3: 1 << 25}


def keep_memory() -> bool:
    """Ask the C library to keep memory of arrays that are gone, up to 1 GiB, for those that follow.

    Returns:
        Whether it does; only the GNU library can be asked.
    """
    with suppress(OSError, AttributeError, TypeError):  # no such library, or another one
        library = ctypes.CDLL(None)
        answers = [library.mallopt(parameter, most) for parameter, most in _KEPT_BYTES.items()]
        return all(answers)
    return False
