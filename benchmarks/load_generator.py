"""Requests of ``server_load.py``, from a process of their own, over plain sockets to this machine alone.

``board``: so many leaderboard requests a second for so many seconds, at their times whether or not those before were
answered (open loop); a latency counts from the moment at which the request was due. ``uploads``: every upload of a plan at
once, each sent again, as the same bytes, until the portal answered it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path

HOST = "127.0.0.1"
PAUSE_S = 0.3
#: A request that has no answer by then is counted as lost.
PATIENCE_S = 30.0


class Connections:
    """Connections to one port that stay open between requests."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(self, request: bytes, body: Path | None = None) -> tuple[int, bytes]:
        """Status and body of the answer.

        Raises:
            OSError, EOFError, ValueError: there was none.
        """
        if body is None and self._idle:
            with suppress(OSError, EOFError):  # closed by the server while it was idle: as browsers do, once more
                return await self._over(*self._idle.pop(), request, None)
        stream = await asyncio.open_connection(HOST, self._port, limit=1 << 22)
        return await self._over(*stream, request, body)

    async def _over(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes, body: Path | None
    ) -> tuple[int, bytes]:
        try:
            writer.write(request)
            if body is not None:
                await _send(writer, body)
            head = await reader.readuntil(b"\r\n\r\n")
            status, length = int(head[9:12]), _length(head)
            content = await reader.readexactly(length)
        except BaseException:
            writer.close()
            raise
        if body is None and b"connection: close" not in head.lower():
            self._idle.append((reader, writer))
        else:
            writer.close()
        return status, content


async def _send(writer: asyncio.StreamWriter, body: Path) -> None:
    with body.open("rb") as file:
        while block := file.read(1 << 18):
            writer.write(block)
            await writer.drain()


def _length(head: bytes) -> int:
    at = head.lower().index(b"content-length:") + 15
    return int(head[at : head.index(b"\r\n", at)])


async def board(told: argparse.Namespace) -> None:
    plan = json.loads(told.plan.read_text())
    connections = Connections(told.port)
    requests = [f"GET {path} HTTP/1.1\r\nHost: {HOST}:{told.port}\r\n\r\n".encode() for path in plan["boards"]]
    answers: list[tuple[float, int, float]] = []  # when due, status or 0, seconds
    begin = time.monotonic() + 0.2

    async def one(number: int) -> None:
        due, status = begin + number / told.rate, 0
        with suppress(OSError, EOFError, ValueError, TimeoutError):
            status, _ = await asyncio.wait_for(connections.ask(requests[number % len(requests)]), PATIENCE_S)
        answers.append((due - begin, status, time.monotonic() - due))

    tasks = set()
    for number in range(int(told.rate * told.seconds)):
        await asyncio.sleep(max(0.0, begin + number / told.rate - time.monotonic()))
        task = asyncio.create_task(one(number))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    told.out.write_text(json.dumps({"answers": answers, "cpu": time.process_time()}))


async def uploads(told: argparse.Namespace) -> None:
    plan = json.loads(told.plan.read_text())
    connections, until = Connections(told.port), time.monotonic() + told.seconds
    found = await asyncio.gather(*(_team(connections, told.port, team, until) for team in plan["teams"]))
    told.out.write_text(json.dumps([answer for answers in found for answer in answers]))


async def _team(connections: Connections, port: int, team: dict, until: float) -> list[dict]:
    """All files of a team at once, as from several people in it."""
    return await asyncio.gather(*(_upload(connections, port, team, one, until) for one in team["uploads"]))


async def _upload(connections: Connections, port: int, team: dict, one: dict, until: float) -> dict:
    path = Path(one["file"])
    query = f"file_name={one['name']}&digest={one['digest']}"
    request = (
        f"POST /api/v1/tracks/{one['track']}/submissions?{query} HTTP/1.1\r\nHost: {HOST}:{port}\r\n"
        f"Authorization: Bearer {team['token']}\r\nContent-Type: application/octet-stream\r\n"
        f"Affectcheck-Declaration: {one['declaration']}\r\nContent-Length: {path.stat().st_size}\r\n\r\n"
    ).encode()
    begin, tries, errors = time.monotonic(), 0, []
    while time.monotonic() < until:
        tries += 1
        try:
            status, content = await asyncio.wait_for(connections.ask(request, path), 300)
        except (OSError, EOFError, ValueError, TimeoutError):
            await asyncio.sleep(PAUSE_S)
            continue
        if status >= 500:
            errors.append(status)
            await asyncio.sleep(PAUSE_S)
            continue
        told = {"status": status, "answer": json.loads(content), "seconds": time.monotonic() - begin}
        return {**one, **told, "team": team["id"], "tries": tries, "errors": errors}
    return {**one, "status": 0, "answer": {}, "seconds": 0.0, "team": team["id"], "tries": tries, "errors": errors}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["board", "uploads"])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--plan", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    told = parser.parse_args()
    asyncio.run({"board": board, "uploads": uploads}[told.what](told))


if __name__ == "__main__":
    main()
