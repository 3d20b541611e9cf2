"""An event loop on a thread of its own: a browser of another test keeps the one of this thread running to the end."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

Found = TypeVar("Found")


def run_apart(begin: Callable[[], Coroutine[Any, Any, Found]]) -> Found:
    """What a coroutine returns that is made and run there."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(begin())).result()
