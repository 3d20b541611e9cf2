"""Files as programs send them: the body of the request, read block by block on a thread of its own."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import anyio
import anyio.from_thread
from fastapi import Query
from starlette.requests import Request

from affectcheck.server.web.uploads import on_lane

T = TypeVar("T")
#: The body of a request that is a file.
BINARY: Final = "application/octet-stream"
FILE: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": "The bytes of the file, as they are.",
        "content": {BINARY: {"schema": {"type": "string", "format": "binary"}}},
    }
}
FileName: TypeAlias = Annotated[
    str,
    Query(
        min_length=1,
        max_length=255,
        pattern=r"^[^\x00-\x1f\x7f]+$",
        description="Its name; the ending says what it is.",
    ),
]


async def read_file(request: Request, work: Callable[[Iterator[bytes]], T]) -> T:
    """Do work that takes the blocks of a body, none of which is kept in memory.

    Args:
        request: whose body is the file.
        work: takes its blocks; what it raises ends the request.
    """
    return await on_lane(request, lambda one: work(_blocks(one)))


def _blocks(request: Request) -> Iterator[bytes]:
    stream = request.stream().__aiter__()
    while (block := anyio.from_thread.run(_next, stream)) is not None:
        if block:
            yield block


async def _next(stream: AsyncIterator[bytes]) -> bytes | None:
    return await anext(stream, None)
